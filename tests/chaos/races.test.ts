import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { newKey } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { rivalClaims, rivalStations, rivalWords, type Place, type Submission } from '#tests/support/rivals.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';
import type { Answer } from '#tests/support/stations.ts';
import { asJustSeen } from '#tests/support/seen.ts';

/**
 * Two people do the same thing, or the opposite, at the same moment, each at a server of their own: who wins is left to
 * chance. `tests/api/atOnce.test.ts` lets each of them win once.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** The long run: 2,000 pairs of careless scans, 500 races of each kind. */
const PAIRS = ROUNDS * 10;
const RACES = Math.ceil(ROUNDS * 2.5);

let workshop: Workshop;
let servers: [ServerProcess, ServerProcess];
let place: Place;
beforeAll(async () => {
  workshop = await openWorkshop();
  servers = await Promise.all([workshop.start(), workshop.start()]);
  const { db } = workshop.database;
  const rows = await db.selectFrom('ubs_issue_code').select(['code', 'codeId']).execute();
  const codes = Object.fromEntries(rows.map((it) => [it.code, it.codeId ?? 0]));
  place = { db, send: (it) => submit(servers[0], it), codes };
});
afterAll(() => workshop.close());

async function submit({ url }: ServerProcess, { as, path, input }: Submission): Promise<Answer> {
  const token = await workshop.openToken(as);
  const reply = await fetch(`${url}/api/${path}.json?lang=en`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'idempotency-key': newKey() },
    body: JSON.stringify(await asJustSeen(workshop.database.db, `/api/${path}.json`, input)),
  });
  return (await reply.json()) as Answer;
}

/** Both at once; who is asked first takes turns. */
const race = async (n: number, one: Submission, other: Submission) => {
  const [first, second] = n % 2 === 0 ? servers : ([...servers].reverse() as typeof servers);
  return Promise.all([submit(first, one), submit(second, other)]);
};

describe('two at the same moment', () => {
  it.each(Object.entries({ ...rivalStations, ...rivalWords, ...rivalClaims }))(
    `are told apart, ${RACES} times: %s`,
    { timeout: 900_000 },
    async (name, meet) => {
      const heard = new Map<string, number>();
      for (let n = 0; n < RACES; n++) {
        const { one, other, after } = await meet(place);
        const answers = (await race(n, one, other)).map((it) => it.code) as [string, string];
        heard.set(answers.join(' '), (heard.get(answers.join(' ')) ?? 0) + 1);
        await after(answers);
      }
      const counts = [...heard].map(([answer, times]) => `${answer}: ${times}`);
      process.stdout.write(`${name}: ${counts.join(', ')}\n`);
      expect(await brokenInvariants(place.db)).toEqual([]);
    },
  );
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
    process.stdout.write(`without a guard ${doubled} of ${PAIRS} pairs were done twice\n`);
    expect(doubled).toBeGreaterThan(0);
  });
});
