import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkAnswer } from '#domain/bulk.ts';
import { dayOf } from '#domain/day.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { repairSuppliers } from '#tests/support/factories.ts';
import { features } from '#tests/support/features.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';
import { correct, leftOfLines, leftWithout, resubmitCorrection } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await repairSuppliers(testApp.db, 'S');
  for (const it of users) await testApp.openToken(it);
});
afterAll(() => testApp?.close());
const OTHERS = '/api/rmaCorrectionBill/otherCorrections.json';
const users = ['office', 'finance', 'auditor', 'admin', 'viewer', 'tech', 'techNB', 'aftersales'];

interface Settled {
  id: number;
  no: string;
  lines: [number, number, number];
}
let made = 0;

/** A settled bill of 113.00, 50.00 and an expense of 0.05, at 13 %. */
async function feeBill(head: object = {}): Promise<Settled> {
  const no = `RFB${20_261_200_000_000 + ++made}`;
  const own = { rfbId: no, billStatus: '6', siteId: 'SZ', supplierName: 'S', currency: 'CNY', createBy: 'office' };
  const { id } = await testApp.db
    .insertInto('rma_repair_fee_bill')
    .values({ ...own, recPeriod: `${2000 + made}-10`, ...head })
    .returning('id')
    .executeTakeFirstOrThrow();
  const line = { rfbId: no, currency: 'CNY', taxRate: '13', salesName: 'RX-19', priceReason: '1' };
  const amounts = [
    { includingTaxAmount: '113', excludingTaxAmount: '100', taxAmount: '13', sn: `A${made}` },
    { includingTaxAmount: '50', excludingTaxAmount: '44.25', taxAmount: '5.75', sn: `B${made}` },
    {
      includingTaxAmount: '0.05',
      excludingTaxAmount: '0.04',
      taxAmount: '0.01',
      priceReason: '6',
      remark: `MEB${made}`,
    },
  ];
  const rows = await testApp.db
    .insertInto('rma_repair_fee_bill_line')
    .values(amounts.map((it) => ({ ...line, ...it })))
    .returning('id')
    .execute();
  return { id: Number(id), no, lines: rows.map((it) => Number(it.id)) as Settled['lines'] };
}

/** Passed costs of 40.40, 8 and 9 without a tax. */
async function costs(head: object = {}): Promise<Settled> {
  const no = `LCB${20_261_200_000_000 + ++made}`;
  const own = { lcbId: no, billStatus: '2', siteId: 'SZ', currency: 'CNY', createBy: 'office' };
  const recPeriod = dayOf(Date.now(), testApp.config.timeZone).slice(0, 7);
  const { id } = await testApp.db
    .insertInto('rma_logistics_costs_bill')
    .values({ ...own, recPeriod, ...head })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = await testApp.db
    .insertInto('rma_logistics_costs_bill_line')
    .values(
      ['40.40', '8', '9'].map((amount, i) => ({
        ...{ lcbId: no, deliverShipNo: `SF${made}${i}`, amount, currency: 'CNY' },
        ...{ productName: 'RX-19', chargeItems: String(i + 1) },
      })),
    )
    .returning('id')
    .execute();
  return { id: Number(id), no, lines: rows.map((it) => Number(it.id)) as Settled['lines'] };
}

const kinds = {
  rmaRepairFeeBill: { make: feeBill, call: correct('rmaRepairFeeBill'), number: 'rfbId', table: 'rma_repair_fee_bill' },
  rmaLogisticsCostsBill: {
    ...{ make: costs, call: correct('rmaLogisticsCostsBill'), number: 'lcbId', table: 'rma_logistics_costs_bill' },
  },
} as const;
type Module = keyof typeof kinds;
const both = Object.entries(kinds) as [Module, (typeof kinds)[Module]][];

const entry = (lineId: number, amount: string, reason = 'charged twice') => ({ lineId, amount, reason });
const credit = (bill: Settled, lines: ReturnType<typeof entry>[], module: Module = 'rmaRepairFeeBill', as = 'office') =>
  testApp.send(kinds[module].call, { id: bill.id, lines }, { as });
