import { sql, type Kysely } from 'kysely';
import { expect } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { Node } from '#domain/nodes.ts';
import { reviewSteps, type ReviewStep } from '#domain/review.ts';
import type { Tables } from '#server/db/tables.ts';
import { readModel } from '#server/definitions/read.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { registers } from '#tests/support/features.ts';

const { definitions } = readModel(registers);

export interface Submission {
  as: string;
  path: string;
  input: unknown;
}

/** Where two want the same: at servers that run beside, or at the one of this process. */
export interface Place {
  db: Kysely<Tables>;
  send: (submission: Submission) => Promise<{ data: Record<string, unknown> }>;
  codes: Record<string, number>;
}

/** What two do at the same moment, and what must be true of their answers, and of the database, afterwards. */
export interface Rivals {
  one: Submission;
  other: Submission;
  after: (codes: [one: string, other: string]) => Promise<void>;
  /** The other one is refused even where it is first. */
  isVain?: true;
}
type Meeting = (place: Place) => Promise<Rivals>;

const DONE = '000000';
const WRONG_NODE = '100003';
const SHIPPED = '100005';
const IN_HOUSE = '100009';
const DECIDED = '100022';
const STALE = '100025';

let made = 0;
const next = (prefix: string, digits: number) => `${prefix}${String(++made).padStart(digits, '0')}`;
const archive = (db: Kysely<Tables>, sn: string) =>
  db
    .insertInto('ubs_item_object')
    .values({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' })
    .execute();
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

/** One SN at a station, submitted by two: one has done it, the other hears where the unit is. */
const both = (
  { db }: Place,
  name: string,
  sn: string,
  [one, other]: readonly [Submission, Submission],
  slower: readonly string[] = [WRONG_NODE],
): Rivals => ({
  one,
  other,
  after: async (answers) => {
    const [done, refused] = answers.toSorted();
    expect([done, slower.includes(refused ?? '')], `${name} ${sn}: ${refused}`).toEqual([DONE, true]);
    const steps = db.selectFrom('rma_transaction').select('step').where('sn', '=', sn).where('step', '=', name);
    expect(await steps.execute(), `${name} ${sn}`).toHaveLength(1);
  },
});
const atStation =
  (name: string, node: Node, submission: (sn: string, codes: Place['codes']) => Submission): Meeting =>
  async (place) => {
    const { sn } = await unitOnBill(place.db, { node });
    const it = submission(sn, place.codes);
    return both(place, name, sn, [it, it]);
  };

/** By step: two stations that submit one SN. */
export const rivalStations: Record<string, Meeting> = {
  // Two parcels, two bills: what they share is an SN of which the workshop knows nothing yet, so there is no row to wait on.
  receive: async (place) => {
    const { db } = place;
    const sn = next('RX19RACE', 6);
    await archive(db, sn);
    const receipt = async (): Promise<Submission> => {
      const { mtbId } = await maintainBill(db, { billStatus: '0' });
      const item = { receiveSn: sn, depreciation: 'B' };
      const input = { mtbId, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [item] }] };
      return { as: 'warehouse', path: 'rmaReceiveBill/receive', input };
    };
    return both(place, 'receive', sn, [await receipt(), await receipt()], [IN_HOUSE, STALE]);
  },
  check: atStation('check', Node.AwaitingCheck, (sn, codes) => {
    const input = { sn, issueCodeIdList: [codes['FX409']], checkUrls: '' };
    return { as: 'tech', path: 'rmaCheckBill/check', input };
  }),
  repair: atStation('repair', Node.AwaitingRepair, (sn, codes) => {
    const record = { partsType: '7', repairMethod: '8', issueCodeIdList: [codes['RP01']], slot: 'U1' };
    return { as: 'tech', path: 'rmaRepairBill/repair', input: { sn, partsList: [record] } };
  }),
  assemble: atStation('assemble', Node.AwaitingAssembly, (sn) => {
    return { as: 'tech', path: 'rmaAssembleBill/assemble', input: { sn, partsList: partsOf(sn) } };
  }),
  aging: atStation('aging', Node.AwaitingTest, (sn, codes) => {
    const input = { rmaBurninBillLineList: [{ sn, icdId: codes['AT00'] }] };
    return { as: 'tech', path: 'rmaBurninBill/submitBurninBill', input };
  }),
  qc: atStation('qc', Node.AwaitingInspection, (sn, codes) => {
    const input = { rmaExamineBillLineList: [{ sn, icdId: codes['QC00'] }] };
    return { as: 'tech', path: 'rmaExamineBill/submitExamineBill', input };
  }),
  store: atStation('store', Node.AwaitingStorage, storing),
  deliver: async (place) => {
    const { sn } = await unitOnBill(place.db, { node: Node.AwaitingStorage });
    const { data } = await place.send(storing(sn));
    const [skbId] = data['skbIdList'] as string[];
    const input = { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] };
    const it: Submission = { as: 'warehouse', path: 'rmaDeliverBill/submitDeliverBill', input };
    return both(place, 'deliver', sn, [it, it], [SHIPPED]);
  },
};

