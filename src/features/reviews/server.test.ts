import { sql, type RawBuilder } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BulkAnswer } from '#domain/bulk.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { PriceReason, reviewedModules, reviewPaths, reviewStep, reviewSteps, type ReviewStep } from '#domain/review.ts';
import { lastHands } from '#server/workflow/hands.ts';
import { priceOf } from '#server/workflow/prices.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, repairSuppliers } from '#tests/support/factories.ts';
import { meet } from '#tests/support/faults.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { isLockWaited } from '#tests/support/locks.ts';
import { earlierPrice, reviewWords } from './contract.ts';
import { earlierPriceSql, metPricesSql } from './queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db.insertInto('admin_user').values(helpers).execute();
  const families = ['RX-19', 'RX-21', 'RX-G', 'RX-C', 'RX-P', 'RX-V'].map((family) => ({ family }));
  await testApp.db.insertInto('ubs_model_family').values(families).execute();
  await repairSuppliers(
    testApp.db,
    'Ding',
    'Earlier',
    'Overlaps',
    'Race',
    'Before',
    'Ended',
    'Another',
    'Indexed',
    'Voided',
    'Cuts',
    'Gaps',
  );
  // A session that is opened later would look like something that was written.
  for (const it of users) await testApp.openToken(it);
});
afterAll(() => testApp.close());

const helpers = ['finance2', 'aftersales2'].map((userId) => ({
  userId,
  userName: userId,
  roleIds: userId.replace('2', ''),
  siteId: 'SZ',
  allSites: '0',
  status: '1',
}));
const users = 'admin office viewer tech planner finance finance2 auditor aftersales aftersales2'.split(' ');
const reviewers = {
  financialReview: 'finance',
  financialAudit: 'auditor',
  afterSalesReview: 'aftersales',
  audit: 'auditor',
} as const;
const numbers = {
  rmaPriceBill: 'prbId',
  rmaRepairFeeBill: 'rfbId',
  rmaLogisticsCostsBill: 'lcbId',
  rmaMiscellaneousExpensesBill: 'mebId',
  rmaCorrectionBill: 'crbId',
} as const;
const tables = {
  rmaPriceBill: 'rma_price_bill',
  rmaRepairFeeBill: 'rma_repair_fee_bill',
  rmaLogisticsCostsBill: 'rma_logistics_costs_bill',
  rmaMiscellaneousExpensesBill: 'rma_miscellaneous_expenses_bill',
  rmaCorrectionBill: 'rma_correction_bill',
} as const;

let made = 0;
async function settledFee(): Promise<string> {
  const bill = { rfbId: 'RFB-OF', siteId: 'SZ', billStatus: '6' };
  const bills = testApp.db.insertInto('rma_repair_fee_bill').values(bill);
  await bills.onConflict((it) => it.column('rfbId').doNothing()).execute();
  return bill.rfbId;
}
async function billFor({ module, from }: Pick<ReviewStep, 'module' | 'from'>, more: object = {}): Promise<number> {
  const values = {
    [numbers[module]]: `T${String(++made).padStart(5, '0')}`,
    billStatus: from,
    siteId: 'SZ',
    createBy: 'office',
    // A correction is of a settled bill.
    ...(module === 'rmaCorrectionBill' && { rfbId: await settledFee() }),
    ...more,
  };
  const definition = testApp.model.definitions.get(module) as Definition;
  const row = { ...alwaysOf(definition, testApp.model.definitions), ...values };
  return Number((await insertRow(testApp.db, definition, row, testApp.model.definitions))?.id);
}
const readBill = async (module: ReviewStep['module'], id: number) =>
  (await testApp.db.selectFrom(tables[module]).selectAll().where('id', '=', id).executeTakeFirstOrThrow()) as Record<
    string,
    unknown
  >;
const decide = (step: Pick<ReviewStep, 'module' | 'action'>, id: number, result: string, asking: object = {}) =>
  testApp.ask(
    'POST',
    `/api/${step.module}/${step.action}.json`,
    { id, result, ...(result === '1' && { remark: 'no papers' }) },
    { as: reviewers[step.action], ...asking },
  );

const stepNames = reviewSteps.map((it) => [`${it.module}/${it.action}`, it] as const);

describe.each(stepNames)('the review %s', (_, step) => {
  it('asks for a session and for the right of its own button [P-REV-04] [S-REV-04]', async () => {
    const id = await billFor(step);
    await expectRefused(testApp, '401', () => decide(step, id, '2', { as: undefined }));
    for (const as of ['office', 'viewer', 'tech', 'planner']) {
      await expectRefused(testApp, '100013', () => decide(step, id, '2', { as }));
    }
  });

  it('takes 2 or 1 and nothing else [P-REV-02]', async () => {
    const id = await billFor(step);
    for (const result of ['0', '3', 'pass', '22'])
      await expectRefused(testApp, '100015', () => decide(step, id, result));
    await expectRefused(testApp, '100001', () => decide(step, id, ''));
  });

  it('asks a no for its reason, by POST and by GET, and writes nothing without one', async () => {
    const id = await billFor(step);
    const path = `/api/${step.module}/${step.action}.json`;
    for (const method of ['POST', 'GET'] as const)
      for (const more of [{}, { remark: ' ' }]) {
        const refused = await expectRefused(testApp, '100001', () =>
          testApp.ask(method, path, { id, result: '1', ...more }, { as: reviewers[step.action] }),
        );
        expect(refused).toMatchObject({ data: { problems: [{ key: 'required', field: 'remark' }] } });
      }
  });

  it('refuses a bill that is in another state, and one that does not exist', async () => {
    for (const billStatus of ['0', '1', '2', '3', '4', '5', '6'].filter((it) => it !== step.from)) {
      const id = await billFor(step, { billStatus });
      await expectRefused(testApp, '100025', () => decide(step, id, '2'));
    }
    await expectRefused(testApp, '100002', () => decide(step, 999_999, '2'));
  });

  it('decides about many at once, each by itself, with a result for each', async () => {
    const as = reviewers[step.action];
    const [one, made, other, elsewhere] = [
      await billFor(step),
      await billFor(step, { createBy: as }),
      await billFor(step),
      await billFor(step, { billStatus: step.passed }),
    ];
    const ids = [one, made, other, elsewhere];
    const many = (values: object, more: object = {}) =>
      testApp.ask<BulkAnswer>(
        'POST',
        `/api/${step.module}/bulk.json`,
        { action: step.action, ids, values, ...more },
        { as },
      );
    const wordless = await many({ result: '1' }, { dryRun: true });
    expect(new Set(wordless.data.results.map((it) => it.key))).toEqual(new Set(['required']));
    const foreseen = await many({ result: '2' }, { dryRun: true });
    expect(foreseen.data).toMatchObject({ doneCount: 2, refusedCount: 2 });
    expect((await readBill(step.module, one))['billStatus']).toBe(step.from);
    const run = await many({ result: '1', remark: 'no papers' });
    expect(run.data.results.map(({ id, done, key }) => [id, done, key])).toEqual([
      [one, true, undefined],
      [made, false, 'samePerson'],
      [other, true, undefined],
      [elsewhere, false, 'billState'],
    ]);
    for (const id of [one, other])
      expect(await readBill(step.module, id)).toMatchObject({
        billStatus: step.notPassed,
        reviewRemark: 'no papers',
        [step.by]: as,
      });
    expect((await readBill(step.module, made))['billStatus']).toBe(step.from);
    await expectRefused(testApp, '100013', () =>
      testApp.ask('POST', `/api/${step.module}/bulk.json`, { action: step.action, ids }, { as: 'office' }),
    );
  });

  it('refuses whoever made the bill, changed it, handed in its papers or judged it before', async () => {
    for (const name of step.notBy) {
      const id = await billFor(step, { [name]: reviewers[step.action] });
      await expectRefused(testApp, '100043', () => decide(step, id, '2'));
    }
  });

  it('leads a bill on by 2 and back by 1, and writes who and when [P-REV-01, P-REV-02] [S-PRB-02] [S-RFB-03] [S-LCB-03]', async () => {
    const passed = await billFor(step);
    expect(await decide(step, passed, '2')).toMatchObject({ code: '000000', data: { billStatus: step.passed } });
    const bill = await readBill(step.module, passed);
    expect(bill).toMatchObject({ billStatus: step.passed, [step.by]: reviewers[step.action], version: 2 });
    expect(bill[step.at]).toEqual(expect.any(Number));
    const entries = (await readLedger(testApp, String(passed))).filter((it) => it.module === step.module);
    expect(entries).toMatchObject([{ what: step.action, after: { result: '2', billStatus: step.passed } }]);
    await expectRefused(testApp, '100025', () => decide(step, passed, '2'));

    const failed = await billFor(step);
    const path = `/api/${step.module}/${step.action}.json`;
    const asked = { id: failed, result: '1', remark: 'no papers' };
    expect((await testApp.ask('GET', path, asked, { as: reviewers[step.action] })).data).toEqual({
      id: failed,
      billStatus: step.notPassed,
    });
    expect(await readBill(step.module, failed)).toMatchObject({
      billStatus: step.notPassed,
      reviewRemark: 'no papers',
      [step.by]: reviewers[step.action],
    });
  });

  it('lets one of two that judge at once be the judge', async () => {
    const id = await billFor(step);
    const answers = await Promise.all([decide(step, id, '2'), decide(step, id, '1')]);
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100025']);
    expect((await readBill(step.module, id))['version']).toBe(2);
  });
});

