import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Nullable, OptionalCode, Remark, RowId, SeenVersion } from '#domain/wire.ts';

/** The lots that lie beside this one as the same goods. Rule: wafer-bank#merge. */
export const toMerge = lookup({
  path: '/api/icopWip/toMerge.json',
  right: 'icopWip:merge',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        version: Type.Integer(),
        ...{ wipId: Type.String(), waferLotId: Type.String(), waferIds: Type.String(), chipQty: Type.Integer() },
        ...{ workOrderNo: Type.String(), inTime: Nullable(Type.Integer()) },
      }),
    ),
  }),
});

const List = Type.Optional(Type.String({ maxLength: 4000 }));

/**
 * A lot and those that were chosen of `toMerge`, separated by commas, become one. Of each chosen one it is said in the same
 * order which version and how many dies were shown. Rule: wafer-bank#merge.
 */
export const merge = submit({
  method: 'GET',
  path: '/api/icopWip/merge.json',
  right: 'icopWip:merge',
  input: Type.Object({ id: OptionalCode, version: SeenVersion, wipIds: List, versions: List, chipQtys: List }),
  data: Type.Object({ wipId: Type.String(), chipQty: Type.Integer(), parents: Type.Array(Type.String()) }),
});

/** The latest entry of a lot is undone. Rule: wafer-bank#rollback. */
export const rollbackLot = submit({
  method: 'GET',
  path: '/api/icopTransaction/rollbackById.json',
  right: 'icopTransaction:rollback',
  input: Type.Object({ id: OptionalCode, version: SeenVersion, remark: Remark }),
  data: Type.Object({ id: Type.Integer(), wipId: Type.String() }),
});

/** So many entries are undone at once. */
export const MOST_ENTRIES = 200;

const entries = Type.Array(
  Type.Object({
    ...{ id: Type.Integer(), version: Type.Integer(), wipId: Type.String(), waferLotId: Type.String() },
    ...{ piece: Type.String(), transactionType: Type.String(), qty: Type.Integer(), workOrderNo: Type.String() },
  }),
);

/** What stands of the order of an entry, or of its lot where it is of none, the newest first. Rule: wafer-bank#rollback. */
export const toRollBack = lookup({
  path: '/api/icopTransaction/toRollBack.json',
  right: 'icopTransaction:rollbackMany',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Object({ entries }),
});

/**
 * The latest entries of lots are undone, all of them or none, the newest first; whoever may not roll back any entry may do
 * so with those of his own orders. A dry run shows them in that order and keeps nothing; each goes as it was shown.
 * Rule: wafer-bank#rollback.
 */
export const rollbackMany = submit({
  path: '/api/icopTransaction/rollbackMany.json',
  right: 'icopTransaction:rollbackMany',
  input: Type.Object({
    ids: Type.Array(RowId, { minItems: 1, maxItems: MOST_ENTRIES }),
    /** By id, as the dry run has told them. */
    versions: Type.Optional(Type.Record(Type.String({ maxLength: 20 }), SeenVersion)),
    remark: Remark,
    dryRun: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ entries }),
});
