import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, Remark } from '#domain/wire.ts';

/** A lot and those that lie beside it as the same goods become one. Rule: wafer-bank#merge. */
export const merge = submit({
  method: 'GET',
  path: '/api/icopWip/merge.json',
  right: 'icopWip:merge',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Object({ wipId: Type.String(), chipQty: Type.Integer(), parents: Type.Array(Type.String()) }),
});

/** The latest entry of a lot is undone. Rule: wafer-bank#rollback. */
export const rollbackLot = submit({
  method: 'GET',
  path: '/api/icopTransaction/rollbackById.json',
  right: 'icopTransaction:rollback',
  input: Type.Object({ id: OptionalCode, remark: Remark }),
  data: Type.Object({ id: Type.Integer(), wipId: Type.String() }),
});
