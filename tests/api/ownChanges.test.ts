import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkAnswer } from '#domain/bulk.ts';
import type { DataOf } from '#domain/call.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { allowedRows } from '#domain/definition/writes.ts';
import { Node } from '#domain/nodes.ts';
import { ExpenseStatus, reviewActions, reviewedModules, reviewSteps, type ReviewedModule } from '#domain/review.ts';
import type { queuePlace } from '#server/dashboard/contract.ts';
import { reviewWords } from '#features/reviews/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { deciders } from '#tests/support/decisions.ts';
import { maintainBill, repairSuppliers, unitOnBill } from '#tests/support/factories.ts';
import { delivered } from '#tests/support/history.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  await repairSuppliers(testApp.db, 'S');
  await testApp.db.insertInto('ubs_model_family').values({ family: 'F' }).execute();
});
afterAll(() => testApp.close());

/** Something that is done to a bill, by the button that does it. */
interface Done {
  module: ReviewedModule;
  button: string;
  /** By the administrator, who may review it as well. @returns the bill */
  run: () => Promise<number>;
}
const ask = async <Data extends object>(
  method: 'GET' | 'POST',
  path: string,
  input: object,
  as = 'admin',
): Promise<Data> => {
  const { code, msg, data } = await testApp.ask<Data>(method, path, input, { as });
  expect(code, `${path}: ${msg}`).toBe('000000');
  return data;
};
const definitionOf = (module: string) => testApp.model.definitions.get(module) as Definition;

/** What decides about a bill, besides its reviews and its deletion. */
const decided = deciders
  .filter(({ path }) => reviewedModules.some((it) => path.startsWith(`/api/${it}/`)))
  .map((decider) => ({ ...decider, button: decider.path.split('/').at(-1)?.replace('.json', '') ?? '' }))
  .filter(({ button }) => !['deleteById', 'deleteAll'].includes(button) && !reviewActions.some((it) => it === button))
  .map(({ method, path, button, make, ...of }): Done => {
    // What corrects a settled bill is a bill of its own.
    const module = button === 'correct' ? 'rmaCorrectionBill' : (of.module as ReviewedModule);
    const run = async () => {
      const { id, input } = await make(testApp.db);
      const data = await ask<{ id: number }>(method, path, input);
      return button === 'correct' ? data.id : id;
    };
    return { module, button, run };
  });
const isJudgement = ({ button }: Done) => button === 'void' || button === 'return';

