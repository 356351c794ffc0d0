import { BillStatus, TransferSnStatus, TransferStatus } from '#domain/enums.ts';
import { isOfSite, validateNotHeld } from '#domain/hold.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import { Node } from '#domain/nodes.ts';
import { normaliseSn } from '#domain/sn.ts';
import { wordOfNode, type GuardedUnit } from '#domain/workflow.ts';

/** No transfer has more lines, or more units. Rule: transfers#initiating. */
export const LINES_MAX = 200;
export const TRANSFER_MAX = 2000;

/** What a line takes: it is told apart from others by these three. Rule: transfers#lines. */
export interface Goods {
  salesCode: string;
  itemType: string;
  storageType: string;
}

export interface NewLine extends Goods {
  count: number;
  remark: string;
}

const lineField = (field: string): Arg => ({ module: 'rmaStockTransferBillLine', field });
const billField = (field: string): Arg => ({ module: 'rmaStockTransferBill', field });

/** What is missing is named, and the first of it is marked. Rule: transfers#refusals. */
const incomplete = (missing: readonly string[], field: string, wordOf: (field: string) => Arg): Problem[] =>
  missing.length === 0 ? [] : [{ key: 'transferIncomplete', field, args: { fields: missing.map(wordOf) } }];

/** A line needs storage type, item type, sales code and a count. Rule: transfers#initiating. */
export function validateLine(line: NewLine, at = ''): Problem[] {
  const missing = (['storageType', 'itemType', 'salesCode'] as const).filter((it) => line[it] === '');
  const [first = 'count'] = missing;
  return incomplete(line.count > 0 ? missing : [...missing, 'count'], `${at}${first}`, lineField);
}

/** Lines that take the same are one. Rule: transfers#initiating. */
export function mergeLines(lines: readonly NewLine[]): NewLine[] {
  const merged = new Map<string, NewLine>();
  for (const line of lines) {
    const key = keyOf(line);
    const same = merged.get(key);
    const remark = [same?.remark, line.remark].filter(Boolean).join('; ').slice(0, 500);
    merged.set(key, same ? { ...same, count: same.count + line.count, remark } : line);
  }
  return [...merged.values()];
}

const keyOf = ({ salesCode, itemType, storageType }: Goods): string => `${salesCode} ${itemType} ${storageType}`;

/** Both sites are there and differ. Rule: transfers#initiating. */
export function validateSites({
  deliverSiteId,
  receiveSiteId,
}: Record<'deliverSiteId' | 'receiveSiteId', string>): Problem[] {
  const missing = Object.entries({ deliverSiteId, receiveSiteId }).flatMap(([name, it]) => (it === '' ? [name] : []));
  if (missing[0]) return incomplete(missing, missing[0], billField);
  return deliverSiteId === receiveSiteId ? [{ key: 'sameSites', field: 'receiveSiteId' }] : [];
}

/** There are lines, and no more units on them than one transfer takes. Rule: transfers#initiating. */
export function validateLines(lines: readonly NewLine[]): Problem[] {
  const field = 'rmaStockTransferLineRequestList';
  if (lines.length === 0) return incomplete(['salesCode'], field, lineField);
  const total = lines.reduce((sum, it) => sum + it.count, 0);
  return total > TRANSFER_MAX ? [{ key: 'transferTooLarge', field, args: { max: TRANSFER_MAX } }] : [];
}

/** A transfer, as far as it decides who does what with it. */
export interface Transfer {
  sktbId: string;
  billStatus: string;
  deliverSiteId: string;
  receiveSiteId: string;
}

/** Which of its sites does a step, and when. Rule: transfers#states. */
const steps = {
  deliverAccept: { status: TransferStatus.AwaitingDelivery, site: 'deliverSiteId' },
  receiverAccept: { status: TransferStatus.AwaitingReceipt, site: 'receiveSiteId' },
} as const;
export type AcceptStep = keyof typeof steps;

/** A step is done by the people of its site, while the transfer waits for it. Rule: transfers#states. */
export function validateStep(transfer: Transfer, step: AcceptStep, siteId: string): Problem[] {
  const { status, site } = steps[step];
  if (transfer[site] !== siteId) {
    return [{ key: 'transferSite', field: 'sktbId', args: { id: transfer.sktbId, site: transfer[site] } }];
  }
  return validateStatus(transfer, status, 'sktbId');
}

/** A site that a submit names is the transfer's own. Rule: guard#belonging. */
export const validateNamedSite = (transfer: Transfer, step: AcceptStep, said: string): Problem[] =>
  transfer[steps[step].site] === said ? [] : [notOf(transfer, said, steps[step].site)];

/** Each line that a submit names is the transfer's. Rule: guard#belonging. */
export const validateNamedLines = (
  transfer: Transfer,
  lines: readonly { sktblId: string }[],
  said: readonly string[],
): Problem[] => {
  const own = new Set(lines.map((it) => it.sktblId));
  return said.flatMap((it, i) => (own.has(it) ? [] : [notOf(transfer, it, `lineList.${i}.sktblId`)]));
};

const notOf = ({ sktbId }: Transfer, part: string, field: string): Problem => ({
  key: 'notTogether',
  field,
  args: { part, whole: sktbId },
});

/** A transfer stands where this is done. Rule: transfers#states. */
export const validateStatus = ({ sktbId, billStatus }: Transfer, expected: string, field: string): Problem[] =>
  billStatus === expected
    ? []
    : [{ key: 'billState', field, args: { id: sktbId, status: wordOf(billStatus), expected: wordOf(expected) } }];

const wordOf = (value: string): Arg => ({ options: 'transferStatus', value });

/** A unit of the inventory with what a transfer has to know of it. */
export interface StockUnit extends GuardedUnit, Goods {
  storageType: string;
}

