import { OperateStatus } from '#domain/enums.ts';
import type { Node } from '#domain/nodes.ts';
import type { HistoryStep } from '#domain/workflow.ts';
import { isUndoing } from '#server/workflow/moves.ts';
import type { Row } from './rows.ts';
import { stamp, touch, type Unit, type World } from './world.ts';

/** A step that stood until then is rolled back. */
export function rollBack(step: Row<'rma_transaction'>, at: number): void {
  if (step.operateStatus !== OperateStatus.Normal) return;
  step.operateStatus = OperateStatus.Rollbacked;
  step.rolledBackTime = new Date(at);
}

/** Moves a unit, or leaves it where it is, and writes its line of history; its bill shows whether that took back a step. */
export function moveUnit(
  world: World,
  unit: Unit,
  step: HistoryStep,
  toNode: Node | null,
  billId: string | null,
  at: number,
  by: string,
  note: string | null = null,
): Row<'rma_transaction'> {
  const operateStatus = isUndoing(step) ? OperateStatus.Rollbacked : OperateStatus.Normal;
  const row = world.rows.add('rma_transaction', {
    sn: unit.machine.sn,
    mtbId: unit.row.mtbId ?? null,
    mtbliId: unit.row.mtbliId ?? null,
    siteId: unit.site.siteId,
    step,
    billId,
    fromNode: unit.row.ivyId ?? null,
    toNode,
    operateStatus,
    eventTime: new Date(at),
    userId: by,
    note,
    ...stamp(at, by),
  });
  unit.row.ivyId = toNode;
  touch(unit.row, at, by);
  if (unit.bill) unit.bill.row.operateStatus = operateStatus;
  return row;
}
