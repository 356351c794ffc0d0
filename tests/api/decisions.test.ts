import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewPaths, reviewStep } from '#domain/review.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { decideAtRandom, deciders, offerDeleteAll } from '#tests/support/decisions.ts';
import { features } from '#tests/support/features.ts';
import { decidingPaths } from '#tests/support/seen.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  offerDeleteAll(testApp);
  await addDoer(testApp);
});
afterAll(() => testApp.close());

/** Somebody with all rights but to see a list. */
async function addDoer({ db, model }: TestApp): Promise<void> {
  const role = { roleId: 'doer', name: '经办', nameEn: 'Doer', allSites: '1' };
  await db.insertInto('admin_role').values(role).execute();
  const user = { userId: 'doer', userName: 'doer', roleIds: 'doer', siteId: 'SZ', allSites: '1', status: '1' };
  await db.insertInto('admin_user').values(user).execute();
  const buttons = [...model.definitions.values()].flatMap((it) =>
    (it.buttons ?? []).map(({ btnNo }) => `${it.module}:${btnNo}`),
  );
  const rights = [...new Set(buttons)].map((right) => ({ roleId: 'doer', right }));
  await db.insertInto('role_right').values(rights).execute();
}

/**
 * The calls that write and decide about nothing that somebody was shown: they make something, do a step on what is in the
 * hand or was scanned, or say themselves which lines they are for. Rule: writing#what-was-seen.
 */
const decideNothing = [
  ...['create', 'signFor', 'accept', 'receive', 'deleteReceived', 'finishReceive', 'createNonOfficial', 'check'],
  ...['repair', 'assemble', 'submitBurninBill', 'submitExamineBill', 'submitStoreBill', 'storeStart', 'activate'],
  ...['submitDeliverBill', 'rebindSn', 'initiate', 'deliverAccept', 'receiverAccept', 'combineRepair'],
  ...['outsourcingAccept', 'onSiteRepair', 'finishOnSiteRepair', 'defectiveProductRepair', 'testAndStore'],
  ...['createUnhandledPackageBill', 'exchangeReceive', 'deleteById'],
  // Changes that name their rows or SNs and the new values, each judged by the state that it finds.
  ...['updateSiteId', 'replaceSaleCode', 'moveBill', 'buyOut', 'terminate', 'rollbackToPreliminaryTest', 'editDeliver'],
  ...['modifyIvyId', 'supplementCheckPicture', 'editInSiteStatus', 'rightModify'],
  ...['rollbackById', 'changeSn', 'generateSn', 'printBarcode', 'reprintBarCode', 'printLabels', 'reprintLabels'],
  // Goes by the versions of its dry run: src/features/wip-actions/server.test.ts.
  'rollbackMany',
  ...[
    'printChangedLabel',
    'syncCode',
    'syncToWeb',
    'syncSn',
    'ingest',
    'generateMonthlyProcessingFeeBill',
    'makeWorkbook',
  ],
];
/** A generic call has no contract of its own. */
const isGeneric = (path: string) => /\/delete(ById|All)\.json$/.test(path);
const nameOf = (path: string) => path.split('/').at(-1)?.replace('.json', '') ?? '';

