import { DAY_MS } from '#domain/day.ts';
import { Flag, OperateStatus } from '#domain/enums.ts';
import {
  FtType,
  GOOD_BIN,
  LotType,
  ProcessType,
  Stage,
  USUAL_GOOD_BINS,
  inStageOf,
  type WorkOrderModule,
  waferIdsOf,
  WorkOrderStatus,
} from '#domain/wafer.ts';
import { foundry, partNumbers, stores, suppliers, type PartNumber } from './chips.ts';
import type { Row } from './rows.ts';
import { stamp, type World } from './world.ts';

const BY = 'planner';
const SITE = 'SZ';
/** From an order to what comes of it. */
const [FOUNDRY_DAYS, BUMPING_DAYS, ASSEMBLY_DAYS, TEST_DAYS] = [25, 14, 9, 4];
const HOME = { siteId: SITE, siteName: SITE };

interface Lot {
  row: Row<'icop_wip'>;
  part: PartNumber;
  wafers: Row<'icop_wip_wafer'>[];
}
const { Draft, Sent, InProcess, Done, Cancelled } = WorkOrderStatus;
/** Each kind of order is shown in every state, most of them done. */
const states = [Done, Done, Done, Done, InProcess, InProcess, Sent, Sent, Draft, Draft, Cancelled];

/** The chips' side of the workshop: parts, suppliers, lots in every bank, and the orders that took them there. */
export function addSemiconductor(world: World): void {
  const { rows, now } = world;
  const made = stamp(now - 150 * DAY_MS, BY);
  for (const it of suppliers) rows.add('icop_supplier', { ...it, status: '1', ...made });
  for (const it of stores) rows.add('icop_store', { ...it, siteId: SITE, ...made });
  for (const { devices, lotStem: _, ...part } of partNumbers) {
    rows.add('icop_part_number', { ...part, status: '1', ...made });
    for (const it of devices) {
      rows.add('icop_part_number_line', { ...it, waferPn: part.waferPn, waferMpn: part.waferMpn, ...made });
    }
  }
  const chips: Chips = { ...world, history: [], orders: [] };
  const bank = orderWafers(chips);
  const bumped = bump(chips, bank);
  const assembled = assemble(chips, bumped);
  const tested = test(chips, assembled, FtType.Ft1);
  test(chips, tested, FtType.Ft2);
  for (const it of chips.orders) leaveInProcess(chips, it);
  // What came of a lot is told in the order of its times, whichever order it was for.
  chips.history.sort((a, b) => Number(a.eventTime) - Number(b.eventTime));
  for (const it of chips.history) rows.add('icop_transaction', it);
}

interface Chips extends World {
  history: Row<'icop_transaction'>[];
  orders: Made[];
}

/** An order, and the lot that it took of. */
interface Made {
  module: WorkOrderModule;
  order: Pick<
    Row<'icop_bumping_cp_work_order'>,
    | 'workOrderNo'
    | 'billStatus'
    | 'processType'
    | 'lotType'
    | 'engineeringCode'
    | 'supplierId'
    | 'chipQty'
    | 'outputQty'
    | 'lossQty'
  > & { ftType?: string | null };
  lot: Lot;
  /** Of the lot, once it is in process. */
  more: Partial<Row<'icop_wip'>>;
  at: number;
}

/** What of an order that is out did not come back yet. */
function leaveInProcess(world: Chips, { module, order, lot, more, at }: Made): void {
  const { workOrderNo, supplierId, chipQty = 0, outputQty = 0, lossQty = 0 } = order;
  const left = Number(chipQty) - Number(outputQty) - Number(lossQty);
  if ((order.billStatus !== Sent && order.billStatus !== InProcess) || left <= 0 || !workOrderNo || !supplierId) return;
  const entries = world.history.filter((it) => it.workOrderNo === workOrderNo && it.waferId);
  const isBack = (waferId: unknown) => entries.some((it) => it.waferId === waferId && it.transactionType === 'OUTPUT');
  const wafers = entries
    .filter((it) => it.transactionType === 'RESERVE' && !isBack(it.waferId))
    .map((it) => it.waferId);
  const { waferLotId, marking, originalMarking, dateCode, wipId } = lot.row;
  addLot(world, lot.part, inStageOf(module, order), supplierId, at, {
    ...{ waferLotId, marking, originalMarking, dateCode, parentWipIds: wipId },
    ...{ workOrderNo, workOrderType: module, processType: order.processType ?? null, ftType: order.ftType ?? null },
    ...{ lotType: order.lotType, engineeringCode: order.engineeringCode ?? null, inventoryOrg: 'IC02' },
    ...{ waferIds: wafers.join(',') || null, waferQty: wafers.length || null },
    ...{ chipQty: left, remainQty: left, inputQty: chipQty, outputQty, lossQty },
    ...more,
  });
}

