import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUCCESS, type Call } from '#domain/call.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { refusals } from '#domain/refusal.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { readPublished, readPublishes } from '#server/definitions/published.ts';
import { readModel, type PublishedChange } from '#server/definitions/read.ts';
import { relations } from '#server/engine/conditions.ts';
import { checkDraft, saveChange, takeBack } from '#features/studio/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { Readable, textsIn, type Account } from './studioModel.ts';
import { Chance, drawDraft } from './studioSteps.ts';

/**
 * Administrators who may read a third of the lists each change what they like, in good faith and in bad; after each publish,
 * and in the preview of each draft, nobody reads a text that shipped lists don't show him, or that its author had to give.
 * Rule: definitions#reach. `SEED` repeats a walk.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const CHANGES = 40;
const SEED = Number(process.env['SEED'] ?? 777);
const SITES = ['SZ', 'NB', 'US'];

const accounts = (kind: string, count: number): Account[] =>
  Array.from({ length: count }, (_, i) => ({ userId: `walk${kind}${i}`, siteId: SITES[i % SITES.length] as string }));
const readers = accounts('Reader', 3);
const authors = accounts('Author', 5);
const viewers = accounts('Viewer', 6);
const walkers = [...authors, ...viewers];
const admin = { as: 'admin' };

let testApp: TestApp;
let client: pg.Client;
let readable: Readable;
const counts = { changes: 0, published: 0, refused: 0, tookBack: 0, previews: 0, calls: 0, starts: 0 };
/** What was wrong, each once. */
const found = new Set<string>();

beforeAll(async () => {
  testApp = await startTestApp({}, { holdsDemo: true, worksJobs: true });
  client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
  const { db } = testApp;
  for (const { userId, siteId } of [...readers, ...walkers]) {
    const role = { roleId: userId, name: userId, nameEn: userId, allSites: '0' };
    await db.insertInto('admin_role').values(role).execute();
    const user = { userId, userName: userId, roleIds: userId, siteId, allSites: '0', status: '1' };
    await db.insertInto('admin_user').values(user).execute();
  }
  for (const it of readers) await setRights(it, ['*:list']);
  readable = new Readable(testApp.model);
  await readable.load(testApp, readers);
}, 600_000);

afterAll(async () => {
  await client.end();
  await testApp.close();
});

async function setRights({ userId }: Account, rights: readonly string[]): Promise<void> {
  await testApp.db.deleteFrom('role_right').where('roleId', '=', userId).execute();
  const rows = rights.map((right) => ({ roleId: userId, right }));
  if (rows.length > 0) await testApp.db.insertInto('role_right').values(rows).execute();
}

async function readRights(): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ roleId: string; rights: string[] }>`
    SELECT "roleId", array_agg("right") AS rights FROM role_right WHERE "roleId" LIKE 'walk%' GROUP BY 1`.execute(
    testApp.db,
  );
  return new Map(rows.map((it) => [it.roleId, new Set(it.rights)]));
}

/** Whoever makes changes may list a third of the modules, one of them all, and gives no rights beyond his own. */
async function drawRights(chance: Chance): Promise<void> {
  const { definitions } = testApp.model;
  const ofStudio = ['sysModule', 'sysDraft', 'sysPublish'];
  const lists = [...definitions.keys()].filter((it) => !ofStudio.includes(it)).map((it) => `${it}:list`);
  const buttons = [...definitions.values()].flatMap(({ module, buttons: its = [] }) =>
    ofStudio.includes(module) || module === 'adminRole' ? [] : its.map((it) => `${module}:${it.btnNo}`),
  );
  const studio = ofStudio.flatMap((it) => [
    `${it}:list`,
    ...(definitions.get(it)?.buttons ?? []).map(({ btnNo }) => `${it}:${btnNo}`),
  ]);
  for (const it of authors)
    await setRights(
      it,
      [...studio, 'sysModule:configure', ...(it === authors[0] ? ['*:list'] : chance.some(lists, 0.34))].filter(
        isFirst,
      ),
    );
  for (const it of viewers)
    await setRights(it, [...chance.some(lists, chance.pick([0.05, 0.2, 0.4])), ...chance.some(buttons, 0.05)]);
  readable.rights.clear();
  for (const [roleId, rights] of await readRights()) readable.rights.set(roleId, rights);
}
const isFirst = (it: string, at: number, among: readonly string[]) => among.indexOf(it) === at;

