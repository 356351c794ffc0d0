import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { Node } from '#domain/nodes.ts';
import { asksForNone } from '#domain/rights.ts';
import { inputSchema } from '#server/input.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine } from '#tests/support/factories.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { createSample } from '#tests/support/hostile.ts';
import { tries } from '#tests/support/tries.ts';

/** Stands in all that another site's rows and other people hold: one byte of it in an answer is a leak. */
const CANARY = 'ZQCANARYQZ';
/** A unit of another site, of which a part is inside; and what only the workshop has. */
const DEVICE = `DEV${CANARY}`;
const PART = `PRT${CANARY}`;

let testApp: TestApp;
let token: string;
let values: unknown[];
beforeAll(async () => {
  testApp = await startTestApp();
  for (const definition of testApp.model.definitions.values()) await addForeignRow(definition);
  await stockMachine(testApp.db, Node.AwaitingTest, { sn: DEVICE, siteId: 'NB', itemName: CANARY });
  await testApp.db
    .insertInto('ubs_assembly')
    .values({
      deviceSn: DEVICE,
      componentSn: PART,
      componentType: 'COIT000000S0',
      qrCodeNum: CANARY,
      bindTime: new Date(),
    })
    .execute();
  await addOthers();
  token = await testApp.openToken('supplier');
  const { rows } = await sql<{ id: number }>`SELECT id FROM job UNION SELECT id FROM list_view`.execute(testApp.db);
  values = [
    ...rows.map((it) => it.id),
    ...[
      DEVICE,
      PART,
      CANARY,
      CANARY.slice(0, 5),
      'DEV',
      'PRT',
      'NB',
      'US',
      'techNB',
      'supplier',
      '%',
      '_',
      '*',
      ' ',
      '0',
      '4',
    ],
    ...[...testApp.model.definitions.values()].flatMap((it) => [it.module, `${it.module}List`]),
    'RX19',
    'BOM-RX19',
    'BTC',
    FILE,
  ];
});
afterAll(() => testApp?.close());

/**
 * What tells only words in which every screen speaks, as its reason says; where it is all that a call answers it may be told.
 */
const vocabulary = ['ubsItem', 'ubsIssueCode', /^ubsEnum/, /^rmaEnum/];
const isVocabulary = ({ module }: Definition) =>
  vocabulary.some((it) => (typeof it === 'string' ? it === module : it.test(module)));

async function addForeignRow(definition: Definition): Promise<void> {
  const { fields, site, rowsOf, viewOf, module } = definition;
  if (rowsOf || viewOf || isVocabulary(definition) || ['sysMenu', 'sysBtn'].includes(module)) return;
  const texts = Object.entries(fields).filter(([, it]) => ['String', 'LongString'].includes(it.type) && !it.ref);
  const row: Record<string, string | number> = {
    ...alwaysOf(definition, testApp.model.definitions),
    ...Object.fromEntries(texts.map(([name, it]) => [name, CANARY.slice(0, it.maxLength)])),
  };
  for (const name of Array.isArray(site) ? site : []) row[name] = 'NB';
  if ('siteId' in fields) row['siteId'] = module === 'ubsSite' ? CANARY : 'NB';
  await insertRow(testApp.db, definition, { ...row, createBy: CANARY }, testApp.model.definitions, 'NB');
}

const FILE = 'c'.repeat(32);

/** What belongs to other people: their accounts, jobs, views, files, errors, scans, the ledger. */
async function addOthers(): Promise<void> {
  const { db } = testApp;
  const person = { userName: CANARY, mobile: CANARY, email: CANARY };
  await db.updateTable('admin_user').set(person).where('userId', '!=', 'supplier').execute();
  await db.updateTable('ubs_site').set({ address: CANARY, contact: CANARY, phone: CANARY }).execute();
  await db.updateTable('ubs_site').set({ siteName: CANARY }).where('siteId', '!=', 'US').execute();
  const [userId, siteId] = ['techNB', 'NB'];
  const job = {
    kind: 'export',
    title: CANARY,
    module: 'rmaInventory',
    userId,
    siteId,
    scope: '{}',
    lang: 'en',
    input: '{}',
  };
  await db
    .insertInto('job')
    .values(
      ['done', 'failed', 'queued'].map((state) => ({
        ...job,
        state: state as 'done',
        fileId: FILE,
        result: JSON.stringify({ file: CANARY }),
      })),
    )
    .execute();
  await db
    .insertInto('file')
    .values({
      id: FILE,
      kind: 'job',
      name: CANARY,
      mime: 'text/plain',
      size: 1,
      siteId,
      createBy: userId,
      owner: userId,
    })
    .execute();
  const view = { name: CANARY, userId, state: JSON.stringify({ filter: [{ name: 'sn', value: CANARY }] }) };
  await db
    .insertInto('list_view')
    .values([
      { ...view, module: 'rmaInventory', roleId: null },
      { ...view, module: 'rmaCheckBill', roleId: 'tech' },
    ])
    .execute();
  await db.insertInto('user_coin').values({ userId, coin: CANARY }).execute();
}

const open = fixedRoutes.map((it) => it.call).filter((it) => asksForNone(it.right));