/** Orders at the foundry; what came in lies in the wafer bank. */
function orderWafers(world: Chips): Lot[] {
  const { rows, random, now } = world;
  const lots: Lot[] = [];
  for (let i = 0; i < 16; i++) {
    const part = partNumbers[i % partNumbers.length] as PartNumber;
    const at = now - (140 - i * 8.6) * DAY_MS;
    const status = i < 11 ? Done : (states[i - 7] as string);
    const workOrderNo = world.numberAt('WFO', at);
    const waferQty = random.pick([12, 25, 25, 25]);
    const order = rows.add('icop_wafer_work_order', {
      workOrderNo,
      billStatus: status,
      lotType: i % 5 === 4 ? LotType.Engineering : LotType.Production,
      engineeringCode: i % 5 === 4 ? `ENG-${part.waferPn}-${i}` : null,
      supplierId: foundry,
      waferPn: part.waferPn,
      waferMpn: part.waferMpn,
      waferQty: waferQty * 2,
      outputQty: 0,
      poNo: `PO-W${random.digits(7)}`,
      inventoryOrg: 'IC01',
      ...moments(status, at, FOUNDRY_DAYS),
      siteId: SITE,
      ...stamp(at, BY),
    });
    // Of an order in process one of two boxes has come.
    const boxes = status === Done ? 2 : status === InProcess ? 1 : 0;
    const came = Math.min(at + FOUNDRY_DAYS * DAY_MS, now - DAY_MS / 4);
    for (let n = 0; n < boxes; n++) {
      const lot = addLot(world, part, Stage.WaferBank, foundry, came, {
        waferLotId: `${part.lotStem}${random.digits(5)}`,
        workOrderNo,
        workOrderType: 'icopWaferWorkOrder',
        inventoryOrg: 'IC01',
      });
      fillWafers(world, lot, waferQty);
      const { waferPn, waferMpn, waferLotId, waferIds, chipQty, wipId } = lot.row;
      const line = { workOrderNo, waferPn, waferMpn, waferLotId, waferIds, waferQty, chipQty, wipId };
      rows.add('icop_wafer_work_order_line', { ...line, ...stamp(came, BY) });
      order.outputQty = (order.outputQty ?? 0) + waferQty;
      note(world, lot, 'IN', came, {
        qty: chipQty ?? 0,
        beforeQty: 0,
        afterQty: chipQty ?? 0,
        workOrderNo,
      });
      lots.push(lot);
    }
  }
  return lots;
}

