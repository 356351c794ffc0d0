import { sql } from 'kysely';
import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { chipParts, findChipFaults } from '#tests/support/chips.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openWorkshop, type Workshop } from '#tests/support/serverProcess.ts';
import { openStations, randomFrom, type Stations, type Tally } from '#tests/support/stations.ts';

/** The server is killed in the middle of submits, again and again. `npm run chaos -- kill` is the long run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 4);
const SEED = Number(process.env['SEED'] ?? 20261121);
/** So many rounds cut off each kind of submit. */
const ROUNDS_FOR_ALL = 300;
const STATIONS = 4;
/** Submits and lookups of one device on its whole way, of a row that is counted up and of the shortest errand. */
const ANSWERS = 16;

let workshop: Workshop;
let codes: Map<string | null, number | null>;
beforeAll(async () => {
  workshop = await openWorkshop();
  const rows = await workshop.database.db.selectFrom('ubs_issue_code').select(['code', 'codeId']).execute();
  codes = new Map(rows.map((it) => [it.code, it.codeId]));
  await chipParts(workshop.database.db);
});
afterAll(() => workshop.close());

const nameOf = (prefix: string, round: number, station: number) =>
  `${prefix}${String(round).padStart(3, '0')}${String(station).padStart(2, '0')}`;
const snOf = (round: number, station: number) => nameOf('RX19P4A2611', round, station);
const shipOf = (round: number, station: number) => nameOf('SF', round, station);
const bill = (receiveShipNo: string) => ({
  receiveShipNo,
  userName: '宁远矿业',
  mobile: '13800000000',
  rmaMaintainBillLineList: [{ type: '0', salesCode: 'RX19', count: 1 }],
});

/** One device from its bill to its delivery; what the last answers said of it. */
async function device({ submit, look }: Stations, sn: string, receiveShipNo: string) {
  const { mtbId } = await submit('office', '/api/rmaMaintainBill/create.json', bill(receiveShipNo));
  const { abId } = await submit('warehouse', '/api/rmaArrivalBill/signFor.json', {
    receiveShipNo,
    receivePackageCount: 1,
    remark: null,
  });
  const open = await look('warehouse', '/api/rmaReceiveBill/queryByShipNo.json', { receiveShipNo });
  const [line] = open['rmaMaintainBillLineList'] as { mtblId: string }[];
  const goods = { salesCode: 'RX19', type: '0' };
  const item = { ...goods, receiveSn: sn, depreciation: 'B' };
  await submit('warehouse', '/api/rmaReceiveBill/receive.json', {
    mtbId,
    payment: '0',
    rmaReceiveBillLineRequestList: [{ ...goods, mtblId: line?.mtblId, rmaReceiveBillLineItemRequestList: [item] }],
  });
  await submit('warehouse', '/api/rmaReceiveBill/finishReceive.json', { maintainBillId: mtbId });
  const { ckbId } = await submit('tech', '/api/rmaCheckBill/check.json', {
    sn,
    checkType: '0',
    checkUrls: '',
    issueCodeIdList: [codes.get('FX409')],
  });
  const part = { sn, partsType: '7', repairMethod: '8', issueCodeIdList: [codes.get('RP01')], slot: 'U1' };
  await submit('tech', '/api/rmaRepairBill/repair.json', {
    sn,
    repairType: '2',
    partsList: [{ ...part, spendItemCount: 1, repairUrls: '' }],
  });
  const own = (kind: string) => `${kind}${sn.slice(-10)}`;
  await submit('tech', '/api/rmaAssembleBill/assemble.json', {
    sn,
    partsList: [
      { sn: own('PW'), component_type: 'COIT000000S1' },
      { sn: own('CT'), component_type: 'COIT000000RZ' },
      ...[1, 2, 3, 4].map((i) => ({
        sn: own(`B${i}`),
        component_type: 'COIT000000S0',
        qrCodeNum: own(`QR${i}0000`),
      })),
    ],
  });
  const tested = (code: string) => [{ sn, icdId: codes.get(code) }];
  await submit('tech', '/api/rmaBurninBill/submitBurninBill.json', { rmaBurninBillLineList: tested('AT00') });
  await submit('tech', '/api/rmaExamineBill/submitExamineBill.json', { rmaExamineBillLineList: tested('QC00') });
  const stored = await submit('warehouse', '/api/rmaStoreBill/submitStoreBill.json', {
    rmaStoreBillLineList: [{ sn }],
    packageCount: 20,
    subinventoryCode: 'FG',
  });
  const [skbId] = stored['skbIdList'] as string[];
  const tallied = await look('warehouse', '/api/rmaDeliverBill/attemptDeliver.json', { sn, skbId }, 'POST');
  await submit('warehouse', '/api/rmaDeliverBill/submitDeliverBill.json', {
    skbId,
    submitType: '0',
    rmaDeliverBillLineList: [
      {
        deliverItemId: tallied['deliverItemId'],
        deliverSn: sn,
        sklId: tallied['sklId'],
        submitCount: 1,
        salesCode: 'RX19',
      },
    ],
  });
  return { sn, receiveShipNo, mtbId, abId, ckbId };
}

