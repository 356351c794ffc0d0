import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { reviewActions, reviewedModules, reviewStep, reviewSteps, type ReviewStep } from '#domain/review.ts';
import { alwaysOf } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db.insertInto('admin_user').values(helpers).execute();
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
const reviewers = { financialReview: 'finance', financialAudit: 'auditor', afterSalesReview: 'aftersales' } as const;
const numbers = { rmaPriceBill: 'prbId', rmaRepairFeeBill: 'rfbId', rmaLogisticsCostsBill: 'lcbId' } as const;
const tables = {
  rmaPriceBill: 'rma_price_bill',
  rmaRepairFeeBill: 'rma_repair_fee_bill',
  rmaLogisticsCostsBill: 'rma_logistics_costs_bill',
} as const;

let made = 0;
async function billFor({ module, from }: Pick<ReviewStep, 'module' | 'from'>, more: object = {}): Promise<number> {
  const values = {
    [numbers[module]]: `T${String(++made).padStart(5, '0')}`,
    billStatus: from,
    siteId: 'SZ',
    createBy: 'office',
    ...more,
  };
  const definition = testApp.model.definitions.get(module) as Definition;
  const row = { ...alwaysOf(definition, testApp.model.definitions), ...values };
  const { id } = await testApp.db
    .insertInto(tables[module])
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
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
    { id, result },
    { as: reviewers[step.action], ...asking },
  );

const stepNames = reviewSteps.map((it) => [`${it.module}/${it.action}`, it] as const);

describe.each(stepNames)('the review %s', (_, step) => {
  it('asks for a session and for the right of its own button [P-REV-04]', async () => {
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

  it('refuses a bill that is in another state, and one that does not exist', async () => {
    for (const billStatus of ['0', '1', '2', '3', '4', '5', '6'].filter((it) => it !== step.from)) {
      const id = await billFor(step, { billStatus });
      await expectRefused(testApp, '100025', () => decide(step, id, '2'));
    }
    await expectRefused(testApp, '100002', () => decide(step, 999_999, '2'));
  });

  it('refuses whoever made the bill or judged it before', async () => {
    for (const name of step.notBy) {
      const id = await billFor(step, { [name]: reviewers[step.action] });
      await expectRefused(testApp, '100043', () => decide(step, id, '2'));
    }
  });

  it('leads a bill on by 2 and back by 1, and writes who and when [P-REV-01, P-REV-02]', async () => {
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

describe('the paths that no bill has', () => {
  const paths = reviewedModules.flatMap((module) =>
    reviewActions.filter((action) => !reviewStep(module, action)).map((action) => ({ module, action })),
  );

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
    expect(answer.msg).toBe('1 lines have no price yet; it can pass once all are priced');
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

  it('that passes ends an earlier one for the same work the day before, and voids one that had not begun', async () => {
    const of = { supplierName: 'Earlier' };
    const older = (await add(of)).data.id;
    const later = (await add({ ...of, effectiveDate: Date.UTC(2026, 8, 1), expirationDate: Date.UTC(2026, 9, 1) })).data
      .id;
    const other = (await add({ ...of, machineType: 'RX-21' })).data.id;
    for (const id of [older, later, other]) await pass(id);
    const newer = (await add({ ...of, effectiveDate: Date.UTC(2026, 6, 1), expirationDate: Date.UTC(2026, 11, 31) }))
      .data.id;
    await pass(newer);
    const day = (at: number) => new Date(at).toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' });
    expect(day((await row(older))['expirationDate'] as number)).toBe('2026-06-30');
    expect((await row(later))['billStatus']).toBe('3');
    expect(await row(other)).toMatchObject({ billStatus: '2' });
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
