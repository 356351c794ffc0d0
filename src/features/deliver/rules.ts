import { DeliverStatus, Flag, StockupStatus, SubmitType } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';

/** A line of the stock-up bill: which unit it waits for. */
export interface StockupLine {
  skblId: string;
  itemId: number;
  sn: string;
  salesCode: string;
  delivered: string;
}

export interface ShippingUnit {
  sn: string;
  salesCode: string;
  mtbliId: string | null;
  deliverStatus: string | null;
  deliverPriority: string | null;
}

/** Units leave with their SNs; no other kind of delivery is taken here. Spec 2 §9. */
export const problemsOfSubmitType = (submitType: string): Problem[] => {
  if (submitType === SubmitType.WithSn) return [];
  const args = { field: { zh: '提交类型', en: 'The submit type' } };
  return [{ key: 'format', field: 'submitType', args }];
};

/** A stock-up bill ships while it is open or partly delivered. Decisions 2, 1.7. */
export const problemsOfStockup = (skbId: string, status: string | null): Problem[] =>
  status === StockupStatus.Open || status === StockupStatus.Partly
    ? []
    : [{ key: 'billFinished', field: 'skbId', args: { id: skbId } }];

/** Nothing on the bill waits any more. Spec 2 §5 Deliver. */
export const problemsOfLines = (lines: readonly StockupLine[]): Problem[] =>
  lines.some((it) => it.delivered !== Flag.Yes) ? [] : [{ key: 'completeDelivery', field: 'skbId' }];

/** The line that waits for this unit. */
export const lineOf = (sn: string, lines: readonly StockupLine[]): StockupLine | undefined =>
  lines.find((it) => it.sn === sn && it.delivered !== Flag.Yes);

/**
 * What forbids a unit that stands ready to leave on this bill: its model is not on it, it is held back, it stands on no
 * stock-up bill, or on another one. Decisions 2 E25.
 */
export function problemsOfDelivery(
  unit: ShippingUnit,
  lines: readonly StockupLine[],
  hasTally: boolean,
  field = 'sn',
): Problem[] {
  const { sn, salesCode } = unit;
  const waiting = lines.filter((it) => it.delivered !== Flag.Yes);
  if (!waiting.some((it) => it.salesCode === salesCode)) {
    return [{ key: 'mismatch', field, args: { sn, code: salesCode } }];
  }
  if (unit.mtbliId && unit.deliverStatus !== DeliverStatus.CanShip) {
    const status = { options: 'deliverStatus', value: unit.deliverStatus ?? DeliverStatus.CannotShip };
    const priority = { options: 'deliverPriority', value: unit.deliverPriority ?? '0' };
    return [{ key: 'cannotShip', field, args: { sn, status, priority } }];
  }
  if (lineOf(sn, lines)) return [];
  return hasTally
    ? [{ key: 'mismatch', field, args: { sn, code: salesCode } }]
    : [{ key: 'noTally', field, args: { sn } }];
}

/** The item and line that the form named are the unit's own. Spec 2 §5 Deliver. */
export function problemsOfNames(
  line: StockupLine,
  sent: { deliverItemId: number | null; sklId: string },
  field: string,
): Problem[] {
  const isOwn = (sent.deliverItemId ?? line.itemId) === line.itemId && (sent.sklId || line.skblId) === line.skblId;
  return isOwn ? [] : [{ key: 'mismatch', field, args: { sn: line.sn, code: line.salesCode } }];
}
