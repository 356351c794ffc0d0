import { OperateStatus } from '#domain/enums.ts';
import type { Node } from '#domain/nodes.ts';
import type { ConfirmStep, Step } from '#domain/workflow.ts';
import { stamp, touch, type Unit, type World } from './world.ts';

export type TransactionStep = Step | ConfirmStep;

/** Moves a unit and writes its line of history. */
export function moveUnit(
  world: World,
  unit: Unit,
  step: TransactionStep,
  toNode: Node,
  billId: string,
  at: number,
  by: string,
  note: string | null = null,
): void {
  world.rows.add('rma_transaction', {
    sn: unit.machine.sn,
    mtbId: unit.row.mtbId ?? null,
    siteId: unit.site.siteId,
    step,
    billId,
    fromNode: unit.row.ivyId ?? null,
    toNode,
    operateStatus: OperateStatus.Normal,
    eventTime: new Date(at),
    userId: by,
    note,
    ...stamp(at, by),
  });
  unit.row.ivyId = toNode;
  touch(unit.row, at, by);
}