const price = {
  ...{ settleCompany: 'C', supplierName: 'S', repairProject: '1', warranty: '1', machineType: 'F', repairType: '2' },
  ...{ currency: 'CNY', unitPriceWithTax: '113', taxRate: 13 },
  ...{ effectiveDate: Date.UTC(2026, 0, 1), expirationDate: Date.UTC(2026, 11, 31) },
};
const expense = { correspondsWorkOrder: '0', currency: 'CNY', includingTaxAmount: '106', taxRate: 6 };
const entered = (module: ReviewedModule, values: object, change: object): Done[] => {
  const create = async (as?: string) =>
    (await ask<{ id: number }>('POST', `/api/${module}/create.json`, values, as)).id;
  const modify = async () => {
    const id = await create('office');
    await ask('POST', `/api/${module}/modifyById.json`, { ...values, ...change, id, version: 1 });
    return id;
  };
  return [
    { module, button: 'create', run: () => create() },
    { module, button: 'modify', run: modify },
  ];
};
const brought = (
  module: ReviewedModule,
  fields: Record<string, string>,
  heads: string[],
  row: (string | number)[],
): Done => ({
  ...{ module, button: 'upload' },
  run: async () => {
    const file = await workbook([heads, row]);
    const sent = await sendFile<{ imported: number }>(testApp, `/api/${module}/upload.json`, [file], {
      as: 'admin',
      fields,
    });
    expect(sent.data, JSON.stringify(sent)).toMatchObject({ imported: 1 });
    const { rows } = await sql<{
      id: number;
    }>`SELECT max(id)::int AS id FROM ${sql.table(definitionOf(module).table)}`.execute(testApp.db);
    return rows[0]?.id ?? 0;
  },
});
const settled: Done = {
  ...{ module: 'rmaRepairFeeBill', button: 'generateMonthly' },
  run: async () => {
    const unit = await unitOnBill(testApp.db, { node: Node.Shipped, bill: await maintainBill(testApp.db) });
    await delivered(testApp.db, unit, '2026-05-04');
    const month = { recPeriod: '2026-05', startDate: '2026-05-01', endDate: '2026-05-31' };
    const path = '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json';
    const { items } = await ask<{ items: { rfbId: string }[] }>('POST', path, month);
    const query = testApp.db.selectFrom('rma_repair_fee_bill').select('id');
    return Number((await query.where('rfbId', '=', String(items[0]?.rfbId)).executeTakeFirstOrThrow()).id);
  },
};
/** An expense is a line of the bill that charges it. */
const charged: Done = {
  ...{ module: 'rmaRepairFeeBill', button: 'expense' },
  run: async () => {
    const { id } = await ask<{ id: number }>('POST', '/api/rmaMiscellaneousExpensesBill/create.json', expense);
    const table = testApp.db.updateTable('rma_miscellaneous_expenses_bill');
    const passed = {
      billStatus: ExpenseStatus.Passed,
      auditTime: new Date('2026-04-10T04:00:00Z'),
      updateBy: 'auditor',
    };
    await table.set(passed).where('id', '=', id).execute();
    const month = { recPeriod: '2026-04', startDate: '2026-04-01', endDate: '2026-04-30' };
    const path = '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json';
    const { items } = await ask<{ items: { rfbId: string }[] }>('POST', path, month, 'office');
    const query = testApp.db.selectFrom('rma_repair_fee_bill').select('id');
    return (await query.where('rfbId', '=', String(items[0]?.rfbId)).executeTakeFirstOrThrow()).id;
  },
};
const changes: Done[] = [
  ...decided.filter((it) => !isJudgement(it)),
  ...entered('rmaPriceBill', price, { unitPriceWithTax: '51' }),
  ...entered('rmaMiscellaneousExpensesBill', expense, { includingTaxAmount: '88888' }),
  brought(
    ...(['rmaPriceBill', {}] as const),
    [
      ...['Settlement company', 'Supplier name', 'Repair project', 'Warranty', 'Model family', 'Repair type'],
      ...['Currency', 'Unit price incl. tax', 'Tax rate', 'Effective from', 'Expires on'],
    ],
    ['C', 'S', '1', '1', 'F', '1', 'CNY', 113, 13, '2026-01-01', '2026-12-31'],
  ),
  brought('rmaLogisticsCostsBill', { recPeriod: '2026-06' }, ['Outbound waybill', 'Amount'], ['OWN-1', 5]),
  settled,
  charged,
];

/** Where a bill says who handed something in last; every bill says who made it and who changed it last. */
const handedIn = ['resubmitBy', 'uploadInvoiceBy', 'uploadCertificateBy'];
/** Somebody else's hand goes over the bill, and over each line of it that names one. */
async function goOver(module: ReviewedModule, id: number): Promise<void> {
  const { table, fields, number } = definitionOf(module);
  const names = ['createBy', 'updateBy', ...handedIn.filter((it) => Object.hasOwn(fields, it))];
  const sets = names.map((it) => sql`${sql.ref(it)} = 'office'`);
  const { rows } = await sql<{ no: string }>`
    UPDATE ${sql.table(table)} SET ${sql.join(sets)} WHERE id = ${id} RETURNING ${sql.ref(number?.field ?? '')} AS no`.execute(
    testApp.db,
  );
  const confirmed = testApp.db.updateTable('rma_repair_fee_bill_line').set({ priceConfirmBy: 'office' });
  if (module === 'rmaRepairFeeBill') await confirmed.where('rfbId', '=', String(rows[0]?.no)).execute();
}
const stands = (module: ReviewedModule, id: number, billStatus: string) =>
  sql`UPDATE ${sql.table(definitionOf(module).table)} SET "billStatus" = ${billStatus} WHERE id = ${id}`.execute(
    testApp.db,
  );
const stepsOf = (module: ReviewedModule) => reviewSteps.filter((it) => it.module === module);
const placeOf = async (queue: string, id: number) =>
  (await ask<DataOf<typeof queuePlace>>('GET', '/api/workQueue/place.json', { name: queue, id })).position;