/** What is there after a publish, as it stands in the database. */
async function follow(): Promise<Model> {
  const { changes } = await readPublished(client);
  const model = readModel(registers, changes);
  readable.follow(model, changes);
  return model;
}

/** A role has what it had, and what the author of the publish had to give or has brought: a module, or a button of one. */
async function judgeRights(author: Account, before: Model): Promise<void> {
  const rights = await readRights();
  for (const { userId } of walkers) {
    const known = readable.rights.get(userId) ?? new Set();
    const now = rights.get(userId) ?? new Set();
    const wrong = [...now].filter((it) => !known.has(it) && wasThere(before, it) && !readable.mayDo(author, it));
    for (const it of wrong) {
      found.add(`a right that nobody gave: ${it} of ${userId}`);
      now.delete(it);
    }
    rights.set(userId, now);
  }
  readable.rights.clear();
  for (const [roleId, its] of rights) readable.rights.set(roleId, its);
}

function wasThere({ definitions }: Model, right: string): boolean {
  const [module = '', button] = right.split(':');
  const definition = definitions.get(module);
  return button === 'list' ? definition !== undefined : definition?.buttons?.some((it) => it.btnNo === button) === true;
}

/** Where in an answer a text stands first. */
function wayTo(value: unknown, text: string): string {
  if (typeof value !== 'object' || value === null) return '';
  for (const [name, it] of Object.entries(value)) {
    if (name === text || it === text) return name;
    if ([...textsIn(it)].includes(text)) return `${name}.${wayTo(it, text)}`;
  }
  return '';
}

/** Asks, and judges what is answered. */
class Asker {
  readonly account: Account;
  readonly chance: Chance;
  readonly draft: { id: number; changes: readonly PublishedChange[] } | undefined;

  constructor(account: Account, chance: Chance, draft?: Asker['draft']) {
    this.account = account;
    this.chance = chance;
    this.draft = draft;
  }

  async ask<Data>(method: Call['method'], path: string, input: Record<string, unknown> = {}, body: object = {}) {
    counts.calls += 1;
    const { userId } = this.account;
    const lang = this.chance.is(0.5) ? 'en' : 'zh';
    const query = Object.fromEntries(Object.entries({ ...input, lang }).map(([name, it]) => [name, String(it)]));
    const token = await testApp.openToken(userId);
    const reply = await testApp.app.inject({
      ...{
        method,
        url: path,
        query,
        headers: { token, ...(this.draft && { 'definitions-draft': String(this.draft.id) }) },
      },
      ...(method === 'POST' && { payload: body }),
    });
    const answer = reply.json<{ code: string; msg: string; data: Data }>();
    const at = `${userId} ${this.draft ? 'previews' : 'asks'} ${path} ${JSON.stringify({ ...input, ...body })}`;
    if (answer.code === refusals.unknown.code) found.add(`an internal error: ${at}`);
    if (answer.code !== SUCCESS) return undefined;
    const leaks = this.draft
      ? readable.leaksInPreview(this.account, answer.data, readable.grantsOf(this.draft.changes, this.account))
      : readable.leaksIn(this.account, answer.data);
    const [first] = leaks;
    if (first !== undefined) {
      const places = readable.placesOf(first).slice(0, 4).join(', ');
      found.add(`${leaks.length} texts leak: ${at}: ${first} at ${wayTo(answer.data, first)} (${places})`);
    }
    return answer.data;
  }

  /** A record answers what stands somewhere, and nothing else of its row. */
  judgeRecord(definition: Definition, call: string, record: object | undefined): void {
    // What a draft adds is not all said by what is asked of it here.
    if (this.draft) return;
    const strays = Object.keys(record ?? {}).filter((it) => it in definition.fields && !isPlaced(definition, it));
    if (strays.length > 0)
      found.add(
        `${this.account.userId} is told by ${call} of ${definition.module} what stands nowhere: ${strays.join()}`,
      );
  }