describe('who changed a bill', () => {
  const changed = {
    rmaPriceBill: { unitPriceWithTax: '9999' },
    rmaMiscellaneousExpensesBill: { includingTaxAmount: '9999' },
  };
  it.each(Object.entries(changed))('does not pass it: %s', async (module, values) => {
    const step = reviewSteps.find((it) => it.module === module) as ReviewStep;
    const [judge, roleId] = [reviewers[step.action], reviewers[step.action]];
    const right = { roleId, right: `${module}:modify` };
    await testApp.db.insertInto('role_right').values(right).execute();
    const id = await billFor(step);
    const answer = await testApp.ask(
      'POST',
      `/api/${module}/modifyById.json`,
      { id, version: 1, ...values },
      { as: judge },
    );
    expect(answer.code, answer.msg).toBe('000000');
    await expectRefused(testApp, '100043', () => decide(step, id, '2'));
    await testApp.db.deleteFrom('role_right').where('roleId', '=', roleId).where('right', '=', right.right).execute();
  });

  it.each(reviewedModules)(
    'is asked for many of %s at once, and whatever else they wrote is read once',
    async (module) => {
      const userId = 'aftersales2';
      const bills = Array.from({ length: 300 }, (_, i) => ({ id: 1_000_000 + i, no: `HANDS${i}` }));
      const nos = bills.map((it) => it.no);
      let hands: ReadonlyMap<number, number> = new Map();
      let read = 0;
      const filled = testApp.db.transaction().execute(async (db) => {
        const readSoFar = async () => {
          const { rows } = await sql<{ n: number }>`
          SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_xact_user_tables WHERE relname = 'ledger'`.execute(db);
          return Number(rows[0]?.n);
        };
        // As much as it knows when somebody has done so much only just now.
        await sql`ANALYZE ledger`.execute(db);
        await sql`
        INSERT INTO rma_repair_fee_bill ("rfbId", "billStatus", "siteId") SELECT unnest(${nos}::text[]), '0', 'SZ'`.execute(
          db,
        );
        await sql`
        INSERT INTO rma_miscellaneous_expenses_bill ("mebId", "rfbId", "siteId", "billStatus", "correspondsWorkOrder", currency,
                                                     "taxRate", "includingTaxAmount")
        SELECT 'MEB' || no, no, 'SZ', '2', '0', 'CNY', 0, 1 FROM unnest(${nos}::text[]) AS no`.execute(db);
        const others = sql`SELECT module, 'OTHER' || n FROM unnest(${reviewedModules}::text[]) AS module, generate_series(1, 2000) AS n`;
        const own = sql`VALUES (${module}, '1000007'), (${module}, 'HANDS8'), ('rmaMiscellaneousExpensesBill', 'MEBHANDS9')`;
        await sql`
        INSERT INTO ledger ("userId", "siteId", what, module, "recordId", "requestId")
        SELECT ${userId}, 'SZ', 'correct', it.*, '' FROM (${others} UNION ALL ${own}) AS it`.execute(db);
        const before = await readSoFar();
        hands = await lastHands({ db, currentUser: { userId } }, module, bills);
        read = (await readSoFar()) - before;
        throw new Error('rolled back');
      });
      await expect(filled).rejects.toThrow('rolled back');
      const isFee = module === 'rmaRepairFeeBill';
      expect([...hands.keys()].sort()).toEqual([1_000_007, 1_000_008, ...(isFee ? [1_000_009] : [])]);
      expect(read).toBeLessThan(50_000);
    },
  );

  it('and who reviewed a fee bill for finance does not audit it', async () => {
    const step = reviewStep('rmaRepairFeeBill', 'financialAudit') as ReviewStep;
    const id = await billFor(step, { financialReviewBy: 'auditor' });
    await expectRefused(testApp, '100043', () => decide(step, id, '2'));
  });
});

describe('the paths that no bill has', () => {
  const paths = reviewPaths.filter(({ module, action }) => !reviewStep(module, action));

  it('are four, answer 100015 by POST and GET, and write nothing [P-REV-01]', async () => {
    expect(paths).toHaveLength(4);
    for (const { module, action } of paths) {
      const id = await billFor({ module, from: '0' });
      for (const method of ['POST', 'GET'] as const) {
        await expectRefused(testApp, '100015', () =>
          testApp.ask(method, `/api/${module}/${action}.json`, { id, result: '2' }, { as: 'admin' }),
        );
      }
    }
    await expectNo('100013', () =>
      testApp.ask('POST', '/api/rmaPriceBill/financialAudit.json', { id: 1 }, { as: 'tech' }),
    );
  });
});