/** Bumping with CP: from the wafer bank into the CP bank, plain bumping into the bumping bank. */
function bump(world: Chips, bank: Lot[]): Lot[] {
  const supplierId = 'BMP01';
  return states.flatMap((status, i) => {
    const lot = bank[i];
    if (!lot) return [];
    const processType = i % 3 === 1 ? ProcessType.Bumping : ProcessType.BumpingAndCp;
    const at = world.now - (96 - i * 8) * DAY_MS;
    const { part } = lot;
    const workOrderNo = world.numberAt('BCO', at);
    const chipQty = lot.row.chipQty ?? 0;
    const waferQty = lot.row.waferQty ?? 0;
    const order = world.rows.add('icop_bumping_cp_work_order', {
      ...orderOf(world, workOrderNo, status, processType, supplierId, at, i, BUMPING_DAYS),
      waferPn: part.waferPn,
      waferMpn: part.waferMpn,
      cpTestProgram: processType === ProcessType.BumpingAndCp ? part.cpTestProgram : null,
      waferMapType: 'STIF',
      waferProbeType: 'Vertical',
      waferQty,
      chipQty,
    });
    const { waferMpn, waferPn, waferLotId, waferIds, wipId } = lot.row;
    const line = {
      workOrderNo,
      wipId,
      stage: Stage.WaferBank,
      waferPn,
      waferMpn,
      waferLotId,
      waferIds,
      waferQty,
      chipQty,
    };
    world.rows.add('icop_bumping_cp_work_order_line', { ...line, ...stamp(at, BY) });
    world.orders.push({ module: 'icopBumpingCpWorkOrder', order, lot, more: {}, at });
    const all = lot.wafers.map(({ waferId, chipQty: left }) => ({ waferId, chipQty: left }));
    const came = take(world, lot, workOrderNo, status, at);
    if (came === 0) return [];
    const wafers = all.slice(0, Math.ceil(all.length * came));
    const until = Math.min(at + BUMPING_DAYS * DAY_MS, world.now - DAY_MS / 4);
    const stage = processType === ProcessType.BumpingAndCp ? Stage.CpBank : Stage.BumpingBank;
    const out = addLot(world, part, stage, supplierId, until, {
      waferLotId,
      workOrderNo,
      workOrderType: 'icopBumpingCpWorkOrder',
      processType,
      inventoryOrg: 'IC02',
      parentWipIds: wipId,
      cpTestProgram: order.cpTestProgram ?? null,
    });
    const pieces = wafers.map(({ waferId, chipQty: qty }) => {
      const isTested = processType === ProcessType.BumpingAndCp;
      const good = isTested ? Math.floor(qty * (0.9 + world.random.next() * 0.08)) : qty;
      addWafer(world, out, waferId, good);
      return { of: { waferId }, lostOf: { waferId }, good, loss: qty - good };
    });
    return finish(world, order, lot, out, pieces, until);
  });
}

/** Assembly: from the CP bank into the assembly bank, with a wafer here and there taken in part. */
function assemble(world: Chips, bank: Lot[]): Lot[] {
  const supplierId = 'ASY01';
  const ready = bank.filter((it) => it.row.stage === Stage.CpBank);
  return states.flatMap((status, i) => {
    const lot = ready[i % Math.max(ready.length, 1)];
    const device = lot?.part.devices[0];
    if (!lot || !device || (lot.row.chipQty ?? 0) === 0) return [];
    const at = world.now - (56 - i * 4) * DAY_MS;
    const workOrderNo = world.numberAt('ASO', at);
    const chosen = lot.wafers.filter((it) => it.chipQty > 0).slice(0, 6);
    const split = chosen.map(({ waferId, chipQty }, n) => {
      const inputQty = n === 5 ? Math.floor(chipQty / 2) : chipQty;
      return { waferId, inputQty, remainQty: chipQty - inputQty };
    });
    const chipQty = split.reduce((sum, it) => sum + it.inputQty, 0);
    const printed = {
      ...{
        abiNo: `ABI-${device.devicePn}-${i + 1}`,
        partNumbering: `${device.deviceErpCode}-T`,
        line1: device.productName,
      },
      line2: String(lot.row.waferLotId),
    };
    const order = world.rows.add('icop_assembly_work_order', {
      ...orderOf(world, workOrderNo, status, '1', supplierId, at, i, ASSEMBLY_DAYS),
      devicePn: device.devicePn,
      waferPn: lot.part.waferPn,
      waferMpn: lot.part.waferMpn,
      packageType: device.packageType,
      bdNo: `BD-${device.devicePn}-02`,
      markingSpec: `${device.productName} / YYWW / LOT`,
      formOfPackRequired: 'Tray',
      ...printed,
      waferQty: split.length,
      chipQty,
    });
    const { wipId, waferPn, waferMpn, waferLotId, stage } = lot.row;
    world.rows.add('icop_assembly_work_order_line', {
      workOrderNo,
      wipId,
      stage,
      devicePn: device.devicePn,
      waferPn,
      waferMpn,
      erpCode: device.deviceErpCode,
      packageType: device.packageType,
      waferLotId,
      waferIds: split.map((it) => it.waferId).join(','),
      // The rows of the demo are written as JSON as a whole.
      splitList: split as never,
      waferQty: split.length,
      chipQty,
      marking: device.productName,
      ...printed,
      ...{ deviceName: device.devicePn, productName: device.productName, dieQty: chipQty },
      ...{ msl: device.msl, ft1Program: device.ft1Program, ft2Program: device.ft2Program },
      ...stamp(at, BY),
    });
    world.orders.push({ module: 'icopAssemblyWorkOrder', order, lot, more: deviceOf(lot.part), at });
    const inputs = new Map(split.map((it) => [it.waferId, it.inputQty]));
    const came = take(world, lot, workOrderNo, status, at, inputs);
    if (came === 0) return [];
    const until = Math.min(at + ASSEMBLY_DAYS * DAY_MS, world.now - DAY_MS / 4);
    const reported = Math.floor(chipQty * came);
    const good = Math.floor(reported * (0.985 + world.random.next() * 0.01));
    const out = addLot(world, lot.part, Stage.AssemblyBank, supplierId, until, {
      ...deviceOf(lot.part),
      waferLotId,
      workOrderNo,
      workOrderType: 'icopAssemblyWorkOrder',
      processType: '1',
      inventoryOrg: 'IC02',
      parentWipIds: wipId,
      assySiteId: SITE,
      binG: good,
      chipQty: good,
      marking: `${device.productName}-${world.random.digits(4)}`,
      dateCode: weekOf(until),
    });
    out.row.originalMarking = out.row.marking;
    return finish(world, order, lot, out, [{ of: { bin: GOOD_BIN }, lostOf: {}, good, loss: reported - good }], until);
  });
}

