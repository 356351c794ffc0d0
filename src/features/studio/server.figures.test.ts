import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { readJob } from '#domain/jobs.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import {
  checkDraft,
  publishDraft,
  readDraft,
  readModule,
  readPublish,
  readPublishing,
  saveChange,
  takeBack,
} from './contract.ts';
import { copyOf } from './rules.module.ts';

/** An author who may see few rows, or none, of what he changes: nothing that is found tells him how many there are, or which. */
let testApp: TestApp;
const admin = { as: 'admin' };
const author = { as: 'planner' };
const words = (en: string) => ({ zh: en, en });
const text = { type: 'String', label: words('Text'), maxLength: 4000 } as const;
const mine = copyOf(null, { module: 'figureOwn', label: words('Own'), table: 'figure_own' }, false);
/** Its rows are of several sites, and the author sees those of one. */
const shared = copyOf(null, { module: 'figureShared', label: words('Shared'), table: 'figure_shared' }, true);
const rows = 'figureShared';
const leads = { module: 'ubsCountry', value: 'countryId', label: 'name' };

beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
  const fields = { ...shared.fields, figureCode: text, figureLong: text, figureKey: text };
  await publish([rows, { definition: { ...shared, fields } }]);
  await sql`INSERT INTO figure_shared (name, "siteId") VALUES ('a', 'SZ'), ('b', 'NB'), ('c', 'US')`.execute(
    testApp.db,
  );
  const noise = sql`(SELECT string_agg(md5(n::text || id), '') FROM generate_series(1, 120) AS n)`;
  await sql`UPDATE figure_shared SET "figureCode" = 'secret ' || id, "figureLong" = ${noise}, "figureKey" = 'same value'`.execute(
    testApp.db,
  );
});
afterAll(() => testApp.close());
beforeEach(() => give());

async function give(...more: string[]): Promise<void> {
  await seeAll('0');
  await testApp.db.deleteFrom('role_right').where('roleId', '=', 'planner').execute();
  const rights = ['sysModule:*', 'sysDraft:*', 'sysPublish:*', 'ubsCountry:list', `${rows}:list`, ...more];
  await testApp.db
    .insertInto('role_right')
    .values(rights.map((right) => ({ roleId: 'planner', right })))
    .execute();
}
const seeAll = (allSites = '1') =>
  testApp.db.updateTable('admin_user').set({ allSites }).where('userId', '=', 'planner').execute();
type Parts = [module: string, change: DefinitionChange][];
async function open(asking: { as: string }, parts: Parts): Promise<number> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Test' }, asking);
  for (const [module, change] of parts)
    await testApp.send(saveChange, { draftId: data.id, module, version: 0, change: { ...change } }, asking);
  return data.id;
}
async function publish(...parts: Parts): Promise<number> {
  const answer = await publishAsItIs(testApp, await open(admin, parts), 'as agreed', admin);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data.id;
}
const publishAndTakeBack = (id: number) =>
  publishAndWait(testApp, takeBack, { id, since: false, note: 'by mistake' }, admin);
const check = async (id: number, asking: { as: string }) => (await testApp.send(checkDraft, { id }, asking)).data;
const rowCount = async () =>
  (await sql<{ n: number }>`SELECT count(*)::int AS n FROM figure_shared`.execute(testApp.db)).rows[0]?.n;

const drafts: [what: string, change: DefinitionChange, told: string, untold: string][] = [
  ['would refer to nothing', { fields: { figureCode: { ref: leads } } }, 'danglingRows', 'refBlind figureCode'],
  ['are too long for an index', { indexes: [['figureLong']] }, 'valuesTooLong', 'valueTooLong Text'],
  ['share a value', { fields: { figureKey: { unique: true } } }, 'rowsShare', 'keyBlind figureKey'],
];