describe('a call that asks for no right', () => {
  it('says why', () => {
    const open = testApp.app.declaredRights.filter((it) => asksForNone(it.right));
    for (const { method, url, why = '' } of open) {
      expect([method, url, why.split(' ').length > 5, /^[A-Z].*[^.]$/.test(why)]).toEqual([method, url, true, true]);
    }
  });

  it('stands with its reason in the list of them', async () => {
    const byReason = new Map<string, string[]>();
    for (const { method, url, right, why } of testApp.app.declaredRights) {
      if (!asksForNone(right) || method === 'HEAD') continue;
      const reason = `${right === 'public' ? 'Without a session' : 'With a session'}: ${why}.`;
      byReason.set(reason, [...(byReason.get(reason) ?? []), `- \`${method} ${url}\``]);
    }
    const parts = [...byReason].map(([reason, calls]) => `${reason}\n\n${calls.sort().join('\n')}\n`);
    const head =
      '# Calls that ask for no right\n\nEvery other call needs the right of its module. The reasons stand beside the calls; a call without one stops\nthe start. `npx vitest run tests/api/openCalls.test.ts -u` writes this list anew: read what it adds.\n';
    await expect([head, ...parts].join('\n')).toMatchFileSnapshot('../../docs/open-calls.md');
  });
});

describe('a supplier of one site learns nothing of another site or of other people by', () => {
  const reads = open.filter(
    (it) => it.path !== '/rest/session' && it.path !== '/api/logout.json' && it.right === 'signedIn',
  );

  it.each(reads.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', async (_, call) => {
    const schema = inputSchema(call.input, call.method === 'GET');
    const names = Object.keys((schema as { properties?: object }).properties ?? {});
    const named = fc.record(Object.fromEntries(names.map((it) => [it, fc.constantFrom(...values)])), {
      requiredKeys: [],
    });
    let answered = 0;
    const ask = async (input: Record<string, unknown>) => {
      const path = call.path.replace(/:(\w+)/g, (__, name: string) => encodeURIComponent(String(input[name] ?? '1')));
      const isQuery = call.method === 'GET';
      const answer = await testApp.app.inject({
        method: call.method,
        url: path,
        query: {
          lang: 'en',
          ...(isQuery && Object.fromEntries(Object.entries(input).map(([k, it]) => [k, String(it)]))),
        },
        ...(['POST', 'PUT'].includes(call.method) && { payload: input }),
        headers: { token },
      });
      if (answer.statusCode === 200) answered += 1;
      // What was asked may stand in a refusal's sentence, and in what the asker has just kept.
      const echoes = call.writes || answer.json<{ code: string }>().code !== '000000';
      const said = echoes
        ? Object.values(input)
            .map(String)
            .filter((it) => it.length > 3)
        : [];
      const text = said
        .sort((a, b) => b.length - a.length)
        .reduce((at, it) => at.replaceAll(it, '').replaceAll(it.toUpperCase(), ''), answer.body);
      expect(text, `${path} ${JSON.stringify(input)}`).not.toContain(CANARY);
      expect(answer.body.match(/"(id|deviceSn|componentSn|siteId)":"?(NB|DEV|PRT)/), answer.body).toBeNull();
    };
    await fc.assert(
      fc.asyncProperty(named, async (given) => {
        await ask(createSample(schema, given) as Record<string, unknown>);
      }),
      names.length === 0 ? { numRuns: 1 } : tries(60),
    );
    expect(answered).toBeGreaterThan(0);
  });

  it('the file of somebody else', async () => {
    const answer = await testApp.app.inject({ url: `/file/${FILE}`, headers: { token } });
    expect([answer.statusCode, answer.body.includes(CANARY)]).toEqual([404, false]);
  });

  it('a file of their own from a site that is no longer theirs', async () => {
    const own = { kind: 'job', name: CANARY, mime: 'text/plain', size: 0, siteId: 'NB', createBy: 'supplier' };
    const [id, right] = ['d'.repeat(32), ''];
    await testApp.db
      .insertInto('file')
      .values({ ...own, id, right, owner: 'supplier' })
      .execute();
    const read = async () => testApp.app.inject({ url: `/file/${id}`, headers: { token } });
    expect((await read()).statusCode).toBe(404);
  });

  it('while its own site and its own people are told: the questions are real ones', async () => {
    const of = async (as: string, path: string, query: Record<string, string> = {}) =>
      (await testApp.app.inject({ url: path, query, headers: { token: await testApp.openToken(as) } })).body;
    expect(await of('techNB', '/rest/jobs')).toContain(CANARY);
    expect(await of('techNB', '/rest/views', { module: 'rmaInventory' })).toContain(CANARY);
    expect(await of('techNB', '/api/find.json', { text: 'DEVZQ' })).toContain(DEVICE);
    expect(await of('techNB', '/api/ubsSite/pagerList.json')).toContain(CANARY);
    expect(await of('techNB', '/api/ubsAssembly/componentQuery.json', { componentSn: PART })).toContain(DEVICE);
    expect(await of('techNB', '/api/userInfo.json')).toContain(CANARY);
  });
});
