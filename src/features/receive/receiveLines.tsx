import type { Scan } from '#app/parts/scan/scanQueue.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, GoodsType } from '#domain/enums.ts';
import { joinUrls } from '#domain/images.ts';
import { type ArrivalNotes, noNote } from './ArrivalNotePanel.tsx';
import type { queryByShipNo, receive, validateSn } from './contract.ts';
import { lineFor } from './rules.ts';

export type Received = DataOf<typeof validateSn>;
export type Bill = DataOf<typeof queryByShipNo>;
type Requests = InputOf<typeof receive>['rmaReceiveBillLineRequestList'];

/** What is set before scanning. */
export interface Setting {
  depreciation: string;
  payment: string;
  payAmount: string;
  /** What a unit that is not ours is: device or board. */
  type: string;
}

/** A line of the bill, or one that the scans make, with what is scanned for it. */
export interface FormLine {
  /** Empty for a line that the scans make. */
  mtblId: string;
  salesCode: string;
  name: string;
  count: number;
  receivedCount: number;
  scans: readonly Scan<Received>[];
}

type BillLine = Bill['rmaMaintainBillLineList'][number];

/** Which line a model goes to, found once for a bill: hundreds of lines are looked through for each. */
const modelLines = new WeakMap<Bill, Map<string, BillLine | undefined>>();

function findBillLine(bill: Bill, { code, deviceType, slaveCodeList }: Received['item']): BillLine | undefined {
  const known = modelLines.get(bill) ?? new Map<string, BillLine | undefined>();
  modelLines.set(bill, known);
  const model = [deviceType, code, ...slaveCodeList].join();
  if (!known.has(model)) {
    const goods = { type: deviceType, salesCode: code, slaveCodes: slaveCodeList };
    known.set(model, lineFor(goods, bill.rmaMaintainBillLineList));
  }
  return known.get(model);
}

/**
 * The bill's lines of devices or boards, each with its scans; then one for each model that is on none.
 * Rule: receiving#matching.
 */
export function groupByLine(
  bill: Bill | null | undefined,
  scans: readonly Scan<Received>[],
  boards = false,
): FormLine[] {
  const declared = bill?.rmaMaintainBillLineList ?? [];
  const lines = new Map<string, FormLine & { scans: Scan<Received>[] }>();
  for (const it of declared) {
    if ((it.type === GoodsType.Board) !== boards) continue;
    const { mtblId, salesCode, count, receivedCount } = it;
    lines.set(mtblId, { mtblId, salesCode, name: it.itemName ?? '', count, receivedCount, scans: [] });
  }
  for (const scan of scans) {
    if (!scan.data) continue;
    const { code, name, deviceType } = scan.data.item;
    const own = bill ? findBillLine(bill, scan.data.item) : undefined;
    const mtblId = own?.mtblId ?? '';
    const id = mtblId || `${deviceType} ${code}`;
    const { count = 0, receivedCount = 0 } = own ?? {};
    const line = lines.get(id) ?? { mtblId, salesCode: code, name, count, receivedCount, scans: [] };
    line.scans.push(scan);
    lines.set(id, line);
  }
  return [...lines.values()];
}

/** How many are here, received before or scanned now, and how many were declared. */
export const totalOf = (lines: readonly FormLine[], scanned: number) => ({
  done: scanned + lines.reduce((sum, it) => sum + it.receivedCount, 0),
  expected: lines.reduce((sum, it) => sum + it.count, 0),
});

/** The lines as they are submitted; a line without scans is dropped. */
export const toRequestLines = (scans: readonly Scan<Received>[], bill: Bill, notes: ArrivalNotes = {}): Requests =>
  groupByLine(bill, scans)
    .filter((it) => it.scans.length > 0)
    .map((line) => ({
      itemId: line.scans[0]?.data?.item.itemId,
      mtblId: line.mtblId,
      type: line.scans[0]?.data?.item.deviceType ?? GoodsType.Device,
      count: line.scans.length,
      receiveCount: line.scans.length,
      salesCode: line.salesCode,
      snControl: Flag.Yes,
      itemSalesCode: line.scans[0]?.data?.item.code,
      rmaReceiveBillLineItemRequestList: line.scans.map(({ key, sn, chosen, data }) => ({
        itemId: data?.item.itemId,
        salesCode: data?.item.code,
        receiveSn: sn,
        issueCodeIdList: (notes[key] ?? noNote).codes.map((it) => it.codeId),
        depreciation: String(chosen),
        receiveUrls: joinUrls((notes[key] ?? noNote).urls),
        type: data?.item.deviceType,
        slaveCodeList: data?.item.slaveCodeList,
      })),
    }));
