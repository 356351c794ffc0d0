import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { ROOT } from '#server/root.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { at, checked, delivered, happened, repaired } from '#tests/support/history.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const tables = ['rma_transaction', 'rma_check_bill_line', 'rma_repair_bill', 'rma_repair_fee_bill_line'];
/** Which item each row of a table is for. */
const readItems = async (table: string) =>
  (
    await sql<{
      id: number;
      mtbliId: string | null;
    }>`SELECT id, "mtbliId" FROM ${sql.table(table)} ORDER BY id`.execute(testApp.db)
  ).rows;

it('what was done before finds its item: of two visits on a bill, moved to another bill, under a former SN', async () => {
  const { db } = testApp;
  const bill = await maintainBill(db);
  const first = await unitOnBill(db, { node: Node.Shipped, bill, item: { receiveTime: at('2026-08-01') } });
  await happened(db, first, [['receive', '2026-08-01']]);
  await checked(db, first, '2026-08-02');
  await delivered(db, first, '2026-08-09');
  await db.deleteFrom('rma_inventory').where('sn', '=', first.sn).execute();
  const second = await unitOnBill(db, {
    ...{ node: Node.Shipped, bill, sn: first.sn },
    item: { receiveTime: at('2026-08-20') },
  });
  await happened(db, second, [['receive', '2026-08-20']]);
  await checked(db, second, '2026-08-21');
  await repaired(db, second, '2026-08-22');
  await delivered(db, second, '2026-09-02');

  const moved = await unitOnBill(db, { node: Node.CanShip, item: { receiveTime: at('2026-08-01') } });
  await checked(db, moved, '2026-08-03');
  await repaired(db, moved, '2026-08-04');
  const { mtbId } = await maintainBill(db);
  await db.updateTable('rma_maintain_bill_line_item').set({ mtbId }).where('mtbliId', '=', moved.mtbliId).execute();
  await db.updateTable('rma_inventory').set({ mtbId }).where('sn', '=', moved.sn).execute();
  await happened(db, { ...moved, mtbId }, [['aging', '2026-08-05']]);

  const renamed = await unitOnBill(db, { node: Node.CanShip, item: { receiveTime: at('2026-08-01') } });
  await checked(db, { ...renamed, sn: 'CALLED-BEFORE' }, '2026-08-03');
  await db
    .insertInto('ubs_sn_change_log')
    .values({
      oldSn: 'CALLED-BEFORE',
      newSn: renamed.sn,
      itemObjectId: 7,
      siteId: 'SZ',
      cause: '1',
      operateStatus: 'Normal',
    })
    .execute();
  const stock = await stockMachine(db, Node.AwaitingTest);
  await happened(db, { sn: stock, siteId: 'SZ', mtbId: null }, [['aging', '2026-08-05']]);
  await db
    .insertInto('rma_repair_fee_bill')
    .values({ rfbId: 'RFB1', siteId: 'SZ', recPeriod: '2026-08', billStatus: '6' })
    .execute();
  const fee = { rfbId: 'RFB1', sn: first.sn, mtbId: bill.mtbId, repairProject: '1' };
  await db
    .insertInto('rma_repair_fee_bill_line')
    .values([
      { ...fee, mtbliId: first.mtbliId, deliverTime: at('2026-08-09') },
      { ...fee, mtbliId: second.mtbliId, deliverTime: at('2026-09-02') },
      // It was settled twice: the first line is the one that counts.
      { ...fee, deliverTime: at('2026-09-02') },
    ])
    .execute();

  const before = await Promise.all(tables.map(readItems));
  for (const table of tables) await sql`UPDATE ${sql.table(table)} SET "mtbliId" = NULL`.execute(db);
  const text = readFileSync(join(ROOT, 'src/server/db/migrations/0040_items_of_steps.sql'), 'utf8');
  await db.transaction().execute((trx) => sql.raw(text).execute(trx));
  expect(await Promise.all(tables.map(readItems))).toEqual(before);
});
