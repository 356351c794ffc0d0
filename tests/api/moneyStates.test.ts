import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '#domain/day.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { reviewedModules, reviewSteps, type ReviewedModule } from '#domain/review.ts';
import { mayDo, rightsOfSeed } from '#domain/rights.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { jpeg } from '#tests/support/pictures.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

/**
 * Every status of every money bill, every role, every deed: done where status and role allow it, else refused by name and
 * nothing written. Statuses, roles and rights are those of the definitions; where each deed leads is said once, here.
 */

/** In which statuses a deed is possible, and the status after it; nothing after a deletion. Rule: money#reviews. */
type Ways = Readonly<Record<string, string | null>>;
const ways: Readonly<Record<ReviewedModule, Readonly<Record<string, Ways>>>> = {
  rmaPriceBill: {
    modify: { 0: '0', 1: '0' },
    delete: { 0: null, 1: null },
    'financialReview 2': { 0: '2' },
    'financialReview 1': { 0: '1' },
    void: { 2: '3' },
  },
  rmaRepairFeeBill: {
    'afterSalesReview 2': { 0: '3' },
    'afterSalesReview 1': { 0: '1' },
    confirmPrices: { 0: '0', 3: '3' },
    resubmit: { 1: '0' },
    delete: { 1: null },
    'financialReview 2': { 3: '4' },
    'financialReview 1': { 3: '0' },
    uploadInvoice: { 4: '5' },
    'financialAudit 2': { 5: '6' },
    'financialAudit 1': { 5: '4' },
  },
  rmaLogisticsCostsBill: {
    uploadCertificate: { 0: '1', 3: '1' },
    'financialAudit 2': { 1: '2' },
    'financialAudit 1': { 1: '3' },
    return: { 1: '0', 2: '0' },
    delete: { 0: null },
  },
  rmaMiscellaneousExpensesBill: {
    modify: { 0: '0', 1: '0' },
    delete: { 0: null, 1: null },
    'audit 2': { 0: '2' },
    'audit 1': { 0: '1' },
  },
  rmaCorrectionBill: {
    'financialReview 2': { 0: '2' },
    'financialReview 1': { 0: '1' },
    resubmit: { 1: '0' },
    delete: { 1: null },
    'financialAudit 2': { 2: '3' },
    'financialAudit 1': { 2: '0' },
  },
};
/** Buttons that begin a bill, read one, or take it elsewhere: they change none that is there. */
const changesNone = ['create', 'correct', 'upload', 'generateMonthly', 'detail', 'export', 'exportDirectOne'];

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const accounts = testApp.model.roles.map(({ roleId, allSites }) => ({
    ...{ userId: `as-${roleId}`, userName: roleId, roleIds: roleId, siteId: 'SZ', status: '1' },
    allSites: allSites ? '1' : '0',
  }));
  await testApp.db.insertInto('admin_user').values(accounts).execute();
  for (const it of accounts) await testApp.openToken(it.userId);
});
afterAll(() => testApp.close());

const definitionOf = (module: ReviewedModule) => testApp.model.definitions.get(module) as Definition;
const statusesOf = (module: ReviewedModule) => {
  const list = definitionOf(module).fields['billStatus']?.options as string;
  return testApp.model.options[list]?.map((it) => it.value) ?? [];
};

const stateIn = (module: ReviewedModule, status: string) =>
  testApp.model.options[definitionOf(module).fields['billStatus']?.options as string]?.find((it) => it.value === status)
    ?.label.en;

let made = 0;
/** A bill in this status that nobody of the test has made or judged, as new as it is. */
async function billOf(
  module: ReviewedModule,
  billStatus: string,
  deed: string,
): Promise<Record<string, unknown> & { id: number }> {
  const { db, model, config } = testApp;
  const definition = definitionOf(module);
  const no = `T${String(++made).padStart(5, '0')}`;
  const own = {
    ...{ [definition.number?.field as string]: no, billStatus, siteId: 'SZ', createBy: 'somebody' },
    ...('recPeriod' in definition.fields && { recPeriod: dayOf(Date.now(), config.timeZone).slice(0, 7) }),
    ...(module === 'rmaPriceBill' && {
      supplierName: no,
      repairProject: '1',
      repairType: '1',
      unitPriceWithTax: '1',
      taxRate: '13',
    }),
    ...(module === 'rmaRepairFeeBill' && { recPeriod: `${1000 + made}-01`, currency: 'CNY' }),
  };
  const settled = module === 'rmaCorrectionBill' ? await settledBill() : undefined;
  const row = {
    ...alwaysOf(definition, model.definitions),
    ...own,
    ...(settled && { rfbId: settled.rfbId, currency: 'CNY' }),
  };
  const { id } = (await insertRow(db, definition, row, model.definitions)) as { id: number };
  if (module === 'rmaRepairFeeBill') {
    const line = { rfbId: no, priceReason: '6', remark: no, isPriced: '1', currency: 'CNY', includingTaxAmount: '1' };
    const values = { ...line, priceChanged: deed === 'confirmPrices' ? '1' : '0' };
    const lines = db.insertInto('rma_repair_fee_bill_line').values(values).returning('id');
    return { ...row, id: Number(id), lineId: Number((await lines.executeTakeFirstOrThrow()).id) };
  }
  return { ...row, id: Number(id), ...(settled && { lineId: settled.lineId }) };
}