/** Final test: FT1 sorts good units into nine bins, FT2 tests a bin once more. */
function test(world: Chips, bank: Lot[], ftType: typeof FtType.Ft1 | typeof FtType.Ft2): Lot[] {
  const supplierId = 'FTS01';
  const wanted = ftType === FtType.Ft1 ? states.slice(2) : [Done, Done, InProcess, Draft];
  return wanted.flatMap((status, i) => {
    const lot = bank[i];
    if (!lot) return [];
    const device = lot.part.devices[0] as PartNumber['devices'][number];
    const at = world.now - (ftType === FtType.Ft1 ? 30 - i * 2.6 : 9 - i * 1.8) * DAY_MS;
    const workOrderNo = world.numberAt('FTO', at);
    const bin = ftType === FtType.Ft1 ? GOOD_BIN : '2';
    const chipQty = (ftType === FtType.Ft1 ? lot.row.binG : lot.row.bin2) ?? 0;
    const program = ftType === FtType.Ft1 ? device.ft1Program : device.ft2Program;
    const order = world.rows.add('icop_ft_work_order', {
      ...orderOf(world, workOrderNo, status, '1', supplierId, at, i, TEST_DAYS),
      ftType,
      ftBin: ftType === FtType.Ft2 ? bin : null,
      devicePn: device.devicePn,
      waferPn: lot.part.waferPn,
      packageType: device.packageType,
      markingSpec: `${device.productName} / YYWW / LOT`,
      formOfPackRequired: 'Tray',
      groupQty: 1,
      chipQty,
    });
    const { wipId, stage, waferLotId, originalMarking, marking, dateCode, ftTestProgram } = lot.row;
    world.rows.add('icop_ft_work_order_line', {
      workOrderNo,
      group: 1,
      wipId,
      stage,
      waferLotId,
      devicePn: device.devicePn,
      frontFtTestProgram: ftTestProgram ?? null,
      ftTestProgram: program,
      bin,
      chipQty,
      marking,
      originalMarking,
      dateCode,
      originPlace: 'CN',
      ...stamp(at, BY),
    });
    const more = { ...deviceOf(lot.part), group: 1, frontFtTestProgram: ftTestProgram ?? null, ftTestProgram: program };
    world.orders.push({ module: 'icopFtWorkOrder', order, lot, more, at });
    const inputs = new Map([[bin, chipQty]]);
    const came = take(world, lot, workOrderNo, status, at, inputs);
    if (came === 0) return [];
    const until = Math.min(at + TEST_DAYS * DAY_MS, world.now - DAY_MS / 4);
    const reported = Math.floor(chipQty * came);
    const bins = ftType === FtType.Ft1 ? spread(reported, world) : { bin2: Math.floor(reported * 0.97) };
    const good = Object.values(bins).reduce((sum, it) => sum + it, 0);
    const out = addLot(world, lot.part, ftType === FtType.Ft1 ? Stage.Ft1Bank : Stage.Ft2Bank, supplierId, until, {
      ...deviceOf(lot.part),
      waferLotId,
      workOrderNo,
      workOrderType: 'icopFtWorkOrder',
      processType: '1',
      ftType,
      inventoryOrg: 'IC03',
      parentWipIds: wipId,
      assySiteId: SITE,
      marking,
      originalMarking,
      dateCode,
      group: 1,
      frontFtTestProgram: ftTestProgram ?? null,
      ftTestProgram: program,
      ...bins,
      chipQty: good,
    });
    const pieces = Object.entries(bins).map(([name, qty], n) => ({
      ...{ of: { bin: name.slice(3) }, lostOf: { bin }, good: qty, loss: n === 0 ? reported - good : 0 },
    }));
    return finish(world, order, lot, out, pieces, until);
  });
}