describe('a repair-fee bill', () => {
  it('goes from the site over after-sales, finance and audit to its end, by three people', async () => {
    const [afterSales, finance] = reviewSteps.filter((it) => it.module === 'rmaRepairFeeBill');
    const id = await billFor(afterSales as ReviewStep);
    expect((await decide(afterSales as ReviewStep, id, '2')).code).toBe('000000');
    expect((await decide(finance as ReviewStep, id, '1')).code).toBe('000000');
    // It is back at after-sales: who judged as finance does not judge there.
    await testApp.db
      .insertInto('role_right')
      .values({ roleId: 'finance', right: 'rmaRepairFeeBill:afterSalesReview' })
      .execute();
    await expectRefused(testApp, '100043', () => decide(afterSales as ReviewStep, id, '2', { as: 'finance' }));
    expect((await decide(afterSales as ReviewStep, id, '2', { as: 'aftersales2' })).code).toBe('000000');
    expect((await decide(finance as ReviewStep, id, '2', { as: 'finance2' })).data).toEqual({ id, billStatus: '4' });
  });

  it('does not pass while a line has no price', async () => {
    const step = reviewStep('rmaRepairFeeBill', 'afterSalesReview') as ReviewStep;
    const id = await billFor(step, { rfbId: 'RFB-UNPRICED' });
    await testApp.db
      .insertInto('rma_repair_fee_bill_line')
      .values([
        { rfbId: 'RFB-UNPRICED', sn: 'A1', isPriced: '0' },
        { rfbId: 'RFB-UNPRICED', sn: 'A2', isPriced: '1' },
      ])
      .execute();
    const answer = await expectRefused(testApp, '100015', () => decide(step, id, '2'));
    expect(answer.msg).toBe('Lines without a price: 1. The bill can pass once all are priced');
    expect((await decide(step, id, '1')).code).toBe('000000');
  });
});

