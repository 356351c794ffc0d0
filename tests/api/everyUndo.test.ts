import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { Call } from '#domain/call.ts';
import { groupBy } from '#domain/group.ts';
import { undoableSteps } from '#domain/nextActions.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { assemble } from '#features/assemble/contract.ts';
import {
  buyOut,
  changeSite,
  moveBill,
  replaceSaleCode,
  rollbackToPreliminaryTest,
  terminate,
} from '#features/bill-actions/contract.ts';
import { check } from '#features/check/contract.ts';
import { nofaultConfirm, scrapConfirm } from '#features/confirm/contract.ts';
import { rebindSn, submitDeliverBill } from '#features/deliver/contract.ts';
import { editDeliver } from '#features/edit-delivery/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import { submitExamineBill } from '#features/qc/contract.ts';
import { receive } from '#features/receive/contract.ts';
import { repair } from '#features/repair/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { cancelStockupBill, stopStockupBill } from '#features/stockup/contract.ts';
import { changeSn } from '#features/serials/contract.change.ts';
import { storeStart, submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { readCodeIds, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import type { Unseen } from '#tests/support/seen.ts';

/** Each step that can be rolled back, in the states in which it changes most: afterwards every row is as it was before. */
let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

const codeOf = (name: string) => codes[name] as number;
async function done<C extends Call>(call: C, input: Unseen<C>, as: string) {
  const answer = await testApp.send(call, input, { as });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
}

/** Histories of what was done, and what the archive has learnt of parts. */
const records = [
  ...['ledger', 'rma_transaction', 'idempotency_key', 'session', 'captcha', 'login_attempt', 'bill_number'],
  ...['table_change', 'station_scans', 'file'],
  ...['ubs_item_object', 'ubs_sn_change_log'],
];
/** Who wrote a row last and how often; and that the latest step of a bill was rolled back, which it is to show. */
const apart = ['version', 'updateBy', 'updateTime', 'operateStatus'];

/** An empty stock-up bill is a number that was given, a unit that is nowhere an SN that is known. */
const used: Record<string, RawBuilder<unknown>> = {
  rma_stockup_bill: sql`(status <> '4' OR EXISTS (SELECT 1 FROM rma_stockup_bill_line AS l WHERE l."skbId" = t."skbId"))`,
  rma_inventory: sql`coalesce("ivyId", "mtbId", "subinventoryCode", "storageType") IS NOT NULL`,
};

/** The rows of each table as they were read last. */
const lastRead = new Map<string, { state: string; rows: string[] }>();
/** What a row says, by its table and the sum over its contents: each is read once. */
const texts = new Map<string, string>();
const keyOf = ({ name, hash }: { name: string; hash: string }) => `${name} ${hash}`;

const hashOf = sql`hash_record_extended(t, 0)::text`;
const usedRows = (name: string) => sql`${sql.table(name)} AS t WHERE ${used[name] ?? sql`true`}`;
const readAll = async <Row>(each: RawBuilder<unknown>[]): Promise<Row[]> =>
  each.length === 0 ? [] : (await sql<Row>`${sql.join(each, sql` UNION ALL `)}`.execute(testApp.db)).rows;

/** All rows of the workshop; tables that have not changed since the last time are not read again. */
async function everything(): Promise<Record<string, string[]>> {
  const states = await takeSnapshot(testApp.db);
  // Which stock-up bills count depends on their lines.
  states['rma_stockup_bill'] += ` ${states['rma_stockup_bill_line']}`;
  const names = Object.keys(states).filter((it) => !records.includes(it));
  const changed = names.filter((it) => lastRead.get(it)?.state !== states[it]);
  const found = groupBy(
    await readAll<{ name: string; hash: string }>(
      changed.map((name) => sql`SELECT ${name}::text AS name, ${hashOf} AS hash FROM ${usedRows(name)}`),
    ),
    (it) => it.name,
  );
  const unknown = [...found].flatMap(([name, rows]) => {
    const hashes = rows.filter((it) => !texts.has(keyOf(it))).map((it) => it.hash);
    return hashes.length === 0 ? [] : [{ name, hashes }];
  });
  const fresh = await readAll<{ name: string; hash: string; row: string }>(
    unknown.map(
      ({ name, hashes }) => sql`
        SELECT ${name}::text AS name, ${hashOf} AS hash, (to_jsonb(t) - ${apart}::text[])::text AS row
          FROM ${usedRows(name)} AND ${hashOf} = ANY(${hashes}::text[])`,
    ),
  );
  for (const it of fresh) texts.set(keyOf(it), it.row);
  for (const name of changed) {
    const rows = (found.get(name) ?? []).map((it) => texts.get(keyOf(it)) as string).toSorted();
    lastRead.set(name, { state: states[name] as string, rows });
  }
  return Object.fromEntries(names.map((it) => [it, lastRead.get(it)?.rows ?? []]));
}

let made = 0;
const newSn = (prefix = 'RX19UNDO') => `${prefix}${String(++made).padStart(17 - prefix.length, '0')}`;
async function archived(sn: string, salesCode = 'RX19'): Promise<string> {
  const type = salesCode.startsWith('HB') ? '1' : '0';
  await testApp.db
    .insertInto('ubs_item_object')
    .values({ sn, itemId: 1, salesCode, itemName: salesCode, type, origin: '1' })
    .execute();
  return sn;
}

/** What differs from the usual and must not get lost. */
const odd = {
  item: { deliverShipId: 'DHL', deliverSiteId: 'SZ', deliverPriority: '1', depreciation: 'B', powerSn: 'P-OLD' },
  unit: { subinventoryCode: 'ODD', storageType: '2' },
};
const at = (node: Node, more: object = {}) => unitOnBill(testApp.db, { node, ...odd, ...more });
const stock = (node: Node, more: object = {}) =>
  stockMachine(testApp.db, node, { subinventoryCode: 'ODD', storageType: '2', ...more });

/** On a bill of the site's own goods. */
const ownGoods = async (node: Node) => {
  const billStatus = node === Node.Scrapped ? '2' : '1';
  return at(node, { bill: await maintainBill(testApp.db, { billType: '10', billStatus }) });
};

interface Shelved extends UnitOnBill {
  skbId: string;
  beside: UnitOnBill;
}
/** On the shelf and on a stock-up bill, beside another one unless it is there alone. */
async function shelved(more: object = {}, alone = false): Promise<Shelved> {
  const bill = await maintainBill(testApp.db);
  const unit = await at(Node.AwaitingStorage, { bill, ...more });
  const beside = await at(Node.AwaitingStorage, { bill: alone ? await maintainBill(testApp.db) : bill });
  const rmaStoreBillLineList = [{ sn: unit.sn }, { sn: beside.sn }];
  await done(submitStoreBill, { rmaStoreBillLineList, packageCount: 20 }, 'warehouse');
  await testApp.db
    .updateTable('rma_inventory')
    .set({ subinventoryCode: 'ODD' })
    .where('sn', 'in', [unit.sn, beside.sn])
    .execute();
  const line = await testApp.db
    .selectFrom('rma_stockup_bill_line')
    .select('skbId')
    .where('sn', '=', unit.sn)
    .executeTakeFirstOrThrow();
  return { ...unit, skbId: line.skbId, beside };
}
/** On the shelf, and let go by a stock-up bill that was cancelled. */
async function letGo(): Promise<Shelved> {
  const unit = await shelved();
  await done(cancelStockupBill, { id: unit.skbId }, 'warehouse');
  return unit;
}
async function stopped(): Promise<Shelved> {
  const unit = await shelved();
  await done(stopStockupBill, { id: unit.skbId }, 'warehouse');
  return unit;
}
async function paused(): Promise<Shelved> {
  const unit = await shelved();
  await done(editDeliver, { id: unit.mtbliId, deliverPriority: '2' }, 'admin');
  return unit;
}
const send = ({ skbId, sn }: Shelved) =>
  done(submitDeliverBill, { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] }, 'warehouse');
/** Gone, with a carrier that the warehouse chose for the parcel. */
async function shipped(): Promise<Shelved> {
  const unit = await withCarrier(await shelved());
  await send(unit);
  return unit;
}
async function withCarrier<It extends Shelved>(unit: It): Promise<It> {
  const parcel = { deliverShipNo: `SF${unit.skbId}`, deliverShipId: 'SF' };
  await testApp.db.updateTable('rma_stockup_bill').set(parcel).where('skbId', '=', unit.skbId).execute();
  return unit;
}

interface Scenario<Made extends { sn: string } = { sn: string }> {
  name: string;
  make: () => Promise<Made>;
  act: (made: Made) => Promise<unknown>;
}
const scenario = <Made extends { sn: string }>(
  name: string,
  make: () => Promise<Made>,
  act: (it: Made) => Promise<unknown>,
) => ({ name, make, act }) as unknown as Scenario;
const asUnit = (make: () => Promise<string>) => async () => ({ sn: await make() });

const partsOf = (sn: string, board?: string) =>
  slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    sn: hasQrCode && board ? board : `${name}-${sn}`.toUpperCase(),
    component_type: componentType,
    qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
  }));
