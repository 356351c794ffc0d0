import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import type { WorkOrderModule } from '#domain/wafer.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark, SeenVersion } from '#domain/wire.ts';

/** How often the same may come of one position. */
export const MOST_REPEATS = 1000;
const Quantity = Type.Integer({ minimum: 0, maximum: 100_000_000 });

/** What is still in process of an order, position by position, and in which bins its output is counted. */
export const toRecordOutput = (module: WorkOrderModule) =>
  lookup({
    path: `/api/${module}/toRecordOutput.json`,
    right: `${module}:recordOutput`,
    input: Type.Object({ id: OptionalCode }),
    data: Type.Object({
      /** Of the order, as its positions are told. */
      version: Type.Integer(),
      workOrderNo: Type.String(),
      bank: Type.String(),
      bins: Type.Array(Type.String()),
      positions: Type.Array(
        Type.Object({
          ...{ position: Type.String(), wipId: Type.String(), waferLotId: Type.String(), piece: Type.String() },
          ...{ inputQty: Type.Integer(), outputQty: Type.Integer(), lossQty: Type.Integer(), leftQty: Type.Integer() },
        }),
      ),
    }),
  });

/** What the supplier reports: good units, which become lots of the next bank, and loss. Rule: wafer-bank#output. */
export const recordOutput = (module: WorkOrderModule) =>
  submit({
    path: `/api/${module}/recordOutput.json`,
    right: `${module}:recordOutput`,
    input: Type.Object({
      id: OptionalCode,
      version: SeenVersion,
      positions: Type.Array(
        Type.Object({
          position: Code,
          outputs: Type.Array(Type.Object({ bin: Nullable(Code), qty: Quantity }), { maxItems: 10 }),
          lossQty: Quantity,
          /** As much came before, and once more: so many times with this. Rule: wafer-bank#once. */
          repeat: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_REPEATS })),
        }),
        { minItems: 1, maxItems: 2000 },
      ),
      dateCode: OptionalText,
      remark: Remark,
    }),
    data: Type.Object({
      ...{ id: Type.Integer(), workOrderNo: Type.String(), billStatus: Type.String() },
      /** The lots that came out. */
      wipIds: Type.Array(Type.String()),
      ...{ outputQty: Type.Integer(), lossQty: Type.Integer() },
    }),
  });

/** What of a wafer order is still to come, and how many dies its part has on a wafer. */
export const toReceiveWafers = lookup({
  path: '/api/icopWaferWorkOrder/toReceiveWafers.json',
  right: 'icopWaferWorkOrder:receiveWafers',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Object({
    version: Type.Integer(),
    ...{ workOrderNo: Type.String(), waferQty: Type.Integer(), outputQty: Type.Integer(), lossQty: Type.Integer() },
    grossDie: Nullable(Type.Integer()),
  }),
});

/** A lot comes from the foundry into the wafer bank; wafers that will not come are told as well. Rule: wafer-bank#entry. */
export const receiveWafers = submit({
  path: '/api/icopWaferWorkOrder/receiveWafers.json',
  right: 'icopWaferWorkOrder:receiveWafers',
  input: Type.Object({
    id: OptionalCode,
    version: SeenVersion,
    waferLotId: OptionalCode,
    /** `01-25`, or `01,02,05`. */
    waferIds: OptionalText,
    dies: Type.Optional(Quantity),
    missing: Type.Optional(Quantity),
    remark: Remark,
  }),
  data: Type.Object({
    ...{ id: Type.Integer(), workOrderNo: Type.String(), billStatus: Type.String() },
    wipId: Nullable(Type.String()),
    ...{ outputQty: Type.Integer(), lossQty: Type.Integer() },
  }),
});