describe('rows that', () => {
  it.each(drafts)('%s are counted and named to who may see all of them alone', async (_, change, told, untold) => {
    const id = await open(author, [[rows, change]]);
    const n = told === 'rowsShare' ? 1 : await rowCount();
    const known = (await check(id, admin)).problems;
    expect(known).toMatchObject([{ rule: told, count: n }]);
    const unknown = (await check(id, author)).problems;
    expect(unknown.map((it) => [`${it.rule} ${it.name}`, it.count])).toEqual([[untold, undefined]]);
    await seeAll();
    expect((await check(id, author)).problems).toEqual(known);
  });

  it('would refer to nothing as what they named went meanwhile are told of what comes again to who may see all of them alone', async () => {
    const target = copyOf(null, { module: 'figureCode', label: words('Codes'), table: 'figure_code' }, false);
    const fields = { ...target.fields, code: { ...text, unique: true } };
    const codes = await publish(['figureCode', { definition: { ...target, fields, list: { columns: ['code'] } } }]);
    const by = { ...text, ref: { module: 'figureCode', value: 'code', label: 'code' } };
    const referring = await publish([rows, { fields: { figureBy: by } }]);
    await sql`INSERT INTO figure_code (name, code) VALUES ('x', 'hidden')`.execute(testApp.db);
    await sql`UPDATE figure_shared SET "figureBy" = 'hidden' WHERE "siteId" = 'NB'`.execute(testApp.db);
    const loose = await open(admin, [['figureCode', { fields: { code: { unique: null } } }]]);
    const kinds = (await check(loose, admin)).problems.map((it) => it.kind);
    expect(kinds, 'what others refer by stays unique: nobody learns of them as it becomes so').toEqual([
      'LooseReference',
    ]);

    const gone = (await publishAndTakeBack(referring)).data.id;
    await give('figureCode:*');
    const backBy = async (asking: { as: string }) => {
      const input = { id: gone, since: false, note: 'after all' };
      const { id, found = [] } = (await publishAndWait(testApp, takeBack, input, asking)).data;
      return { isDone: Number.isInteger(id), said: found.map((it) => `${it.rule} ${it.name}`) };
    };
    const untold = { isDone: false, said: ['refBlind figureBy'] };
    expect(await backBy(author)).toEqual(untold);
    await sql`DELETE FROM figure_code`.execute(testApp.db);
    expect(await backBy(author)).toEqual(untold);
    await seeAll();
    expect(await backBy(author)).toEqual({ isDone: false, said: ['danglingRowsUnseen figureBy'] });
    await sql`UPDATE figure_shared SET "figureBy" = NULL`.execute(testApp.db);
    expect(await backBy(author)).toEqual({ isDone: true, said: [] });
    await publishAndTakeBack(referring);
    await publishAndTakeBack(codes);
  });

  it('would refer to nothing are told by no publish and no job, whoever asks for it', async () => {
    const id = await open(admin, [[rows, { fields: { figureCode: { ref: leads } } }]]);
    const { version } = (await testApp.send(readDraft, { id }, admin)).data;
    await testApp.send(publishDraft, { id, version, note: 'as agreed' }, admin);
    for (const asking of [author, admin]) {
      const last = await vi.waitUntil(async () => {
        const job = (await testApp.send(readPublishing, { id }, asking)).data.last;
        return job?.state === 'failed' && job;
      });
      const { found, msg } = last;
      expect(found.map((it) => [`${it.rule} ${it.name}`, it.count])).toEqual([
        ['danglingRowsUnseen figureCode', undefined],
      ]);
      expect(msg).toContain('“figureCode”');
      expect(JSON.stringify(last)).not.toMatch(/"count"|id \d/);
    }
  });

  it('would refer to nothing are told by no job of an earlier version, whose words had figures', async () => {
    const id = await open(admin, [[rows, { fields: { figureCode: { ref: leads } } }]]);
    const { version } = (await testApp.send(readDraft, { id }, admin)).data;
    await testApp.send(publishDraft, { id, version, note: 'as agreed' }, admin);
    const read = async () => (await testApp.send(readPublishing, { id }, author)).data.last;
    const now = await vi.waitUntil(async () => {
      const job = await read();
      return job?.state === 'failed' && job;
    });
    const [problem] = now.found;
    const told = { ...problem, rule: 'danglingRows', name: 'id 1', count: 3 };
    const first = '3 rows refer to what is not there, first of all id 1.';
    const args = { count: 1, first: { zh: first, en: first } };
    const keep = async (found: unknown[]) => {
      const kept = [JSON.stringify({ found, leftOut: found }), JSON.stringify([{ key: 'badDefinitions', args }])];
      await sql`UPDATE job SET result = ${kept[0]}::jsonb, problem = ${kept[1]}::jsonb WHERE id = ${now.jobId}`.execute(
        testApp.db,
      );
    };
    await keep([told]);
    expect(await read()).toEqual({ ...now, leftOut: [expect.objectContaining(problem as object)] });
    const job = (await testApp.send(readJob, { id: now.jobId }, admin)).data;
    expect([job.msg, job.result]).toEqual([now.msg, { found: [problem], leftOut: [problem] }]);
    // Before that they were sentences.
    await keep([first]);
    expect(await read()).toMatchObject({ found: [], leftOut: [], msg: expect.not.stringContaining('id 1') as string });
  });

  it('lack what every row should have are told by no publish', async () => {
    await sql`ALTER TABLE ubs_shipment ALTER COLUMN name DROP NOT NULL`.execute(testApp.db);
    await sql`INSERT INTO ubs_shipment ("shipId") VALUES ('FIGURES')`.execute(testApp.db);
    const id = await open(author, [['figureOwn', { definition: mine, rights: { planner: ['list'] } }]]);
    const done = await publishAsItIs(testApp, id, 'as agreed', author);
    await sql`DELETE FROM ubs_shipment WHERE "shipId" = 'FIGURES'`.execute(testApp.db);
    const { label, fields } = testApp.model.definitions.get('ubsShipment') as Definition;
    const name = fields['name'] as Field;
    expect(done.data.leftOut).toEqual([
      {
        ...{ kind: 'NotApplied', rule: 'rowsEmptyUnseen', module: 'ubsShipment', path: 'fields.name', name: 'name' },
        place: { zh: `${label.zh} · ${name.label.zh}`, en: `${label.en} · ${name.label.en}` },
      },
    ]);
    const { last } = (await testApp.send(readPublishing, { id }, author)).data;
    expect(last?.leftOut).toEqual(done.data.leftOut);
  });

  it('are in a table are counted to who may see all of them alone', async () => {
    const id = await open(author, [[rows, { fields: { figureMore: text } }]]);
    const rowsOf = async (asking: { as: string }) => (await check(id, asking)).statements.map((it) => it.rows);
    const readBy = async (asking: { as: string }) =>
      (await testApp.send(readModule, { module: rows }, asking)).data.rowCount;
    expect(await rowsOf(admin)).toContainEqual(expect.any(Number));
    expect(new Set(await rowsOf(author))).toEqual(new Set([null]));
    expect([await readBy(admin), await readBy(author)]).toEqual([expect.any(Number), null]);
    await seeAll();
    // PostgreSQL counts when it gets to it, which may be between two looks.
    await vi.waitFor(async () => expect(await rowsOf(author)).toEqual(await rowsOf(admin)));
    await vi.waitFor(async () => expect(await readBy(author)).toEqual(await readBy(admin)));
  });

  it('are in a table are counted by no list of modules, by its order or by its export', async () => {
    const list = async (query: object) =>
      testApp.ask<{ items: object[] }>('GET', '/api/sysModule/pager.json', { pageCount: 5, ...query }, author);
    expect((await list({})).data.items[0]).toEqual(
      expect.not.objectContaining({ rowCount: expect.anything() as unknown }),
    );
    expect((await list({ sortBy: 'rowCount', order: 'desc' })).code).not.toBe('000000');
    const exported = await testApp.ask('GET', '/api/sysModule/export.json', { columns: 'rowCount' }, author);
    expect(exported.code).not.toBe('000000');
  });

  it('are still there under a former name are counted to who may see all of them alone', async () => {
    const definition: Definition = copyOf(
      null,
      { module: 'figurePay', label: words('Pay'), table: 'figure_pay' },
      true,
    );
    const made = await publish(['figurePay', { definition }]);
    await sql`INSERT INTO figure_pay (name, "siteId") VALUES ('a', 'SZ'), ('b', 'NB'), ('c', 'US')`.execute(testApp.db);
    await publishAndTakeBack(made);
    const told = async (asking: { as: string }) => {
      const { problems, contents } = await check(id, asking);
      return [problems.map((it) => [it.rule, it.count]), contents.map((it) => [it.count, it.may.join()])];
    };
    const id = await open(author, [['figurePay', { definition }]]);
    expect(await told(admin)).toEqual([[['tableHolds', 3]], [[3, 'keep,empty']]]);
    const [problems, contents] = await told(author);
    expect(problems).toContainEqual(['contentsUnseen', undefined]);
    expect(contents).toEqual([[undefined, '']]);
    await give('figurePay:list');
    const [more, kept] = await told(author);
    expect(more).toContainEqual(['tableHoldsSome', undefined]);
    expect(kept).toEqual([[undefined, 'keep']]);
  });

  it.each(drafts)(
    'are kept of a new field and %s are counted to who may see all of them alone',
    async (what, change, told) => {
      const field = ['figureRef', 'figureWide', 'figureSame'][drafts.findIndex(([it]) => it === what)] as string;
      const made = await publish([rows, { fields: { [field]: text } }]);
      const noise = sql`(SELECT string_agg(md5(n::text || id), '') FROM generate_series(1, 120) AS n)`;
      const values = { figureRef: sql`'secret ' || id`, figureWide: noise, figureSame: sql`'same value'` };
      await sql`UPDATE figure_shared SET ${sql.ref(field)} = ${values[field as keyof typeof values]}`.execute(
        testApp.db,
      );
      await publishAndTakeBack(made);
      const [, more] = Object.entries(change.fields ?? {})[0] ?? [];
      const kept: DefinitionChange = {
        fields: { [field]: { ...text, ...more } },
        ...(change.indexes && { indexes: [[field]] }),
        contents: { fields: { [field]: 'keep' } },
      };
      const id = await open(author, [[rows, kept]]);
      const { problems } = await check(id, admin);
      expect(problems).toMatchObject([{ rule: told, count: told === 'rowsShare' ? 1 : await rowCount() }]);
      expect((await check(id, author)).problems.every((it) => it.count === undefined)).toBe(true);
      await seeAll();
      expect((await check(id, author)).problems).toEqual(problems);
    },
  );

  it('hold a password are never counted by what stands in it', async () => {
    await give('adminUser:list');
    const strict = await open(author, [['adminUser', { fields: { password: { maxLength: 5 } } }]]);
    const masked = { mask: 'xxxx', example: 'xxxx' };
    const looks = await open(author, [['adminUser', { fields: { password: { pattern: masked } } }]]);
    for (const id of [strict, looks]) expect((await check(id, author)).broken).toEqual([]);
  });
});