  /** All the calls of a module that read. */
  async readAll(definition: Definition): Promise<void> {
    const { module, fields, list, form = [], buttons = [] } = definition;
    const { chance } = this;
    const path = (name: string) => `/api/${module}/${name}.json`;
    const columns = list?.columns ?? Object.keys(fields);
    const ordered = chance.is(0.5) &&
      !list?.most && { sortBy: chance.pick(columns), order: chance.pick(['asc', 'desc']) };
    const page = { pageCount: 50, ...ordered };
    const listed = await this.ask<{ items: { id: number }[] }>('GET', path('pager'), page);
    const may = (script: string) =>
      buttons.some((it) => it.script === script && readable.mayDo(this.account, `${module}:${it.btnNo}`));
    if (may('create')) await this.ask('GET', path('toAdd'));
    if (!listed) return;
    const rule = {
      column: chance.pick(columns),
      relation: chance.pick(Object.keys(relations)),
      value: chance.pick(['1', 'a', '']),
    };
    const tree = { adminAdvancedSearchGroup: { rules: chance.is(0.5) ? [rule] : [] } };
    await this.ask('POST', path('advancedSearch'), { pageCount: 20 }, tree);
    await this.ask('GET', path('searchItems'));
    await this.ask('GET', path('toAdvancedSearch'));
    if (list?.tabs) await this.ask('POST', path('tabCounts'), {}, tree);
    const asked = [...new Set([...columns, ...form.flat()])].filter((it) => fields[it]?.ref ?? fields[it]?.format);
    for (const field of asked) {
      const found = await this.ask<{ options: { optionName: string }[] }>('GET', path('options'), { field });
      const [first] = found?.options ?? [];
      if (first) await this.ask('GET', path('options'), { field, search: first.optionName.slice(0, 2) });
    }
    const { items } = listed;
    const ids = new Set(
      [items[0]?.id, items.length > 0 ? chance.pick(items).id : undefined].filter((it) => it !== undefined),
    );
    for (const id of ids) {
      const read = await this.ask<object>('GET', path('queryById'), { id });
      this.judgeRecord(definition, 'queryById', read);
      const asked = may('modify') ? await this.ask<{ item?: object }>('GET', path('toModify'), { id }) : undefined;
      this.judgeRecord(definition, 'toModify', asked?.item);
    }
  }
}

/** Whether a definition names a field anywhere beside saying what it is; a list that names no columns shows all. */
function isPlaced({ fields, ...rest }: Definition, name: string): boolean {
  const rules = Object.values(fields).map(({ label: _, ...it }) => it);
  return !rest.list?.columns || JSON.stringify([rest, rules]).includes(JSON.stringify(name));
}

/** So many ask at once: what one waits for the database, another is answered. */
const AT_ONCE = 4;

/** Everybody asks for everything that these modules answer. Each draws for himself, so that a seed asks the same again. */
async function audit(modules: readonly string[], model: Model, chance: Chance): Promise<void> {
  const asked = [...new Set(modules)].flatMap((it) => model.definitions.get(it) ?? []);
  const askers = walkers.map((it) => new Asker(it, chance.another()));
  const lanes = Array.from({ length: AT_ONCE }, async (_, lane) => {
    for (const asker of askers.filter((_it, i) => i % AT_ONCE === lane))
      for (const it of asked) await asker.readAll(it);
  });
  await Promise.all(lanes);
}

/** Rows of new modules with tables of their own, which refer to rows of any site. */
async function fillOwn(id: number, changes: readonly PublishedChange[], chance: Chance): Promise<void> {
  for (const { module, change } of changes) {
    const { table, fields, rowsOf } = change.definition ?? {};
    if (!table || !fields || rowsOf) continue;
    for (const siteId of SITES) {
      const texts: Record<string, string> = { siteId, name: `Row ${counts.changes} of ${module} at ${siteId}` };
      for (const [name, { ref }] of Object.entries(fields)) {
        const values = ref ? readable.valuesOf(ref.module, ref.value) : [];
        if (values.length > 0) texts[name] = chance.pick(values);
      }
      const names = Object.keys(texts).filter((it) => fields[it]);
      const columns = sql.join(names.map((it) => sql.ref(it)));
      const values = sql.join(names.map((it) => texts[it]));
      const made = await sql<{ id: number }>`
        INSERT INTO ${sql.table(table)} (${columns}) VALUES (${values}) RETURNING id::int`
        .execute(testApp.db)
        .catch(() => undefined);
      const [row] = made?.rows ?? [];
      if (row) readable.addOwn({ id: row.id, texts, table, siteId, publishId: id });
    }
  }
}