const words = {
  scrap: {
    yes: { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' },
    no: { scrapStatus: '2', declineScrapRemark: 'only dirty' },
  },
  nofault: { yes: { nofaultConfirmStatus: '1' }, no: { nofaultConfirmStatus: '2', nofaultConfirmRemark: 'fan' } },
};
const nextNodes = { scrap: { yes: '40', no: '10' }, nofault: { yes: '70', no: '10' } };

const confirming =
  (kind: 'scrap' | 'nofault'): Meeting =>
  async ({ db }) => {
    const { sn, ckbId } = await heldUnit(db, kind);
    const say = (word: 'yes' | 'no'): Submission => ({
      as: 'supervisor',
      path: `rmaCheckBill/${kind}Confirm`,
      input: { sn, ckbId, ...words[kind][word] },
    });
    return {
      one: say('yes'),
      other: say('no'),
      after: async (answers) => {
        expect(answers.toSorted(), sn).toEqual([DONE, DECIDED]);
        const node = nextNodes[kind][answers[0] === DONE ? 'yes' : 'no'];
        expect((await namedNow(db, sn)).map((it) => it.ivyId)).toEqual([node]);
        const steps = await db.selectFrom('rma_transaction').select('toNode').where('sn', '=', sn).execute();
        expect(steps, sn).toEqual([{ toNode: node }]);
      },
    };
  };

const pickup: Meeting = async ({ db }) => {
  const request = { spkId: next('SPKRACE', 1), selfPickupStatus: '0', siteId: 'SZ', companyName: '宁远矿业' };
  const { id } = await db.insertInto('rma_self_pickup').values(request).returning('id').executeTakeFirstOrThrow();
  const review = (word: object): Submission => ({
    as: 'aftersales',
    path: 'rmaSelfPickup/selfPickupReview',
    input: { id: String(id), ...word },
  });
  return {
    one: review({ selfPickupStatus: '1', pickupAddress: 'the dock', pickupTime: Date.now() + 86_400_000 }),
    other: review({ selfPickupStatus: '2', rejectionReason: 'not ready' }),
    after: async (answers) => {
      expect(answers.toSorted(), String(id)).toEqual([DONE, DECIDED]);
      const row = await db.selectFrom('rma_self_pickup').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect([row.selfPickupStatus, row.pickupAddress, row.rejectionReason]).toEqual(
        answers[0] === DONE ? ['1', 'the dock', null] : ['2', null, 'not ready'],
      );
    },
  };
};

/** Who judges at this step, by role; the world has one of each, whose word comes from two places. */
const judges = {
  ...{ financialReview: 'finance', financialAudit: 'auditor', afterSalesReview: 'aftersales', audit: 'auditor' },
} as const;

/** A bill that waits for this review. Prices are for work of their own, so that none is in the way of another. */
async function moneyBill(db: Kysely<Tables>, { module, from }: ReviewStep): Promise<number> {
  const definition = definitions.get(module) as Definition;
  const no = definition.number?.field as string;
  const name = next('RACE', 1);
  const own = { [no]: name, billStatus: from, siteId: 'SZ', createBy: 'office' };
  const row = {
    ...alwaysOf(definition, definitions),
    ...(module === 'rmaPriceBill' && { supplierName: name }),
    ...(module === 'rmaCorrectionBill' && { currency: 'CNY', rfbId: await settledBill(db, name) }),
  };
  return Number((await insertRow(db, definition, { ...row, ...own }, definitions))?.id);
}

/** What a correction corrects. */
async function settledBill(db: Kysely<Tables>, rfbId: string): Promise<string> {
  const definition = definitions.get('rmaRepairFeeBill') as Definition;
  const own = { rfbId, billStatus: '6', siteId: 'SZ', createBy: 'office', currency: 'CNY' };
  await insertRow(db, definition, { ...alwaysOf(definition, definitions), ...own }, definitions);
  return rfbId;
}

/** A colleague of the same role. */
async function secondJudge(db: Kysely<Tables>, roleIds: string): Promise<void> {
  const userId = `${roleIds}2`;
  const account = { userId, userName: userId, roleIds, siteId: 'SZ', allSites: '0', status: '1' };
  const there = await db.selectFrom('admin_user').select('id').where('userId', '=', userId).executeTakeFirst();
  if (!there) await db.insertInto('admin_user').values(account).execute();
}

const judging =
  (step: ReviewStep): Meeting =>
  async ({ db }) => {
    const { module, action } = step;
    const [first, second] = [judges[action], `${judges[action]}2`];
    await secondJudge(db, first);
    const id = await moneyBill(db, step);
    const path = `${module}/${action}`;
    return {
      one: { as: first, path, input: { id, result: '2', remark: null } },
      other: { as: second, path, input: { id, result: '1', remark: 'no papers' } },
      after: async (answers) => {
        expect(answers.toSorted(), `${path} ${id}`).toEqual([DONE, STALE]);
        const isYes = answers[0] === DONE;
        const table = sql.table((definitions.get(module) as Definition).table);
        const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${table} WHERE id = ${id}`.execute(db);
        expect(rows[0]).toMatchObject({
          billStatus: isYes ? step.passed : step.notPassed,
          [step.by]: isYes ? first : second,
          reviewRemark: isYes ? null : 'no papers',
          version: 2,
        });
        const told = db.selectFrom('ledger').select('userId').where('recordId', '=', String(id));
        const said = await told.where('module', '=', module).where('what', '=', action).execute();
        expect(said, `${path} ${id}`).toEqual([{ userId: isYes ? first : second }]);
      },
    };
  };

/** Two who say yes and no to one thing. */
export const rivalWords: Record<string, Meeting> = {
  scrap: confirming('scrap'),
  'no-fault': confirming('nofault'),
  'a self-pickup': pickup,
  ...Object.fromEntries(reviewSteps.map((it) => [`${it.module}/${it.action}`, judging(it)])),
};

const namedNow = async (db: Kysely<Tables>, ...sns: string[]) => {
  const units = db.selectFrom('rma_inventory').select(['sn', 'ivyId', 'siteId', 'holdKind']);
  return units.where('sn', 'in', sns).orderBy('sn').execute();
};
const stepsOf = async (db: Kysely<Tables>, ...sns: string[]) => {
  const steps = db.selectFrom('rma_transaction').select(['sn', 'step']);
  return (await steps.where('sn', 'in', sns).orderBy('id').execute()).map((it) => `${it.sn} ${it.step}`);
};

const shelved = { storageType: '0', subinventoryCode: 'FG' } as const;
/** A transfer of these machines from SZ to NB, made; gives how each of its sites does its step. */
async function transferOf(sns: readonly string[], { db, send }: Place) {
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

const scrapped = (db: Kysely<Tables>) => stockMachine(db, Node.Scrapped, { storageType: '2', subinventoryCode: 'SCR' });
const combining = (sns: readonly string[]): Submission => ({
  as: 'warehouse',
  path: 'rmaScrapRepairBill/combineRepair',
  input: { siteId: 'SZ', count: sns.length, scrapRepairLineRequestList: sns.map((sn) => ({ sn })) },
});

/** A machine of the stock, which a transfer is to take as well as a delivery for an item that is promised its model. */
async function wantedTwice(place: Place) {
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
async function underWay(place: Place) {
  const sn = await stockMachine(place.db, Node.CanShip, shelved);
  const { deliver, receive } = await transferOf([sn], place);
  await place.send(deliver);
  return { sn, signed: await receive() };
}

/** A unit of the chain whose SN may be changed, and a free SN of the company's form. */
async function changeable(db: Kysely<Tables>) {
  const { sn } = await unitOnBill(db, { node: Node.AwaitingTest });
  await archive(db, sn);
  return { sn, newSn: next('RX19RACE', 9) };
}
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

/** Two who want one unit outside the line, or one SN. */
export const rivalClaims: Record<string, Meeting> = {
  'a board that is replaced while its bill is closed by force': async ({ db, codes }) => {
    const [sn, replaceSn] = [next('HB19OLD', 10), next('HB19NEW', 10)];
    const { mtbId } = await unitOnBill(db, { node: Node.AwaitingRepair, sn, salesCode: 'HB19', unit: { type: '1' } });
    const record = { partsType: '7', repairMethod: '2', issueCodeIdList: [codes['RP01']], slot: 'U1', replaceSn };
    return {
      one: { as: 'tech', path: 'rmaRepairBill/repair', input: { sn, partsList: [record] } },
      other: { as: 'admin', path: 'rmaMaintainBill/terminate', input: { mtbId, discardInHouse: '1' } },
      after: async ([repaired, closed]) => {
        expect(closed, sn).toBe(DONE);
        expect([DONE, '100006'], sn).toContain(repaired);
        // No board is in the house on a finished bill.
        const left = db.selectFrom('rma_inventory').select(['sn', 'ivyId']).where('ivyId', '!=', '40');
        expect(await left.where('sn', 'in', [sn, replaceSn]).execute()).toEqual([]);
      },
    };
  },
  'a transfer that takes what a delivery takes': async (place) => {
    const { db } = place;
    const { sn, transfer, delivery } = await wantedTwice(place);
    return {
      one: transfer,
      other: delivery,
      after: async ([sent, delivered]) => {
        const way = sent === DONE ? 'transferOut' : 'deliver';
        expect([sent, delivered]).toEqual(
          way === 'deliver' ? [expect.stringMatching(/^1000(05|25)$/), DONE] : [DONE, '100008'],
        );
        expect(await stepsOf(db, sn)).toEqual([`${sn} ${way}`]);
      },
    };
  },
  'a transfer that is signed for twice': async (place) => {
    const { db } = place;
    const { sn, signed } = await underWay(place);
    return {
      one: signed,
      other: signed,
      after: async (answers) => {
        expect(answers.toSorted()).toEqual([DONE, STALE]);
        expect(await stepsOf(db, sn)).toEqual([`${sn} transferOut`, `${sn} transferIn`]);
        expect(await namedNow(db, sn)).toEqual([{ sn, ivyId: '100', siteId: 'NB', holdKind: null }]);
      },
    };
  },
  'a unit that is scanned while its SN is changed': async ({ db, codes }) => {
    const { sn, newSn } = await changeable(db);
    const input = { rmaBurninBillLineList: [{ sn, icdId: codes['AT00'] }] };
    return {
      one: changing(sn, newSn),
      other: { as: 'tech', path: 'rmaBurninBill/submitBurninBill', input },
      after: async ([changed, scanned]) => {
        const isScanned = scanned === DONE;
        // The scan was first, or there was nothing of that SN any more.
        expect([changed, isScanned ? '100002' : scanned]).toEqual([DONE, '100002']);
        expect(await namedNow(db, sn, newSn)).toMatchObject([{ sn: newSn, ivyId: isScanned ? '80' : '70' }]);
        const steps = isScanned ? ['aging', 'changeSn'] : ['changeSn'];
        expect(await stepsOf(db, sn, newSn)).toEqual(steps.map((it) => `${newSn} ${it}`));
      },
    };
  },
  'two units that are to have one SN': async ({ db }) => {
    const [a, b] = [await changeable(db), await changeable(db)];
    return {
      one: changing(a.sn, a.newSn),
      other: changing(b.sn, a.newSn),
      after: async (answers) => {
        expect(answers.toSorted()).toEqual([DONE, '100007']);
        expect(await namedNow(db, a.sn, b.sn, a.newSn)).toHaveLength(2);
      },
    };
  },
  'an SN that is created while a unit is to have it': async ({ db }) => {
    const { sn, newSn } = await changeable(db);
    return {
      one: changing(sn, newSn),
      other: creating(newSn),
      after: async (answers) => {
        expect(answers.toSorted()).toEqual([DONE, '100007']);
        expect(await namedNow(db, sn, newSn)).toMatchObject([{ sn: answers[0] === DONE ? newSn : sn }]);
      },
    };
  },
  'an SN that is created while it becomes a former one': async ({ db }) => {
    const { sn, newSn } = await changeable(db);
    return {
      one: changing(sn, newSn),
      other: creating(sn),
      isVain: true,
      after: async ([changed, created]) => {
        expect([changed, created]).toEqual([DONE, expect.stringMatching(/^1000(02|07)$/)]);
        expect(await namedNow(db, sn, newSn)).toMatchObject([{ sn: newSn }]);
      },
    };
  },
  'two scrap repairs over one SN': async ({ db }) => {
    const [shared, ...others] = await Promise.all(Array.from({ length: 3 }, () => scrapped(db)));
    const [ofOne, ofOther] = others as [string, string];
    // Each names the SN that both want at another place of its list.
    return {
      one: combining([shared as string, ofOne]),
      other: combining([ofOther, shared as string]),
      after: async (answers) => {
        expect(answers.toSorted()).toEqual([DONE, '100008']);
        const [taken, left] = answers[0] === DONE ? [ofOne, ofOther] : [ofOther, ofOne];
        const sent = [shared as string, taken];
        const units = await namedNow(db, shared as string, ofOne, ofOther);
        const scrap = { ivyId: '40', siteId: 'SZ' };
        expect(units).toHaveLength(3);
        expect(units).toEqual(
          expect.arrayContaining([
            ...sent.map((sn) => ({ sn, ...scrap, holdKind: 'scrapRepair' })),
            { sn: left, ...scrap, holdKind: null },
          ]),
        );
        const steps = await stepsOf(db, shared as string, ofOne, ofOther);
        expect(steps.toSorted()).toEqual(sent.map((sn) => `${sn} combineRepair`).toSorted());
      },
    };
  },
};
