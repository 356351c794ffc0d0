import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode } from '#domain/wire.ts';

/** What became of a parcel that nobody announced. Rule: parcels#pending. */
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
