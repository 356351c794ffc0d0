import { asCompared } from '#domain/freight.ts';
import type { Problem } from '#domain/refusal.ts';
import { isLot, MOST_DIES, normaliseLot, parseWaferIds, type WorkOrderModule } from '#domain/wafer.ts';

/** What is counted of an order by itself: a wafer, the line of an assembly, a group that is tested together. */
export interface Position {
  position: string;
  wipId: string;
  waferLotId: string;
  /** A wafer's number, the group of a final test, or nothing. */
  piece: string;
  inputQty: number;
  outputQty: number;
  lossQty: number;
  /** What is still in process. */
  leftQty: number;
}

/** An entry of the lots' history that belongs to the order. */
export interface OrderEntry {
  type: string;
  wipId: string;
  waferId: string | null;
  bin: string | null;
  qty: number;
  /** Of the lot that came out: what it was made of, and its group. */
  parent: string | null;
  group: number | null;
}
export interface OrderLine {
  wipId: string;
  waferLotId: string | null;
  bin?: string | null;
  group?: number | null;
}

/** What a report says of one position. */
export interface Reported {
  position: string;
  /** Good dies, by bins where the bank counts in bins. */
  outputs: { bin: string | null; qty: number }[];
  lossQty: number;
  /** The how manieth it is that says the same; the first where nothing is said. */
  repeat?: number | undefined;
}

/** A row of a report that is booked. */
interface Booked {
  position: string;
  told: string;
  dateCode: string;
  repeat: number;
  /** When, and by whom, in words. */
  earlier: string;
}

/**
 * What of each position went in, came out and was lost: the history of the lots alone says it. In the order of the
 * lines; wafers by their numbers. Rule: wafer-bank#output.
 */
export function positionsOf(
  module: WorkOrderModule,
  lines: readonly OrderLine[],
  entries: readonly OrderEntry[],
): Position[] {
  const positions = new Map<string, Position>();
  const lotIds = new Map(lines.map((it) => [it.wipId, it.waferLotId ?? it.wipId]));
  const groups = new Map(lines.map((it) => [`${it.wipId}/${it.bin ?? ''}`, it.group ?? null]));
  const pieceOf = (it: OrderEntry): { position: string; wipId: string; piece: string } => {
    const wipId = it.type === 'OUTPUT' ? (it.parent ?? '') : it.wipId;
    if (module === 'icopBumpingCpWorkOrder')
      return { position: `${wipId}/${it.waferId ?? ''}`, wipId, piece: it.waferId ?? '' };
    if (module === 'icopAssemblyWorkOrder') return { position: wipId, wipId, piece: '' };
    const group = String(it.type === 'OUTPUT' ? it.group : groups.get(`${wipId}/${it.bin ?? ''}`));
    return { position: group, wipId, piece: group };
  };
  for (const it of entries) {
    const { position, wipId, piece } = pieceOf(it);
    const waferLotId = lotIds.get(wipId) ?? wipId;
    const found = positions.get(position) ?? { position, wipId, waferLotId, piece, ...nothing };
    if (it.type === 'RESERVE') found.inputQty += it.qty;
    else if (it.type === 'OUTPUT') found.outputQty += it.qty;
    else if (it.type === 'LOSS') found.lossQty += it.qty;
    found.leftQty = found.inputQty - found.outputQty - found.lossQty;
    positions.set(position, found);
  }
  const order = new Map(lines.map((it, i) => [it.wipId, i]));
  const place = (it: Position) => order.get(it.wipId) ?? lines.length;
  return [...positions.values()].sort(
    (a, b) => place(a) - place(b) || a.piece.localeCompare(b.piece, 'en', { numeric: true }),
  );
}
const nothing = { inputQty: 0, outputQty: 0, lossQty: 0, leftQty: 0 };

export const goodOf = ({ outputs }: Pick<Reported, 'outputs'>): number => outputs.reduce((sum, it) => sum + it.qty, 0);

/**
 * A report says something, of each position of the order once, in bins that the bank knows, and of none more than is
 * still in process. Rule: wafer-bank#output.
 */
export function validateReport(
  positions: readonly Position[],
  reported: readonly Reported[],
  bins: readonly string[],
): Problem[] {
  const problems: Problem[] = [];
  const told = new Set<string>();
  for (const [i, it] of reported.entries()) {
    const field = `positions.${i}`;
    const found = positions.find((one) => one.position === it.position);
    if (told.has(it.position)) {
      const what = found ? [found.waferLotId, found.piece].filter(Boolean).join(' / ') : it.position;
      problems.push({ key: 'namedTwice', field, args: { what } });
      continue;
    }
    const isOdd = !found || it.outputs.some(({ bin }) => !(bins.length === 0 ? bin === null : isIn(bin)));
    told.add(it.position);
    if (isOdd) {
      problems.push({ key: 'quantityGone', field, args: { what: it.position } });
      continue;
    }
    const given = goodOf(it) + it.lossQty;
    if (given > found.leftQty) {
      const what = [found.waferLotId, found.piece].filter(Boolean).join(' / ');
      problems.push({ key: 'moreThanInProcess', field, args: { what, given, left: found.leftQty } });
    }
  }
  if (reported.every((it) => goodOf(it) + it.lossQty === 0)) {
    const fields = [{ zh: '良品数或损耗数', en: 'Good units or loss' }];
    problems.push({ key: 'required', field: 'positions', args: { fields } });
  }
  return problems;
  function isIn(bin: string | null): boolean {
    return bin !== null && bins.includes(bin);
  }
}