describe('a decision carries what was seen', () => {
  it('in every call that decides; each other call that writes is known to decide nothing', () => {
    const unknown = features.routes
      .map((it) => it.call)
      .filter(({ writes, path }) => writes && !decidingPaths.has(path))
      // Definitions, accounts, views and jobs are the platform's: what is published goes by the draft as it was seen.
      .filter(({ path }) => /^\/api\/(?:rma|icop|ubs)/.test(path) || path === '/api/printBarcode.json')
      .filter(({ path }) => !decideNothing.includes(nameOf(path)));
    expect(unknown.map((it) => it.path)).toEqual([]);
    const noBill = reviewPaths.filter(({ module, action }) => !reviewStep(module, action));
    const tried = [
      ...deciders.map((it) => it.path).filter((it) => !isGeneric(it)),
      ...noBill.map((it) => `/api/${it.module}/${it.action}.json`),
    ];
    expect([...decidingPaths].toSorted()).toEqual([...new Set(tried)].toSorted());
  });

  it.each(deciders.map((it) => [`${it.method} ${it.path}`, it] as const))(
    '%s is refused without a version',
    async (_, { method, path, as, make }) => {
      const { input } = await make(testApp.db);
      const answer = await testApp.ask(method, path, { ...input, version: undefined }, { as });
      expect(answer.code, answer.msg).toBe('100001');
    },
  );

  it('is taken for what was on the screen alone, whatever others do between opening and deciding', async () => {
    const tally = await decideAtRandom(testApp, { rounds: deciders.length * 5, seed: 38 });
    expect([tally.unseen, tally.wrong]).toEqual([[], []]);
    expect(tally.decided).toBeGreaterThan(30);
    expect(tally.refused).toBeGreaterThan(30);
  });

  it('is refused with the row as it stands to whoever may list it, and without to whoever has all rights but that', async () => {
    const { db, model } = testApp;
    const told: Record<string, boolean[]> = {};
    const ask = async (method: 'GET' | 'POST', path: string, input: object) => {
      const isTold: boolean[] = (told[path] = []);
      for (const as of ['admin', 'doer']) {
        const { code, data } = await testApp.ask(method, path, input, { as });
        expect([as, path, code]).toEqual([as, path, '100025']);
        isTold.push(Object.keys(data).some((it) => it !== 'problems'));
      }
    };
    for (const { method, path, make, beside, says = (_: number, version: number) => ({ version }) } of deciders) {
      const { id, input } = await make(db);
      const foreseen = await beside?.told(db, id);
      await ask(method, path, { ...input, ...(beside && { id, foreseen }), ...says(id, 99) });
    }
    for (const { module, table, buttons: offered = [] } of model.definitions.values()) {
      const scripts = offered.map((it) => it.script).filter((it) => ['modify', 'deleteById'].includes(it));
      const row = sql<{ id: string }>`SELECT id FROM ${sql.table(table)} ORDER BY id LIMIT 1`;
      const [found] = scripts.length > 0 ? (await row.execute(db)).rows : [];
      for (const script of found ? new Set(scripts) : [])
        await ask('POST', `/api/${module}/${script === 'modify' ? 'modifyById' : script}.json`, {
          id: found?.id,
          version: 99,
        });
    }
    const isRow = ([path]: [string, boolean[]]) => !path.includes('rmaCheckBill');
    for (const [path, it] of Object.entries(told).filter(isRow)) expect([path, ...it]).toEqual([path, true, false]);
    expect(Object.keys(told).length).toBeGreaterThan(60);
  });

  it('begins with a form that shows no more of a row than its fields to whoever may not list the module', async () => {
    let walked = 0;
    for (const { module, table, form = [], buttons = [] } of testApp.model.definitions.values()) {
      if (!buttons.some((it) => it.script === 'modify')) continue;
      const found = await sql<{ id: string }>`SELECT id FROM ${sql.table(table)} ORDER BY id LIMIT 1`.execute(
        testApp.db,
      );
      const ask = (as: string) =>
        testApp.ask<{ item: object }>('GET', `/api/${module}/toModify.json`, { id: found.rows[0]?.id }, { as });
      const [all, some] = [await ask('admin'), await ask('doer')];
      if (all.code !== '000000') continue;
      walked += 1;
      const beyond = ({ item }: { item: object }) =>
        Object.keys(item).filter((it) => !['id', 'version', ...form.flat()].includes(it)).length;
      expect([module, beyond(all.data) > 0, beyond(some.data)]).toEqual([module, true, 0]);
    }
    expect(walked).toBeGreaterThan(5);
  });

  it('finds a decision that goes by the version of the day instead', async () => {
    const tally = await decideAtRandom(testApp, { rounds: deciders.length, seed: 38, blind: true });
    expect(tally.unseen.length).toBeGreaterThan(5);
  });
});
