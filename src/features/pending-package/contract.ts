import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode } from '#domain/wire.ts';

/** What became of a parcel that nobody announced. Design section 13, decisions 3 O-PND-6. */
export const editInSiteStatus = submit({
  path: '/api/rmaUnhandledPackageBill/editInSiteStatus.json',
  right: 'rmaUnhandledPackageBill:editInSiteStatus',
  input: Type.Object({ id: OptionalCode, status: OptionalCode, mtbId: OptionalCode }),
  data: Type.Object({
    id: Type.Integer(),
    status: Type.String(),
    mtbId: Type.Union([Type.Null(), Type.String()]),
  }),
});
