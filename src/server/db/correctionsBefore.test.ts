import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { ROOT } from '#server/root.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const migrate = (name: string) =>
  sql.raw(readFileSync(join(ROOT, 'src/server/db/migrations', `${name}.sql`), 'utf8')).execute(testApp.db);

it('a line of a correction of freight gets the charge of the line that it corrects', async () => {
  const { db } = testApp;
  await db.insertInto('rma_logistics_costs_bill').values({ lcbId: 'LCB-1', siteId: 'SZ', billStatus: '2' }).execute();
  await db.insertInto('rma_repair_fee_bill').values({ rfbId: 'RFB-1', siteId: 'SZ', billStatus: '6' }).execute();
  const { id } = await db
    .insertInto('rma_logistics_costs_bill_line')
    .values({ lcbId: 'LCB-1', deliverShipNo: 'SF1', chargeItems: '3' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const bills = [
    { crbId: 'CRB-1', lcbId: 'LCB-1' },
    { crbId: 'CRB-2', rfbId: 'RFB-1' },
  ];
  await db
    .insertInto('rma_correction_bill')
    .values(bills.map((it) => ({ ...it, siteId: 'SZ', billStatus: '0' })))
    .execute();
  await db
    .insertInto('rma_correction_bill_line')
    .values(bills.map(({ crbId }) => ({ crbId, lineId: Number(id) })))
    .execute();
  await migrate('0068_charges_of_corrections');
  const lines = await db
    .selectFrom('rma_correction_bill_line')
    .select(['crbId', 'chargeItems'])
    .orderBy('id')
    .execute();
  expect(lines).toEqual([
    { crbId: 'CRB-1', chargeItems: '3' },
    { crbId: 'CRB-2', chargeItems: null },
  ]);
});

it('a correction stands in the workbook of its month where that was made after it', async () => {
  const { db } = testApp;
  const of = { siteId: 'SZ', currency: 'CNY', recPeriod: '2026-09' };
  const file = { kind: 'paper', mime: 'x', size: 1, name: 'x', siteId: 'SZ', createBy: 'office' };
  const id = 'b'.repeat(32);
  await db
    .insertInto('file')
    .values({ ...file, id })
    .execute();
  await sql`UPDATE file SET "createdAt" = '2026-10-05T00:00:00Z' WHERE id = ${id}`.execute(db);
  await db
    .insertInto('rma_repair_fee_bill')
    .values({ ...of, rfbId: 'RFB-9', billStatus: '6', processingFeeReportUrl: `/file/${id}.xlsx` })
    .execute();
  const settled = [
    { crbId: 'BEFORE', financialAuditTime: '2026-09-30T00:00:00Z' },
    { crbId: 'AFTER', financialAuditTime: '2026-10-06T00:00:00Z' },
    { crbId: 'OTHER', financialAuditTime: '2026-09-30T00:00:00Z', currency: 'USD' },
    { crbId: 'OPEN', financialAuditTime: '2026-09-30T00:00:00Z', billStatus: '2' },
  ];
  await db
    .insertInto('rma_correction_bill')
    .values(
      settled.map((it) => ({
        ...of,
        rfbId: 'RFB-9',
        billStatus: '3',
        ...it,
        financialAuditTime: it.financialAuditTime as never,
      })),
    )
    .execute();
  await migrate('0069_workbook_of_corrections');
  const rows = await db.selectFrom('rma_correction_bill').select('crbId').where('reportedIn', '=', 'RFB-9').execute();
  expect(rows).toEqual([{ crbId: 'BEFORE' }]);
});

it('a waybill of freight and of its correction is without spaces', async () => {
  const { db } = testApp;
  await db.insertInto('rma_logistics_costs_bill').values({ lcbId: 'LCB-7', siteId: 'SZ', billStatus: '2' }).execute();
  const of = { siteId: 'SZ', billStatus: '0', crbId: 'CRB-7', lcbId: 'LCB-7' };
  await db.insertInto('rma_correction_bill').values(of).execute();
  const numbers = ['SF 10 01', 'SF1002'];
  await db
    .insertInto('rma_logistics_costs_bill_line')
    .values(numbers.map((deliverShipNo) => ({ lcbId: 'LCB-7', deliverShipNo })))
    .execute();
  await db
    .insertInto('rma_correction_bill_line')
    .values(numbers.map((deliverShipNo, i) => ({ crbId: 'CRB-7', lineId: i + 1, deliverShipNo })))
    .execute();
  await migrate('0070_waybills_without_spaces');
  const { rows } = await sql<{ no: string }>`
    SELECT "deliverShipNo" AS no FROM rma_logistics_costs_bill_line WHERE "lcbId" = 'LCB-7'
    UNION ALL SELECT "deliverShipNo" FROM rma_correction_bill_line WHERE "crbId" = 'CRB-7'`.execute(db);
  expect(rows.map((it) => it.no)).toEqual(['SF1001', 'SF1002', 'SF1001', 'SF1002']);
});

it('so is that of a delivery, its stock-up bill and its items', async () => {
  const { db } = testApp;
  const deliverShipNo = 'SF 10\t01';
  await db
    .insertInto('rma_stockup_bill')
    .values({ skbId: 'SKB-7', mtbId: 'M', siteId: 'SZ', status: '0', deliverShipNo })
    .execute();
  await db
    .insertInto('rma_deliver_bill')
    .values({ dvbId: 'DVB-7', siteId: 'SZ', userId: 'warehouse', deliverShipNo })
    .execute();
  const { mtbliId } = await unitOnBill(db, { node: Node.Shipped, item: { deliverShipNo } });
  await migrate('0072_waybills_of_deliveries');
  const { rows } = await sql<{ no: string }>`
    SELECT "deliverShipNo" AS no FROM rma_stockup_bill WHERE "skbId" = 'SKB-7'
    UNION ALL SELECT "deliverShipNo" FROM rma_deliver_bill WHERE "dvbId" = 'DVB-7'
    UNION ALL SELECT "deliverShipNo" FROM rma_maintain_bill_line_item WHERE "mtbliId" = ${mtbliId}`.execute(db);
  expect(rows.map((it) => it.no)).toEqual(['SF1001', 'SF1001', 'SF1001']);
});

it('a correction that names a bill without its workbook, of others, or that is gone, stands in none', async () => {
  const { db } = testApp;
  const of = { siteId: 'SZ', currency: 'CNY', recPeriod: '2026-08' };
  const bills = [
    { rfbId: 'RFB-MADE', processingFeeReportUrl: '/file/x.xlsx' },
    { rfbId: 'RFB-UNMADE' },
    { rfbId: 'RFB-OTHERS', processingFeeReportUrl: '/file/y.xlsx', currency: 'USD' },
  ];
  await db
    .insertInto('rma_repair_fee_bill')
    .values(bills.map((it) => ({ ...of, billStatus: '0', ...it })))
    .execute();
  const named = [...bills.map((it) => it.rfbId), 'RFB-GONE'];
  await db
    .insertInto('rma_correction_bill')
    .values(named.map((it) => ({ ...of, crbId: `C-${it}`, rfbId: 'RFB-MADE', billStatus: '3', reportedIn: it })))
    .execute();
  await migrate('0071_corrections_of_no_workbook');
  const rows = await db.selectFrom('rma_correction_bill').select('reportedIn').where('crbId', 'like', 'C-%').execute();
  expect(rows.map((it) => it.reportedIn).filter((it) => it !== null)).toEqual(['RFB-MADE']);
});

it('an expense says which bill it stands on', async () => {
  const { db } = testApp;
  const expense = { siteId: 'SZ', billStatus: '2', correspondsWorkOrder: '0', currency: 'CNY', taxRate: '6' };
  const named = ['MEB-ON', 'MEB-OFF', 'MEB-UNIT'];
  await db
    .insertInto('rma_miscellaneous_expenses_bill')
    .values(named.map((mebId) => ({ ...expense, mebId, includingTaxAmount: '1' })))
    .execute();
  await db.insertInto('rma_repair_fee_bill').values({ rfbId: 'RFB-73', siteId: 'SZ', billStatus: '6' }).execute();
  await db
    .insertInto('rma_repair_fee_bill_line')
    .values([
      { rfbId: 'RFB-73', priceReason: '6', remark: 'MEB-ON' },
      // What was said of the correction of a unit is no expense.
      { rfbId: 'RFB-73', priceReason: '1', remark: 'MEB-UNIT' },
    ])
    .execute();
  await migrate('0073_expenses_on_bills');
  const rows = await db
    .selectFrom('rma_miscellaneous_expenses_bill')
    .select('rfbId')
    .where('mebId', 'in', named)
    .orderBy('id')
    .execute();
  expect(rows.map((it) => it.rfbId)).toEqual(['RFB-73', null, null]);
});