const decide = (id: number, action: string, result: string, as: string) =>
  testApp.ask('POST', `/api/rmaCorrectionBill/${action}.json`, { id, result, remark: 'so it is' }, { as });
async function settle(id: number): Promise<void> {
  expect((await decide(id, 'financialReview', '2', 'finance')).code).toBe('000000');
  expect((await decide(id, 'financialAudit', '2', 'auditor')).code).toBe('000000');
}
const head = (id: number) =>
  testApp.db.selectFrom('rma_correction_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const linesOf = (crbId: string) =>
  testApp.db.selectFrom('rma_correction_bill_line').selectAll().where('crbId', '=', crbId).orderBy('lineId').execute();
const leftOf = async (bill: Settled, module: Module = 'rmaRepairFeeBill') =>
  (await testApp.send(leftOfLines(module), { id: bill.id }, { as: 'office' })).data.lines.map((it) => [
    bill.lines.indexOf(it.lineId),
    Number(it.left),
  ]);
const settledRow = async (module: Module, id: number) => {
  const { rows } = await sql<{ correctionAmount: string | null; version: number; billStatus: string }>`
    SELECT "correctionAmount", version, "billStatus" FROM ${sql.table(kinds[module].table)} WHERE id = ${id}`.execute(
    testApp.db,
  );
  return rows[0] as (typeof rows)[number];
};

describe.each(both)('a settled %s', (module, { make, number }) => {
  it('is corrected by a bill of its own, line by line, with what each is for and why', async () => {
    const bill = await make();
    const answer = await credit(
      bill,
      [entry(bill.lines[1], '-8'), entry(bill.lines[0], '1.5', ' too little ')],
      module,
    );
    expect(answer.code, answer.msg).toBe('000000');
    const { id, crbId } = answer.data;
    expect(answer.data).toMatchObject({ billStatus: '0', lineCount: 2, includingTaxAmount: '-6.50' });
    expect(crbId).toMatch(/^CRB\d{13}$/);
    expect(await head(id)).toMatchObject({
      ...{ [number]: bill.no, siteId: 'SZ', currency: 'CNY', createBy: 'office', recPeriod: null, lineCount: 2 },
      includingTaxAmount: '-6.500000',
    });
    expect(await linesOf(crbId)).toMatchObject([
      { lineId: bill.lines[0], includingTaxAmount: '1.500000', reason: 'too little', currency: 'CNY' },
      { lineId: bill.lines[1], includingTaxAmount: '-8.000000', reason: 'charged twice' },
    ]);
    for (const it of [await head(id), ...(await linesOf(crbId))])
      expect(Number(it.excludingTaxAmount) + Number(it.taxAmount)).toBeCloseTo(Number(it.includingTaxAmount), 6);
    expect(await settledRow(module, bill.id), 'nothing of it counts yet').toMatchObject({ correctionAmount: null });
    const ledger = (await readLedger(testApp, String(id))).filter((it) => it.module === 'rmaCorrectionBill');
    expect(ledger.map((it) => it.what)).toEqual(['correct']);
  });

  it('shows what corrects it, and by how much once that is settled, in the month of that', async () => {
    const bill = await make();
    const { id, crbId } = (await credit(bill, [entry(bill.lines[0], '-10.05')], module)).data;
    await settle(id);
    const more = (await credit(bill, [entry(bill.lines[0], '-1')], module)).data.id;
    await settle(more);
    expect(await settledRow(module, bill.id)).toMatchObject({ correctionAmount: '-11.050000', version: 5 });
    const settled = await head(id);
    const month = dayOf(settled.financialAuditTime as number, testApp.config.timeZone).slice(0, 7);
    expect(settled).toMatchObject({
      ...{ billStatus: '3', recPeriod: month },
      ...{ financialReviewBy: 'finance', financialAuditBy: 'auditor' },
    });
    const { data } = await testApp.ask<{ rmaCorrectionBillList: { crbId: string }[] }>(
      'GET',
      `/api/${module}/queryById.json`,
      { id: bill.id },
      { as: 'viewer' },
    );
    expect(data.rmaCorrectionBillList.map((it) => it.crbId)).toContain(crbId);
    expect(data).toMatchObject({ correctionAmount: '-11.050000' });
  });

  it('is credited by no more than is left of each line, over all its corrections', async () => {
    const bill = await make();
    const [, line] = bill.lines;
    const whole = Number(module === 'rmaRepairFeeBill' ? 50 : 8);
    await expectRefused(testApp, '100015', () => credit(bill, [entry(line, String(-whole - 0.01))], module));
    const first = (await credit(bill, [entry(line, '-5')], module)).data.id;
    const tooMuch = await expectRefused(testApp, '100015', () =>
      credit(bill, [entry(line, String(-whole + 4.99))], module),
    );
    expect(tooMuch.msg).toContain((whole - 5).toFixed(2));
    // A debit is worth nothing before it is settled, a credit that was rejected takes nothing.
    const debit = (await credit(bill, [entry(line, '3')], module)).data.id;
    await expectRefused(testApp, '100015', () => credit(bill, [entry(line, String(-whole + 4.99))], module));
    await settle(debit);
    expect(await leftOf(bill, module)).toEqual([[1, whole - 2]]);
    await decide(first, 'financialReview', '1', 'finance');
    expect(await leftOf(bill, module)).toEqual([[1, whole + 3]]);
    expect((await credit(bill, [entry(line, String(-whole - 3))], module)).code).toBe('000000');
  });

  it('is judged beside what else corrects the same lines, alone and in the preview of many', async () => {
    const bill = await make();
    const [first, second] = bill.lines;
    const { id } = (await credit(bill, [entry(first, '-3')], module)).data;
    const preview = async () => {
      const many = { action: 'financialReview', ids: [id], values: { result: '2' }, dryRun: true };
      const path = '/api/rmaCorrectionBill/bulk.json';
      return (await testApp.ask<BulkAnswer>('POST', path, many, { as: 'finance' })).data.results[0];
    };
    expect((await credit(bill, [entry(second, '-1')], module)).code).toBe('000000');
    expect(await preview(), 'other lines').not.toHaveProperty('notes');
    const also = (await credit(bill, [entry(first, '-2'), entry(second, '-1')], module)).data;
    const note = `The same lines are corrected by ${also.crbId} (-¥2.00) as well`;
    expect(await preview()).toMatchObject({ done: true, notes: [note] });
    await decide(also.id, 'financialReview', '1', 'finance');
    expect(await preview(), 'rejected').not.toHaveProperty('notes');
  });

  it('is judged by who has seen what else corrects the same lines: one that came or went since is told beside it', async () => {
    const bill = await make();
    const [first, second] = bill.lines;
    const { id } = (await credit(bill, [entry(first, '-3')], module)).data;
    type Told = { foreseen: string };
    const told = async () => (await testApp.ask<Told>('GET', OTHERS, { id }, { as: 'finance' })).data.foreseen;
    const path = '/api/rmaCorrectionBill/financialReview.json';
    const judge = (foreseen: string, result = '2') =>
      testApp.ask('POST', path, { id, result, remark: 'why', foreseen }, { as: 'finance' });
    const many = async (more: object) =>
      (
        await testApp.ask<BulkAnswer>(
          'POST',
          '/api/rmaCorrectionBill/bulk.json',
          { action: 'financialReview', ids: [id], values: { result: '2' }, ...more },
          { as: 'finance' },
        )
      ).data.results[0];
    expect(await told()).toBe('');
    const also = (await credit(bill, [entry(first, '-2'), entry(second, '-1')], module)).data;
    const versions = { [id]: 1 };
    for (const result of ['2', '1']) {
      const refused = await expectRefused(testApp, '100025', () => judge('', result));
      expect(refused.msg).toContain(`Then: nothing; by now: ${also.crbId} (-¥2.00).`);
    }
    expect(await many({ versions })).toMatchObject({ done: false, code: '100025', key: 'othersChanged' });
    const seen = await told();
    expect((await many({ dryRun: true }))?.foreseen).toBe(seen);
    // Another line of the other one is no matter, its own one is.
    await decide(also.id, 'financialReview', '1', 'finance');
    const gone = await expectRefused(testApp, '100025', () => judge(seen));
    expect(gone.msg).toContain(`Then: ${also.crbId} (-¥2.00); by now: nothing.`);
    const anew = { id: also.id, lines: [entry(first, '-1'), entry(second, '-2')] };
    expect((await testApp.send(resubmitCorrection, anew, { as: 'office' })).code).toBe('000000');
    const other = await expectRefused(testApp, '100025', () => judge(seen));
    expect(other.msg).toContain(`Then: ${also.crbId} (-¥2.00); by now: ${also.crbId} (-¥1.00).`);
    expect(await many({ versions, foreseen: { [id]: await told() } })).toMatchObject({ done: true });
    expect(await head(id)).toMatchObject({ billStatus: '2' });
  });

  it('is credited once by two who do so at once', async () => {
    const bill = await make();
    const whole = entry(bill.lines[0], module === 'rmaRepairFeeBill' ? '-113' : '-40.4');
    const seen = { id: bill.id, version: 1, lines: [whole] };
    const handIn = () => testApp.send(kinds[module].call, seen, { as: 'office' });
    const answers = await Promise.all([handIn(), handIn()]);
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100025']);
  });

  it('is corrected by who has seen what corrects it already: a hand-in that was not seen is named', async () => {
    const bill = await make();
    const again = { id: bill.id, version: 1, lines: [entry(bill.lines[0], '-10'), entry(bill.lines[1], '-1')] };
    const handIn = (version: number) => testApp.send(kinds[module].call, { ...again, version }, { as: 'office' });
    const first = await handIn(1);
    expect(first.code, first.msg).toBe('000000');
    const second = await expectRefused(testApp, '100025', () => handIn(1));
    expect(second.msg).toContain(`${first.data.crbId} (-¥11.00)`);
    expect(second.data).toMatchObject({ id: bill.id, version: 2 });
    // What another line was corrected by is not named, and is unseen all the same.
    const other = { id: bill.id, version: 1, lines: [entry(bill.lines[2], '-0.01')] };
    const third = await expectRefused(testApp, '100025', () =>
      testApp.send(kinds[module].call, other, { as: 'office' }),
    );
    expect(third.msg).not.toContain(first.data.crbId);
    expect((await handIn(2)).code, 'who has seen the first may mean a second').toBe('000000');
  });

  it('tells whoever corrects it or reviews a correction what else corrects its lines', async () => {
    const bill = await make();
    const one = (await credit(bill, [entry(bill.lines[0], '-10')], module)).data;
    const two = (await credit(bill, [entry(bill.lines[0], '-1')], module)).data;
    const gone = (await credit(bill, [entry(bill.lines[0], '-2')], module)).data;
    await decide(gone.id, 'financialReview', '1', 'finance');
    const told = { lineId: bill.lines[0], billStatus: '0' };
    const first = { ...told, crbId: one.crbId, amount: '-10.000000' };
    const second = { ...told, crbId: two.crbId, amount: '-1.000000' };
    const { data } = await testApp.send(leftOfLines(module), { id: bill.id }, { as: 'office' });
    expect(data.others).toEqual([first, second]);
    expect(data.settled).toMatchObject({ no: bill.no, version: 4 });
    const reviewed = await testApp.ask('GET', OTHERS, { id: two.id }, { as: 'finance' });
    const foreseen = expect.stringContaining(`${one.crbId} (-¥10.00)`) as string;
    expect(reviewed.data).toEqual({ others: [first], foreseen });
    const again = await testApp.send(leftWithout, { id: gone.id }, { as: 'office' });
    expect(again.data.others).toEqual([first, second]);
    await expectRefused(testApp, '100013', () => testApp.ask('GET', OTHERS, { id: two.id }, { as: 'tech' }));
    await expectRefused(testApp, '100002', () => testApp.ask('GET', OTHERS, { id: 987_654 }, { as: 'finance' }));
  });

  it('is corrected by whom it is for, in its state, by its own lines, with amounts and reasons that are sound', async () => {
    const bill = await make();
    const other = await make();
    const open = await make({ billStatus: '0' });
    const lines = [entry(bill.lines[0], '-1')];
    for (const as of ['viewer', 'finance', 'tech'])
      await expectRefused(testApp, '100013', () => credit(bill, lines, module, as));
    await expectRefused(testApp, '100025', () => credit(open, [entry(open.lines[0], '-1')], module));
    const stale = { id: bill.id, version: 7, lines };
    await expectRefused(testApp, '100025', () => testApp.send(kinds[module].call, stale, { as: 'office' }));
    await expectRefused(testApp, '100015', () => credit(bill, [entry(other.lines[0], '-1')], module));
    await expectRefused(testApp, '100015', () => credit(bill, [entry(bill.lines[0], '-0.005')], module));
    await expectRefused(testApp, '100001', () => credit(bill, [entry(bill.lines[0], '-1', ' ')], module));
    await expectRefused(testApp, '100001', () => credit(bill, [], module));
    await sql`UPDATE ${sql.table(kinds[module].table)} SET "siteId" = 'NB' WHERE id = ${bill.id}`.execute(testApp.db);
    await expectRefused(testApp, '100002', () => credit(bill, lines, module));
  });
});

describe('a correction of an earlier version', () => {
  const odd: [string, () => Promise<object>][] = [
    ['that names no bill', () => Promise.resolve({})],
    ['that names a bill of each kind', async () => ({ rfbId: (await feeBill()).no, lcbId: (await costs()).no })],
    ['of a line that the fee bill has not', async () => ({ rfbId: (await feeBill()).no })],
    ['of a line that the costs have not', async () => ({ lcbId: (await costs()).no })],
  ];
  const statuses = ['0', '1', '2', '3'];
  const oneOf = async (own: object, billStatus: string) => {
    const crbId = `CRB-ODD-${++made}`;
    const { id } = await testApp.db
      .insertInto('rma_correction_bill')
      .values({ siteId: 'SZ', currency: 'CNY', createBy: 'office', ...own, crbId, billStatus })
      .returning('id')
      .executeTakeFirstOrThrow();
    const line = { crbId, lineId: 987_654, currency: 'CNY', taxRate: '13', reason: 'charged twice' };
    const amounts = { includingTaxAmount: '-1', excludingTaxAmount: '-0.88', taxAmount: '-0.12' };
    await testApp.db
      .insertInto('rma_correction_bill_line')
      .values({ ...line, ...amounts })
      .execute();
    return Number(id);
  };
  // Every call of corrections, those of every list among them.
  const ofFeatures = features.routes.map((it) => it.call).filter((it) => it.path.startsWith('/api/rmaCorrectionBill/'));
  const generic = [
    ['GET', 'queryById', {}],
    ['POST', 'bulk', { action: 'financialReview', values: { result: '2' }, dryRun: true }],
    ['POST', 'deleteById', {}],
  ] as const;

  it.each(odd)('%s is refused or taken by each call, and a fault in none', async (_, says) => {
    expect(ofFeatures.length).toBeGreaterThan(6);
    for (const billStatus of statuses) {
      for (const { method, path } of ofFeatures) {
        const id = await oneOf(await says(), billStatus);
        const input = { id, result: '2', settledVersion: 1, lines: [entry(987_654, '-1')] };
        const answer = await testApp.ask(method, path, input, { as: 'admin' });
        expect(answer.status, `${method} ${path} in ${billStatus}: ${answer.code} ${answer.msg}`).toBe(200);
      }
      for (const [method, name, input] of generic) {
        const id = await oneOf(await says(), billStatus);
        const path = `/api/rmaCorrectionBill/${name}.json`;
        const answer = await testApp.ask(
          method,
          path,
          { ...(name === 'bulk' ? { ids: [id] } : { id }), ...input },
          { as: 'admin' },
        );
        expect(answer.status, `${method} ${path} in ${billStatus}: ${answer.code} ${answer.msg}`).toBe(200);
      }
    }
  });

  it('that names no bill passes nothing, and is rejected and deleted', async () => {
    const id = await oneOf({}, '0');
    for (const path of [OTHERS, '/api/rmaCorrectionBill/leftOfLines.json'])
      await expectRefused(testApp, '100025', () => testApp.ask('GET', path, { id }, { as: 'admin' }));
    const passed = await expectRefused(testApp, '100025', () => decide(id, 'financialReview', '2', 'finance'));
    expect(passed.msg).toContain('names no settled bill');
    expect((await decide(id, 'financialReview', '1', 'finance')).code).toBe('000000');
    const deleted = await testApp.ask('POST', '/api/rmaCorrectionBill/deleteById.json', { id }, { as: 'office' });
    expect(deleted.code, deleted.msg).toBe('000000');
  });
});

describe('a correction', () => {
  it.each(both)('of a %s that is handed in again goes by what corrects its lines by then', async (module, { make }) => {
    const bill = await make();
    const { id } = (await credit(bill, [entry(bill.lines[0], '-10')], module)).data;
    await decide(id, 'financialReview', '1', 'finance');
    const { settled } = (await testApp.send(leftWithout, { id }, { as: 'office' })).data;
    const other = (await credit(bill, [entry(bill.lines[0], '-9')], module)).data;
    const again = (settledVersion: number) =>
      testApp.send(resubmitCorrection, { id, settledVersion, lines: [entry(bill.lines[0], '-10')] }, { as: 'office' });
    const refused = await expectRefused(testApp, '100025', () => again(settled.version));
    expect(refused.msg).toContain(`${other.crbId} (-¥9.00)`);
    expect((await again(settled.version + 1)).code).toBe('000000');
    expect(await settledRow(module, bill.id), 'and says so itself').toMatchObject({ version: settled.version + 2 });
  });

  it('has net and tax of each line by its rate, and takes both to nothing with the last credit', async () => {
    const bill = await feeBill();
    const parts = ['-33.33', '-33.33', '-33.33', '-13.01'];
    for (const amount of parts) await settle((await credit(bill, [entry(bill.lines[0], amount)])).data.id);
    const cents = (await credit(bill, [entry(bill.lines[2], '-0.02')])).data.id;
    await settle(cents);
    await settle((await credit(bill, [entry(bill.lines[2], '-0.03')])).data.id);
    const { rows } = await sql<{ lineId: string; gross: string; net: string; tax: string }>`
      SELECT "lineId", sum("includingTaxAmount")::text AS gross, sum("excludingTaxAmount")::text AS net,
             sum("taxAmount")::text AS tax
        FROM rma_correction_bill_line WHERE "lineId" = ANY(${bill.lines}) GROUP BY 1 ORDER BY 1`.execute(testApp.db);
    expect(rows.map(({ gross, net, tax }) => [gross, net, tax].map(Number))).toEqual([
      [-113, -100, -13],
      [-0.05, -0.04, -0.01],
    ]);
    expect(await leftOf(bill)).toEqual([
      [0, 0],
      [2, 0],
    ]);
  });

  it('takes net and tax of a line below nothing by no chain of credits, in whatever pieces and whichever are rejected', async () => {
    const sums = async (lineId: number) => {
      const { rows } = await sql<{ net: string; tax: string }>`
        SELECT l."excludingTaxAmount" + sum(k."excludingTaxAmount") AS net, l."taxAmount" + sum(k."taxAmount") AS tax
          FROM rma_repair_fee_bill_line AS l JOIN rma_correction_bill_line AS k ON k."lineId" = l.id
          JOIN rma_correction_bill AS b ON b."crbId" = k."crbId" AND b."billStatus" <> '1'
         WHERE l.id = ${lineId} GROUP BY l.id`.execute(testApp.db);
      return [Number(rows[0]?.net), Number(rows[0]?.tax)] as const;
    };
    const chains = [
      { rejected: -1, pieces: [...Array.from({ length: 28 }, () => '-0.04'), '-0.01'] },
      { rejected: 3, pieces: [...Array.from({ length: 12 }, () => '-0.09'), '-0.05', '-0.09'] },
    ];
    for (const { rejected, pieces } of chains) {
      const bill = await feeBill();
      const [lineId] = bill.lines;
      const line = { includingTaxAmount: '1.13', excludingTaxAmount: '1', taxAmount: '0.13' };
      await testApp.db.updateTable('rma_repair_fee_bill_line').set(line).where('id', '=', lineId).execute();
      for (const [n, amount] of pieces.entries()) {
        const { id, crbId } = (await credit(bill, [entry(lineId, amount)])).data;
        const [own] = await linesOf(crbId);
        const [gross, net, tax] = [own?.includingTaxAmount, own?.excludingTaxAmount, own?.taxAmount].map(Number);
        expect([Number(amount), true, true], `credit ${n}`).toEqual([gross, (net ?? 1) <= 0, (tax ?? 1) <= 0]);
        const [netLeft, taxLeft] = await sums(lineId);
        expect([netLeft >= 0, taxLeft >= 0], `what is left after ${n}: ${netLeft} and ${taxLeft}`).toEqual([
          true,
          true,
        ]);
        if (n === rejected) await decide(id, 'financialReview', '1', 'finance');
      }
      expect(await sums(lineId)).toEqual([0, 0]);
    }
  });

  it('is passed by two people, neither of whom made it or changed it last', async () => {
    const bill = await feeBill();
    const { id } = (await credit(bill, [entry(bill.lines[0], '-1')])).data;
    const asAdmin = (await credit(bill, [entry(bill.lines[0], '-1')], 'rmaRepairFeeBill', 'admin')).data.id;
    await expectRefused(testApp, '100043', () => decide(asAdmin, 'financialReview', '2', 'admin'));
    await decide(id, 'financialReview', '2', 'admin');
    await expectRefused(testApp, '100043', () => decide(id, 'financialAudit', '2', 'admin'));
    await expectRefused(testApp, '100013', () => decide(id, 'financialAudit', '2', 'finance'));
    // The auditor sends it back: whoever did so does not review it, nor whoever changed it.
    await decide(id, 'financialAudit', '1', 'auditor');
    expect(await head(id)).toMatchObject({ billStatus: '0' });
    const back = (await credit(bill, [entry(bill.lines[0], '-1')])).data.id;
    await decide(back, 'financialReview', '2', 'finance');
    await decide(back, 'financialAudit', '1', 'admin');
    await expectRefused(testApp, '100043', () => decide(back, 'financialReview', '2', 'admin'));
    await decide(id, 'financialReview', '1', 'finance');
    const anew = { id, lines: [entry(bill.lines[0], '-2')] };
    expect((await testApp.send(resubmitCorrection, anew, { as: 'admin' })).data).toMatchObject({ billStatus: '0' });
    await expectRefused(testApp, '100043', () => decide(id, 'financialReview', '2', 'admin'));
    expect((await decide(id, 'financialReview', '2', 'finance')).code).toBe('000000');
    await expectRefused(testApp, '100043', () => decide(id, 'financialAudit', '2', 'admin'));
    await settle2(id);
  });
  const settle2 = async (id: number) =>
    expect((await decide(id, 'financialAudit', '2', 'auditor')).data).toMatchObject({ id, billStatus: '3' });

  it('that was rejected is changed and handed in again, by what is left without it, or is taken away', async () => {
    const bill = await feeBill();
    const { id, crbId } = (await credit(bill, [entry(bill.lines[0], '-113')])).data;
    await expectRefused(testApp, '100025', () =>
      testApp.send(resubmitCorrection, { id, lines: [entry(bill.lines[0], '-1')] }, { as: 'office' }),
    );
    await decide(id, 'financialReview', '1', 'finance');
    const other = (await credit(bill, [entry(bill.lines[0], '-13')])).data.id;
    const { data } = await testApp.send(leftWithout, { id }, { as: 'office' });
    expect(data.lines.map((it) => [it.lineId, Number(it.left)])).toEqual([[bill.lines[0], 100]]);
    const anew = (amount: string) =>
      testApp.send(resubmitCorrection, { id, lines: [entry(bill.lines[0], amount)] }, { as: 'office' });
    await expectRefused(testApp, '100015', () => anew('-113'));
    expect((await anew('-100')).code).toBe('000000');
    expect(await head(id)).toMatchObject({
      ...{ billStatus: '0', resubmitBy: 'office', financialReviewBy: null, reviewRemark: null },
      ...{ includingTaxAmount: '-100.000000', lineCount: 1 },
    });
    expect(await linesOf(crbId)).toHaveLength(1);
    const remove = (it: number) =>
      testApp.ask('POST', '/api/rmaCorrectionBill/deleteById.json', { id: it }, { as: 'office' });
    await expectRefused(testApp, '100025', () => remove(other));
    await decide(other, 'financialReview', '1', 'finance');
    expect((await remove(other)).code).toBe('000000');
  });

  it('of freight says which charge of the parcel it is for', async () => {
    const bill = await costs();
    const lines = bill.lines.map((it) => entry(it, '-1'));
    const { id, crbId } = (await credit(bill, lines, 'rmaLogisticsCostsBill')).data;
    expect((await linesOf(crbId)).map((it) => it.chargeItems)).toEqual(['1', '2', '3']);
    const { data } = await testApp.ask<{ rmaCorrectionBillLineList: { chargeItems: string }[] }>(
      'GET',
      '/api/rmaCorrectionBill/queryById.json',
      { id },
      { as: 'finance' },
    );
    expect(data.rmaCorrectionBillLineList.map((it) => it.chargeItems)).toEqual(['1', '2', '3']);
  });

  it.each(both)(
    'of a %s that names no currency is in that of its lines, and is refused where they have none',
    async (module, { make, table }) => {
      const bill = await make({ currency: null });
      const lines = sql.table(`${table}_line`);
      const name = (currency: string | null, ids: readonly number[] = bill.lines) =>
        sql`UPDATE ${lines} SET currency = ${currency} WHERE id = ANY(${[...ids]})`.execute(testApp.db);
      const debit = bill.lines.map((it) => entry(it, '1'));
      await name('JPY');
      await expectRefused(testApp, '100015', () => credit(bill, [entry(bill.lines[0], '1.5')], module));
      const made = (await credit(bill, debit, module)).data;
      expect(await head(made.id)).toMatchObject({ currency: 'JPY' });
      expect((await linesOf(made.crbId)).map((it) => it.currency)).toEqual(['JPY', 'JPY', 'JPY']);
      await name('CNY', [bill.lines[0]]);
      const several = await expectRefused(testApp, '100015', () => credit(bill, debit, module));
      expect(several.msg).toContain(bill.no);
      // Which currency it is comes before its digits.
      const inBoth = [entry(bill.lines[0], '1'), entry(bill.lines[1], '1.5')];
      expect((await expectRefused(testApp, '100015', () => credit(bill, inBoth, module))).msg).toBe(several.msg);
      await name(null);
      const none = await expectRefused(testApp, '100015', () => credit(bill, debit, module));
      expect(several.msg).toContain('several currencies');
      expect(none.msg).toMatch(new RegExp(`Neither bill ${bill.no} .*name a currency`));
      await decide(made.id, 'financialReview', '1', 'finance');
      const anew = { id: made.id, lines: debit };
      await expectRefused(testApp, '100015', () => testApp.send(resubmitCorrection, anew, { as: 'office' }));
      await name('CNY');
      await expectRefused(testApp, '100025', () => testApp.send(resubmitCorrection, anew, { as: 'office' }));
      await name('JPY');
      expect((await testApp.send(resubmitCorrection, anew, { as: 'office' })).code).toBe('000000');
      // One of an earlier version says none; its lines do.
      await decide(made.id, 'financialReview', '1', 'finance');
      await sql`UPDATE rma_correction_bill SET currency = NULL WHERE id = ${made.id}`.execute(testApp.db);
      expect((await testApp.send(resubmitCorrection, anew, { as: 'office' })).code).toBe('000000');
      expect(await head(made.id)).toMatchObject({ currency: 'JPY' });
    },
  );

  it('keeps costs from going back to their site; where they went before, it is nothing to hand in again', async () => {
    const bill = await costs();
    const { id, crbId } = (await credit(bill, [entry(bill.lines[0], '-1')], 'rmaLogisticsCostsBill')).data;
    const back = () =>
      testApp.ask(
        'POST',
        '/api/rmaLogisticsCostsBill/return.json',
        { id: bill.id, remark: 'wrong' },
        { as: 'auditor' },
      );
    const refused = await expectRefused(testApp, '100025', back);
    expect(refused.msg).toContain(crbId);
    await decide(id, 'financialReview', '1', 'finance');
    expect((await back()).code).toBe('000000');
    await expectRefused(testApp, '100025', () =>
      testApp.send(resubmitCorrection, { id, lines: [entry(bill.lines[0], '-1')] }, { as: 'office' }),
    );
  });
});