/** The order's lots leave their bank, or come back to it; gives which share of them has come out. */
function take(
  world: Chips,
  lot: Lot,
  workOrderNo: string,
  status: string,
  at: number,
  inputs?: ReadonlyMap<string, number>,
): number {
  const { row } = lot;
  const pieces = lot.wafers.length > 0 ? lot.wafers.map((it) => [it.waferId, it.chipQty] as const) : [];
  const inputQuantities = inputs ?? new Map(pieces);
  for (const [piece, qty] of inputQuantities) {
    if (qty === 0) continue;
    const wafer = lot.wafers.find((it) => it.waferId === piece);
    const beforeQty = wafer?.chipQty ?? row.chipQty ?? 0;
    const of = wafer ? { waferId: piece } : { bin: piece };
    const taken = note(world, lot, 'RESERVE', at, { ...of, qty, beforeQty, afterQty: beforeQty - qty, workOrderNo });
    if (status === Cancelled) {
      taken.operateStatus = OperateStatus.Rollbacked;
      const given = { ...of, qty, beforeQty: beforeQty - qty, afterQty: beforeQty, workOrderNo };
      note(world, lot, 'REVERSE', at + DAY_MS, given).operateStatus = OperateStatus.Rollbacked;
      continue;
    }
    if (wafer) wafer.chipQty = beforeQty - qty;
    else if (piece === GOOD_BIN) row.binG = (row.binG ?? 0) - qty;
    else row.bin2 = (row.bin2 ?? 0) - qty;
    row.chipQty = (row.chipQty ?? 0) - qty;
    row.inputQty = (row.inputQty ?? 0) + qty;
    row.remainQty = row.chipQty;
  }
  if (lot.wafers.length > 0) {
    const left = lot.wafers.map(({ waferId, chipQty }) => ({ waferId, chipQty }));
    row.waferIds = waferIdsOf(left);
    row.waferQty = left.filter((it) => it.chipQty > 0).length;
  }
  return status === Done ? 1 : status === InProcess ? 0.5 : 0;
}

/** What came out, and what was lost of the lot that went in. */
interface Piece {
  of: Pick<Row<'icop_transaction'>, 'waferId' | 'bin'>;
  lostOf: Pick<Row<'icop_transaction'>, 'waferId' | 'bin'>;
  good: number;
  loss: number;
}

function finish(
  world: Chips,
  order: { outputQty?: number | null; lossQty?: number | null; workOrderNo?: string | null },
  lot: Lot,
  out: Lot,
  pieces: readonly Piece[],
  at: number,
): Lot[] {
  const output = pieces.reduce((sum, it) => sum + it.good, 0);
  const lost = pieces.reduce((sum, it) => sum + it.loss, 0);
  const isGood = ({ of }: Piece) => !of.bin || of.bin === GOOD_BIN || USUAL_GOOD_BINS.includes(of.bin);
  const good = pieces.filter(isGood).reduce((sum, it) => sum + it.good, 0);
  const workOrderNo = order.workOrderNo ?? null;
  order.outputQty = output;
  order.lossQty = lost;
  out.row.outputQty = output;
  out.row.lossQty = lost;
  out.row.yield = output + lost === 0 ? null : Math.round((good / (output + lost)) * 10_000) / 100;
  for (const { of, lostOf, good: qty, loss } of pieces) {
    if (qty > 0) note(world, out, 'OUTPUT', at, { ...of, qty, beforeQty: 0, afterQty: qty, workOrderNo });
    if (loss > 0) note(world, lot, 'LOSS', at, { ...lostOf, qty: loss, beforeQty: loss, afterQty: 0, workOrderNo });
  }
  return [out];
}

