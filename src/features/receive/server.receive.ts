import type { DataOf, InputOf } from '#domain/call.ts';
import { BillStatus, Flag, flag, GoodsType, ReceivePayment, ReceiveStatus, Warranty } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { imageLimits, joinUrls, splitUrls } from '#domain/images.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { NOTHING } from '#domain/say.ts';
import { normaliseNo } from '#domain/sn.ts';
import { findEvent, type Outcome } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { issueCodesOf } from '#server/workflow/issueCodes.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { devicesAround } from '#server/workflow/parts.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import { countReceivedLines, noteReceipt } from '#server/workflow/receipts.ts';
import { readSns } from '#server/workflow/units.ts';
import { warningOf } from '#server/workflow/warnings.ts';
import type { receive } from './contract.ts';
import {
  parseAmount,
  assignItems,
  boardCount,
  fitsLine,
  isSecondHand,
  lineFor,
  validateArrival,
  validateNotInDevice,
  validateBillStatus,
  validateBoards,
  validateMachines,
  validateModel,
  validatePayment,
  validateReceipt,
  warrantyOf,
  type BillLine,
  type BoardEntry,
  type Machine,
} from './rules.ts';
import { billOrRefuse, refuseUnsigned } from './server.bill.ts';
import {
  depreciations,
  knownModels,
  knownSns,
  readLines,
  mixedSns,
  readPast,
  readLocations,
  waitingItems,
  type KnownModel,
  type KnownSn,
} from './queries.ts';
import {
  addItems,
  addLines,
  archiveArrivals,
  bringIn,
  fillItems,
  recordReceipt,
  type Arrival,
} from './queries.write.ts';

type Input = InputOf<typeof receive>;
type Scanned = Machine & { issueCodeIds: (number | string)[]; urls: string[] };

/**
 * Devices and boards come into the workshop on a bill whose receipt is open; all of them or none. Rule: events#e03,
 * events#e04.
 */
export async function receiveGoods(input: Input, ctx: Context): Promise<DataOf<typeof receive>> {
  const scanned = toScanned(input);
  const boards = toBoardEntries(input);
  const payment = input.payment || ReceivePayment.Send;
  const payAmount = payment === ReceivePayment.Arrival ? parseAmount(input.payAmount) : 0;
  refuseIfAny(validateReceipt(scanned, boards));
  refuseIfAny(validateBoards(boards));
  refuseIfAny(validateMachines(scanned, await depreciations(ctx)));
  refuseIfAny(validatePayment(payment, payAmount));
  const sns = readSns(
    scanned.map((it) => it.sn),
    (i) => `${scanned[i]?.field}.receiveSn`,
  );
  const machines = scanned.map((it, i) => ({ ...it, sn: sns[i] as string }));

  const bill = await billOrRefuse(ctx, normaliseNo(input.mtbId), true);
  const mtbId = bill.mtbId;
  refuseIfAny(validateBillStatus(bill.billStatus));
  await refuseUnsigned(ctx, bill.receiveShipNo);
  const known = await knownSns(ctx, sns);
  await refuseFormer(
    ctx,
    sns.filter((it) => !known.has(it)),
    (sn) => `${scanned[sns.indexOf(sn)]?.field}.receiveSn`,
  );
  const models = await knownModels(ctx, [...new Set(boards.map((it) => it.salesCode))]);
  const locations = await readLocations(ctx, sns, true);
  refuseIfAny(
    machines.flatMap(({ sn, field }) =>
      validateArrival(sn, known.get(sn), locations.get(sn), ctx.currentUser.siteId, `${field}.receiveSn`),
    ),
  );
  const around = await devicesAround(ctx, sns);
  refuseIfAny(machines.flatMap(({ sn, field }) => validateNotInDevice(sn, around.get(sn), `${field}.receiveSn`)));
  refuseIfAny(boards.flatMap((it) => validateModel(it.salesCode, models.get(it.salesCode), `${it.field}.salesCode`)));
  const evidence = await readEvidence(ctx, machines);
  const goods = [
    ...machines.map((it) => ({ ...it, known: known.get(it.sn) as KnownSn })),
    ...boards.map((it) => ({ ...it, sn: NOTHING, known: models.get(it.salesCode) as KnownModel })),
  ];
  const mtblIds = await linesFor(ctx, mtbId, goods);

  const past = await readPast(ctx, sns);
  const mixed = await mixedSns(ctx, sns);
  const devices = machines.map((machine, i): Coming => {
    const { sn, depreciation } = machine;
    const it = known.get(sn) as KnownSn;
    const recently = past.get(sn)?.recently === true;
    const from = locations.get(sn)?.ivyId ?? null;
    return {
      sn,
      from,
      to: arrivesAt('done', from, it.type),
      newItemId: null,
      type: it.type,
      salesCode: it.salesCode,
      itemName: it.name,
      mtblId: mtblIds[i] as string,
      depreciation,
      warranty: warrantyOf({ inWarranty: it.inWarranty, recently }),
      maintains: past.get(sn)?.maintains ?? 0,
      continues: flag(recently),
      mixbound: flag(mixed.has(sn)),
      secondHand: flag(isSecondHand(past.get(sn)?.lastUserId ?? null, bill.btmUserId)),
      issueCodes: evidence.joinCodes(machine),
      receiveUrls: joinUrls(machine.urls),
    };
  });
  const counted = await countedBoards(ctx, boards, models, mtblIds.slice(machines.length));
  const coming = [...devices, ...counted];
  const isLate = bill.billStatus === BillStatus.ReceivedLater;
  const arrivals = await putOnItems(ctx, mtbId, isLate ? ReceiveStatus.ReceivedLater : ReceiveStatus.Received, coming);
  await archiveArrivals(ctx, arrivals);
  await bringIn(ctx, mtbId, arrivals);
  const touched = [...new Set(mtblIds)];
  await recountLines(ctx.db, touched);
  await countReceivedLines(ctx, touched);

  const lines = (await readLines(ctx, mtbId)).filter((it) => touched.includes(it.mtblId));
  const rvbId = await ctx.numbers.next('RVB');
  await recordReceipt(ctx, { rvbId, mtbId, payment, payAmount: payAmount.toFixed(2) }, lines, arrivals);
  const moves = arrivals.map(({ sn, mtbliId, from, to }) => ({
    unit: { sn, mtbId, mtbliId, ivyId: from },
    to,
    location: locations.get(sn) ?? null,
  }));
  await recordEvents(ctx, moves, 'receive', rvbId);
  const unknown = { siteId: ctx.currentUser.siteId, mtbId: null, mtblId: null, mtbliId: null };
  const before = arrivals.map(({ sn, salesCode, itemName, declared }) => ({
    ...(locations.get(sn) ?? { sn, salesCode, itemName, ...unknown }),
    declared,
  }));
  await noteReceipt(ctx, rvbId, before, mtbId);
  const over = lines.filter((it) => it.receiveCount > it.count);
  return {
    rvbId,
    mtbId,
    receivedCount: arrivals.length,
    snList: arrivals.filter((it) => it.to === Node.AwaitingCheck).map((it) => it.sn),
    lineList: lines.map(({ mtblId, receiveCount }) => ({ mtblId, receiveCount })),
    ...warningOf(
      over.map((it) => ({
        key: 'moreThanDeclared' as const,
        args: { salesCode: it.salesCode, received: it.receiveCount, declared: it.count },
      })),
      ctx.lang,
    ),
  };
}

