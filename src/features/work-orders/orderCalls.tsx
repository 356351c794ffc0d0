import type { WorkOrderModule } from '#domain/wafer.ts';
import * as calls from './contract.ts';
import type { SelectedLot } from './rules.ts';

/** The call by which each kind of order is made, and the one that shows its banks. */
export const orderCalls = {
  icopBumpingCpWorkOrder: calls.createBumpingCpOrder,
  icopAssemblyWorkOrder: calls.createAssemblyOrder,
  icopFtWorkOrder: calls.createFtOrder,
} as const satisfies Record<WorkOrderModule, unknown>;

/** The call by which what a draft holds is changed. */
export const modifyCalls = {
  icopBumpingCpWorkOrder: calls.modifyBumpingCpLines,
  icopAssemblyWorkOrder: calls.modifyAssemblyLines,
  icopFtWorkOrder: calls.modifyFtLines,
} as const satisfies Record<WorkOrderModule, unknown>;

export const bankCalls = {
  icopBumpingCpWorkOrder: calls.getWipWafer,
  icopAssemblyWorkOrder: calls.getWaferLot,
  icopFtWorkOrder: calls.getFtLot,
} as const satisfies Record<WorkOrderModule, unknown>;

/** What was taken, as the call of its order has it. Rule: wafer-bank#taking. */
export function toRequestLines(module: WorkOrderModule, picked: readonly SelectedLot[]): Record<string, unknown> {
  if (module !== 'icopFtWorkOrder') {
    return {
      waferList: picked.map(({ wipId, piece, inputQty, remark }) => ({
        ...{ wipId, waferId: piece, inputQty },
        ...(remark && { remark }),
      })),
    };
  }
  return {
    ftWorkOrderLineGroupList: picked.map(({ wipId, piece, inputQty, group, ftTestProgram, originPlace, remark }) => ({
      wipId,
      group,
      bin: piece,
      ftTestProgram,
      chipQty: inputQty,
      ...(originPlace && { originPlace }),
      ...(remark && { remark }),
    })),
  };
}