describe('whoever changed what is decided does not judge it', () => {
  it('each button of the bills that are reviewed is known to change them, to judge them or to do neither', () => {
    const neither = ['delete', 'detail', 'export', 'exportDirectOne', 'bulk', 'makeWorkbook'];
    const known = [...changes, ...decided].map((it) => `${it.module}:${it.button}`);
    const unknown = reviewedModules.flatMap((module) =>
      (definitionOf(module).buttons ?? [])
        .filter(
          ({ btnNo }) => !neither.includes(btnNo) && !reviewActions.some((it) => it === btnNo) && btnNo !== 'correct',
        )
        .map(({ btnNo }) => `${module}:${btnNo}`)
        .filter((it) => !known.includes(it)),
    );
    expect(unknown).toEqual([]);
  });

  it('of each kind of bill its maker, who changes its lines and who brings its papers', () => {
    const of = (module: ReviewedModule) =>
      [...new Set(changes.filter((it) => it.module === module).map((it) => it.button))].toSorted();
    expect(Object.fromEntries(reviewedModules.map((it) => [it, of(it)]))).toEqual({
      rmaPriceBill: ['create', 'modify', 'upload'],
      rmaMiscellaneousExpensesBill: ['create', 'modify'],
      rmaRepairFeeBill: ['confirmPrices', 'expense', 'generateMonthly', 'resubmit', 'uploadInvoice'],
      rmaLogisticsCostsBill: ['upload', 'uploadCertificate'],
      rmaCorrectionBill: ['correct', 'resubmit'],
    });
    // The generic calls change no line and no bill besides those that are entered.
    const written = [...testApp.model.definitions.values()]
      .filter((it) => allowedRows(it, { script: 'create' }) ?? allowedRows(it, { script: 'modify' }))
      .filter(({ module, site }) =>
        reviewedModules.some(
          (it) => it === module || (typeof site === 'object' && 'through' in site && site.through === it),
        ),
      );
    expect(written.map((it) => it.module).toSorted()).toEqual(['rmaMiscellaneousExpensesBill', 'rmaPriceBill']);
  });

  it.each(changes.map((it, i) => [`${it.module}:${it.button} (${i})`, it] as const))(
    'by %s, whatever somebody else changed since',
    async (_, { module, run }) => {
      const id = await run();
      await goOver(module, id);
      for (const { action, from } of stepsOf(module)) {
        await stands(module, id, from);
        const path = `/api/${module}/${action}.json`;
        const refused = await testApp.ask('POST', path, { id, result: '2' }, { as: 'admin' });
        expect(refused, `${action}: ${refused.msg}`).toMatchObject({
          ...{ code: '100043', data: { problems: [{ key: 'ownChange' }] } },
          msg: expect.stringMatching(
            /You changed this bill, its lines or its papers on \d{4}-\d\d-\d\d \d\d:\d\d/,
          ) as string,
        });
        const many = { action, ids: [id], values: { result: '2' }, dryRun: true };
        const { results } = await ask<BulkAnswer>('POST', `/api/${module}/bulk.json`, many);
        expect(results).toMatchObject([{ done: false, key: 'ownChange' }]);
        expect(await placeOf(`${module}:${action}`, id), 'in their queue').toBe(null);
        expect((await testApp.send(reviewWords(module), { id }, { as: 'admin' })).data.changedAt).toBeGreaterThan(0);
        const { data } = await testApp.send(reviewWords(module), { id }, { as: 'finance' });
        expect(data.changedAt, 'of somebody who did not').toBe(null);
      }
    },
  );

  it.each(decided.filter(isJudgement).map((it, i) => [`${it.module}:${it.button} (${i})`, it] as const))(
    'which %s is not',
    async (_, { module, run }) => {
      const id = await run();
      await goOver(module, id);
      for (const { action, from } of stepsOf(module)) {
        await stands(module, id, from);
        expect(await placeOf(`${module}:${action}`, id)).not.toBe(null);
        await ask('POST', `/api/${module}/${action}.json`, { id, result: '1', remark: 'no papers' });
        await sql`UPDATE ${sql.table(definitionOf(module).table)} SET "updateBy" = 'office' WHERE id = ${id}`.execute(
          testApp.db,
        );
        await stands(module, id, from);
        expect(
          (await ask<{ billStatus: string }>('POST', `/api/${module}/${action}.json`, { id, result: '2' })).billStatus,
        ).not.toBe(from);
      }
    },
  );
});