const board = (more: object = {}) =>
  stock(Node.CanShip, { sn: newSn('HBUNDO'), type: '1', salesCode: 'HB19', ...more });

const takeIn = ({ sn, mtbId }: { sn: string; mtbId: string }) =>
  done(
    receive,
    {
      mtbId,
      rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn: sn, depreciation: 'B' }] }],
    },
    'warehouse',
  );
async function declared(sn: string, more: object = {}, billStatus: '0' | '4' = '0') {
  const bill = await maintainBill(testApp.db, { billStatus });
  const [mtblId, mtbliId] = [`MBL-U${++made}`, `MBI-U${made}`];
  const line = { mtblId, mtbId: bill.mtbId, type: '0', salesCode: 'RX19', itemName: 'RX19', count: 1 };
  const counts = { receiveCount: 0, deliverCount: 0, scrapCount: 0, discardCount: 0, buyOutCount: 0 };
  await testApp.db
    .insertInto('rma_maintain_bill_line')
    .values({ ...line, ...counts })
    .execute();
  const item = { mtbliId, mtblId, mtbId: bill.mtbId, siteId: 'SZ', receiveStatus: '0', deliverStatus: '0' };
  const flags = { maintains: 0, continues: '0', mixbound: '0', secondHand: '0', exchange: '0', stockup: '0' };
  await testApp.db
    .insertInto('rma_maintain_bill_line_item')
    .values({ ...item, ...flags, ...more })
    .execute();
  return { ...bill, sn, mtblId };
}