type Coming = Omit<Arrival, 'mtbliId' | 'declared'>;

function arrivesAt(outcome: Outcome, from: Node | null, type: string): Node {
  const event = findEvent('receive', outcome, from, type);
  if (!event) throw new Error(`no event of receive/${outcome} for type ${type} at node ${from}`);
  return event.to;
}

/** Boards get SNs of 17 characters, those that can be repaired first. Rule: events#e04, receiving#board-sns. */
async function countedBoards(
  ctx: Context,
  boards: readonly BoardEntry[],
  models: ReadonlyMap<string, KnownModel>,
  mtblIds: readonly string[],
): Promise<Coming[]> {
  const outcomes = (it: BoardEntry): Outcome[] => [
    ...Array.from({ length: it.repairable }, () => 'counted' as const),
    ...Array.from({ length: it.unrepairable }, () => 'discarded' as const),
  ];
  const all = boards.flatMap((it, i) =>
    outcomes(it).map((outcome) => ({ outcome, model: models.get(it.salesCode) as KnownModel, mtblId: mtblIds[i] })),
  );
  const sns = await ctx.numbers.many(BOARD_SN, all.length);
  return all.map(({ outcome, model, mtblId }, i) => ({
    sn: sns[i] as string,
    from: null,
    to: arrivesAt(outcome, null, model.type),
    newItemId: model.itemId,
    type: model.type,
    salesCode: model.salesCode,
    itemName: model.name,
    mtblId: mtblId as string,
    depreciation: null,
    warranty: Warranty.Out,
    maintains: 0,
    continues: Flag.No,
    mixbound: Flag.No,
    secondHand: Flag.No,
    issueCodes: '',
    receiveUrls: '',
  }));
}

/** Four letters before the day and five digits: 17 characters. */
const BOARD_SN = 'BRSN';

/** What comes fills the declared items that still wait, the rest gets items of its own. */
async function putOnItems(
  ctx: Context,
  mtbId: string,
  receiveStatus: string,
  coming: readonly Coming[],
): Promise<Arrival[]> {
  const waiting = await waitingItems(ctx, [...new Set(coming.map((it) => it.mtblId))]);
  const declared = new Map(waiting.map(({ mtbliId, receiveSn, receiveStatus: was }) => [mtbliId, { receiveSn, was }]));
  const assigned = assignItems(coming, waiting);
  const numbers = await ctx.numbers.many('MBI', assigned.filter((it) => it === null).length);
  const arrivals = coming.map((it, i): Arrival => {
    const { receiveSn = null, was = null } = declared.get(assigned[i] ?? '') ?? {};
    const mtbliId = assigned[i] ?? numbers.shift()!;
    return { ...it, mtbliId, declared: { receiveSn, receiveStatus: was } };
  });
  const wasDeclared = (_: Arrival, i: number) => assigned[i] !== null;
  await fillItems(ctx, receiveStatus, arrivals.filter(wasDeclared));
  const others = arrivals.filter((it, i) => !wasDeclared(it, i));
  await addItems(ctx, mtbId, receiveStatus, others);
  return arrivals;
}

