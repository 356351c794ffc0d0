import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Nullable, OptionalCode, Remark } from '#domain/wire.ts';

/** The lots that lie beside this one as the same goods. Rule: wafer-bank#merge. */
export const toMerge = lookup({
  path: '/api/icopWip/toMerge.json',
  right: 'icopWip:merge',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        ...{ wipId: Type.String(), waferLotId: Type.String(), waferIds: Type.String(), chipQty: Type.Integer() },
        ...{ workOrderNo: Type.String(), inTime: Nullable(Type.Integer()) },
      }),
    ),
  }),
});

/** A lot and those that were chosen of `toMerge`, separated by commas, become one. Rule: wafer-bank#merge. */
export const merge = submit({
  method: 'GET',
  path: '/api/icopWip/merge.json',
  right: 'icopWip:merge',
  input: Type.Object({ id: OptionalCode, wipIds: Type.Optional(Type.String({ maxLength: 4000 })) }),
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