/**
 * Only the own stock of a site is transferred: it lies in stock, is on no open maintain bill, and nothing holds it.
 * `elsewhere` is how the caller says that it is of another site. Rule: transfers#own-stock.
 */
export function validateStock(
  sn: string,
  unit: StockUnit | undefined,
  { siteId, elsewhere, field }: { siteId: string; elsewhere: 'notStore' | 'notInOrder'; field: string },
): Problem[] {
  if (!unit) return [{ key: 'noInventoryRecord', field, args: { sn } }];
  if (!isOfSite(unit, siteId)) return [{ key: elsewhere, field, args: { sn } }];
  const held = validateNotHeld(unit, field);
  if (held.length > 0) return held;
  if (unit.ivyId === Node.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (unit.ivyId === null || unit.storageType === '') {
    return [{ key: 'notOnShelf', field, args: { sn, node: wordOfNode(unit.ivyId) } }];
  }
  return unit.mtbId && unit.billStatus !== BillStatus.Finished
    ? [{ key: 'notOwnStock', field, args: { sn, mtbId: unit.mtbId } }]
    : [];
}

/** The line that takes such goods. Rule: transfers#lines. */
export const lineFor = <Line extends Goods>(lines: readonly Line[], goods: Goods): Line | undefined =>
  lines.find((it) => keyOf(it) === keyOf(goods));

/** Some line takes the unit. Rule: transfers#delivering. */
export const validateInBill = (sn: string, unit: Goods, lines: readonly Goods[]): Problem[] =>
  lineFor(lines, unit)
    ? []
    : [
        {
          key: 'notInBill',
          field: 'sn',
          args: {
            sn,
            code: unit.salesCode,
            itemType: { options: 'itemTypes', value: unit.itemType },
            storageType: { options: 'storageType', value: unit.storageType },
          },
        },
      ];

/** A line has room for one more. Rule: transfers#delivering. */
export const validateRoom = ({ salesCode, count }: { salesCode: string; count: number }, scanned: number): Problem[] =>
  scanned < count ? [] : [{ key: 'lineFull', field: 'sn', args: { code: salesCode, count } }];

/** Every line has just what it takes. Rule: transfers#delivering. */
export const validateCounts = (
  lines: readonly { sktblId: string; salesCode: string; count: number }[],
  countOf: (sktblId: string) => number,
): Problem[] =>
  lines.flatMap(({ sktblId, salesCode, count }) => {
    const given = countOf(sktblId);
    return given === count
      ? []
      : [{ key: 'transferCount' as const, field: 'lineList', args: { what: salesCode, expected: count, given } }];
  });

/** Nothing that a submit needs is left out. Rule: transfers#refusals. */
export const validateSubmitted = (given: Readonly<Record<string, string>>): Problem[] => {
  const missing = Object.keys(given).filter((it) => given[it] === '');
  return incomplete(missing, missing[0] ?? '', (it) => words[it] ?? billField(it));
};
const words: Record<string, Arg> = {
  lineList: { zh: '调拨明细', en: 'Lines' },
  sktblId: lineField('sktblId'),
  snList: { zh: 'SN', en: 'SN' },
  idList: { zh: 'SN', en: 'SN' },
};

interface Item {
  id: number;
  sn: string | null;
  snStatus: string;
}

/** The SNs that are under way and not signed for. */
export const isToSign = ({ snStatus }: Pick<Item, 'snStatus'>): boolean => snStatus === TransferSnStatus.Sent;

/** The item of a scanned SN that is still to be signed for. Rule: transfers#receiving. */
export const itemToSign = <It extends Item>(items: readonly It[], scanned: string): It | undefined => {
  const sn = normaliseSn(scanned);
  return items.find((it) => it.sn === sn && isToSign(it));
};

/** An SN is among those that are still to be signed for; one that was signed for already says so. Rule: transfers#receiving. */
export function validateArrived(items: readonly Item[], scanned: string): Problem[] {
  const sn = normaliseSn(scanned);
  return itemToSign(items, sn) ? [] : [{ key: 'snMismatch', field: 'sn', args: { sn } }];
}

/** No more are signed for than are under way, each once, and all of them are of this transfer. Rule: transfers#receiving. */
export function validateSigned(transfer: Transfer, items: readonly Item[], ids: readonly number[]): Problem[] {
  const open = items.filter(isToSign);
  const field = 'idList';
  if (ids.length > open.length || new Set(ids).size < ids.length) {
    const args = { what: transfer.sktbId, expected: open.length, given: ids.length };
    return [{ key: 'transferCount', field, args }];
  }
  const known = new Map(open.map((it) => [it.id, it]));
  const named = new Map(items.map((it) => [it.id, it.sn]));
  return ids.flatMap((id) =>
    known.has(id) ? [] : [{ key: 'snMismatch' as const, field, args: { sn: named.get(id) ?? String(id) } }],
  );
}

/** Who made it gives it up, or somebody who sees all sites. Rule: transfers#cancelling. */
export const validateCanceller = (
  { sktbId, createBy }: Transfer & { createBy: string },
  { userId, seesAll }: { userId: string; seesAll: boolean },
): Problem[] =>
  createBy === userId || seesAll ? [] : [{ key: 'notInitiator', field: 'id', args: { id: sktbId, user: createBy } }];

/** How a transfer stands when some of its SNs are settled: finished with the last one, or given up if none came. Rule: transfers#returning. */
export function statusAfter(items: readonly Pick<Item, 'snStatus'>[]): string {
  if (items.some(isToSign)) return TransferStatus.AwaitingReceipt;
  return items.some((it) => it.snStatus === TransferSnStatus.Received)
    ? TransferStatus.Finished
    : TransferStatus.Cancelled;
}
