import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import type { Tables } from '#server/db/tables.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, unitOnBill } from '#tests/support/factories.ts';
import { withoutGuards } from '#tests/support/faults.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';
import type { Answer } from '#tests/support/stations.ts';

/** Two people do the same thing, or the opposite, at the same moment, each at a server of their own. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** The long run: 2,000 pairs of scans, 500 races of each decision. */
const PAIRS = ROUNDS * 10;
const DECISIONS = Math.ceil(ROUNDS * 2.5);

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

interface Deed {
  as: string;
  path: string;
  input: unknown;
}

async function submit({ url }: ServerProcess, { as, path, input }: Deed): Promise<Answer> {
  const token = await workshop.tokenOf(as);
  const reply = await fetch(`${url}/api/${path}.json?lang=en`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'idempotency-key': newKey() },
    body: JSON.stringify(input),
  });
  return (await reply.json()) as Answer;
}

/** Both at once; who is asked first takes turns. */
const race = async (n: number, one: Deed, other: Deed) => {
  const [first, second] = n % 2 === 0 ? servers : ([...servers].reverse() as typeof servers);
  return Promise.all([submit(first, one), submit(second, other)]);
};

const stations: [node: Node, deed: (sn: string) => Deed][] = [
  [
    Node.AwaitingCheck,
    (sn) => ({
      as: 'tech',
      path: 'rmaCheckBill/check',
      input: { sn, issueCodeIdList: [codes.get('FX409')], checkUrls: '' },
    }),
  ],
  [
    Node.AwaitingTest,
    (sn) => ({
      as: 'tech',
      path: 'rmaBurninBill/submitBurninBill',
      input: { rmaBurninBillLineList: [{ sn, icdId: codes.get('AT00') }] },
    }),
  ],
  [
    Node.AwaitingInspection,
    (sn) => ({
      as: 'tech',
      path: 'rmaExamineBill/submitExamineBill',
      input: { rmaExamineBillLineList: [{ sn, icdId: codes.get('QC00') }] },
    }),
  ],
  [
    Node.AwaitingStorage,
    (sn) => ({
      as: 'warehouse',
      path: 'rmaStoreBill/submitStoreBill',
      input: { rmaStoreBillLineList: [{ sn }], packageCount: 20 },
    }),
  ],
];

describe('two stations that submit one SN at the same moment', () => {
  it(
    `are told apart: one has done it, the other hears where the unit is, ${PAIRS} times`,
    { timeout: 600_000 },
    async () => {
      const { db } = workshop.database;
      for (let n = 0; n < PAIRS; n++) {
        const [node, deed] = stations[n % stations.length] as (typeof stations)[number];
        const { sn } = await unitOnBill(db, { node });
        const answers = await race(n, deed(sn), deed(sn));
        expect(answers.map((it) => it.code).sort(), `${node} ${sn}`).toEqual(['000000', '100003']);
        const steps = await db.selectFrom('rma_transaction').select('step').where('sn', '=', sn).execute();
        expect(steps, sn).toHaveLength(1);
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
): Deed => ({
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
      const heard = { yes: 0, no: 0 };
      for (let n = 0; n < DECISIONS; n++) {
        const unit = await heldUnit(db, kind);
        const [yes, no] = await race(n, decision(kind, unit, 'yes'), decision(kind, unit, 'no'));
        expect([yes.code, no.code].sort(), unit.sn).toEqual(['000000', '100022']);
        const word = yes.code === '000000' ? 'yes' : 'no';
        heard[word] += 1;
        const next = { scrap: { yes: '40', no: '10' }, nofault: { yes: '70', no: '10' } }[kind][word];
        const now = await db.selectFrom('rma_inventory').select('ivyId').where('sn', '=', unit.sn).executeTakeFirst();
        expect(now?.ivyId, `${unit.sn} after ${word}`).toBe(next);
        const steps = await db.selectFrom('rma_transaction').select('toNode').where('sn', '=', unit.sn).execute();
        expect(steps, unit.sn).toEqual([{ toNode: next }]);
      }
      if (process.env['CHAOS']) process.stdout.write(`${kind}: ${heard.yes} times yes, ${heard.no} times no\n`);
      expect(await brokenInvariants(db)).toEqual([]);
    },
  );
});

const review = (id: number, word: 'yes' | 'no'): Deed => ({
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
      const kept = await db.selectFrom('rma_self_pickup').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const isYes = yes.code === '000000';
      expect([kept.selfPickupStatus, kept.pickupAddress, kept.rejectionReason]).toEqual(
        isYes ? ['1', 'the dock', null] : ['2', null, 'not ready'],
      );
    }
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
        await sql`INSERT INTO rma_transaction (sn, step, "fromNode", "toNode") VALUES (${sn}, 'aging', '70', '80')`.execute(
          db,
        );
      };
      await Promise.all([careless(), careless()]);
      const steps = await db.selectFrom('rma_transaction').select('step').where('sn', '=', sn).execute();
      if (steps.length > 1) doubled += 1;
    }
    if (process.env['CHAOS']) process.stdout.write(`without a guard ${doubled} of ${PAIRS} pairs were done twice\n`);
    expect(doubled).toBeGreaterThan(0);
  });
});

describe('two opposite words at a server that neither locks nor looks again as it writes', () => {
  let house: TestApp;
  beforeAll(async () => void (house = await startTestApp()));
  afterAll(() => house.close());

  /** How often both words were taken, the one lost beneath the other. */
  async function bothTaken(deeds: () => Promise<[Deed, Deed]>, times: number): Promise<number> {
    let both = 0;
    for (let n = 0; n < times; n++) {
      const asked = (await deeds()).map(({ as, path, input }) => house.ask('POST', `/api/${path}.json`, input, { as }));
      if ((await Promise.all(asked)).every((it) => it.code === '000000')) both += 1;
    }
    return both;
  }
  const supervisors = (kind: 'scrap' | 'nofault') => async (): Promise<[Deed, Deed]> => {
    const unit = await heldUnit(house.db, kind);
    return [decision(kind, unit, 'yes'), decision(kind, unit, 'no')];
  };

  it.each<[string, () => Promise<[Deed, Deed]>]>([
    ['scrap', supervisors('scrap')],
    ['no-fault', supervisors('nofault')],
    [
      'a self-pickup',
      async () => {
        const id = await pickup(house.db);
        return [review(id, 'yes'), review(id, 'no')];
      },
    ],
  ])(
    'are both taken and one is lost, on %s, which shows that lock and guard are what decides',
    { timeout: 300_000 },
    async (what, deeds) => {
      expect(await bothTaken(deeds, DECISIONS)).toBe(0);
      const lost = await withoutGuards(() => bothTaken(deeds, DECISIONS));
      if (process.env['CHAOS'])
        process.stdout.write(`${what}, unguarded: ${lost} of ${DECISIONS} times a word was lost\n`);
      expect(lost).toBeGreaterThan(0);
    },
  );
});
