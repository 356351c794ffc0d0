import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { Nullable, OptionalCode } from '#domain/wire.ts';

/** What came into a lot, what went on from it, and what lies in it. */
const Lot = Type.Object({
  ...{ id: Type.Integer(), wipId: Type.String(), waferLotId: Type.String(), stage: Type.String() },
  ...{ part: Type.String(), supplierName: Type.String(), siteName: Type.String() },
  /** The lots that it was made of, and the order that made it; a foundry's lot has none of the former. */
  ...{ parents: Type.Array(Type.String()), workOrderNo: Nullable(Type.String()) },
  ...{ comeQty: Type.Integer(), takenQty: Type.Integer(), mergedQty: Type.Integer(), stockQty: Type.Integer() },
  /** By which orders it was taken, and how much of it. */
  takenBy: Type.Array(Type.Object({ workOrderNo: Type.String(), qty: Type.Integer() })),
});

/** What an order took in, gave and lost, by the history of the lots; and the same as the order itself says it. */
const Order = Type.Object({
  ...{ id: Type.Integer(), workOrderNo: Type.String(), module: Type.String(), billStatus: Type.String() },
  ...{ inputQty: Type.Integer(), outputQty: Type.Integer(), lossQty: Type.Integer() },
  said: Type.Object({ inputQty: Type.Integer(), outputQty: Type.Integer(), lossQty: Type.Integer() }),
});

/** Where the dies of a lot came from and what became of them. Rule: wafer-bank#tree. */
export const lotTree = lookup({
  path: '/api/icopWip/lotTree.json',
  right: 'icopWip:lotTree',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Object({
    wipId: Type.String(),
    lots: Type.Array(Lot),
    orders: Type.Array(Order),
    /** There are more lots than are told. */
    isCut: Type.Boolean(),
  }),
});
