import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import { reviewSteps, type ReviewStep } from '#domain/review.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Tables } from '#server/db/tables.ts';
import { readModel } from '#server/definitions/read.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { withoutGuards } from '#tests/support/faults.ts';
import { registers } from '#tests/support/features.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';
import type { Answer } from '#tests/support/stations.ts';

/** Two people do the same thing, or the opposite, at the same moment, each at a server of their own. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** The long run: 2,000 pairs of scans, 500 races of each decision. */
const PAIRS = ROUNDS * 10;
const DECISIONS = Math.ceil(ROUNDS * 2.5);

const { definitions } = readModel(registers);

let workshop: Workshop;
let servers: [ServerProcess, ServerProcess];
let codes: Map<string | null, number | null>;
beforeAll(async () => {
  workshop = await openWorkshop();
  servers = await Promise.all([workshop.start(), workshop.start()]);
  const rows = await workshop.database.db.selectFrom('ubs_issue_code').select(['code', 'codeId']).execute();
  codes = new Map(rows.map((it) => [it.code, it.codeId]));
});
afterAll(() => workshop.close());

interface Submission {
  as: string;
  path: string;
  input: unknown;
}

async function submit({ url }: ServerProcess, { as, path, input }: Submission): Promise<Answer> {
  const token = await workshop.openToken(as);
  const reply = await fetch(`${url}/api/${path}.json?lang=en`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'idempotency-key': newKey() },
    body: JSON.stringify(input),
  });
  return (await reply.json()) as Answer;
}

/** Both at once; who is asked first takes turns. */
const race = async (n: number, one: Submission, other: Submission) => {
  const [first, second] = n % 2 === 0 ? servers : ([...servers].reverse() as typeof servers);
  return Promise.all([submit(first, one), submit(second, other)]);
};

/** One SN at a station, scanned by two: the action of each, and what the slower one hears. */
interface Pair {
  sn: string;
  submissions: [Submission, Submission];
  slower: readonly string[];
}
const WRONG_NODE = '100003';
const SHIPPED = '100005';
const IN_HOUSE = '100009';
const STALE = '100025';

const both = (sn: string, submission: Submission, slower = WRONG_NODE): Pair => ({
  sn,
  submissions: [submission, submission],
  slower: [slower],
});
const unitAt = async (node: Node) => (await unitOnBill(workshop.database.db, { node })).sn;
const storing = (sn: string): Submission => ({
  as: 'warehouse',
  path: 'rmaStoreBill/submitStoreBill',
  input: { rmaStoreBillLineList: [{ sn }], packageCount: 20 },
});
const partsOf = (sn: string) =>
  slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    sn: `${name}-${sn}`,
    component_type: componentType,
    qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
  }));

const stations: Record<string, (n: number) => Promise<Pair>> = {
  // Two parcels, two bills: what they share is an SN of which the workshop knows nothing yet, so there is no row to wait on.
  receive: async (n) => {
    const { db } = workshop.database;
    const sn = `RX19RACE${String(n).padStart(6, '0')}`;
    const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
    await db.insertInto('ubs_item_object').values(archived).execute();
    const receipt = async (): Promise<Submission> => {
      const { mtbId } = await maintainBill(db, { billStatus: '0' });
      const item = { receiveSn: sn, depreciation: 'B' };
      const input = { mtbId, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [item] }] };
      return { as: 'warehouse', path: 'rmaReceiveBill/receive', input };
    };
    return { sn, submissions: [await receipt(), await receipt()], slower: [IN_HOUSE, STALE] };
  },
  check: async () => {
    const sn = await unitAt(Node.AwaitingCheck);
    const input = { sn, issueCodeIdList: [codes.get('FX409')], checkUrls: '' };
    return both(sn, { as: 'tech', path: 'rmaCheckBill/check', input });
  },
  repair: async () => {
    const sn = await unitAt(Node.AwaitingRepair);
    const record = { partsType: '7', repairMethod: '8', issueCodeIdList: [codes.get('RP01')], slot: 'U1' };
    return both(sn, { as: 'tech', path: 'rmaRepairBill/repair', input: { sn, partsList: [record] } });
  },
  assemble: async () => {
    const sn = await unitAt(Node.AwaitingAssembly);
    return both(sn, { as: 'tech', path: 'rmaAssembleBill/assemble', input: { sn, partsList: partsOf(sn) } });
  },
  aging: async () => {
    const sn = await unitAt(Node.AwaitingTest);
    const input = { rmaBurninBillLineList: [{ sn, icdId: codes.get('AT00') }] };
    return both(sn, { as: 'tech', path: 'rmaBurninBill/submitBurninBill', input });
  },
  qc: async () => {
    const sn = await unitAt(Node.AwaitingInspection);
    const input = { rmaExamineBillLineList: [{ sn, icdId: codes.get('QC00') }] };
    return both(sn, { as: 'tech', path: 'rmaExamineBill/submitExamineBill', input });
  },
  store: async () => {
    const sn = await unitAt(Node.AwaitingStorage);
    return both(sn, storing(sn));
  },
  deliver: async () => {
    const sn = await unitAt(Node.AwaitingStorage);
    const { data } = await submit(servers[0], storing(sn));
    const [skbId] = data['skbIdList'] as string[];
    const input = { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] };
    return both(sn, { as: 'warehouse', path: 'rmaDeliverBill/submitDeliverBill', input }, SHIPPED);
  },
};
const names = Object.keys(stations);