/** Reads a row and saves it one higher, as whoever counts on paper would. */
async function countUp({ submit, look }: Stations, id: number) {
  const row = await look('office', '/api/rmaMaintainBill/queryById.json', { id: String(id) });
  const receivePackageCount = Number(row['receivePackageCount']) + 1;
  await submit('office', '/api/rmaMaintainBill/modifyById.json', { id, version: row['version'], receivePackageCount });
}

/** What became of units: where each ended, after which steps. */
type Lives = Record<string, readonly [node: string | null, ...steps: string[]]>;
type Errand = (stations: Stations, mark: string) => Promise<Lives>;

const partsOf = (sn: string, boards: 1 | 4 = 1) =>
  slotsOf(boards).map(({ name, componentType, hasQrCode }) => ({
    sn: `${name}-${sn}`,
    component_type: componentType,
    qrCodeNum: hasQrCode ? `${name}${sn}`.slice(-17).padEnd(17, 'Q') : '',
  }));
const testedAs = (sns: readonly string[], code: string) => sns.map((sn) => ({ sn, icdId: codes.get(code) }));

/** What else is submitted in the workshop than a device's straight way: each round does some of it, on things of its own. */
const errands: Errand[] = [
  /** A lot of wafers comes in two parts, is bumped and tested in parts, one of them told wrongly; the rest is loss. */
  async ({ submit }, mark) => {
    const lot = `LOT${mark}`;
    const head = { lotType: '0', supplierId: 'S1', waferPn: 'P1' };
    const send = (module: string, id: unknown) =>
      submit('planner', `/api/${module}/sendSwitch.json`, { id: String(id) }, 'GET');
    const [wafers, bumping] = ['icopWaferWorkOrder', 'icopBumpingCpWorkOrder'] as const;
    const { id } = await submit('planner', `/api/${wafers}/create.json`, { ...head, supplierId: 'FAB', waferQty: 3 });
    await send(wafers, id);
    const come = { id: String(id), waferLotId: lot, dies: 100 };
    const first = await submit('planner', `/api/${wafers}/receiveWafers.json`, { ...come, waferIds: '01' });
    const more = { ...come, waferIds: '02', missing: 1 };
    const second = await submit('planner', `/api/${wafers}/receiveWafers.json`, more);
    await submit('planner', `/api/${wafers}/done.json`, { id: String(id) }, 'GET');
    const [row] = await rowsOf<{ id: number }>(sql`SELECT id FROM icop_wip WHERE "wipId" = ${first['wipId']}`);
    const chosen = { id: String(row?.id), wipIds: String(second['wipId']) };
    const { wipId } = await submit('planner', '/api/icopWip/merge.json', chosen, 'GET');
    const taken = { ...head, processType: '2', waferList: [{ wipId, waferId: '01', inputQty: 100 }] };
    const order = await submit('planner', `/api/${bumping}/create.json`, taken);
    await send(bumping, order['id']);
    const part = (qty: number, lossQty = 0) =>
      submit('planner', `/api/${bumping}/recordOutput.json`, {
        id: String(order['id']),
        positions: [{ position: `${String(wipId)}/01`, outputs: [{ bin: null, qty }], lossQty }],
      });
    await part(30);
    const wrong = (await part(20)) as { wipIds: string[] };
    const [entry] = await rowsOf<{ id: number }>(sql`
      SELECT id FROM icop_transaction WHERE "wipId" = ${wrong.wipIds[0]} AND "transactionType" = 'OUTPUT'
       ORDER BY id DESC`);
    const undo = { id: String(entry?.id), remark: 'mistyped' };
    await submit('admin', '/api/icopTransaction/rollbackById.json', undo, 'GET');
    await part(10, 60);
    await submit('planner', `/api/${bumping}/done.json`, { id: String(order['id']) }, 'GET');
    const kept = await rowsOf<{ held: string }>(sql`
      SELECT stage || ' ' || "chipQty" AS held FROM icop_wip WHERE "waferLotId" = ${lot} AND "chipQty" > 0 ORDER BY 1`);
    // What comes later of a wafer joins the lot of what came before.
    expect(kept.map((it) => it.held)).toEqual(['1 100', '5 40']);
    return {};
  },
  /** A supervisor's four words. */
  async ({ submit }) => {
    const { db } = workshop.database;
    const word = async (kind: 'scrap' | 'nofault', input: object) => {
      const { sn, ckbId } = await heldUnit(db, kind);
      await submit('supervisor', `/api/rmaCheckBill/${kind}Confirm.json`, { sn, ckbId, ...input });
      return sn;
    };
    const scrapped = await word('scrap', { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' });
    const confirmed = await word('scrap', { scrapStatus: '2', declineScrapRemark: 'only dirty' });
    const fine = await word('nofault', { nofaultConfirmStatus: '1' });
    const faulty = await word('nofault', { nofaultConfirmStatus: '2', nofaultConfirmRemark: 'fan' });
    return {
      [scrapped]: ['40', 'scrapConfirm'],
      [confirmed]: ['10', 'scrapConfirm'],
      [fine]: ['70', 'nofaultConfirm'],
      [faulty]: ['10', 'nofaultConfirm'],
    };
  },
  /** A stranger is received by mistake, and received again. */
  async ({ submit }, mark) => {
    const sn = `STRANGER${mark}`;
    await submit('warehouse', '/api/ubsItemObject/createNonOfficial.json', { sn, type: '0' });
    const { mtbId } = await maintainBill(workshop.database.db, { billStatus: '0' });
    const entry = { receiveSn: sn, depreciation: 'B' };
    const input = { mtbId, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [entry] }] };
    await submit('warehouse', '/api/rmaReceiveBill/receive.json', input);
    const wrong = { mtbId, rmaReceiveBillLineRequestList: [{ snList: [sn] }] };
    await submit('warehouse', '/api/rmaReceiveBill/deleteReceived.json', wrong);
    await submit('warehouse', '/api/rmaReceiveBill/receive.json', input);
    return { [sn]: ['10', 'receive', 'receive', 'receive'] };
  },
  /** Two boards come in and leave by their number; a third one can't be repaired. */
  async ({ submit }) => {
    const { mtbId } = await maintainBill(workshop.database.db, { billStatus: '0' });
    const line = { type: '1', salesCode: 'HB19', repairableCount: 2, unRepairableCount: 1 };
    const receipt = { mtbId, rmaReceiveBillLineRequestList: [line] };
    const { snList } = await submit('warehouse', '/api/rmaReceiveBill/receive.json', receipt);
    await submit('warehouse', '/api/rmaReceiveBill/finishReceive.json', { maintainBillId: mtbId });
    const sns = snList as string[];
    for (const sn of sns) {
      const found = { sn, checkType: '1', issueCodeIdList: [codes.get('FX409')] };
      await submit('tech', '/api/rmaCheckBill/check.json', found);
      const part = { partsType: '7', repairMethod: '8', issueCodeIdList: [codes.get('RP01')], slot: 'U1' };
      await submit('tech', '/api/rmaRepairBill/repair.json', { sn, checkType: '1', partsList: [part] });
    }
    const [aged, passed] = [testedAs(sns, 'AT00'), testedAs(sns, 'QC00')];
    await submit('tech', '/api/rmaBurninBill/submitBurninBill.json', { rmaBurninBillLineList: aged });
    await submit('tech', '/api/rmaExamineBill/submitExamineBill.json', { rmaExamineBillLineList: passed });
    const skbId = await stored(submit, sns);
    const counted = { skbId, submitType: '2', rmaDeliverBillLineList: [{ salesCode: 'HB19', submitCount: 2 }] };
    await submit('warehouse', '/api/rmaDeliverBill/submitDeliverBill.json', counted);
    const life = ['900', 'receive', 'check', 'repair', 'aging', 'qc', 'store', 'deliver'] as const;
    return Object.fromEntries(sns.map((sn) => [sn, life]));
  },
  /** The office decides about a unit on the shelf until its bill is closed over it, and the workshop puts it to use. */
  async ({ submit }) => {
    const { db } = workshop.database;
    const [{ sn, mtbliId }, target] = [
      await unitOnBill(db, { node: Node.AwaitingStorage }),
      await unitOnBill(db, { node: Node.AwaitingRepair }),
    ];
    await stored(submit, [sn]);
    const edit = (deliverPriority: string) =>
      submit('office', '/api/rmaMaintainBillLineItem/editDeliver.json', { id: mtbliId, deliverPriority });
    await edit('2');
    await edit('0');
    await submit('warehouse', '/api/rmaDeliverBill/rebindSn.json', { sn, partsList: partsOf(sn) });
    const { mtbId, mtblId } = target;
    const move = { ids: [mtbliId], mtbId, mtblId, moveBillFlag: '1', deliverFlag: '0', splitDeliverFlag: '0' };
    await submit('aftersales', '/api/rmaMaintainBillLineItem/moveBill.json', move);
    const back = { list: [{ sn, mtbliId, mtbId }] };
    await submit('aftersales', '/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json', back);
    await submit('aftersales', '/api/rmaMaintainBill/terminate.json', { mtbId, discardInHouse: '1' });
    const put = { sn, remark: 'still good', subinventoryCode: 'DEF' };
    await submit('warehouse', '/api/rmaStoreBill/storeStart.json', put);
    return {
      [sn]: ['10', 'store', 'rebind', 'moveBill', 'returnToCheck', 'terminate', 'storeStart'],
      [target.sn]: ['40', 'terminate'],
    };
  },
  /** An aging test is rolled back and done again; then the unit is bought from its customer. */
  async ({ submit }) => {
    const { sn, mtblId, mtbliId } = await unitOnBill(workshop.database.db, { node: Node.AwaitingTest });
    const age = (code: string) =>
      submit('tech', '/api/rmaBurninBill/submitBurninBill.json', { rmaBurninBillLineList: testedAs([sn], code) });
    await age('AT01');
    const [step] = await rowsOf<{ id: number }>(sql`SELECT id FROM rma_transaction WHERE sn = ${sn}`);
    const undo = { id: String(step?.id), remark: 'wrong code' };
    await submit('admin', '/api/rmaTransaction/rollbackById.json', undo, 'GET');
    await age('AT00');
    const bought = { list: [{ mtblId, mtbliIdList: [mtbliId], remark: 'not worth it' }] };
    await submit('aftersales', '/api/rmaMaintainBillLineItem/buyOut.json', bought);
    return { [sn]: ['80', 'aging', 'rollback', 'aging', 'buyOut'] };
  },
  /** A machine of the site's own stock is put to use. */
  async ({ submit }) => {
    const sn = await stockMachine(workshop.database.db, Node.CanShip);
    const put = { sn, remark: 'again', subinventoryCode: 'DEF' };
    await submit('warehouse', '/api/rmaStoreBill/storeStart.json', put);
    return { [sn]: ['10', 'storeStart'] };
  },
  /** A customer may fetch what is on a bill. */
  async ({ submit }, mark) => {
    const { db } = workshop.database;
    const { sn, mtbId } = await unitOnBill(db, { node: Node.AwaitingStorage });
    await stored(submit, [sn]);
    const request = { spkId: `SPK${mark}`, selfPickupStatus: '0', siteId: 'SZ', companyName: '宁远矿业', mtbId };
    const { id } = await db.insertInto('rma_self_pickup').values(request).returning('id').executeTakeFirstOrThrow();
    const pickupTime = Date.now() + 86_400_000;
    const yes = { id: String(id), selfPickupStatus: '1', pickupAddress: 'the dock', pickupTime };
    await submit('aftersales', '/api/rmaSelfPickup/selfPickupReview.json', yes);
    return { [sn]: ['100', 'store'] };
  },
  /** Three machines go to another site: two arrive, one after the other, one is returned; a transfer is given up. */
  async ({ submit, look }, mark) => {
    const { db } = workshop.database;
    const [one, other, lost] = await Promise.all(
      [1, 2, 3].map(() => stockMachine(db, Node.CanShip, { storageType: '0', subinventoryCode: 'FG' })),
    );
    const { sktbId, id } = await submit('warehouse', '/api/rmaStockTransferBill/initiate.json', transfer(mark, 3));
    const loaded = await look('warehouse', '/api/rmaStockTransferBill/loadTransfer.json', { sktbId });
    const [line] = loaded['rmaStockTransferBillLineList'] as { sktblId: string }[];
    const lineList = [{ sktblId: line?.sktblId, snList: [one, other, lost] }];
    const sent = { sktbId, deliverSiteId: 'SZ', lineList };
    await submit('warehouse', '/api/rmaStockTransferBill/deliverAccept.json', sent);
    for (const sn of [one, other]) {
      const scan = { sktbId, sn };
      const item = await look('whNB', '/api/rmaStockTransferBill/attemptReceiverAccept.json', scan, 'POST');
      const signed = { sktbId, receiveSiteId: 'NB', idList: [item['id']] };
      await submit('whNB', '/api/rmaStockTransferBill/receiverAccept.json', signed);
    }
    await submit('admin', '/api/rmaStockTransferBill/returnTransfer.json', { id: String(id) });
    const vain = await submit('warehouse', '/api/rmaStockTransferBill/initiate.json', transfer(`V${mark}`, 1));
    await submit('warehouse', '/api/rmaStockTransferBill/cancelTransfer.json', { id: String(vain['id']) });
    return {
      [one as string]: ['100', 'transferOut', 'transferIn'],
      [other as string]: ['100', 'transferOut', 'transferIn'],
      [lost as string]: ['100', 'transferOut', 'transferReturn'],
    };
  },
  /** Own goods are registered, some by mistake; what was a package by mistake is registered again. */
  async ({ submit }, mark) => {
    const { db } = workshop.database;
    const own = '/api/rmaDefectiveProductRepairBill';
    const defective = await stockMachine(db, Node.AwaitingCheck, { storageType: '1', subinventoryCode: 'DEF' });
    const goods = await stockMachine(db, Node.CanShip, { storageType: '0', subinventoryCode: 'FG' });
    const form = { receiveShipId: 'SF', receiveShipNo: `DEFECT${mark}`, siteId: 'SZ' };
    await submit('warehouse', `${own}/defectiveProductRepair.json`, { ...form, lineRequestList: [{ sn: defective }] });
    const pack = { siteId: 'SZ', dataList: [{ itemRequestList: [{ sn: goods }] }] };
    const { id } = await submit('warehouse', `${own}/testAndStore.json`, pack);
    await submit('warehouse', `${own}/deleteById.json`, { id });
    await submit('warehouse', `${own}/testAndStore.json`, pack);
    return {
      [defective]: ['10', 'defectiveProductRepair'],
      [goods]: ['70', 'testAndStore', 'rollback', 'testAndStore'],
    };
  },
  /** The label of a unit is changed, changed back, and changed to a number that was asked for. */
  async ({ submit }, mark) => {
    const { db } = workshop.database;
    const { sn } = await unitOnBill(db, { node: Node.AwaitingRepair });
    const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
    await db.insertInto('ubs_item_object').values(archived).execute();
    const change = (newSn: string) =>
      submit('office', '/api/ubsItemObject/changeSn.json', { cause: '1', oldSn: sn, newSn });
    const { itemObjectId } = await change(`RX19KILL${mark.padStart(9, '0')}`);
    const [log] = await rowsOf<{ id: number }>(sql`
      SELECT id FROM ubs_sn_change_log WHERE "itemObjectId" = ${itemObjectId}`);
    const undo = { id: String(log?.id), remark: 'wrong label' };
    await submit('admin', '/api/ubsSnChangeLog/rollbackById.json', undo, 'GET');
    const { sn: given } = await submit('office', '/api/ubsItemObject/generateSn.json', { itemObjectId });
    await change(given as string);
    return { [given as string]: ['50', 'changeSn', 'rollback', 'changeSn'] };
  },
  /** Scrap goes out for repair by mistake and again: one unit of two comes back, a third SN is scrap as before. */
  async ({ submit }, mark) => {
    const { db } = workshop.database;
    const lies = { storageType: '2', subinventoryCode: 'SCR' };
    const sns = await Promise.all([1, 2, 3].map(() => stockMachine(db, Node.Scrapped, lies)));
    const [main, used, unused] = sns as [string, string, string];
    const combined = { siteId: 'SZ', count: 3, scrapRepairLineRequestList: sns.map((sn) => ({ sn })) };
    const repair = '/api/rmaScrapRepairBill';
    const { id } = await submit('warehouse', `${repair}/combineRepair.json`, combined);
    await submit('warehouse', `${repair}/cancelScrapRepair.json`, { id: String(id) });
    const { srbId } = await submit('warehouse', `${repair}/combineRepair.json`, combined);
    const unit = {
      productSn: main,
      assistSnList: [used],
      checkIssueCodeIdList: [codes.get('FX01')],
      repairInfoList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [codes.get('RP01')], slot: 'U1' }],
      assembleInfoList: partsOf(`OUT${mark}`, 4),
    };
    await submit('tech', `${repair}/outsourcingAccept.json`, { srbId, siteId: 'SZ', list: [unit] });
    const out = ['combineRepair', 'scrapRepairReturn', 'combineRepair'] as const;
    return {
      [main]: ['70', ...out, 'outsourcingAccept'],
      [used]: ['40', ...out, 'outsourcingAccept'],
      [unused]: ['40', ...out, 'scrapRepairReturn'],
    };
  },
];

