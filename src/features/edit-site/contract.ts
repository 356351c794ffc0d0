import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode } from '#domain/wire.ts';

/** A bill whose goods have not come yet is given to another repair site. Rule: bills#site. */
export const updateSiteId = submit({
  path: '/api/rmaMaintainBill/updateSiteId.json',
  right: 'rmaMaintainBill:updateSiteId',
  input: Type.Object({ id: OptionalCode, siteId: OptionalCode }),
  data: Type.Object({ id: Type.Integer(), mtbId: Type.String(), siteId: Type.String() }),
});