const checks = async (sn: string, found: 'FX54' | 'UM17' | 'NTF') => {
  const checkUrls = await uploadPicture(testApp, 'tech');
  return done(check, { sn, issueCodeIdList: [codeOf(found)], checkUrls, powerSn: `P-${sn}` }, 'tech');
};
const repairs = (sn: string, row: object) =>
  done(
    repair,
    { sn, partsList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [codeOf('RP01')], slot: 'U1', ...row }] },
    'tech',
  );
const word = (kind: 'scrap' | 'nofault', status: string) =>
  kind === 'scrap'
    ? { scrapStatus: status, dutySourse: '0', dutySourseRemark: 'burnt', declineScrapRemark: 'still good' }
    : { nofaultConfirmStatus: status, nofaultConfirmRemark: 'seen' };
const confirms = (kind: 'scrap' | 'nofault', status: string) => (it: { sn: string; ckbId: string }) =>
  done(
    kind === 'scrap' ? scrapConfirm : nofaultConfirm,
    { sn: it.sn, ckbId: it.ckbId, ...word(kind, status) },
    'supervisor',
  );
const editNode =
  (ivyId: Node) =>
  ({ sn }: { sn: string }) =>
    done(modifyIvyId, { sn, ivyId }, 'admin');
const buys = ({ mtblId, mtbliId }: UnitOnBill) =>
  done(buyOut, [{ mtblId, mtbliIdList: [mtbliId], remark: 'agreed' }], 'aftersales');
const closes = ({ mtbId }: UnitOnBill) => done(terminate, { mtbId, discardInHouse: '1' }, 'aftersales');
const changes =
  (replaceFlag: string) =>
  ({ mtbliId }: UnitOnBill) =>
    done(
      replaceSaleCode,
      { rmaMaintainBillLineItemList: [{ mtbliId }], salesCode: 'RX21', replaceFlag, salesCodeCount: 1 },
      'aftersales',
    );