/** What was scanned, line by line; a line on which nothing was scanned is dropped. Rule: receiving#matching. */
function toScanned(input: Input): Scanned[] {
  return input.rmaReceiveBillLineRequestList.flatMap((line, i) =>
    (line.rmaReceiveBillLineItemRequestList ?? []).map((it, j) => ({
      sn: it.receiveSn,
      field: `rmaReceiveBillLineRequestList.${i}.rmaReceiveBillLineItemRequestList.${j}`,
      mtblId: normaliseNo(line.mtblId),
      depreciation: normaliseNo(it.depreciation),
      issueCodeIds: it.issueCodeIdList ?? [],
      urls: [...new Set(splitUrls(it.receiveUrls))],
    })),
  );
}

/** Boards by their number, line by line. What is scanned is not counted as well, and a device is scanned. */
function toBoardEntries(input: Input): BoardEntry[] {
  return input.rmaReceiveBillLineRequestList.flatMap((line, i): BoardEntry[] => {
    const field = `rmaReceiveBillLineRequestList.${i}`;
    const [repairable, unrepairable] = [line.repairableCount ?? 0, line.unRepairableCount ?? 0];
    const isScanned = (line.rmaReceiveBillLineItemRequestList ?? []).length > 0;
    if (isScanned || line.type === GoodsType.Device) {
      if (repairable + unrepairable === 0) return [];
      throw new Refusal({ key: 'format', field: `${field}.repairableCount`, args: { field: boardCount } });
    }
    if (line.type !== GoodsType.Board && repairable + unrepairable === 0) return [];
    return [
      { field, mtblId: normaliseNo(line.mtblId), salesCode: normaliseNo(line.salesCode), repairable, unrepairable },
    ];
  });
}

/** The codes and pictures that were given for each device, all asked for at once. */
async function readEvidence(ctx: Context, machines: readonly Scanned[]) {
  const tooMany = machines.find((it) => it.urls.length > imageLimits.generic);
  if (tooMany) {
    const args = { min: 0, max: imageLimits.generic };
    throw new Refusal({ key: 'images', field: `${tooMany.field}.receiveUrls`, args });
  }
  const urls = machines.flatMap((it) => it.urls);
  await findPictures(ctx, urls, { field: 'receiveUrls', max: urls.length });
  await takePictures(ctx, urls, 'receiveUrls');
  const codes = await issueCodesOf(
    ctx,
    machines.flatMap((it) => it.issueCodeIds),
    IssueCategory.Receipt,
  );
  const codeById = new Map(codes.map((it) => [String(it.codeId), it.code]));
  return {
    joinCodes: (it: Scanned) => [...new Set(it.issueCodeIds.map((id) => codeById.get(String(id))))].join(','),
  };
}

interface Goods {
  sn: string;
  field: string;
  mtblId: string;
  known: KnownSn | KnownModel;
}

/** The line of each device or kind of boards: the one it was put on if it fits, else the one that fits, else a new one. */
async function linesFor(ctx: Context, mtbId: string, goods: readonly Goods[]): Promise<string[]> {
  const lines: BillLine[] = await readLines(ctx, mtbId);
  const found = goods.map((it) => (it.mtblId === '' ? lineFor(it.known, lines) : namedLine(it, lines)));
  const keyOf = ({ known }: Goods) => `${known.type} ${known.salesCode}`;
  const strays = groupBy(
    goods.filter((_, i) => !found[i]),
    keyOf,
  );
  const models = [...strays.values()].map((it) => (it[0] as Goods).known);
  const added = await addLines(
    ctx,
    mtbId,
    models.map(({ salesCode, type, name, productName }) => ({ salesCode, type, name, productName })),
  );
  const keys = [...strays.keys()];
  return goods.map((it, i) => found[i]?.mtblId ?? (added[keys.indexOf(keyOf(it))] as string));
}

function namedLine({ sn, field, mtblId, known }: Goods, lines: readonly BillLine[]): BillLine {
  const line = lines.find((it) => it.mtblId === mtblId);
  if (!line) {
    const args = { what: { module: 'rmaMaintainBillLine', field: 'mtblId' }, value: mtblId };
    throw new Refusal({ key: 'notFound', field, args });
  }
  if (fitsLine(known, line)) return line;
  throw new Refusal({ key: 'mismatch', field, args: { sn, code: known.salesCode } });
}
