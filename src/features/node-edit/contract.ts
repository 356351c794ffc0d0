import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, Remark, Sn } from '#domain/wire.ts';

/** An administrator sets the repair node of a unit directly. Rule: events#e36. */
export const modifyIvyId = submit({
  path: '/api/rmaInventory/modifyIvyId.json',
  right: 'rmaInventory:modifyIvyId',
  input: Type.Object({ sn: Sn, ivyId: OptionalCode, remark: Remark }),
  data: Type.Object({ sn: Type.String(), ivyId: Type.String(), billStatus: Type.Union([Type.Null(), Type.String()]) }),
});