const sendsTo =
  (updateSiteId: string) =>
  ({ mtbliId }: UnitOnBill) =>
    done(changeSite, { rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId }, 'aftersales');
const moves =
  (flags: object) =>
  async ({ mtbliId, to }: UnitOnBill & { to: UnitOnBill }) =>
    done(moveBill, { ids: [mtbliId], mtbId: to.mtbId, mtblId: to.mtblId, ...flags }, 'aftersales');
const withTarget = (make: () => Promise<UnitOnBill>) => async () => ({
  ...(await make()),
  to: await shelved({}, true),
});

async function known<It extends { sn: string }>(unit: It): Promise<It> {
  await archived(unit.sn);
  return unit;
}
/** A device with a power, which its item knows. */
async function withParts() {
  const unit = await known(await at(Node.AwaitingTest));
  const power = await archived(newSn('PSUUNDO'), 'HB19');
  await testApp.db.insertInto('ubs_assembly').values({ deviceSn: unit.sn, componentSn: power }).execute();
  const { mtbliId } = unit;
  const items = testApp.db.updateTable('rma_maintain_bill_line_item').set({ powerSn: power });
  await items.where('mtbliId', '=', mtbliId).execute();
  return { ...unit, power };
}
/** Its bill waits for just this SN. */
async function asDeclared<It extends { sn: string; mtblId: string }>(it: It): Promise<It> {
  const items = testApp.db.updateTable('rma_maintain_bill_line_item').set({ receiveSn: it.sn });
  await items.where('mtblId', '=', it.mtblId).execute();
  return it;
}
/** What is known of the unit afterwards is asked for under its new SN. */
const renames = async (it: { sn: string }) => {
  const to = newSn();
  await done(changeSn, { cause: '1', oldSn: it.sn, newSn: to }, 'office');
  it.sn = to;
};

/** Alone on its stock-up bill, which was stopped. */
async function stoppedAlone(): Promise<Shelved> {
  const unit = await shelved({}, true);
  await done(stopStockupBill, { id: unit.skbId }, 'warehouse');
  return unit;
}

const shelves = {
  stoppedAlone,
  shelved,
  letGo,
  stopped,
  paused,
  'alone on its stock-up bill': () => shelved({}, true),
};
const onEach = (act: (it: Shelved) => Promise<unknown>): Scenario[] =>
  Object.entries(shelves).map(([name, make]) => scenario(name, () => make(), act));