/** A draft as its author saves it, and looks at it. */
async function draw(author: Account, changes: readonly PublishedChange[], chance: Chance): Promise<number> {
  const as = { as: author.userId };
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Walk' }, as);
  for (const { module, change } of changes) {
    const saved = await testApp.send(
      saveChange,
      { draftId: data.id, module, version: 0, change: change as Record<string, unknown> },
      as,
    );
    if (saved.code === refusals.unknown.code)
      found.add(`an internal error: saves ${JSON.stringify({ module, change })}`);
  }
  const checked = await testApp.send(checkDraft, { id: data.id }, as);
  if (checked.code === refusals.unknown.code) found.add(`an internal error: checks ${JSON.stringify(changes)}`);
  counts.previews += 1;
  const looker = new Asker(chance.is(0.8) ? author : chance.pick(authors), chance, {
    id: data.id,
    changes,
  });
  for (const { module, change } of changes) {
    const definition = change.definition ?? (await current()).definitions.get(module);
    if (definition) await looker.readAll({ ...definition, ...seen(definition, change) });
  }
  return data.id;
}
let known: Model | undefined;
const current = async (): Promise<Model> => (known ??= await follow());
/** What a draft adds to what is asked. */
const seen = (
  { fields }: Definition,
  { fields: more = {}, form, list }: PublishedChange['change'],
): Partial<Definition> => ({
  fields: {
    ...fields,
    ...Object.fromEntries(Object.entries(more).map(([name, it]) => [name, { ...fields[name], ...it }])),
  } as Definition['fields'],
  ...(form && { form }),
  ...(list?.columns && { list: { columns: list.columns } }),
});

async function publishOne(author: Account, changes: readonly PublishedChange[], chance: Chance): Promise<void> {
  const before = await current();
  const draftId = await draw(author, changes, chance);
  const grants = readable.grantsOf(changes, author);
  const done = await publishAsItIs(testApp, draftId, 'a walk', { as: author.userId });
  if (done.code === refusals.unknown.code) found.add(`an internal error: publishes ${JSON.stringify(changes)}`);
  if (done.code !== SUCCESS) {
    counts.refused += 1;
    return;
  }
  counts.published += 1;
  readable.grant(done.data.id, grants, changes, author);
  known = undefined;
  const model = await current();
  await judgeRights(author, before);
  await fillOwn(done.data.id, changes, chance);
  const others = [...model.definitions.keys()];
  await audit([...changes.map((it) => it.module), chance.pick(others)], model, chance);
}

async function takeBackOne(author: Account, chance: Chance): Promise<void> {
  const before = await current();
  const publishes = (await readPublished(client)).changes.map((it) => it.publishId);
  if (publishes.length === 0) return;
  const since = chance.is(0.1);
  const asked = { id: since ? (publishes.at(-1) ?? 0) : chance.pick(publishes), since, note: 'a walk' };
  const done = await publishAndWait(testApp, takeBack, asked, { as: author.userId });
  if (done.code === refusals.unknown.code) found.add(`an internal error: takes back ${asked.id}`);
  if (done.code !== SUCCESS) {
    counts.refused += 1;
    return;
  }
  counts.tookBack += 1;
  known = undefined;
  const model = await current();
  await judgeRights(author, before);
  await audit([chance.pick([...model.definitions.keys()])], model, chance);
}

/** What the database must come up with, and without. */
async function startAgain(): Promise<void> {
  counts.starts += 1;
  try {
    const { model } = await prepareDatabase(testApp.url, registers);
    expect([...model.definitions.keys()]).toEqual([...(await current()).definitions.keys()]);
  } catch (error) {
    found.add(`a failed start: ${(error as Error).message}`);
  }
}

async function walkRound(chance: Chance): Promise<void> {
  await drawRights(chance);
  known = undefined;
  const rightsBefore = await readRights();
  const first = (await readPublishes(client)).at(-1)?.id ?? 0;
  for (let n = 0; n < CHANGES; n++) {
    counts.changes += 1;
    const author = chance.pick(authors);
    if (chance.is(0.1)) await takeBackOne(author, chance);
    else await publishOne(author, await drawFor(author, chance), chance);
  }
  const made = [...(await current()).definitions.keys()].filter((it) => !testApp.model.definitions.has(it));
  await audit(made, await current(), chance);
  await startAgain();
  const since = (await readPublishes(client)).find((it) => it.id > first);
  if (since) {
    const asked = { id: since.id, since: true, note: 'a walk' };
    const back = await publishAndWait(testApp, takeBack, asked, admin);
    if (back.code !== SUCCESS) found.add(`nothing is taken back: ${back.msg}`);
  }
  known = undefined;
  await current();
  for (const [roleId, rights] of await readRights()) {
    const more = [...rights].filter((it) => !rightsBefore.get(roleId)?.has(it));
    if (more.length > 0) found.add(`rights that stay: ${more.join()} of ${roleId}`);
  }
  await startAgain();
}