const transfer = (remark: string, count: number) => ({
  ...{ deliverSiteId: 'SZ', receiveSiteId: 'NB', remark },
  rmaStockTransferLineRequestList: [{ salesCode: 'RX19', itemType: '0', storageType: '0', count }],
});

async function stored(submit: Stations['submit'], sns: readonly string[]): Promise<string> {
  const rmaStoreBillLineList = sns.map((sn) => ({ sn }));
  const input = { rmaStoreBillLineList, packageCount: 20 };
  const { skbIdList } = await submit('warehouse', '/api/rmaStoreBill/submitStoreBill.json', input);
  return (skbIdList as string[])[0] as string;
}

const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(workshop.database.db)).rows;

describe('a server that is killed in the middle of submits', () => {
  it(
    `loses no acknowledged submit and does none twice, in ${ROUNDS} rounds`,
    { timeout: 30_000 * ROUNDS },
    async () => {
      const { db } = workshop.database;
      const all = Array.from({ length: ROUNDS }, (_, round) =>
        Array.from({ length: STATIONS }, (_, i) => [round, i] as const),
      );
      await db
        .insertInto('ubs_item_object')
        .values(
          all.flat().map(([round, i]) => ({
            sn: snOf(round, i),
            itemId: 1,
            salesCode: 'RX19',
            itemName: 'RX19 104T',
            type: '0',
            origin: '1',
          })),
        )
        .execute();
      const counters = await db
        .insertInto('rma_maintain_bill')
        .values(
          Array.from({ length: STATIONS }, (_, i) => ({
            mtbId: `MTB202001010000${i}`,
            receiveShipNo: `COUNTER${i}`,
            userName: 'counter',
            billStatus: '0',
            receivePackageCount: 0,
            siteId: 'SZ',
          })),
        )
        .returning('id')
        .execute();

      const random = randomFrom(SEED);
      const stations = openStations(workshop, { keyed: true, random });
      await stations.settled();
      const done = [];
      const lives: Lives = {};
      for (const [n, round] of all.entries()) {
        // Half of the kills come anywhere; the others look for what was spared so far.
        stations.killAfter(1 + Math.floor(random() * STATIONS * ANSWERS), { aims: n % 2 === 1 });
        const devices = round.map(async ([number, i]) => {
          const errand = errands[(number * STATIONS + i) % errands.length] as Errand;
          const run = async () => Object.assign(lives, await errand(stations, nameOf('', number, i)));
          // A kill comes early or late: what half of the stations do last, the others do first.
          if (i % 2 === 0) await run();
          await countUp(stations, counters[i]?.id as number);
          const made = await device(stations, snOf(number, i), shipOf(number, i));
          if (i % 2 === 1) await run();
          return made;
        });
        done.push(...(await Promise.all(devices)));
        await stations.settled();
      }
      report('with keys', stations.tally);

      expect(stations.tally.kills).toBe(ROUNDS);
      if (ROUNDS >= ROUNDS_FOR_ALL) expect(sparedOf(stations.tally)).toEqual([]);
      expect(stations.tally.lost).toBeGreaterThan(0);
      const made = await rowsOf<Record<string, unknown>>(sql`
      SELECT b."receiveShipNo", b."mtbId", b."billStatus", l.count, l."receiveCount", l."deliverCount", a."abId", c."ckbId",
        (SELECT array_agg(t.step ORDER BY t.id) FROM rma_transaction t WHERE t."mtbId" = b."mtbId") AS steps
      FROM rma_maintain_bill b
      JOIN rma_maintain_bill_line l USING ("mtbId")
      LEFT JOIN rma_arrival_bill a USING ("receiveShipNo")
      LEFT JOIN rma_check_bill c ON c."mtbId" = b."mtbId"
      WHERE b."receiveShipNo" LIKE 'SF%' ORDER BY 1`);
      expect(made).toEqual(
        done
          .toSorted((a, b) => (a.receiveShipNo < b.receiveShipNo ? -1 : 1))
          .map(({ receiveShipNo, mtbId, abId, ckbId }) => ({
            ...{ receiveShipNo, mtbId, abId, ckbId, billStatus: '2', count: 1, receiveCount: 1, deliverCount: 1 },
            steps: ['receive', 'check', 'repair', 'assemble', 'aging', 'qc', 'store', 'deliver'],
          })),
      );
      for (const table of ['check', 'repair', 'burnin', 'examine', 'store', 'deliver']) {
        const lines = await rowsOf<{ sn: string }>(
          sql`SELECT sn FROM ${sql.table(`rma_${table}_bill_line`)} ORDER BY sn`,
        );
        const ours = new Set(done.map((it) => it.sn));
        expect(
          lines.map((it) => it.sn).filter((it) => ours.has(it)),
          table,
        ).toEqual(done.map((it) => it.sn).toSorted());
      }
      const lived = await rowsOf<{ sn: string; node: string | null; steps: string[] }>(sql`
      SELECT u.sn, u."ivyId" AS node,
        (SELECT array_agg(t.step ORDER BY t.id) FROM rma_transaction t WHERE t.sn = u.sn) AS steps
      FROM rma_inventory u WHERE u.sn = ANY(${Object.keys(lives)})`);
      expect(Object.fromEntries(lived.map(({ sn, node, steps }) => [sn, [node, ...steps]]))).toEqual(lives);
      const counted = await rowsOf(sql`
      SELECT "receivePackageCount" AS n, version FROM rma_maintain_bill WHERE "receiveShipNo" LIKE 'COUNTER%'`);
      expect(counted).toEqual(counters.map(() => ({ n: ROUNDS, version: ROUNDS + 1 })));
      const pickups = await rowsOf(sql`SELECT DISTINCT "selfPickupStatus" AS status, version FROM rma_self_pickup`);
      expect(pickups).toEqual([{ status: '1', version: 2 }]);
      expect(await rowsOf(sql`SELECT count(*) AS n FROM idempotency_key`)).toEqual([{ n: stations.tally.submits }]);
      // Each submit is written down once, in its own transaction.
      expect(await rowsOf(sql`SELECT count(*) AS n FROM ledger`)).toEqual([{ n: stations.tally.submits }]);
      expect(await brokenInvariants(db)).toEqual([]);
      expect(await findChipFaults(db)).toEqual([]);
    },
  );

  it(
    'does submits twice when they carry no key, which shows that the keys are what protects',
    { timeout: 30_000 * ROUNDS },
    async () => {
      const random = randomFrom(SEED);
      const stations = openStations(workshop, { keyed: false, random });
      await stations.settled();
      const rounds = Math.max(1, Math.floor(ROUNDS / 3));
      for (let round = 0; round < rounds; round++) {
        stations.killAfter(1 + Math.floor(random() * STATIONS * ANSWERS), { aims: false });
        const bills = Array.from({ length: STATIONS }, async (_, i) => {
          for (let n = 0; n < ANSWERS; n++) {
            const name = `${nameOf('NOKEY', round, i)}-${n}`;
            if (n % 2 === 0) await stations.submit('office', '/api/rmaMaintainBill/create.json', bill(name));
            else await stations.submit('office', '/api/rmaStockTransferBill/initiate.json', transfer(name, 1));
          }
        });
        await Promise.all(bills);
        await stations.settled();
      }
      const [{ made, wanted } = { made: 0, wanted: 0 }] = await rowsOf<{ made: number; wanted: number }>(sql`
      SELECT count(*) AS made, count(DISTINCT name) AS wanted
        FROM (SELECT "receiveShipNo" AS name FROM rma_maintain_bill
              UNION ALL SELECT remark FROM rma_stock_transfer_bill) AS made
       WHERE name LIKE 'NOKEY%'`);
      report('without keys', stations.tally, `${made - wanted} done twice`);
      expect(wanted).toBe(stations.tally.submits);
      expect(made).toBeGreaterThan(wanted);
    },
  );
});

/** The kinds of submits that no kill has cut off. */
const sparedOf = ({ kinds, cutOffKinds }: Tally) => [...kinds].filter((it) => !cutOffKinds.has(it));

/** The figures of the long run. */
function report(name: string, tally: Tally, more = '') {
  const { kills, submits, kinds, lost, cutOff, cutOffKinds, cutOffButSaved } = tally;
  if (!process.env['ROUNDS']) return;
  process.stdout.write(
    `${name}: ${kills} kills, ${submits} submits of ${kinds.size} kinds acknowledged, ${lost} answers lost on purpose, ` +
      `${cutOff} requests of ${cutOffKinds.size} kinds cut off, ${cutOffButSaved} of them kept by the database ${more}\n`,
  );
  const spared = sparedOf(tally);
  if (spared.length > 0) process.stdout.write(`never cut off: ${spared.join(' ')}\n`);
}
