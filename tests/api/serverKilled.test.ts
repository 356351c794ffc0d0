import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { newKey } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';
import type { Answer } from '#tests/support/stations.ts';

/**
 * The server is killed between what a submit writes and its commit, and between its commit and the answer; stations then
 * repeat what they heard nothing of. `npm run chaos -- kill` kills it anywhere.
 */
const GATE = 4711;
let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
  // The database keeps a new bill only when the gate is open: whoever waits for that has said COMMIT.
  await sql`
    CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${sql.lit(GATE)}); RETURN NULL; END $$`.execute(
    workshop.database.db,
  );
  await sql`
    CREATE CONSTRAINT TRIGGER pass_gate AFTER INSERT ON rma_maintain_bill DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION pass_gate()`.execute(workshop.database.db);
});
afterAll(() => workshop.close());

interface Submit {
  as: string;
  path: string;
  input: object;
  key?: string;
}
async function submit({ url }: ServerProcess, { as, path, input, key }: Submit): Promise<Answer> {
  const reply = await fetch(`${url}/api/${path}.json?lang=en`, {
    method: 'POST',
    headers: {
      ...{ token: await workshop.openToken(as), 'content-type': 'application/json' },
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(input),
  });
  return (await reply.json()) as Answer;
}
const bill = (receiveShipNo: string, key?: string): Submit => ({
  ...{ as: 'office', path: 'rmaMaintainBill/create', ...(key && { key }) },
  input: { receiveShipNo, userName: '宁远矿业', rmaMaintainBillLineList: [{ salesCode: 'RX19', count: 1 }] },
});

it('loses no submit and does none twice that carries a key, whether the kill comes before its commit or after it', async () => {
  const { db } = workshop.database;
  const { sn } = await unitOnBill(db, { node: Node.AwaitingTest });
  const code = db.selectFrom('ubs_issue_code').select('codeId').where('code', '=', 'AT00');
  const { codeId } = await code.executeTakeFirstOrThrow();
  const input = { rmaBurninBillLineList: [{ sn, icdId: codeId }] };
  const uncommitted: Submit = { as: 'tech', path: 'rmaBurninBill/submitBurninBill', input, key: newKey() };
  const [keyed, unkeyed] = [bill('KEYED', newKey()), bill('UNKEYED')];
  const submits = [uncommitted, keyed, unkeyed];
  const stepsOf = () => db.selectFrom('rma_transaction').select('step').where('sn', '=', sn).execute();
  const countBills = async (shipNo: string) =>
    (await db.selectFrom('rma_maintain_bill').select('id').where('receiveShipNo', '=', shipNo).execute()).length;

  const first = await workshop.start();
  const held = await db.startTransaction().execute();
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(GATE)})`.execute(held);
  await held.selectFrom('rma_inventory').select('id').where('sn', '=', sn).forUpdate().execute();
  const cutOff = submits.map((it) => expect(submit(first, it), it.path).rejects.toThrow());
  await untilWaiting(db, submits.length);
  await first.kill();
  await Promise.all(cutOff);
  await held.rollback().execute();
  await vi.waitUntil(async () => (await countBills('KEYED')) + (await countBills('UNKEYED')) === 2, {
    interval: 20,
  });
  expect(await stepsOf()).toEqual([]);

  const second = await workshop.start();
  const answers = [];
  for (const it of submits) answers.push(await submit(second, it));
  expect(answers.map((it) => it.code)).toEqual(['000000', '000000', '000000']);
  expect(await stepsOf()).toEqual([{ step: 'aging' }]);
  expect(await countBills('KEYED')).toBe(1);
  // Which shows that the key is what protects.
  expect(await countBills('UNKEYED')).toBe(2);
  // And again at any time.
  expect(await submit(second, keyed)).toEqual(answers[1]);
  await second.stop();
});