it('what somebody else’s view searches for is found by no field of that name', async () => {
  const state = JSON.stringify({ filter: [{ name: 'figureCode', value: 'bitfarm' }] });
  await testApp.db.insertInto('list_view').values({ module: rows, name: 'Mine', userId: 'admin', state }).execute();
  const id = await open(author, [[rows, { fields: { bitfarm: text, figureCode: { label: words('Code') } } }]]);
  const views = (await check(id, author)).uses.filter((it) => it.kind === 'othersView');
  expect(views.map((it) => it.field)).toEqual(['figureCode']);
});

it('what keeps a publish from a start is told with its rows to who may see all of them alone', async () => {
  const id = await publish([rows, { label: words('Plants') }]);
  const what = 'figureShared.figureCode refers to no ubsCountry in 3 row(s), the first with id 1';
  const rest = { kind: 'LosesData', rule: 'danglingRows', where: rows, path: 'fields.figureCode.ref' };
  const trouble = JSON.stringify([{ ...rest, what, name: 'id 1', count: 3 }]);
  await sql`UPDATE definition_publish SET trouble = ${trouble}::jsonb WHERE id = ${id}`.execute(testApp.db);
  const told = async (asking: { as: string }) => {
    const { data } = await testApp.send(readPublish, { id }, asking);
    return data.trouble.map((it) => [it.rule, it.name, it.count]);
  };
  expect(await told(admin)).toEqual([['danglingRows', 'id 1', 3]]);
  expect(await told(author)).toEqual([['danglingRowsUnseen', 'figureCode', undefined]]);
});