/** A settled repair-fee bill of one line. */
async function settledBill(): Promise<{ rfbId: string; lineId: number }> {
  const { db } = testApp;
  const rfbId = `S${String(made).padStart(5, '0')}`;
  const own = { rfbId, billStatus: '6', siteId: 'SZ', currency: 'CNY', recPeriod: `${1000 + made}-02` };
  await db.insertInto('rma_repair_fee_bill').values(own).execute();
  const line = { rfbId, priceReason: '6', isPriced: '1', currency: 'CNY', includingTaxAmount: '1' };
  const { id } = await db.insertInto('rma_repair_fee_bill_line').values(line).returning('id').executeTakeFirstOrThrow();
  return { rfbId, lineId: Number(id) };
}

/** One role, one deed, one bill in one status. */
interface Try {
  deed: string;
  way: Ways;
  status: string;
  may: boolean;
  what: string;
  url: string;
  bill: { id: number };
}

/** A paper of this user. */
async function paper(as: string): Promise<string> {
  const boundary = 'reflowtestboundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const reply = await testApp.app.inject({
    method: 'POST',
    url: '/api/RmaAppendix/upload.json',
    headers: { token: await testApp.openToken(as), 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), await jpeg(), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return reply.json<{ data: { url: string } }>().data.url;
}

/** Does it: by the call of the button, as its page sends it. */
async function act(
  module: ReviewedModule,
  deed: string,
  bill: { id: number; lineId?: number },
  as: string,
  url: string,
) {
  const [btnNo = '', result] = deed.split(' ');
  const { id } = bill;
  const call = { modify: 'modifyById', delete: 'deleteById' }[btnNo] ?? btnNo;
  const price = { effectiveDate: Date.UTC(2026, 0, 1), expirationDate: Date.UTC(2026, 11, 31) };
  const body: Record<string, object> = {
    modify: { ...formOf(module, bill), ...(module === 'rmaPriceBill' && price), id, version: 1 },
    resubmit:
      module === 'rmaCorrectionBill'
        ? { id, lines: [{ lineId: bill.lineId, amount: '-0.5', reason: 'as asked' }] }
        : { id, corrected: [], removed: [], remark: 'as asked' },
    confirmPrices: { id, lines: [{ lineId: bill.lineId, reason: 'agreed', beside: null }] },
    uploadInvoice: { id: String(id), invoiceUrls: url },
    uploadCertificate: { id: String(id), certificateUrls: url },
    ...(result && { [btnNo]: { id, result, remark: 'because' } }),
  };
  return testApp.ask('POST', `/api/${module}/${call}.json`, body[btnNo] ?? { id }, { as });
}
const formOf = (module: ReviewedModule, bill: Record<string, unknown>) =>
  Object.fromEntries(
    (definitionOf(module).form ?? [])
      .flat()
      .map((it) => [it, bill[it]])
      .filter(([, it]) => it != null),
  );

describe.each(reviewedModules)('%s', (module) => {
  const deeds = Object.entries(ways[module]);

  it('offers each deed in the statuses in which it can be done, and has no button beside them', () => {
    for (const { btnNo, when } of definitionOf(module).buttons ?? []) {
      if (changesNone.includes(btnNo)) continue;
      const own = deeds.filter(([deed]) => deed.split(' ')[0] === btnNo).flatMap(([, way]) => Object.keys(way));
      expect([...new Set(own)].toSorted(), btnNo).toEqual([when?.['billStatus'] ?? []].flat().toSorted());
    }
    for (const [deed, way] of deeds) {
      const step = reviewSteps.find((it) => it.module === module && it.action === deed.split(' ')[0]);
      if (step) expect(way, deed).toEqual({ [step.from]: deed.endsWith('2') ? step.passed : step.notPassed });
    }
  });

  it('lets each role do in each status what both allow, and refuses by name whatever else', async () => {
    const seen = { done: 0, noRight: 0, stale: 0 };
    for (const role of testApp.model.roles) {
      const rights = new Set(rightsOfSeed(role));
      const as = `as-${role.roleId}`;
      const tries: Try[] = [];
      for (const [deed, way] of deeds)
        for (const status of statusesOf(module)) {
          const may = mayDo(rights, `${module}:${deed.split(' ')[0]}`);
          const url = may && deed.startsWith('upload') ? await paper(as) : '';
          const what = `${role.roleId}: ${deed} in status ${status}`;
          tries.push({ deed, way, status, may, what, url, bill: await billOf(module, status, deed) });
        }
      const isDone = (it: Try) => it.may && it.status in it.way;
      const before = await takeSnapshot(testApp.db);
      for (const { deed, status, may, what, url, bill } of tries.filter((it) => !isDone(it))) {
        const answer = await act(module, deed, bill, as, url);
        expect([answer.status, answer.code], `${what}: ${answer.msg}`).toEqual(may ? [200, '100025'] : [403, '100013']);
        if (may) expect(answer.msg, what).toContain(`is "${stateIn(module, status)}"; this is done only while`);
        seen[may ? 'stale' : 'noRight'] += 1;
      }
      expect(await takeSnapshot(testApp.db), `${role.roleId}: nothing was written`).toEqual(before);
      for (const { deed, way, status, what, url, bill } of tries.filter(isDone)) {
        const answer = await act(module, deed, bill, as, url);
        expect(answer.code, `${what}: ${answer.msg}`).toBe('000000');
        expect(await statusNow(module, bill.id), what).toBe(way[status]);
        seen.done += 1;
        // A user may have only so many workbooks waiting.
        await testApp.db.deleteFrom('job').execute();
      }
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(10);
  });
});

async function statusNow(module: ReviewedModule, id: number): Promise<string | null> {
  const table = sql.table(definitionOf(module).table);
  const { rows } = await sql<{ billStatus: string }>`SELECT "billStatus" FROM ${table} WHERE id = ${id}`.execute(
    testApp.db,
  );
  return rows[0]?.billStatus ?? null;
}
