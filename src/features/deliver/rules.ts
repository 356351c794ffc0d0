import { DeliverPriority, DeliverStatus, Flag, GoodsType, shippingStockups, SubmitType } from '#domain/enums.ts';
import { mayLeave } from '#domain/maintainBill.ts';
import type { Problem } from '#domain/refusal.ts';
import { NOTHING } from '#domain/say.ts';

/** A line of the stock-up bill: which unit it waits for. */
export interface StockupLine {
  skblId: string;
  itemId: number;
  sn: string;
  salesCode: string;
  delivered: string;
  /** The model that goes for the item, where it is an exchange: what the office has promised, else that of its own unit. */
  exchangeCode?: string | null;
}

export interface ShippingUnit {
  sn: string;
  salesCode: string;
  /** The id of its item; null for a machine of the site's own stock. */
  itemRowId: number | null;
  deliverStatus: string | null;
  deliverPriority: string | null;
}

/** Units leave with their SNs, or boards by their count; there is no other way. Rule: delivering#station. */
export const validateSubmitType = (submitType: string): Problem[] =>
  submitType === SubmitType.WithSn || submitType === SubmitType.WithoutSn ? [] : [wrongSubmitType];

const wrongSubmitType: Problem = {
  key: 'format',
  field: 'submitType',
  args: { field: { module: 'rmaDeliverBill', field: 'submitType' } },
};

const list = 'rmaDeliverBillLineList';

/** Something leaves. Rule: delivering#station. */
export const validateNotEmpty = (sent: readonly unknown[]): Problem[] =>
  sent.length > 0
    ? []
    : [{ key: 'required', field: list, args: { fields: [{ module: 'rmaDeliverBillLine', field: 'sn' }] } }];

/** At least one SN leaves, and each SN is one unit. Rule: delivering#station. */
export function validateCounts(counts: readonly (number | undefined)[]): Problem[] {
  if (counts.length === 0) return validateNotEmpty(counts);
  return counts.flatMap((count, i): Problem[] =>
    count === undefined || count === 1
      ? []
      : [{ key: 'count', field: `${list}.${i}.submitCount`, args: { a: count, b: 1 } }],
  );
}

/** A line of the maintain bill that leaves by its count, as the form names it. */
export interface CountedLine {
  field: string;
  deliverItemId: number | null;
  sklId: string;
  salesCode: string;
  submitCount: number;
}

/** What of a stock-up bill leaves by a count. */
interface BoardLine extends StockupLine {
  mtblId: string;
  type: string;
}

/**
 * The count is that of all boards of the line that still wait, at least one; devices leave by their SNs.
 * Rule: events#e26.
 */
export function validateCounted(sent: CountedLine, waiting: readonly BoardLine[]): Problem[] {
  if (waiting.length === 0) {
    return [
      { key: 'mismatch', field: sent.field, args: { sn: NOTHING, code: sent.salesCode || sent.sklId || NOTHING } },
    ];
  }
  if (waiting.some((it) => it.type !== GoodsType.Board)) return [wrongSubmitType];
  const { field, submitCount } = sent;
  return submitCount === waiting.length
    ? []
    : [{ key: 'count', field: `${field}.submitCount`, args: { a: submitCount, b: waiting.length } }];
}

/** A line of the maintain bill is named once. */
export const validateNoDuplicates = (
  sent: readonly CountedLine[],
  groups: readonly (readonly BoardLine[])[],
): Problem[] =>
  groups.flatMap((group, i): Problem[] => {
    const isTwice = groups.slice(0, i).some((it) => it[0]?.mtblId === group[0]?.mtblId);
    const { field = list, submitCount = 0 } = sent[i] ?? {};
    return isTwice
      ? [{ key: 'count', field: `${field}.submitCount`, args: { a: submitCount * 2, b: group.length } }]
      : [];
  });

/**
 * All units that wait on the named line of the maintain bill: named by a line of the stock-up bill, by an item, or by
 * the sales code. Rule: events#e26.
 */
export function findWaiting<Line extends BoardLine>(sent: CountedLine, lines: readonly Line[]): Line[] {
  const waiting = lines.filter((it) => it.delivered !== Flag.Yes);
  const named = waiting.find((it) => {
    if (sent.sklId === '' && sent.deliverItemId === null) return it.salesCode === sent.salesCode;
    const isLine = sent.sklId === '' || it.skblId === sent.sklId;
    return isLine && (sent.deliverItemId === null || it.itemId === sent.deliverItemId);
  });
  return named ? waiting.filter((it) => it.mtblId === named.mtblId) : [];
}

/** A stock-up bill is named before anything is scanned for it. Rule: delivering#station. */
export const validateNumber = (no: string, field: 'skbId' | 'deliverShipNo'): Problem[] =>
  no === '' ? [{ key: 'required', field, args: { fields: [{ module: 'rmaStockupBill', field }] } }] : [];