/** What a report says of a position, the same for the same; nothing where it says nothing. Rule: wafer-bank#once. */
export function toldOf({ outputs, lossQty }: Reported): string {
  const bins = new Map<string, number>();
  for (const { bin, qty } of outputs) bins.set(bin ?? 'good', (bins.get(bin ?? 'good') ?? 0) + qty);
  const came = [...bins].filter(([, qty]) => qty > 0).map(([bin, qty]) => `${bin}:${qty}`);
  return [...came.sort(), ...(lossQty > 0 ? [`loss:${lossQty}`] : [])].join(' ');
}

/** The date code of a report, as it is compared: `26-02` is `2602`. */
export const dateCodeOf = (dateCode: string | null | undefined): string =>
  asCompared(dateCode).replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The same of the same position is booked once: once more is the next repeat, which names those before. Who says no date
 * code may mean any. Rule: wafer-bank#once.
 */
function validateOnce(
  positions: readonly Position[],
  reported: readonly Reported[],
  dateCode: string | null | undefined,
  booked: readonly Booked[],
): Problem[] {
  const code = dateCodeOf(dateCode);
  return reported.flatMap((it, i): Problem[] => {
    const told = toldOf(it);
    if (told === '') return [];
    const before = booked.filter(
      (one) =>
        one.position === it.position &&
        one.told === told &&
        (code === '' || one.dateCode === '' || dateCodeOf(one.dateCode) === code),
    );
    const next = Math.max(0, ...before.map((one) => one.repeat)) + 1;
    if ((it.repeat ?? 1) === next) return [];
    const found = positions.find((one) => one.position === it.position);
    const what = found ? [found.waferLotId, found.piece].filter(Boolean).join(' / ') : it.position;
    const field = `positions.${i}`;
    if (before.length === 0) return [{ key: 'noEqualRow', field, args: { what } }];
    const earlier = before.map((one) => one.earlier);
    return [{ key: 'rowThere', field, args: { what, good: goodOf(it), loss: it.lossQty, earlier, repeat: next } }];
  });
}

/**
 * What is wrong with a report, and which of its rows were booked before. A row that was, and of which less is left in process, says so once:
 * it can't be booked as the next repeat. Rule: wafer-bank#once.
 */
export function validateReported(
  positions: readonly Position[],
  reported: readonly Reported[],
  bins: readonly string[],
  { dateCode, booked }: { dateCode: string | null | undefined; booked: readonly Booked[] },
): { wrong: Problem[]; there: Problem[] } {
  const there = validateOnce(positions, reported, dateCode, booked);
  const before = new Map(there.filter((it) => it.key === 'rowThere').map((it) => [it.field, it.args]));
  const wrong = validateReport(positions, reported, bins).map((it): Problem => {
    const args = it.key === 'moreThanInProcess' && before.get(it.field);
    return args ? { key: 'rowThereGone', field: it.field, args: { ...args, left: it.args?.['left'] ?? 0 } } : it;
  });
  const gone = new Set(wrong.filter((it) => it.key === 'rowThereGone').map((it) => it.field));
  return { wrong, there: there.filter((it) => !gone.has(it.field)) };
}

/** What has come of a wafer order so far, in wafers. */
interface WaferOrder {
  waferQty: number;
  outputQty: number;
  lossQty: number;
  /** As many dies as a wafer of its part has at most, where the part says it. */
  grossDie: number | null;
}
/** A delivery of the foundry, as it is entered: one lot. */
interface Delivery {
  waferLotId: string;
  waferIds: string;
  /** Dies on each wafer. */
  dies: number;
  /** Wafers that were ordered and will not come, of the whole order. */
  missing: number;
}

/**
 * A lot has a name, wafers, and dies as a wafer of its part can have, and no more comes than was ordered; or it is said anew how
 * many will not come. Rule: wafer-bank#entry.
 */
export function validateDelivery(order: WaferOrder, { waferLotId, waferIds, dies, missing }: Delivery): Problem[] {
  const word = (field: string) => ({ module: 'icopWaferWorkOrderLine', field });
  const problems: Problem[] = [];
  const hasLot = waferLotId.trim() !== '' || waferIds.trim() !== '';
  const wafers = parseWaferIds(waferIds);
  if (!hasLot && missing === order.lossQty) {
    return [{ key: 'required', field: 'waferLotId', args: { fields: [word('waferLotId'), word('waferIds')] } }];
  }
  if (hasLot) {
    if (waferLotId.trim() === '')
      problems.push({ key: 'required', field: 'waferLotId', args: { fields: [word('waferLotId')] } });
    else if (!isLot(normaliseLot(waferLotId))) problems.push({ key: 'lotName', field: 'waferLotId' });
    if (wafers.length === 0) problems.push({ key: 'waferIds', field: 'waferIds' });
    if (dies < 1) problems.push({ key: 'required', field: 'dies', args: { fields: [word('chipQty')] } });
    const max = Math.min(order.grossDie ?? MOST_DIES, Math.floor(MOST_DIES / Math.max(1, wafers.length)));
    if (dies > max) {
      problems.push({ key: 'atMost', field: 'dies', args: { field: word('chipQty'), max } });
    }
  }
  const left = order.waferQty - order.outputQty - order.lossQty;
  const given = wafers.length + missing - order.lossQty;
  if (given > left) problems.push({ key: 'moreThanOrdered', field: 'waferIds', args: { given, left } });
  return problems;
}