describe('a price bill', () => {
  const price = {
    settleCompany: 'Reflow',
    supplierName: 'Ding',
    repairProject: '1',
    warranty: '1',
    machineType: 'RX-19',
    repairType: '1',
    currency: 'CNY',
    unitPriceWithTax: '113',
    taxRate: 13,
    effectiveDate: Date.UTC(2026, 0, 1),
    expirationDate: Date.UTC(2026, 11, 31),
  };
  const add = (more: object = {}, as = 'office') =>
    testApp.ask<{ id: number; prbId: string }>('POST', '/api/rmaPriceBill/create.json', { ...price, ...more }, { as });
  const row = (id: number) => readBill('rmaPriceBill', id);
  const pass = (id: number) => decide({ module: 'rmaPriceBill', action: 'financialReview' }, id, '2');

  it('is made with the price without tax reckoned by the server, waiting for its review', async () => {
    await expectRefused(testApp, '100013', () => add({}, 'tech'));
    await expectRefused(testApp, '100001', () => add({ supplierName: ' ' }));
    await expectRefused(testApp, '100015', () => add({ unitPriceWithTax: '1000001' }));
    await expectRefused(testApp, '100015', () => add({ taxRate: 101 }));
    await expectRefused(testApp, '100015', () => add({ expirationDate: Date.UTC(2025, 11, 31) }));
    await expectRefused(testApp, '100015', () => add({ unitPriceWithoutTax: '1' }));
    const { data } = await add();
    expect(data.prbId).toMatch(/^PRB\d{13}$/);
    expect(await row(data.id)).toMatchObject({
      unitPriceWithoutTax: '100.000000',
      billStatus: '0',
      siteId: 'SZ',
      createBy: 'office',
    });
  });

  it('that is changed waits for its review anew; one that has passed is not changed', async () => {
    const { id } = (await add()).data;
    await decide({ module: 'rmaPriceBill', action: 'financialReview' }, id, '1');
    const changed = { ...price, id, version: 2, unitPriceWithTax: '226' };
    const answer = await testApp.ask('POST', '/api/rmaPriceBill/modifyById.json', changed, { as: 'office' });
    expect(answer.code, answer.msg).toBe('000000');
    expect(await row(id)).toMatchObject({
      billStatus: '0',
      unitPriceWithoutTax: '200.000000',
      financialReviewer: null,
    });
    await pass(id);
    const { version } = (await row(id)) as { version: number };
    await expectRefused(testApp, '100025', () =>
      testApp.ask('POST', '/api/rmaPriceBill/modifyById.json', { ...changed, version }, { as: 'office' }),
    );
  });

  it('that passes ends an earlier one for the same work the day before', async () => {
    const of = { supplierName: 'Earlier' };
    const older = (await add(of)).data.id;
    const other = (await add({ ...of, machineType: 'RX-21' })).data.id;
    for (const id of [older, other]) await pass(id);
    const newer = (await add({ ...of, effectiveDate: Date.UTC(2026, 6, 1), expirationDate: Date.UTC(2026, 11, 31) }))
      .data.id;
    expect((await pass(newer)).code).toBe('000000');
    const day = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' });
    expect(day((await row(older))['expirationDate'] as number)).toBe('2026-06-30');
    expect(day((await row(other))['expirationDate'] as number)).toBe('2026-12-31');
  });

  it('says which it ends and from when, and gives back what it cut when it is voided', async () => {
    const of = { supplierName: 'Cuts' };
    const day = (at: unknown) => new Date(at as number).toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' });
    const from = (month: number) => ({ effectiveDate: Date.UTC(2026, month, 1) });
    const end = (id: number) => testApp.ask('POST', '/api/rmaPriceBill/void.json', { id }, { as: 'finance' });
    const cutsOf = async (id: number) => (await testApp.send(earlierPrice, { id }, { as: 'finance' })).data.cuts;
    const untilOf = async (id: number) => {
      const { expirationDate, agreedUntil } = await row(id);
      return [day(expirationDate), agreedUntil && day(agreedUntil)];
    };
    const first = (await add(of)).data;
    await pass(first.id);
    const autumn = (await add({ ...of, ...from(8) })).data;
    const summer = (await add({ ...of, ...from(5), expirationDate: Date.UTC(2026, 6, 31) })).data;
    expect(await cutsOf(first.id)).toEqual([]);
    const cut = { prbId: first.prbId, expirationDate: '2026-12-31', until: '2026-08-31' };
    expect(await cutsOf(autumn.id)).toEqual([cut]);
    await pass(autumn.id);
    expect(await untilOf(first.id)).toEqual(['2026-08-31', '2026-12-31']);
    expect(await cutsOf(summer.id)).toEqual([{ ...cut, expirationDate: '2026-08-31', until: '2026-05-31' }]);
    await pass(summer.id);
    expect(await untilOf(first.id)).toEqual(['2026-05-31', '2026-12-31']);
    await end(autumn.id);
    expect(await untilOf(first.id)).toEqual(['2026-05-31', '2026-12-31']);
    await end(summer.id);
    expect(await untilOf(first.id)).toEqual(['2026-12-31', null]);
  });

  it('says before it passes which days it leaves without a price, alone and in the preview of many', async () => {
    const of = { supplierName: 'Gaps', machineType: 'RX-G' };
    const days = (from: number, until: number) => ({
      effectiveDate: Date.UTC(2026, from - 1, 1),
      expirationDate: Date.UTC(2026, until, 0),
    });
    const gapsOf = async (id: number) => (await testApp.send(earlierPrice, { id }, { as: 'finance' })).data.gaps;
    const year = (await add(of)).data.id;
    expect(await gapsOf(year), 'it ends none').toEqual([]);
    await pass(year);
    expect(await gapsOf((await add({ ...of, ...days(9, 12) })).data.id), 'it holds until the end').toEqual([]);
    await pass((await add({ ...of, ...days(11, 11) })).data.id);
    await pass((await add({ ...of, supplierName: 'Another', ...days(11, 12) })).data.id);
    const june = (await add({ ...of, ...days(6, 6) })).data.id;
    const gap = { from: '2026-07-01', until: '2026-10-31' };
    expect(await gapsOf(june), 'from November on nothing is lost').toEqual([gap]);
    const before = (await add({ ...of, ...days(9, 9) })).data.id;
    const isPassed = (billStatus: string) =>
      sql`UPDATE rma_price_bill SET "billStatus" = ${billStatus} WHERE id = ${before}`.execute(testApp.db);
    await isPassed('2');
    expect(await gapsOf(june), 'an earlier version let two hold on a day').toEqual([
      { ...gap, until: '2026-08-31' },
      { ...gap, from: '2026-10-01' },
    ]);
    await isPassed('3');
    const values = { result: '2' };
    const bulk = await testApp.ask<BulkAnswer>(
      ...(['POST', '/api/rmaPriceBill/bulk.json'] as const),
      { action: 'financialReview', ids: [june], values, dryRun: true },
      { as: 'finance' },
    );
    expect(bulk.data.results).toMatchObject([
      { notes: [/^Passing ends/, /^From 2026-07-01 to 2026-10-31/].map((it) => expect.stringMatching(it) as string) },
    ]);
    await pass(june);
    expect(await gapsOf(june), 'it has passed').toEqual([]);
  });

  it('says in the preview of many as well which price each one ends', async () => {
    const of = { supplierName: 'Cuts', machineType: 'RX-C' };
    const first = (await add(of)).data;
    await pass(first.id);
    const { id } = (await add({ ...of, effectiveDate: Date.UTC(2026, 6, 1) })).data;
    const many = { action: 'financialReview', ids: [id], values: { result: '2' } };
    const bulk = (more: object) =>
      testApp.ask<BulkAnswer>('POST', '/api/rmaPriceBill/bulk.json', { ...many, ...more }, { as: 'finance' });
    const notes = [`Passing ends ${first.prbId} on 2026-06-30 instead of 2026-12-31`];
    const shown = (await bulk({ dryRun: true })).data.results;
    expect(shown).toMatchObject([{ id, done: true, msg: '', notes }]);
    const foreseen = shown[0]?.foreseen;
    expect((await bulk({ versions: { [id]: 1 }, foreseen: { [id]: foreseen } })).data.results).toMatchObject([
      { id, done: true, notes },
    ]);
    const only = (await add({ ...of, warranty: '0' })).data.id;
    const alone = await bulk({ ids: [only], dryRun: true });
    expect(alone.data.results[0], 'nothing to say').not.toHaveProperty('notes');
  });

  it('passes beside a review of the fee bills of several sites, and neither waits for the other in a circle', async () => {
    const of = { supplierName: 'Cuts', machineType: 'RX-C', effectiveDate: Date.UTC(2038, 0, 1) };
    const prices = [];
    for (const siteId of ['SZ', 'NB']) {
      const { id } = (await add({ ...of, expirationDate: Date.UTC(2038, 11, 31) })).data;
      await testApp.db.updateTable('rma_price_bill').set({ siteId }).where('id', '=', id).execute();
      prices.push(id);
    }
    const step = { module: 'rmaRepairFeeBill', from: '0' } as const;
    // In the other order than the prices.
    const fees = [await billFor(step, { siteId: 'NB' }), await billFor(step, { siteId: 'SZ' })];
    const preview = (module: string, action: string, ids: number[], as: string) => () =>
      testApp.ask<BulkAnswer>(
        ...(['POST', `/api/${module}/bulk.json`] as const),
        { action, ids, values: { result: '2' }, dryRun: true },
        { as },
      );
    const passing = preview('rmaPriceBill', 'financialReview', prices, 'finance');
    const reviewing = preview('rmaRepairFeeBill', 'afterSalesReview', fees, 'aftersales');
    const waits = () => isLockWaited(testApp.db);
    const circles: number[] = [];
    for (let nth = 1; ; nth++) {
      let asked = 0;
      const met = await meet({ waits, holds: () => ++asked === nth }, passing, reviewing);
      expect(met.answers.map((it) => it.data.doneCount)).toEqual([2, 2]);
      if (met.deadlocks > 0) circles.push(nth);
      if (!met.isHeld) break;
    }
    expect(circles).toEqual([]);
  });

  it('passes as it was shown: what passing does has changed since, and it is told anew, alone and in many', async () => {
    const of = { supplierName: 'Gaps', machineType: 'RX-P' };
    const days = (month: number, from: number, until: number) => ({
      effectiveDate: Date.UTC(2037, month - 1, from),
      expirationDate: Date.UTC(2037, month - 1, until),
    });
    const make = async (more: object) => (await add({ ...of, ...more })).data.id;
    const end = (id: number) => testApp.ask('POST', '/api/rmaPriceBill/void.json', { id }, { as: 'finance' });
    await pass(await make({ effectiveDate: Date.UTC(2037, 0, 1), expirationDate: Date.UTC(2037, 11, 31) }));
    const later = await make({ ...days(3, 11, 31), expirationDate: Date.UTC(2037, 11, 31) });
    await pass(later);
    const id = await make(days(3, 1, 10));
    const call = { action: 'financialReview', ids: [id], values: { result: '2' } };
    const bulk = async (more: object) =>
      (await testApp.ask<BulkAnswer>('POST', '/api/rmaPriceBill/bulk.json', { ...call, ...more }, { as: 'finance' }))
        .data.results[0];
    const { data: seen } = await testApp.send(earlierPrice, { id }, { as: 'finance' });
    const preview = await bulk({ dryRun: true });
    expect(seen.gaps).toEqual([]);
    expect(preview?.foreseen).toBe(seen.foreseen);
    await end(later);
    const passSeen = (foreseen: string) =>
      testApp.ask(
        ...(['POST', '/api/rmaPriceBill/financialReview.json'] as const),
        { id, result: '2', foreseen },
        { as: 'finance' },
      );
    const gap = 'From 2037-03-11 to 2037-12-31 no price for this work is left';
    for (const foreseen of [seen.foreseen, ''])
      expect((await expectRefused(testApp, '100025', () => passSeen(foreseen))).msg).toContain(gap);
    for (const foreseen of [{ [id]: preview?.foreseen }, {}]) {
      const refused = await bulk({ versions: { [id]: 1 }, foreseen });
      expect(refused).toMatchObject({ done: false, code: '100025', key: 'foreseenChanged' });
      expect(refused?.msg).toContain(gap);
    }
    expect(await row(id)).toMatchObject({ billStatus: '0', version: 1 });
    expect(await bulk({ dryRun: true }), 'a dry run shows it as it is').toMatchObject({ done: true });
    await expectRefused(testApp, '100015', () =>
      testApp.ask('POST', '/api/rmaPriceBill/bulk.json', { ...call, versions: {}, foreseen: [1] }, { as: 'finance' }),
    );
    const { data: now } = await testApp.send(earlierPrice, { id }, { as: 'finance' });
    expect((await passSeen(now.foreseen)).code).toBe('000000');
  });

  it('says before it passes beside which prices of other suppliers or currencies none is taken, and from when', async () => {
    const of = { supplierName: 'Cuts', machineType: 'RX-V' };
    const first = (await add(of)).data;
    await pass(first.id);
    const half = { effectiveDate: Date.UTC(2026, 6, 1), expirationDate: Date.UTC(2027, 11, 31) };
    const clash = {
      ...{ prbId: first.prbId, supplierName: 'Cuts', currency: 'CNY' },
      ...{ from: '2026-07-01', until: '2026-12-31' },
    };
    const clashesOf = async (id: number) => (await testApp.send(earlierPrice, { id }, { as: 'finance' })).data.clashes;
    for (const other of [{ supplierName: 'Another' }, { currency: 'USD' }]) {
      const { id } = (await add({ ...of, ...half, ...other })).data;
      expect(await clashesOf(id), JSON.stringify(other)).toEqual([clash]);
      const many = { action: 'financialReview', ids: [id], values: { result: '2' }, dryRun: true };
      const bulk = await testApp.ask<BulkAnswer>('POST', '/api/rmaPriceBill/bulk.json', many, { as: 'finance' });
      const note = `From 2026-07-01 to 2026-12-31 ${first.prbId} of Cuts in CNY holds for the same work`;
      expect(bulk.data.results[0]?.notes).toEqual([expect.stringContaining(note)]);
      const blind = { id, result: '2', foreseen: '' };
      await expectRefused(testApp, '100025', () =>
        testApp.ask('POST', '/api/rmaPriceBill/financialReview.json', blind, { as: 'finance' }),
      );
    }
    for (const more of [{}, { supplierName: 'Another', warranty: '0' }, { supplierName: 'Another', ...later }])
      expect(await clashesOf((await add({ ...of, ...more })).data.id), JSON.stringify(more)).toEqual([]);
    const { id } = (await add({ ...of, ...half, supplierName: 'Another' })).data;
    expect((await pass(id)).code, 'it passes all the same').toBe('000000');
    expect(await clashesOf(id), 'it has passed').toEqual([]);
  });
  const later = { effectiveDate: Date.UTC(2027, 0, 1), expirationDate: Date.UTC(2027, 11, 31) };

  it.each([
    ['passes', '0', (id: number) => pass(id)],
    ['is voided', '2', (id: number) => testApp.ask('POST', '/api/rmaPriceBill/void.json', { id }, { as: 'finance' })],
  ])('that %s waits for the prices of its site before it holds its row', async (_, billStatus, decideIt) => {
    const { id } = (await add({ supplierName: 'Race', warranty: billStatus })).data;
    await sql`UPDATE rma_price_bill SET "billStatus" = ${billStatus} WHERE id = ${id}`.execute(testApp.db);
    const { answer } = await testApp.db.transaction().execute(async (db) => {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('prices SZ', 0))`.execute(db);
      const answer = decideIt(id);
      await vi.waitUntil(async () => {
        const { rows } = await sql`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE '%pg_advisory_xact_lock%'`.execute(testApp.db);
        return rows.length === 1;
      });
      await sql`SELECT 1 FROM rma_price_bill WHERE id = ${id} FOR UPDATE NOWAIT`.execute(db);
      return { answer };
    });
    expect((await answer).code).toBe('000000');
  });

  it('does not pass over one for the same work that begins that day or later, and names it', async () => {
    const of = { supplierName: 'Overlaps' };
    const year = { effectiveDate: Date.UTC(2026, 0, 1), expirationDate: Date.UTC(2026, 11, 31) };
    const autumn = { effectiveDate: Date.UTC(2026, 8, 1), expirationDate: Date.UTC(2026, 9, 1) };
    const there = (await add({ ...of, ...autumn })).data;
    await pass(there.id);
    for (const days of [year, autumn]) {
      const { id } = (await add({ ...of, ...days })).data;
      const refused = await expectRefused(testApp, '100015', () => pass(id));
      expect(refused.msg).toContain(there.prbId);
      expect(await row(id)).toMatchObject({ billStatus: '0' });
    }
    for (const other of [{ currency: 'USD' }, { warranty: '0' }, { repairType: '2' }, { repairProject: '2' }]) {
      const { id } = (await add({ ...of, ...year, ...other })).data;
      expect((await pass(id)).code, JSON.stringify(other)).toBe('000000');
    }
  });

  it('names a family of the catalogue, and nothing that is typed', async () => {
    await expectRefused(testApp, '100002', () => add({ machineType: 'RX' }));
  });

  it('is one of two that are judged at once', async () => {
    const ids = [];
    for (let i = 0; i < 2; i++) ids.push((await add({ supplierName: 'Race' })).data.id);
    const answers = await Promise.all(ids.map((id) => pass(id)));
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100015']);
  });

  it('is told what the same work cost before: the passed price that began last by its day', async () => {
    const of = { supplierName: 'Before', expirationDate: Date.UTC(2027, 11, 31) };
    const begin = (month: number) => ({ effectiveDate: Date.UTC(2026, month, 1) });
    const first = (await add({ ...of, ...begin(0), unitPriceWithTax: '100' })).data.id;
    const second = (await add({ ...of, ...begin(3), unitPriceWithTax: '120' })).data.id;
    const others = [{ machineType: 'RX-21' }, { currency: 'USD' }, { warranty: '0' }, { supplierName: 'Another' }];
    const rest = await Promise.all(others.map((it) => add({ ...of, ...begin(4), ...it })));
    const later = (await add({ ...of, ...begin(9) })).data.id;
    for (const id of [first, second, later, ...rest.map((it) => it.data.id)]) await pass(id);
    await add({ ...of, ...begin(5), unitPriceWithTax: '999' });
    const newer = (await add({ ...of, ...begin(6) })).data.id;
    const before = async (id: number, as = 'finance') =>
      (await testApp.send(earlierPrice, { id }, { as })).data.earlier;
    expect(await before(newer)).toMatchObject({ unitPriceWithTax: '120.000000' });
    expect(await before(second)).toMatchObject({ unitPriceWithTax: '100.000000' });
    expect(await before(first)).toBeNull();
    await expectNo('100013', () => testApp.send(earlierPrice, { id: newer }, { as: 'tech' }));
    await expectNo('100002', () => testApp.send(earlierPrice, { id: 999_999 }, { as: 'finance' }));
  });

  it('finds it among many by an index', async () => {
    const { id } = (await add({ supplierName: 'Indexed' })).data;
    let plan = '';
    const filled = testApp.db.transaction().execute(async (db) => {
      await repairSuppliers(db, ...Array.from({ length: 50 }, (_, i) => `Supplier ${i}`));
      await sql`
        INSERT INTO rma_price_bill ("prbId", "billStatus", "siteId", "settleCompany", "supplierName", "repairProject",
                                    warranty, "machineType", "repairType", currency, "unitPriceWithTax", "taxRate",
                                    "effectiveDate", "expirationDate", "createBy")
        SELECT 'X' || i, '2', "siteId", "settleCompany", 'Supplier ' || i % 50, "repairProject", warranty,
               'Model ' || i % 40, "repairType", currency, "unitPriceWithTax", "taxRate", "effectiveDate",
               "expirationDate", "createBy"
          FROM rma_price_bill, generate_series(1, 5000) AS i WHERE id = ${id}`.execute(db);
      await sql`ANALYZE rma_price_bill`.execute(db);
      const { rows } = await sql<Record<string, string>>`EXPLAIN ${earlierPriceSql(id)}`.execute(db);
      plan = rows.map((it) => it['QUERY PLAN']).join('\n');
      throw new Error('rolled back');
    });
    await expect(filled).rejects.toThrow('rolled back');
    expect(plan).not.toContain('Seq Scan on rma_price_bill');
    expect(plan).toMatch(/Index Cond: .*"machineType" = /);
  });

  it('finds that of a unit and of a workbook beside many that have ended by an index, and an expense among the lines of all bills', async () => {
    const { id } = (await add({ supplierName: 'Ended' })).data;
    const plans: string[] = [];
    const filled = testApp.db.transaction().execute(async (db) => {
      await sql`
        INSERT INTO rma_price_bill ("prbId", "billStatus", "siteId", "settleCompany", "supplierName", "repairProject",
                                    warranty, "machineType", "repairType", currency, "unitPriceWithTax", "taxRate",
                                    "effectiveDate", "expirationDate", "createBy")
        SELECT 'Y' || i, '2', "siteId", "settleCompany", "supplierName", "repairProject", warranty, "machineType",
               "repairType", currency, "unitPriceWithTax", "taxRate", date '1950-01-01' + i, date '1950-01-01' + i, "createBy"
          FROM rma_price_bill, generate_series(1, 5000) AS i WHERE id = ${id}`.execute(db);
      await sql`
        INSERT INTO rma_repair_fee_bill ("rfbId", "billStatus", "siteId") VALUES ('RFB-MANY', '6', 'SZ')`.execute(db);
      await sql`
        INSERT INTO rma_repair_fee_bill_line ("rfbId", "priceReason", remark)
        SELECT 'RFB-MANY', ${PriceReason.Expense}, 'MEB' || i FROM generate_series(1, 5000) AS i`.execute(db);
      await sql`ANALYZE rma_price_bill, rma_repair_fee_bill_line`.execute(db);
      const explain = async (query: RawBuilder<unknown>) => {
        const { rows } = await sql<Record<string, string>>`EXPLAIN ${query}`.execute(db);
        plans.push(rows.map((it) => it['QUERY PLAN']).join('\n'));
      };
      await explain(sql`
        SELECT p.gross FROM (SELECT "repairProject" AS project, warranty, "repairType", "machineType" AS family,
                                    date '2026-06-01' AS day, false AS "isSecond"
                               FROM rma_price_bill WHERE id = ${id}) AS w
         CROSS JOIN LATERAL ${priceOf('SZ')} AS p`);
      await explain(sql`
        SELECT 1 FROM rma_repair_fee_bill_line WHERE "priceReason" = ${PriceReason.Expense} AND remark = 'MEB7'`);
      const days = { effectiveDate: '2026-01-01', expirationDate: '2026-12-31' };
      const { settleCompany: _, unitPriceWithTax: __, taxRate: ___, ...work } = price;
      await explain(metPricesSql([{ row: 1, siteId: 'SZ', ...work, supplierName: 'Ended', ...days }]));
      throw new Error('rolled back');
    });
    await expect(filled).rejects.toThrow('rolled back');
    expect(plans[2]).not.toContain('Seq Scan on rma_price_bill');
    expect(plans[2]).toMatch(/Index Cond: .*"repairType" = .*"supplierName" = .*"expirationDate" >=/);
    expect(plans[0]).toMatch(/Index Cond: .*"machineType" = .*"expirationDate"/);
    expect(plans[1]).toMatch(/Index Cond: .*"priceReason" = .*remark = /);
  });

  it('is voided by finance once it has passed', async () => {
    const { id } = (await add({ supplierName: 'Voided' })).data;
    const end = (as: string) => testApp.ask('POST', '/api/rmaPriceBill/void.json', { id }, { as });
    await expectRefused(testApp, '100013', () => end('office'));
    await expectRefused(testApp, '100025', () => end('finance'));
    await pass(id);
    expect((await end('finance')).data).toEqual({ id, billStatus: '3' });
    expect((await row(id))['billStatus']).toBe('3');
  });
});

describe('an expense', () => {
  const expense = { correspondsWorkOrder: '0', currency: 'CNY', includingTaxAmount: '106', taxRate: 6 };
  const ofOrder = {
    btmMtbId: 'BTM1',
    salesCode: 'RX19',
    salesName: 'RX-19',
    modelAbbreviation: 'RX-19',
    feeType: '1',
    orgDepart: 'Repair',
  };
  const ask = (script: string, input: object, as = 'office') =>
    testApp.ask<{ id: number; mebId: string }>('POST', `/api/rmaMiscellaneousExpensesBill/${script}.json`, input, {
      as,
    });
  const audit = (id: number, auditStatus: string, more: object = {}) =>
    testApp.ask('GET', '/api/rmaMiscellaneousExpensesBill/audit.json', { id, auditStatus, ...more }, { as: 'auditor' });
  const row = (id: number) => readBill('rmaMiscellaneousExpensesBill', id);
  beforeAll(() => maintainBill(testApp.db, { btmMtbId: 'BTM1' }));

  it('is made with its tax reckoned by the server to the cent, waiting for its audit [S-MEX-01]', async () => {
    await expectRefused(testApp, '100013', () => ask('create', expense, 'tech'));
    await expectRefused(testApp, '100015', () => ask('create', { ...expense, excludingTaxAmount: '1' }));
    await expectRefused(testApp, '100015', () => ask('create', { ...expense, includingTaxAmount: '-1' }));
    const { data } = await ask('create', {
      ...expense,
      ...ofOrder,
      correspondsWorkOrder: '1',
      businessType: '2',
      sn: 'n1',
    });
    expect(data.mebId).toMatch(/^MEB\d{13}$/);
    expect(await row(data.id)).toMatchObject({
      ...ofOrder,
      billStatus: '0',
      siteId: 'SZ',
      createBy: 'office',
      correspondsWorkOrder: '1',
      businessType: '2',
      sn: 'N1',
      currency: 'CNY',
      includingTaxAmount: '106.000000',
      excludingTaxAmount: '100.000000',
      taxAmount: '6.000000',
    });
    const uneven = (await ask('create', { ...expense, includingTaxAmount: '0.05', taxRate: 13 })).data;
    expect(await row(uneven.id)).toMatchObject({ excludingTaxAmount: '0.040000', taxAmount: '0.010000' });
  });

  it('is an amount that can be paid: no fraction of a cent, and net and tax are the whole', async () => {
    for (const includingTaxAmount of ['0.015', '10.001', 10.999]) {
      const refused = await expectRefused(testApp, '100015', () => ask('create', { ...expense, includingTaxAmount }));
      expect(refused).toMatchObject({ data: { problems: [{ key: 'decimals', field: 'includingTaxAmount' }] } });
      expect(refused.msg).toContain('at most 2 decimals');
    }
    const { id } = (await ask('create', { ...expense, includingTaxAmount: '10.010000', taxRate: '6.25' })).data;
    expect(await row(id)).toMatchObject({ excludingTaxAmount: '9.420000', taxAmount: '0.590000' });
  });

  it('is an amount that can be paid in another currency as well, though that alone is changed', async () => {
    const currencies = testApp.model.options['currencies'] as { value: string; label: { zh: string; en: string } }[];
    currencies.push({ value: 'JPY', label: { zh: 'JPY', en: 'JPY' } });
    try {
      const { id } = (await ask('create', { ...expense, includingTaxAmount: '4.5' })).data;
      const { version } = await row(id);
      const refused = await expectRefused(testApp, '100015', () =>
        ask('modifyById', { id, version, currency: 'JPY', remark: 'in yen' }),
      );
      expect(refused).toMatchObject({ data: { problems: [{ key: 'decimals', field: 'includingTaxAmount' }] } });
      expect(refused.msg).toContain('at most 0 decimals');
      for (const more of [{ currency: 'CNY', remark: 'the same' }, { currency: 'USD' }])
        expect((await ask('modifyById', { id, version: (await row(id)).version, ...more })).code).toBe('000000');
      const whole = { includingTaxAmount: '5', currency: 'JPY' };
      expect((await ask('modifyById', { id, version: (await row(id)).version, ...whole })).code).toBe('000000');
      expect(await row(id)).toMatchObject({ ...whole, includingTaxAmount: '5.000000', taxAmount: '0.000000' });
    } finally {
      currencies.pop();
    }
  });

  it('is of something: one of nothing is refused, entered and changed', async () => {
    const { id } = (await ask('create', expense)).data;
    const { version } = await row(id);
    for (const includingTaxAmount of ['0', '0.00', 0, '0.001']) {
      for (const refused of [
        await expectRefused(testApp, '100015', () => ask('create', { ...expense, includingTaxAmount })),
        await expectRefused(testApp, '100015', () =>
          ask('modifyById', { id, version, ...expense, includingTaxAmount }),
        ),
      ]) {
        expect(refused).toMatchObject({ data: { problems: [{ key: 'atLeast', field: 'includingTaxAmount' }] } });
        expect(refused.msg).toContain('at least 0.01');
      }
    }
  });

  it('for a work order names it, its item, its kind and the department; for none it need not [S-MEX-02]', async () => {
    for (const name of Object.keys(ofOrder)) {
      const without = { ...expense, ...ofOrder, correspondsWorkOrder: '1', [name]: '' };
      const refused = await expectRefused(testApp, '100001', () => ask('create', without));
      expect(refused).toMatchObject({ data: { problems: [{ key: 'required', field: name }] } });
    }
    expect((await ask('create', expense)).code).toBe('000000');
  });

  it('names a work order and a sales code that exist; what stood there already stays', async () => {
    await maintainBill(testApp.db, { siteId: 'NB', btmMtbId: 'BTM-NB' });
    const named = { ...expense, ...ofOrder, correspondsWorkOrder: '1' };
    for (const wrong of [{ btmMtbId: 'BTM0' }, { btmMtbId: 'BTM-NB' }, { salesCode: 'NO-SUCH' }]) {
      const refused = await expectRefused(testApp, '100002', () => ask('create', { ...named, ...wrong }));
      const [field = ''] = Object.keys(wrong);
      expect(refused).toMatchObject({ data: { problems: [{ key: 'notFound', field }] } });
    }
    const id = await billFor({ module: 'rmaMiscellaneousExpensesBill', from: '0' }, { ...named, btmMtbId: 'OLD' });
    const change = (values: object) => ask('modifyById', { ...named, id, version: 1, ...values });
    await expectRefused(testApp, '100002', () => change({ btmMtbId: 'OLDER' }));
    expect((await change({ btmMtbId: 'OLD', orgDepart: 'Store' })).code).toBe('000000');
  });

  it('is audited by a GET with its id and auditStatus, by somebody else than its maker [S-REV-06]', async () => {
    const { id } = (await ask('create', expense)).data;
    await expectRefused(testApp, '100001', () => audit(id, ''));
    await expectRefused(testApp, '100015', () => audit(id, '3'));
    await expectRefused(testApp, '100001', () => audit(id, '1'));
    expect((await audit(id, '1', { remark: 'no invoice' })).data).toEqual({ id, billStatus: '1' });
    expect(await row(id)).toMatchObject({ billStatus: '1', auditBy: 'auditor', reviewRemark: 'no invoice' });

    const { version } = (await row(id)) as { version: number };
    const changed = { ...expense, id, version, includingTaxAmount: '212' };
    expect((await ask('modifyById', changed)).code).toBe('000000');
    expect(await row(id)).toMatchObject({
      ...{ billStatus: '0', auditBy: null, auditTime: null, reviewRemark: null, excludingTaxAmount: '200.000000' },
    });
    expect((await audit(id, '2')).data).toEqual({ id, billStatus: '2' });
    expect((await row(id))['auditTime']).toEqual(expect.any(Number));
    await expectRefused(testApp, '100025', () => audit(id, '2'));
  });

  it('that has passed is neither changed nor deleted; one that has not can be taken away', async () => {
    const { id } = (await ask('create', expense)).data;
    const open = (await ask('create', expense)).data;
    await audit(id, '2');
    const { version } = (await row(id)) as { version: number };
    await expectRefused(testApp, '100025', () => ask('modifyById', { ...expense, id, version }));
    await expectRefused(testApp, '100025', () => ask('deleteById', { id }));
    expect((await ask('deleteById', { id: open.id })).code).toBe('000000');
  });
});

describe('the view of a money bill', () => {
  const taxed = ['excludingTaxAmount', 'taxRate', 'taxAmount', 'includingTaxAmount'];
  const ofLine = ['btmMtbId', 'salesCode', 'salesName', 'modelAbbreviation', 'feeType', 'orgDepart', 'currency', 'sn'];
  const feeLine = [
    ...ofLine,
    ...taxed,
    'unitPrice',
    'totalPrice',
    'businessType',
    'isSecondRepair',
    'correspondsWorkOrder',
  ];
  const expected: Record<ReviewStep['module'], { fields: string[]; list?: string; line?: string[] }> = {
    rmaPriceBill: {
      fields: [
        ...['prbId', 'siteId', 'settleCompany', 'currency', 'supplierName', 'repairProject', 'warranty', 'machineType'],
        ...['repairType', 'unitPriceWithTax', 'unitPriceWithoutTax', 'taxRate', 'billStatus', 'effectiveDate'],
        ...['expirationDate', 'financialReviewTime', 'financialReviewer', 'createTime', 'createBy'],
      ],
    },
    rmaRepairFeeBill: {
      fields: [
        ...['rfbId', 'createBy', 'createTime', 'financialReviewBy', 'financialReviewTime', 'uploadInvoiceBy'],
        ...['uploadInvoiceTime', 'invoiceUrls', 'processingFeeReportUrl'],
      ],
      list: 'rmaRepairFeeBillLineList',
      line: feeLine,
    },
    rmaLogisticsCostsBill: {
      fields: [
        ...['lcbId', 'siteId', 'recPeriod', 'financialReviewer', 'financialReviewTime', 'totalCount', 'totalAmount'],
        'certificateUrls',
      ],
      list: 'rmaLogisticsCostsBillLineList',
      line: ['deliverShipNo', 'logisticsProviders', 'count', 'weight', 'amount', 'productName', 'chargeItems'],
    },
    rmaMiscellaneousExpensesBill: { fields: [...ofLine, ...taxed, 'businessType', 'correspondsWorkOrder'] },
    rmaCorrectionBill: {
      fields: [
        ...['crbId', 'rfbId', 'lcbId', 'supplierName', 'recPeriod', 'currency', 'includingTaxAmount', 'createBy'],
        ...['resubmitBy', 'financialReviewBy', 'financialAuditBy'],
      ],
      list: 'rmaCorrectionBillLineList',
      line: ['sn', 'deliverShipNo', 'settledAmount', 'includingTaxAmount', 'excludingTaxAmount', 'taxAmount', 'reason'],
    },
  };

  it.each(Object.entries(expected))(
    'of %s shows what the specification names [S-PRB-01] [S-RFB-01] [S-RFB-02] [S-RFB-07] [S-LCB-01] [S-LCB-02] [S-MEX-01]',
    async (module, { fields, list, line }) => {
      const step = reviewSteps.find((it) => it.module === module) as ReviewStep;
      const id = await billFor(step);
      type Names = { name: string }[];
      const { code, data } = await testApp.ask<
        Record<string, unknown> & { view: { fields: Names; lines: Record<string, { title: object }> } }
      >('GET', `/api/${module}/queryById.json`, { id }, { as: reviewers[step.action] });
      expect(code).toBe('000000');
      expect(data.view.fields.map((it) => it.name)).toEqual(expect.arrayContaining(fields));
      for (const name of fields) expect(data).toHaveProperty(name);
      if (!list) return;
      expect(data[list]).toEqual([]);
      expect(Object.keys(data.view.lines[list]?.title ?? {})).toEqual(expect.arrayContaining(line ?? []));
    },
  );
});

describe('a bill that is taken away', () => {
  const taken = (module: string, id: number, as = 'office') =>
    testApp.ask('POST', `/api/${module}/deleteById.json`, { id }, { as });
  const linesOf = async (rfbId: string) =>
    (await testApp.db.selectFrom('rma_repair_fee_bill_line').select('sn').where('rfbId', '=', rfbId).execute()).length;

  it('goes with its lines, and no other bill’s, once after-sales has rejected it', async () => {
    const rejected = await billFor({ module: 'rmaRepairFeeBill', from: '1' }, { rfbId: 'RFB-GONE' });
    await billFor({ module: 'rmaRepairFeeBill', from: '0' }, { rfbId: 'RFB-STAYS' });
    await testApp.db
      .insertInto('rma_repair_fee_bill_line')
      .values(['RFB-GONE', 'RFB-STAYS'].map((rfbId) => ({ rfbId, sn: 'A1', isPriced: '1' })))
      .execute();
    await expectRefused(testApp, '100013', () => taken('rmaRepairFeeBill', rejected, 'aftersales'));
    expect((await taken('rmaRepairFeeBill', rejected)).code).toBe('000000');
    expect(await linesOf('RFB-GONE')).toBe(0);
    expect(await linesOf('RFB-STAYS')).toBe(1);
  });

  it.each([
    ['rmaRepairFeeBill', ['0', '3', '4', '5', '6']],
    ['rmaLogisticsCostsBill', ['1', '2', '3']],
  ] as const)('of %s stays in every other state', async (module, states) => {
    for (const from of states) {
      const id = await billFor({ module, from });
      await expectRefused(testApp, '100025', () => taken(module, id));
    }
  });

  it('of logistics costs waits for its certificates', async () => {
    const id = await billFor({ module: 'rmaLogisticsCostsBill', from: '0' });
    expect((await taken('rmaLogisticsCostsBill', id)).code).toBe('000000');
  });
});

describe('costs that go back to their site', () => {
  const now = Date.UTC(2026, 10, 24);
  beforeEach(() => vi.useFakeTimers({ now, toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());
  const back = (id: number, as = 'auditor', method: 'GET' | 'POST' = 'GET', more: object = {}) =>
    testApp.ask(method, '/api/rmaLogisticsCostsBill/return.json', { id, ...more }, { as });
  const costs = (billStatus: string, recPeriod = '2026-10') =>
    billFor({ module: 'rmaLogisticsCostsBill', from: billStatus }, { recPeriod, certificateUrls: '/file/a.jpg' });

  it('are returned from their audit, with the certificates that they have [S-LCB-05]', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const id = await costs('1', '2020-01');
      expect((await back(id, 'auditor', method, { remark: 'wrong weight' })).data).toEqual({ id, billStatus: '0' });
      expect(await readBill('rmaLogisticsCostsBill', id)).toMatchObject({
        billStatus: '0',
        certificateUrls: '/file/a.jpg',
        reviewRemark: 'wrong weight',
        version: 2,
      });
      const entries = (await readLedger(testApp, String(id))).filter((it) => it.module === 'rmaLogisticsCostsBill');
      expect(entries).toMatchObject([{ what: 'return', before: { billStatus: '1' }, after: { billStatus: '0' } }]);
    }
  });

  it('are returned after it until the month after theirs has ended [S-LCB-05]', async () => {
    const id = await costs('2');
    await testApp.db
      .updateTable('rma_logistics_costs_bill')
      .set({ financialReviewer: 'auditor', financialReviewTime: new Date(now) })
      .where('id', '=', id)
      .execute();
    expect((await back(id)).data).toEqual({ id, billStatus: '0' });
    expect(await readBill('rmaLogisticsCostsBill', id)).toMatchObject({ financialReviewer: null });
    const closed = await expectRefused(testApp, '100025', async () => back(await late));
    expect(closed.msg).toContain('until the end of 2026-10');
  });
  let late: Promise<number>;
  beforeAll(async () => {
    late = costs('2', '2026-09');
    await late;
  });

  it('are returned by finance alone, from no other state [S-LCB-05]', async () => {
    const id = await costs('1');
    await expectRefused(testApp, '401', () => back(id, ''));
    for (const as of ['office', 'tech', 'viewer']) await expectRefused(testApp, '100013', () => back(id, as));
    for (const billStatus of ['0', '3']) {
      const other = await costs(billStatus);
      await expectRefused(testApp, '100025', () => back(other));
    }
    await expectRefused(testApp, '100002', () => back(999_999));
  });
});

describe.each(reviewedModules.map((it) => [it]))('the words on a bill of %s', (module) => {
  const wordsOf = (id: number, asking: object) => testApp.send(reviewWords(module), { id }, asking);
  const step = reviewSteps.find((it) => it.module === module) as ReviewStep;
  const as = reviewers[step.action];

  it('are the last of each review, with the names of all who had a hand in it', async () => {
    const id = await billFor(step);
    const path = `/api/${module}/${step.action}.json`;
    await testApp.ask('POST', path, { id, result: '1', remark: 'no papers' }, { as });
    const { people, words } = (await wordsOf(id, { as })).data;
    expect(words).toMatchObject([{ action: step.action, userId: as, result: '1', remark: 'no papers' }]);
    expect(words[0]?.at).toEqual(expect.any(Number));
    expect(Object.keys(people).sort()).toEqual([as, 'office'].sort());
    expect(people[as]).not.toBe('');
  });

  it('are for those who may see the list, within their sites', async () => {
    const id = await billFor(step, { siteId: 'NB' });
    await expectNo('401', () => wordsOf(id, {}));
    await expectNo('100013', () => wordsOf(id, { as: 'tech' }));
    await expectNo('100002', () => wordsOf(999_999, { as: 'admin' }));
    await expectNo('100002', () => wordsOf(id, { as: 'office' }));
  });
});