/** A stock-up bill ships while it is open or partly delivered. Rule: stock-up#states. */
export const validateStockup = (skbId: string, status: string | null): Problem[] =>
  shippingStockups.includes(status ?? '') ? [] : [{ key: 'billFinished', field: 'skbId', args: { id: skbId } }];

/** Nothing on the bill waits any more. Rule: delivering#empty-bill. */
export const validateWaitingLines = (lines: readonly StockupLine[]): Problem[] =>
  lines.some((it) => it.delivered !== Flag.Yes) ? [] : [{ key: 'completeDelivery', field: 'skbId' }];

/**
 * The line that waits for this unit: its own item's, unless another model was promised for it; for a machine of the
 * site's stock, one whose item is an exchange of this model. Rule: events#e31, stock-up#advance.
 */
export function findLine<Line extends StockupLine>(
  { sn, itemRowId, salesCode }: Pick<ShippingUnit, 'sn' | 'itemRowId' | 'salesCode'>,
  lines: readonly Line[],
): Line | undefined {
  const waiting = lines.filter((it) => it.delivered !== Flag.Yes);
  if (itemRowId === null) return waiting.find((it) => it.exchangeCode === salesCode);
  return waiting.find((it) => it.sn === sn && it.itemId === itemRowId && isPromised(salesCode, it.exchangeCode));
}

/** A promise of the office names the model that goes; without one any may. Rule: events#e31. */
const isPromised = (salesCode: string, promise: string | null | undefined): boolean =>
  !promise || promise === salesCode;

/** Each unit's line, no line for two units; in the order of the units. */
export function linesFor<Line extends StockupLine>(units: readonly ShippingUnit[], lines: readonly Line[]) {
  const left = [...lines];
  return units.map((unit) => {
    const line = findLine(unit, left);
    if (line) left.splice(left.indexOf(line), 1);
    return line;
  });
}

/**
 * What forbids a unit that stands ready to leave on this bill: it is held back, its model is not on the bill, it stands
 * on no stock-up bill, or on another one. Rule: events#e25.
 */
export function validateDelivery(
  unit: ShippingUnit,
  lines: readonly StockupLine[],
  hasTally: boolean,
  field = 'sn',
): Problem[] {
  const { sn, salesCode } = unit;
  const held = validateRelease(unit, field);
  if (held.length > 0) return held;
  if (unit.itemRowId === null && findLine(unit, lines)) return [];
  const waiting = lines.filter((it) => it.delivered !== Flag.Yes);
  if (!waiting.some((it) => it.salesCode === salesCode)) return [mismatch(unit, field)];
  if (findLine(unit, lines)) return [];
  return hasTally ? [mismatch(unit, field)] : [{ key: 'noTally', field, args: { sn } }];
}

/**
 * The SN is the one that its item waits for, of the model that was promised, and it may go. Rule: delivering#own-item.
 */
export function validateItem(
  unit: ShippingUnit,
  item: { deliverItemId: number; promise: string | null },
  hasTally: boolean,
  field = 'sn',
): Problem[] {
  const isIts = unit.itemRowId === item.deliverItemId && isPromised(unit.salesCode, item.promise);
  if (!isIts) return [mismatch(unit, field)];
  const held = validateRelease(unit, field);
  if (held.length > 0) return held;
  return hasTally ? [] : [{ key: 'noTally', field, args: { sn: unit.sn } }];
}

/** The item and line that the form named are the unit's own. Rule: guard#belonging. */
export function validateOwnLine(
  line: StockupLine,
  sent: { deliverItemId: number | null; sklId: string },
  field: string,
): Problem[] {
  const isOwn = (sent.deliverItemId ?? line.itemId) === line.itemId && (sent.sklId || line.skblId) === line.skblId;
  return isOwn ? [] : [mismatch(line, field)];
}

/** A line that the form named is one of the stock-up bill's; its line and its item are one. Rule: guard#belonging. */
export function validateNamedLine(
  lines: readonly StockupLine[],
  { deliverItemId, sklId }: { deliverItemId: number | null; sklId: string },
  unit: { sn: string; salesCode: string },
  field: string,
): Problem[] {
  if (deliverItemId === null && sklId === '') return [];
  const isOne = lines.some((it) => (sklId || it.skblId) === it.skblId && (deliverItemId ?? it.itemId) === it.itemId);
  return isOne ? [] : [mismatch(unit, field)];
}

/** An item that is paused, or not released by the store, stays. Rule: delivering#held-back. */
function validateRelease({ sn, itemRowId, deliverStatus, deliverPriority }: ShippingUnit, field: string): Problem[] {
  if (itemRowId === null || mayLeave({ deliverStatus, deliverPriority })) return [];
  const status = { options: 'deliverStatus', value: deliverStatus ?? DeliverStatus.CannotShip };
  const priority = { options: 'deliverPriority', value: deliverPriority ?? DeliverPriority.Normal };
  return [{ key: 'cannotShip', field, args: { sn, status, priority } }];
}

export const mismatch = ({ sn, salesCode }: { sn: string; salesCode: string }, field: string): Problem => ({
  key: 'mismatch',
  field,
  args: { sn, code: salesCode },
});
