import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import type { Context } from '#server/context.ts';
import { priced, toPeriod } from './queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { holdsDemo: true });
});
afterAll(() => testApp?.close());

interface Line {
  mtbliId: string;
  facts: unknown;
}

/** Each unit of a month as the settlement would have it now, and as the bill has it. */
it('the repair-fee bills of the demo are what the settlement makes of their months', async () => {
  const { db, config } = testApp;
  const bills = await db
    .selectFrom('rma_repair_fee_bill')
    .select(['rfbId', 'siteId', 'supplierName', 'currency', 'lineCount'])
    .select(sql<string>`"recPeriod"`.as('recPeriod'))
    .select(sql<string>`"startDate"::text`.as('startDate'))
    .select(sql<string>`"endDate"::text`.as('endDate'))
    .select(sql<string>`"includingTaxAmount"::text`.as('amount'))
    .orderBy('id')
    .execute();
  expect(bills.length).toBeGreaterThan(10);
  const all = bills.map((bill) => bill.rfbId);
  const wrong: unknown[] = [];
  let units = 0;
  for (const bill of bills) {
    const period = toPeriod(bill, { config } as Context);
    const facts = sql`json_build_array(u.project, u.warranty, u."repairType", u."isSecond", u.reason, u."prbId", u.gross::float8, u.net::float8, u.currency, u.day)`;
    const settled = await sql<Line>`
      SELECT u."mtbliId", ${facts} AS facts FROM (${priced(bill.siteId, period, config.timeZone, all)}) AS u`.execute(
      db,
    );
    const stands = await sql<Line>`
      SELECT u."mtbliId", json_build_array(u."repairProject", u.warranty, u."repairType", u."isSecondRepair" = '1', u."priceReason",
             u."prbId", u."includingTaxAmount"::float8, u."excludingTaxAmount"::float8, u.currency, u."settledOn") AS facts
        FROM rma_repair_fee_bill_line AS u WHERE u."rfbId" = ${bill.rfbId}`.execute(db);
    const want = new Map(settled.rows.map((row) => [row.mtbliId, JSON.stringify(row.facts)]));
    const have = new Map(stands.rows.map((row) => [row.mtbliId, JSON.stringify(row.facts)]));
    units += want.size;
    for (const mtbliId of new Set([...want.keys(), ...have.keys()]))
      if (want.get(mtbliId) !== have.get(mtbliId))
        wrong.push([bill.rfbId, mtbliId, have.get(mtbliId), want.get(mtbliId)]);
  }
  expect(wrong.slice(0, 20), `${wrong.length} of ${units}`).toEqual([]);
});