describe('two stations that submit one SN at the same moment', () => {
  it(
    `are told apart: one has done it, the other hears where the unit is, ${PAIRS} times`,
    { timeout: 900_000 },
    async () => {
      const { db } = workshop.database;
      for (let n = 0; n < PAIRS; n++) {
        const name = names[n % names.length] as string;
        const { sn, submissions, slower } = (await stations[name]?.(n)) as Pair;
        // Each kind takes its turns at both servers.
        const answers = await race(Math.floor(n / names.length), ...submissions);
        const [done, refused] = answers.map((it) => it.code).sort();
        expect([done, slower.includes(refused ?? '')], `${name} ${sn}: ${refused}`).toEqual(['000000', true]);
        const steps = db.selectFrom('rma_transaction').select('step').where('sn', '=', sn).where('step', '=', name);
        expect(await steps.execute(), `${name} ${sn}`).toHaveLength(1);
      }
      expect(await brokenInvariants(db)).toEqual([]);
    },
  );
});

const words = {
  scrap: {
    yes: { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' },
    no: { scrapStatus: '2', declineScrapRemark: 'only dirty' },
  },
  nofault: { yes: { nofaultConfirmStatus: '1' }, no: { nofaultConfirmStatus: '2', nofaultConfirmRemark: 'fan' } },
};

const decision = (
  kind: 'scrap' | 'nofault',
  { sn, ckbId }: { sn: string; ckbId: string },
  word: 'yes' | 'no',
): Submission => ({
  as: 'supervisor',
  path: `rmaCheckBill/${kind}Confirm`,
  input: { sn, ckbId, ...words[kind][word] },
});

describe('two supervisors who say yes and no at the same moment', () => {
  it.each(['scrap', 'nofault'] as const)(
    `of %s are told apart: one word is kept, the other hears that it was said, ${DECISIONS} times`,
    { timeout: 600_000 },
    async (kind) => {
      const { db } = workshop.database;
      const answers = { yes: 0, no: 0 };
      for (let n = 0; n < DECISIONS; n++) {
        const unit = await heldUnit(db, kind);
        const [yes, no] = await race(n, decision(kind, unit, 'yes'), decision(kind, unit, 'no'));
        expect([yes.code, no.code].sort(), unit.sn).toEqual(['000000', '100022']);
        const word = yes.code === '000000' ? 'yes' : 'no';
        answers[word] += 1;
        const next = { scrap: { yes: '40', no: '10' }, nofault: { yes: '70', no: '10' } }[kind][word];
        const now = await db.selectFrom('rma_inventory').select('ivyId').where('sn', '=', unit.sn).executeTakeFirst();
        expect(now?.ivyId, `${unit.sn} after ${word}`).toBe(next);
        const steps = await db.selectFrom('rma_transaction').select('toNode').where('sn', '=', unit.sn).execute();
        expect(steps, unit.sn).toEqual([{ toNode: next }]);
      }
      if (process.env['CHAOS']) process.stdout.write(`${kind}: ${answers.yes} times yes, ${answers.no} times no\n`);
      expect(await brokenInvariants(db)).toEqual([]);
    },
  );
});

describe('a board that is replaced while its bill is closed by force', () => {
  it(`leaves no board in the house on a finished bill, ${DECISIONS} times`, { timeout: 600_000 }, async () => {
    const { db } = workshop.database;
    for (let n = 0; n < DECISIONS; n++) {
      const sn = `HB19OLD${String(n).padStart(10, '0')}`;
      const replaceSn = `HB19NEW${String(n).padStart(10, '0')}`;
      const { mtbId } = await unitOnBill(db, { node: Node.AwaitingRepair, sn, salesCode: 'HB19', unit: { type: '1' } });
      const record = { partsType: '7', repairMethod: '2', issueCodeIdList: [codes.get('RP01')], slot: 'U1', replaceSn };
      const repair = { as: 'tech', path: 'rmaRepairBill/repair', input: { sn, partsList: [record] } };
      const close = { as: 'admin', path: 'rmaMaintainBill/terminate', input: { mtbId, discardInHouse: '1' } };
      const [repaired, closed] = await race(n, repair, close);
      expect(closed.code, sn).toBe('000000');
      expect(['000000', '100006'], sn).toContain(repaired.code);
      const left = db.selectFrom('rma_inventory').select(['sn', 'ivyId']).where('ivyId', '!=', '40');
      expect(await left.where('sn', 'in', [sn, replaceSn]).execute()).toEqual([]);
    }
    expect(await brokenInvariants(db)).toEqual([]);
  });
});

const review = (id: number, word: 'yes' | 'no'): Submission => ({
  as: 'aftersales',
  path: 'rmaSelfPickup/selfPickupReview',
  input: {
    id: String(id),
    ...(word === 'yes'
      ? { selfPickupStatus: '1', pickupAddress: 'the dock', pickupTime: Date.now() + 86_400_000 }
      : { selfPickupStatus: '2', rejectionReason: 'not ready' }),
  },
});
async function pickup(db: Kysely<Tables>): Promise<number> {
  const request = { spkId: `SPKRACE${++pickups}`, selfPickupStatus: '0', siteId: 'SZ', companyName: '宁远矿业' };
  const { id } = await db.insertInto('rma_self_pickup').values(request).returning('id').executeTakeFirstOrThrow();
  return Number(id);
}
let pickups = 0;

describe('two people who agree to a self-pickup and refuse it at the same moment', () => {
  it(`are told apart: one word is kept, ${DECISIONS} times`, { timeout: 600_000 }, async () => {
    const { db } = workshop.database;
    for (let n = 0; n < DECISIONS; n++) {
      const id = await pickup(db);
      const [yes, no] = await race(n, review(id, 'yes'), review(id, 'no'));
      expect([yes.code, no.code].sort(), String(id)).toEqual(['000000', '100022']);
      const row = await db.selectFrom('rma_self_pickup').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const isYes = yes.code === '000000';
      expect([row.selfPickupStatus, row.pickupAddress, row.rejectionReason]).toEqual(
        isYes ? ['1', 'the dock', null] : ['2', null, 'not ready'],
      );
    }
  });
});

/** Who judges at this step, by role; the world has one of each, whose word comes from two places. */
const judges = {
  ...{ financialReview: 'finance', financialAudit: 'auditor', afterSalesReview: 'aftersales', audit: 'auditor' },
} as const;
const judging = ({ module, action }: ReviewStep, id: number, word: 'yes' | 'no', as: string): Submission => ({
  as,
  path: `${module}/${action}`,
  input: word === 'yes' ? { id, result: '2', remark: null } : { id, result: '1', remark: 'no papers' },
});
/** A bill that waits for this review. Prices are for work of their own, so that none is in the way of another. */
async function moneyBill(db: Kysely<Tables>, { module, from }: ReviewStep): Promise<number> {
  const definition = definitions.get(module) as Definition;
  const no = definition.number?.field as string;
  const own = { [no]: `RACE${++bills}`, billStatus: from, siteId: 'SZ', createBy: 'office' };
  const row = { ...alwaysOf(definition, definitions), ...(module === 'rmaPriceBill' && { supplierName: `S${bills}` }) };
  return Number((await insertRow(db, definition, { ...row, ...own }, definitions))?.id);
}
let bills = 0;

describe('two reviewers who pass a bill and reject it at the same moment', () => {
  it.each(reviewSteps.map((it) => [`${it.module}/${it.action}`, it] as const))(
    `at %s are told apart: one word counts, ${DECISIONS} times`,
    { timeout: 900_000 },
    async (name, step) => {
      const { db } = workshop.database;
      const [first, second] = [judges[step.action], `${judges[step.action]}2`];
      await secondJudge(db, first);
      const words = { yes: 0, no: 0 };
      for (let n = 0; n < DECISIONS; n++) {
        const id = await moneyBill(db, step);
        const [yes, no] = await race(n, judging(step, id, 'yes', first), judging(step, id, 'no', second));
        expect([yes.code, no.code].sort(), `${name} ${id}`).toEqual(['000000', STALE]);
        const word = yes.code === '000000' ? 'yes' : 'no';
        words[word] += 1;
        const table = sql.table((definitions.get(step.module) as Definition).table);
        const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${table} WHERE id = ${id}`.execute(db);
        expect(rows[0]).toMatchObject({
          billStatus: word === 'yes' ? step.passed : step.notPassed,
          [step.by]: word === 'yes' ? first : second,
          reviewRemark: word === 'yes' ? null : 'no papers',
          version: 2,
        });
        const told = db.selectFrom('ledger').select('userId').where('recordId', '=', String(id));
        const said = await told.where('module', '=', step.module).where('what', '=', step.action).execute();
        expect(said, `${name} ${id}`).toEqual([{ userId: word === 'yes' ? first : second }]);
      }
      if (process.env['CHAOS']) process.stdout.write(`${name}: ${words.yes} times yes, ${words.no} times no\n`);
    },
  );
});

/** A colleague of the same role. */
async function secondJudge(db: Kysely<Tables>, roleIds: string): Promise<void> {
  const userId = `${roleIds}2`;
  const account = { userId, userName: userId, roleIds, siteId: 'SZ', allSites: '0', status: '1' };
  const there = await db.selectFrom('admin_user').select('id').where('userId', '=', userId).executeTakeFirst();
  if (!there) await db.insertInto('admin_user').values(account).execute();
}

const shelved = { storageType: '0', subinventoryCode: 'FG' } as const;
const OWN_CODES = ['000000', '100002', '100005', '100007', '100008', '100025'] as const;

/** Where a race is prepared: at the servers that run beside, or at the one of this process. */
interface Place {
  db: Kysely<Tables>;
  send: (submission: Submission) => Promise<{ data: Record<string, unknown> }>;
}
const outside = (): Place => ({ db: workshop.database.db, send: (it) => submit(servers[0], it) });

/** A transfer of these machines from SZ to NB, made; gives how each of its sites does its step. */
async function transferOf(sns: readonly string[], { db, send }: Place = outside()) {
  const made = await send({
    as: 'warehouse',
    path: 'rmaStockTransferBill/initiate',
    input: {
      ...{ deliverSiteId: 'SZ', receiveSiteId: 'NB' },
      rmaStockTransferLineRequestList: [{ salesCode: 'RX19', itemType: '0', storageType: '0', count: sns.length }],
    },
  });
  const sktbId = made.data['sktbId'] as string;
  const lines = db.selectFrom('rma_stock_transfer_bill_line').select('sktblId').where('sktbId', '=', sktbId);
  const { sktblId } = await lines.executeTakeFirstOrThrow();
  const deliver: Submission = {
    as: 'warehouse',
    path: 'rmaStockTransferBill/deliverAccept',
    input: { sktbId, deliverSiteId: 'SZ', lineList: [{ sktblId, snList: sns }] },
  };
  const receive = async (): Promise<Submission> => {
    const items = db.selectFrom('rma_stock_transfer_bill_line_item').select('id').where('sktbId', '=', sktbId);
    const idList = (await items.execute()).map((it) => Number(it.id));
    const input = { sktbId, receiveSiteId: 'NB', idList };
    return { as: 'whNB', path: 'rmaStockTransferBill/receiverAccept', input };
  };
  return { sktbId, deliver, receive };
}

const scrapped = () => stockMachine(workshop.database.db, Node.Scrapped, { storageType: '2', subinventoryCode: 'SCR' });
const combining = (sns: readonly string[]): Submission => ({
  as: 'warehouse',
  path: 'rmaScrapRepairBill/combineRepair',
  input: { siteId: 'SZ', count: sns.length, scrapRepairLineRequestList: sns.map((sn) => ({ sn })) },
});

/** A machine of the stock, which a transfer is to take as well as a delivery for an item that is promised its model. */
async function wantedTwice(place: Place = outside()) {
  const { db, send } = place;
  const promised = { exchange: '1', deliverSalesCode: 'RX19' };
  const own = await unitOnBill(db, { node: Node.AwaitingStorage, salesCode: 'RX21', item: promised });
  const { data } = await send(storing(own.sn));
  const [skbId] = data['skbIdList'] as string[];
  const sn = await stockMachine(db, Node.CanShip, shelved);
  const { deliver: transfer } = await transferOf([sn], place);
  const input = { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] };
  const delivery: Submission = { as: 'warehouse', path: 'rmaDeliverBill/submitDeliverBill', input };
  return { sn, transfer, delivery };
}

/** A transfer that is under way; gives how it is signed for. */
async function underWay(place: Place = outside()) {
  const sn = await stockMachine(place.db, Node.CanShip, shelved);
  const { deliver, receive } = await transferOf([sn], place);
  await place.send(deliver);
  return { sn, signed: await receive() };
}

/** A unit of the chain whose SN may be changed, and a free SN of the company's form. */
async function changeable() {
  const { db } = workshop.database;
  const { sn } = await unitOnBill(db, { node: Node.AwaitingTest });
  const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
  await db.insertInto('ubs_item_object').values(archived).execute();
  return { sn, newSn: `RX19RACE${String(++renamed).padStart(9, '0')}` };
}
let renamed = 0;
const changing = (oldSn: string, newSn: string): Submission => ({
  as: 'office',
  path: 'ubsItemObject/changeSn',
  input: { cause: '1', oldSn, newSn },
});
const creating = (sn: string): Submission => ({
  as: 'warehouse',
  path: 'ubsItemObject/createNonOfficial',
  input: { sn, type: '0' },
});
const namedNow = async (...sns: string[]) => {
  const units = workshop.database.db.selectFrom('rma_inventory').select(['sn', 'ivyId', 'siteId', 'holdKind']);
  return units.where('sn', 'in', sns).orderBy('sn').execute();
};
const stepsOf = async (...sns: string[]) => {
  const steps = workshop.database.db.selectFrom('rma_transaction').select(['sn', 'step']);
  return (await steps.where('sn', 'in', sns).orderBy('id').execute()).map((it) => `${it.sn} ${it.step}`);
};

/**
 * Races over units outside the line: each gives what two do at the same moment, and what must be true of their answers
 * and of the database afterwards. One over a bill of another kind is one entry more.
 */
type Outcome = (codes: [string, string]) => Promise<void>;
interface OutsideRace {
  one: Submission;
  other: Submission;
  after: Outcome;
}
const outsideRaces: Record<string, () => Promise<OutsideRace>> = {
  'a transfer that takes what a delivery takes': async () => {
    const { sn, transfer, delivery } = await wantedTwice();
    return {
      one: transfer,
      other: delivery,
      after: async ([sent, delivered]) => {
        const way = sent === '000000' ? 'transferOut' : 'deliver';
        expect([sent, delivered]).toEqual(
          way === 'deliver' ? [expect.stringMatching(/^1000(05|25)$/), '000000'] : ['000000', '100008'],
        );
        expect(await stepsOf(sn)).toEqual([`${sn} ${way}`]);
      },
    };
  },
  'a transfer that is signed for twice': async () => {
    const { sn, signed } = await underWay();
    return {
      one: signed,
      other: signed,
      after: async (answers) => {
        expect(answers.toSorted()).toEqual(['000000', STALE]);
        expect(await stepsOf(sn)).toEqual([`${sn} transferOut`, `${sn} transferIn`]);
        expect(await namedNow(sn)).toEqual([{ sn, ivyId: '100', siteId: 'NB', holdKind: null }]);
      },
    };
  },
  'a unit that is scanned while its SN is changed': async () => {
    const { sn, newSn } = await changeable();
    const input = { rmaBurninBillLineList: [{ sn, icdId: codes.get('AT00') }] };
    return {
      one: changing(sn, newSn),
      other: { as: 'tech', path: 'rmaBurninBill/submitBurninBill', input },
      after: async ([changed, scanned]) => {
        const isScanned = scanned === '000000';
        // The scan was first, or there was nothing of that SN any more.
        expect([changed, isScanned ? '100002' : scanned]).toEqual(['000000', '100002']);
        expect(await namedNow(sn, newSn)).toMatchObject([{ sn: newSn, ivyId: isScanned ? '80' : '70' }]);
        const steps = isScanned ? ['aging', 'changeSn'] : ['changeSn'];
        expect(await stepsOf(sn, newSn)).toEqual(steps.map((it) => `${newSn} ${it}`));
      },
    };
  },
  'two units that are to have one SN': async () => {
    const [a, b] = [await changeable(), await changeable()];
    return {
      one: changing(a.sn, a.newSn),
      other: changing(b.sn, a.newSn),
      after: async (answers) => {
        expect(answers.toSorted()).toEqual(['000000', '100007']);
        expect(await namedNow(a.sn, b.sn, a.newSn)).toHaveLength(2);
      },
    };
  },
  'an SN that is created while a unit is to have it': async () => {
    const { sn, newSn } = await changeable();
    return {
      one: changing(sn, newSn),
      other: creating(newSn),
      after: async (answers) => {
        expect(answers.toSorted()).toEqual(['000000', '100007']);
        expect(await namedNow(sn, newSn)).toMatchObject([{ sn: answers[0] === '000000' ? newSn : sn }]);
      },
    };
  },
  'an SN that is created while it becomes a former one': async () => {
    const { sn, newSn } = await changeable();
    return {
      one: changing(sn, newSn),
      other: creating(sn),
      after: async ([changed, created]) => {
        expect([changed, created]).toEqual(['000000', expect.stringMatching(/^1000(02|07)$/)]);
        expect(await namedNow(sn, newSn)).toMatchObject([{ sn: newSn }]);
      },
    };
  },
  'two scrap repairs over one SN': async () => {
    const [shared, ...others] = await Promise.all(Array.from({ length: 3 }, scrapped));
    const [ofOne, ofOther] = others as [string, string];
    // Each names the SN that both want at another place of its list.
    return {
      one: combining([shared as string, ofOne]),
      other: combining([ofOther, shared as string]),
      after: async (answers) => {
        expect(answers.toSorted()).toEqual(['000000', '100008']);
        const [taken, left] = answers[0] === '000000' ? [ofOne, ofOther] : [ofOther, ofOne];
        const sent = [shared as string, taken];
        const units = await namedNow(shared as string, ofOne, ofOther);
        const scrap = { ivyId: '40', siteId: 'SZ' };
        expect(units).toHaveLength(3);
        expect(units).toEqual(
          expect.arrayContaining([
            ...sent.map((sn) => ({ sn, ...scrap, holdKind: 'scrapRepair' })),
            { sn: left, ...scrap, holdKind: null },
          ]),
        );
        const steps = await stepsOf(shared as string, ofOne, ofOther);
        expect(steps.toSorted()).toEqual(sent.map((sn) => `${sn} combineRepair`).toSorted());
      },
    };
  },
};

describe('two who want one unit outside the line at the same moment', () => {
  it.each(Object.keys(outsideRaces))(`%s, has one outcome, ${DECISIONS} times`, { timeout: 900_000 }, async (name) => {
    const heard = new Map<string, number>();
    for (let n = 0; n < DECISIONS; n++) {
      const { one, other, after } = (await outsideRaces[name]?.()) as OutsideRace;
      const answers = (await race(n, one, other)).map((it) => it.code) as [string, string];
      heard.set(answers.join(' '), (heard.get(answers.join(' ')) ?? 0) + 1);
      expect(OWN_CODES, `${name} ${n}`).toEqual(expect.arrayContaining(answers));
      await after(answers);
    }
    if (process.env['CHAOS']) {
      const counts = [...heard].map(([answer, times]) => `${answer}: ${times}`);
      process.stdout.write(`${name}: ${counts.join(', ')}\n`);
    }
    expect(await brokenInvariants(workshop.database.db)).toEqual([]);
  });
});

// Last, as what it writes breaks the invariants.
describe('two careless stations', () => {
  it('are not told apart by who looks first and writes then, which shows that the guard is what decides', async () => {
    const { db } = workshop.database;
    let doubled = 0;
    for (let n = 0; n < PAIRS; n++) {
      const { sn } = await unitOnBill(db, { node: Node.AwaitingTest });
      const careless = async () => {
        const unit = await db.selectFrom('rma_inventory').select('ivyId').where('sn', '=', sn).executeTakeFirst();
        if (unit?.ivyId !== '70') return;
        await db.updateTable('rma_inventory').set({ ivyId: '80' }).where('sn', '=', sn).execute();
        await sql`
          INSERT INTO rma_transaction (sn, "siteId", step, "fromNode", "toNode", "operateStatus", "eventTime")
          VALUES (${sn}, 'SZ', 'aging', '70', '80', 'Normal', now())`.execute(db);
      };
      await Promise.all([careless(), careless()]);
      const steps = await db.selectFrom('rma_transaction').select('step').where('sn', '=', sn).execute();
      if (steps.length > 1) doubled += 1;
    }
    if (process.env['CHAOS']) process.stdout.write(`without a guard ${doubled} of ${PAIRS} pairs were done twice\n`);
    expect(doubled).toBeGreaterThan(0);
  });
});

describe('two who decide at the same moment at a server that neither locks nor looks again as it writes', () => {
  let testApp: TestApp;
  beforeAll(async () => void (testApp = await startTestApp()));
  afterAll(() => testApp.close());

  /** How often both were taken, the one lost beneath the other. */
  async function countBothAccepted(
    submissions: () => Promise<[Submission, Submission]>,
    times: number,
  ): Promise<number> {
    let both = 0;
    for (let n = 0; n < times; n++) {
      const asked = (await submissions()).map(({ as, path, input }) =>
        testApp.ask('POST', `/api/${path}.json`, input, { as }),
      );
      if ((await Promise.all(asked)).every((it) => it.code === '000000')) both += 1;
    }
    return both;
  }
  const inside = (): Place => ({
    db: testApp.db,
    send: ({ as, path, input }) => testApp.ask<Record<string, unknown>>('POST', `/api/${path}.json`, input, { as }),
  });
  const supervisors = (kind: 'scrap' | 'nofault') => async (): Promise<[Submission, Submission]> => {
    const unit = await heldUnit(testApp.db, kind);
    return [decision(kind, unit, 'yes'), decision(kind, unit, 'no')];
  };

  it.each<[string, () => Promise<[Submission, Submission]>]>([
    ['scrap', supervisors('scrap')],
    ['no-fault', supervisors('nofault')],
    ...reviewSteps.map((step): [string, () => Promise<[Submission, Submission]>] => [
      `${step.module}/${step.action}`,
      async () => {
        const [id, as] = [await moneyBill(testApp.db, step), judges[step.action]];
        return [judging(step, id, 'yes', as), judging(step, id, 'no', as)];
      },
    ]),
    [
      'a self-pickup',
      async () => {
        const id = await pickup(testApp.db);
        return [review(id, 'yes'), review(id, 'no')];
      },
    ],
    [
      'a machine that a transfer and a delivery want',
      async () => {
        const { transfer, delivery } = await wantedTwice(inside());
        return [transfer, delivery];
      },
    ],
    [
      'a transfer that is signed for twice',
      async () => {
        const { signed } = await underWay(inside());
        return [signed, signed];
      },
    ],
  ])(
    'are both taken and one is lost, on %s, which shows that lock and guard are what decides',
    { timeout: 300_000 },
    async (what, submissions) => {
      expect(await countBothAccepted(submissions, DECISIONS)).toBe(0);
      const lost = await withoutGuards(() => countBothAccepted(submissions, DECISIONS));
      if (process.env['CHAOS'])
        process.stdout.write(`${what}, unguarded: ${lost} of ${DECISIONS} times one was lost\n`);
      expect(lost).toBeGreaterThan(0);
    },
  );
});