function addLot(
  world: Chips,
  part: PartNumber,
  stage: string,
  supplierId: string,
  at: number,
  more: Omit<Row<'icop_wip'>, 'wipId'>,
): Lot {
  const row = world.rows.add('icop_wip', {
    wipId: world.numberAt('WIP', at),
    stage,
    stageName: stage,
    waferPn: part.waferPn,
    waferMpn: part.waferMpn,
    lotType: LotType.Production,
    chipQty: 0,
    supplierId,
    supplierName: supplierId,
    ...HOME,
    inTime: new Date(at),
    ...more,
    ...stamp(at, BY),
  });
  return { row, part, wafers: [] };
}

function fillWafers(world: Chips, lot: Lot, count: number): void {
  for (let n = 1; n <= count; n++) {
    const dies = lot.part.grossDie - world.random.int(0, 30);
    addWafer(world, lot, String(n).padStart(2, '0'), dies);
  }
}

function addWafer(world: Chips, lot: Lot, waferId: string, chipQty: number): void {
  const { row } = lot;
  const wafer = { wipId: row.wipId, waferId, chipQty, originalQty: chipQty };
  lot.wafers.push(world.rows.add('icop_wip_wafer', { ...wafer, createBy: BY, createTime: row.createTime }));
  const { wipId, waferPn, waferLotId } = row;
  if (row.stage === Stage.WaferBank && waferPn && waferLotId) {
    world.rows.add('wafer_receipt', { wipId, waferPn, waferLotId, waferId });
  }
  row.chipQty = (row.chipQty ?? 0) + chipQty;
  row.waferQty = lot.wafers.length;
  row.waferIds = lot.wafers.map((it) => it.waferId).join(',');
}

const note = (
  world: Chips,
  { row }: Lot,
  transactionType: string,
  at: number,
  of: Pick<Row<'icop_transaction'>, 'qty' | 'beforeQty' | 'afterQty' | 'workOrderNo' | 'waferId' | 'bin'>,
): Row<'icop_transaction'> => {
  const entry: Row<'icop_transaction'> = {
    wipId: row.wipId,
    transactionType,
    waferLotId: row.waferLotId ?? null,
    ...of,
    operateStatus: OperateStatus.Normal,
    eventTime: new Date(at),
    userId: BY,
    siteId: SITE,
    ...stamp(at, BY),
  };
  world.history.push(entry);
  return entry;
};

const orderOf = (
  world: Chips,
  no: string,
  status: string,
  processType: string,
  supplierId: string,
  at: number,
  i: number,
  days: number,
) => ({
  workOrderNo: no,
  billStatus: status,
  processType,
  lotType: i % 5 === 3 ? LotType.Engineering : LotType.Production,
  engineeringCode: i % 5 === 3 ? `ENG-${no.slice(-6)}` : null,
  supplierId,
  company: 'Reflow Semiconductor',
  purposeOfBuild: i % 5 === 3 ? 'Engineering run' : 'Mass production',
  shipToLocation: 'Shenzhen',
  poNo: `PO-${no.slice(0, 1)}${world.random.digits(7)}`,
  inventoryOrg: 'IC02',
  btmSiteId: SITE,
  correspondsWorkOrder: Flag.No,
  taxRate: 13,
  ...moments(status, at, days),
  siteId: SITE,
  outputQty: 0,
  lossQty: 0,
  ...stamp(at, BY),
});

const moments = (status: string, at: number, days: number) => ({
  sentTime: [Sent, InProcess, Done].some((it) => it === status) ? new Date(at + DAY_MS / 2) : null,
  doneTime: status === Done ? new Date(at + days * DAY_MS) : null,
});

const deviceOf = (part: PartNumber) => {
  const [device] = part.devices;
  return {
    devicePn: device?.devicePn ?? null,
    deviceErpCode: device?.deviceErpCode ?? null,
    packageType: device?.packageType ?? null,
    productName: device?.productName ?? null,
  };
};

/** Nine bins, the best one the fullest. */
function spread(qty: number, world: World): Record<string, number> {
  const shares = [0.42, 0.21, 0.13, 0.08, 0.05, 0.04, 0.02, 0.015, 0.01];
  return Object.fromEntries(
    shares.map((it, i) => [`bin${i + 1}`, Math.floor(qty * it * (0.96 + world.random.next() * 0.04))]),
  );
}

/** `2646`: year and week. */
function weekOf(at: number): string {
  const date = new Date(at);
  const first = Date.UTC(date.getUTCFullYear(), 0, 1);
  return `${String(date.getUTCFullYear()).slice(2)}${String(Math.ceil((at - first) / (7 * DAY_MS))).padStart(2, '0')}`;
}