async function drawFor(author: Account, chance: Chance): Promise<PublishedChange[]> {
  const model = await current();
  const tables = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c WHERE c.relkind IN ('r', 'v') AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const taken = new Set([...model.definitions.values()].map((it) => it.table));
  const all = [...model.definitions.values()];
  return drawDraft(
    {
      model,
      listed: all.filter((it) => readable.mayDo(author, `${it.module}:list`)),
      made: all.filter((it) => !testApp.model.definitions.has(it.module)),
      roles: walkers.map((it) => it.userId),
      tables: tables.rows.map((it) => it.name).filter((it) => !taken.has(it)),
      fresh: () => `walk${(names += 1)}`,
    },
    chance,
  );
}
let names = 0;

describe('any changes of administrators', () => {
  it(
    'show nobody what he could not read, break no call, and let the server start',
    { timeout: 6 * 3_600_000 },
    async () => {
      const chance = new Chance(randomFrom(SEED));
      const began = Date.now();
      for (let n = 0; n < ROUNDS; n++) {
        await walkRound(chance);
        const seconds = Math.round((Date.now() - began) / 1000);
        process.stdout.write(`round ${n + 1} of ${ROUNDS}, seed ${SEED}: ${JSON.stringify(counts)}, ${seconds} s\n`);
        expect([...found]).toEqual([]);
      }
      expect(counts.published, 'enough to judge by').toBeGreaterThan(counts.changes / 4);
    },
  );

  it.each<[string, string, Partial<Definition>, string]>([
    [
      'rows of a list that its author may not see',
      'plantedRows',
      { table: 'rma_check_bill', site: ['siteId'], rowsOf: { module: 'rmaCheckBill', when: {} } },
      'plantedRows:list',
    ],
    ['choices that its author may not see', 'plantedChoice', { search: ['ckbId'] }, 'plantedChoice:list'],
    ['a right that nobody gave', 'rmaStoreBill', {}, 'rmaStoreBill:list'],
  ])('would be found to show %s', async (_, module, parts, right) => {
    const [author, viewer] = [authors[0], viewers[0]] as [Account, Account];
    const { siteId, ckbId } = testApp.model.definitions.get('rmaCheckBill')?.fields as Record<string, Field>;
    const ref = { module: 'rmaCheckBill', value: 'ckbId', label: 'ckbId', mayDangle: 'planted' };
    const chosen = { type: 'select', label: { zh: '号', en: 'Number' }, ref } as const;
    const definition: Definition = {
      ...{ module, label: { zh: '种', en: 'Planted' }, table: 'planted', site: 'all' },
      fields: { siteId: siteId as Field, ckbId: parts.rowsOf ? (ckbId as Field) : chosen },
      ...parts,
    };
    for (const it of walkers) await setRights(it, []);
    readable.rights.clear();
    await setRights(viewer, [right]);
    if (!testApp.model.definitions.has(module)) {
      readable.rights.set(viewer.userId, new Set([right]));
      await plant(author, [{ module, change: { definition } }]);
    }
    found.clear();
    // Of so many audits, each of which asks what it draws, one comes upon it.
    for (let n = 0; n < 20 && found.size === 0; n++) await audit([module], await current(), new Chance(randomFrom(n)));
    expect([...found].join('\n')).toMatch(new RegExp(`leak: ${viewer.userId} asks /api/${module}/`));
  });
});

/** Written straight into the database; what is published next brings it to the server. */
async function plant(author: Account, changes: PublishedChange[]): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO definition_publish ("userId", note, "takesBack") VALUES ($1, 'planted', '{}') RETURNING id::int`,
    [author.userId],
  );
  const id = rows[0]?.id as number;
  for (const { module, change } of changes)
    await client.query(`INSERT INTO definition_change ("publishId", module, change) VALUES ($1, $2, $3)`, [
      id,
      module,
      JSON.stringify(change),
    ]);
  readable.grant(id, readable.grantsOf(changes, author), changes, author);
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Walk' }, admin);
  const change = { label: { zh: '国', en: `Countries ${id}` } };
  await testApp.send(saveChange, { draftId: data.id, module: 'ubsCountry', version: 0, change }, admin);
  expect(await publishAsItIs(testApp, data.id, 'planted', admin)).toMatchObject({ code: SUCCESS });
  known = undefined;
}
