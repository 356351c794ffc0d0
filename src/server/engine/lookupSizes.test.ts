import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const many = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(3, '0'));
type Form = { items: { queryName: string; options?: unknown[] }[] };

it('a select list brings 100 choices, the shipments among them, and an issue-code lookup 10 codes [P-CAL-08]', async () => {
  const shipments = many(130).map((it) => ({ shipId: `S${it}`, name: `Carrier ${it}` }));
  await testApp.db.insertInto('ubs_shipment').values(shipments).execute();
  const codes = many(30).map((it, i) => ({ codeId: 900 + i, code: `ZZ${it}`, name: it, nameEn: it, billType: '2' }));
  await testApp.db.insertInto('ubs_issue_code').values(codes).execute();

  const form = await testApp.ask<Form>('GET', '/api/rmaMaintainBill/toAdd.json', {}, { as: 'office' });
  expect(form.data.items.find((it) => it.queryName === 'receiveShipId')?.options).toHaveLength(100);
  const search = await testApp.ask<Form>('GET', '/api/rmaStockupBill/toAdvancedSearch.json', {}, { as: 'admin' });
  const { columns } = search.data as unknown as { columns: { name: string; options?: unknown[] }[] };
  expect(columns.find((it) => it.name === 'deliverShipId')?.options).toHaveLength(100);

  const found = await testApp.ask<{ items: unknown[]; itemTotal: number }>(
    'GET',
    '/api/ubsIssueCode/pager.json',
    { code: 'ZZ', billType: '2', pageStart: 0 },
    { as: 'tech' },
  );
  expect(found.data).toMatchObject({ itemTotal: 30 });
  expect(found.data.items).toHaveLength(10);
});