const scenarios: Record<string, Scenario[]> = {
  receive: [
    scenario('of what was declared', async () => declared(await archived(newSn())), takeIn),
    scenario(
      'of an SN that was declared by its name, late',
      async () => {
        const sn = await archived(newSn());
        return declared(sn, { receiveSn: sn, receiveStatus: '2', deliverShipId: 'DHL' }, '4');
      },
      takeIn,
    ),
    scenario(
      'of what was shipped before',
      async () => {
        const { sn } = await shipped();
        await archived(sn);
        return declared(sn);
      },
      takeIn,
    ),
    scenario(
      'of what nobody declared',
      async () => ({ ...(await maintainBill(testApp.db, { billStatus: '0' })), sn: await archived(newSn()) }),
      takeIn,
    ),
  ],
  check: [
    ...(['FX54', 'UM17', 'NTF'] as const).map((found) =>
      scenario(
        `${found}`,
        () => at(Node.AwaitingCheck),
        ({ sn }) => checks(sn, found),
      ),
    ),
    scenario(
      'of a stock machine',
      asUnit(() => stock(Node.AwaitingCheck)),
      ({ sn }) => checks(sn, 'FX54'),
    ),
    scenario(
      'after a return to first test',
      async () => {
        const unit = await at(Node.AwaitingCheck);
        await checks(unit.sn, 'FX54');
        const { sn, mtbliId, mtbId } = unit;
        await done(rollbackToPreliminaryTest, [{ sn, mtbliId, mtbId }], 'supervisor');
        return unit;
      },
      ({ sn }) => checks(sn, 'FX54'),
    ),
  ],
  scrapConfirm: [
    scenario('yes', () => heldUnit(testApp.db, 'scrap', odd), confirms('scrap', '1')),
    scenario(
      'yes, to be returned',
      () => heldUnit(testApp.db, 'scrap', { ...odd, item: { ...odd.item, returness: '1' } }),
      confirms('scrap', '1'),
    ),
    scenario('no', () => heldUnit(testApp.db, 'scrap', odd), confirms('scrap', '2')),
  ],
  nofaultConfirm: [
    scenario('yes', () => heldUnit(testApp.db, 'nofault', odd), confirms('nofault', '1')),
    scenario('no', () => heldUnit(testApp.db, 'nofault', odd), confirms('nofault', '2')),
  ],
  repair: [
    scenario(
      'of a device',
      () => at(Node.AwaitingRepair),
      ({ sn }) => repairs(sn, {}),
    ),
    scenario(
      'with a board of the stock',
      async () => ({ ...(await at(Node.AwaitingRepair)), board: await board() }),
      ({ sn, board: replaceSn }) => repairs(sn, { replaceSn, repairMethod: '2' }),
    ),
    scenario(
      'of a board, by another one of the stock',
      async () => {
        const old = await at(Node.AwaitingRepair, {
          salesCode: 'HB19',
          sn: newSn('HBOLD'),
          unit: { ...odd.unit, type: '1' },
        });
        return { sn: await board(), old: old.sn };
      },
      ({ sn, old }) => repairs(old, { replaceSn: sn, repairMethod: '2' }),
    ),
  ],
  assemble: [
    scenario(
      'with a board of the stock',
      async () => ({ ...(await at(Node.AwaitingAssembly)), board: await board() }),
      ({ sn, board: own }) => done(assemble, { sn, partsList: partsOf(sn, own) }, 'tech'),
    ),
  ],
  aging: ['AT00', 'AT01'].map((code) =>
    scenario(
      code,
      () => at(Node.AwaitingTest),
      ({ sn }) => done(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId: codeOf(code) }] }, 'tech'),
    ),
  ),
  qc: ['QC00', 'QC01'].map((code) =>
    scenario(
      code,
      () => at(Node.AwaitingInspection),
      ({ sn }) => done(submitExamineBill, { rmaExamineBillLineList: [{ sn, icdId: codeOf(code) }] }, 'tech'),
    ),
  ),
  store: [
    scenario(
      'of a customer’s unit',
      () => at(Node.AwaitingStorage),
      ({ sn }) => done(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }, 'warehouse'),
    ),
    scenario(
      'of a paused one',
      () => at(Node.AwaitingStorage, { item: { deliverPriority: '2' } }),
      ({ sn }) => done(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }, 'warehouse'),
    ),
    scenario(
      'of a stock machine',
      asUnit(() => stock(Node.AwaitingStorage)),
      ({ sn }) => done(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }, 'warehouse'),
    ),
    scenario(
      'of own goods, which become stock',
      () => ownGoods(Node.AwaitingStorage),
      ({ sn }) => done(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }, 'warehouse'),
    ),
  ],
  storeStart: ['DEF', 'FG', 'SCR'].map((subinventoryCode) =>
    scenario(
      `for ${subinventoryCode}`,
      () => at(Node.Scrapped),
      ({ sn }) => done(storeStart, { sn, subinventoryCode }, 'warehouse'),
    ),
  ),
  rebind: [
    scenario(
      'with a board of the stock',
      async () => ({ ...(await shelved()), board: await board() }),
      ({ sn, board: own }) => done(rebindSn, { sn, partsList: partsOf(sn, own) }, 'warehouse'),
    ),
  ],
  deliver: [
    scenario('one of two', async () => withCarrier(await shelved()), send),
    scenario('the last one', async () => withCarrier(await shelved({}, true)), send),
    scenario(
      'of a stock machine instead',
      async () => {
        const own = await withCarrier(await shelved());
        await done(
          replaceSaleCode,
          {
            rmaMaintainBillLineItemList: [{ mtbliId: own.mtbliId }],
            salesCode: 'RX21',
            replaceFlag: '0',
            salesCodeCount: 1,
          },
          'aftersales',
        );
        return { ...own, sn: await stock(Node.CanShip, { salesCode: 'RX21' }) };
      },
      send,
    ),
  ],
  buyOut: [scenario('on its way', () => at(Node.AwaitingRepair), buys), ...onEach(buys)],
  terminate: [
    scenario('on its way', () => at(Node.AwaitingRepair), closes),
    scenario('held', () => heldUnit(testApp.db, 'scrap', odd), closes),
    ...Object.entries(shelves).map(([name, make]) =>
      scenario(
        name,
        async () => {
          const unit = await make();
          // The bill's other unit is given up by a step of its own.
          await testApp.db
            .updateTable('rma_maintain_bill')
            .set({ billStatus: '1' })
            .where('mtbId', '=', unit.mtbId)
            .execute();
          return unit;
        },
        closes,
      ),
    ),
  ],
  updateSiteId: [
    scenario('on its way', () => at(Node.AwaitingRepair), sendsTo('NB')),
    scenario('with no site of its own', () => at(Node.AwaitingRepair, { item: {} }), sendsTo('NB')),
    ...onEach(sendsTo('NB')),
  ],
  moveBill: [
    { moveBillFlag: '1' },
    { deliverFlag: '1' },
    { splitDeliverFlag: '1' },
    { moveBillFlag: '1', deliverFlag: '1' },
    { moveBillFlag: '1', splitDeliverFlag: '1' },
  ].flatMap((flags) => [
    scenario(
      `on its way, ${JSON.stringify(flags)}`,
      withTarget(() => at(Node.AwaitingRepair)),
      moves(flags),
    ),
    ...Object.entries(shelves).map(([name, make]) =>
      scenario(`${name}, ${JSON.stringify(flags)}`, withTarget(make), moves(flags)),
    ),
  ]),
  replaceSaleCode: ['0', '1'].flatMap((flag) => [
    scenario(`on its way, flag ${flag}`, () => at(Node.AwaitingRepair), changes(flag)),
    ...Object.entries(shelves).map(([name, make]) => scenario(`${name}, flag ${flag}`, make, changes(flag))),
  ]),
  changeSn: [
    ...Object.entries(shelves).map(([name, make]) => scenario(name, async () => known(await make()), renames)),
    scenario('of a device with its parts', withParts, renames),
    scenario('of a part', async () => ({ sn: (await withParts()).power }), renames),
    scenario('declared by its name', async () => declared(await archived(newSn()), {}).then(asDeclared), renames),
    scenario('of a stock machine', async () => known({ sn: await stock(Node.CanShip) }), renames),
  ],
  modifyNode: nodes.flatMap((to) => [
    ...Object.entries({ ...shelves, shipped })
      .filter(([name]) => to !== (name === 'shipped' ? Node.Shipped : Node.CanShip))
      .map(([name, make]) => scenario(`${name}, to ${to}`, () => make(), editNode(to))),
    ...[Node.AwaitingRepair, Node.Scrapped]
      .filter((from) => from !== to)
      .flatMap((from) => [
        scenario(`from ${from} to ${to}`, () => at(from), editNode(to)),
        scenario(`own goods, from ${from} to ${to}`, () => ownGoods(from), editNode(to)),
      ]),
    ...(to === Node.AwaitingCheck
      ? []
      : [scenario(`held, to ${to}`, () => heldUnit(testApp.db, 'scrap', odd), editNode(to))]),
    ...(to === Node.CanShip
      ? []
      : [
          scenario(
            `a stock machine, to ${to}`,
            asUnit(() => stock(Node.CanShip)),
            editNode(to),
          ),
        ]),
  ]),
};

it('every step that can be rolled back is tried', () => {
  expect(Object.keys(scenarios).toSorted()).toEqual([...undoableSteps].toSorted());
});

describe.each(Object.entries(scenarios))('the rollback of %s brings back every row', (step, list) => {
  it.each(list)('$name [W-EVT-37]', async ({ make, act }) => {
    const unit = await make();
    const before = await everything();
    await act(unit);
    expect(await everything()).not.toEqual(before);
    // A force close is a step of each unit of the bill.
    const mates = 'beside' in unit && step === 'terminate' ? [(unit as Shelved).beside.sn] : [];
    for (const sn of [unit.sn, ...mates]) {
      const latest = (await readTrace(testApp, sn)).history.find((row) => row.operateStatus === 'Normal');
      if (latest?.step === step)
        await done(rollbackTransaction, { id: String(latest.id), remark: 'by mistake' }, 'admin');
    }
    expect(await everything()).toEqual(before);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
