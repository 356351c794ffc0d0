import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/call.ts';
import type { Definition, Field, When } from '#domain/definition/grammar.ts';
import { allowedRows, writingScripts } from '#domain/definition/writes.ts';
import type { refusals } from '#domain/refusal.ts';
import { readModel, type PublishedChange } from '#server/definitions/read.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { features, fixedRoutes, genericActions, registers } from '#tests/support/features.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { sendFile } from '#tests/support/workbooks.ts';

let testApp: TestApp;
let before: Record<string, string>;
/** A row of each module, at the site SZ. */
const rowIds = new Map<string, number>();
beforeAll(async () => {
  testApp = await startTestApp();
  for (const it of testApp.model.definitions.values()) rowIds.set(it.module, await addRow(it));
});
afterAll(() => testApp?.close());
/** Of a group of tests: nothing may have been written when they are through. */
function writesNothing(): void {
  beforeAll(async () => {
    before = await takeSnapshot(testApp.db);
  });
  afterAll(async () => {
    expect(await takeSnapshot(testApp.db), 'nothing was written').toEqual(before);
  });
}

async function addRow(definition: Definition, state: Record<string, string> = {}): Promise<number> {
  // A view has no rows of its own.
  if (definition.viewOf) return 0;
  const { site } = definition;
  const own = Array.isArray(site) ? Object.fromEntries(site.map((name) => [name, 'SZ'])) : {};
  const when = definition.buttons?.find((it) => it.script === 'modify')?.when ?? {};
  const offered = Object.fromEntries(Object.entries(when).map(([name, it]) => [name, [it].flat()[0] ?? '']));
  const { definitions } = testApp.model;
  const always = alwaysOf(definition, definitions);
  const values: Record<string, string | number> = { ...always, createBy: 'test', ...own, ...offered, ...state };
  return (await insertRow(testApp.db, definition, values, definitions))?.id ?? 0;
}

interface Refused {
  problems: { key: keyof typeof refusals; field?: string; msg: string }[];
}
const CHINESE = /[\u4e00-\u9fff]/;

async function ask(method: string, path: string, query: object, body: unknown, lang: 'zh' | 'en') {
  const reply = await testApp.app.inject({
    method: method as 'GET',
    url: path,
    query: { ...(query as Record<string, string>), lang },
    ...(method === 'POST' && { payload: JSON.stringify(body), headers: await headers() }),
    ...(method === 'GET' && { headers: { token: await testApp.openToken('admin') } }),
  });
  return { status: reply.statusCode, ...reply.json<Envelope<Refused>>() };
}
const headers = async () => ({ token: await testApp.openToken('admin'), 'content-type': 'application/json' });

/** Languages take turns: every case is asked for many modules. */
let turn = 0;

async function expectRefused(
  method: string,
  path: string,
  query: object,
  body: unknown,
  code: string | string[],
  field?: string,
) {
  const what = `${path} ${JSON.stringify(query)} ${JSON.stringify(body ?? null).slice(0, 200)}`;
  turn += 1;
  for (const lang of [turn % 2 === 0 ? 'zh' : 'en'] as const) {
    const answer = await ask(method, path, query, body, lang);
    expect([what, answer.status], answer.msg).toEqual([what, 200]);
    expect([code].flat(), `${what}: ${answer.code} ${answer.msg}`).toContain(answer.code);
    if (field !== undefined)
      expect(
        answer.data.problems.map((it) => it.field),
        what,
      ).toContain(field);
    expect(CHINESE.test(answer.msg), `${what}: ${answer.msg}`).toBe(lang === 'zh');
    expect(answer.msg, what).not.toMatch(/%\{|undefined|\[object|syntax error/);
  }
}

const { definitions } = readModel(registers);
const modulesWith = (name: string): Definition[] =>
  [...definitions.values()].filter((it) => genericActions.find((action) => action.name === name)?.rightOf(it));
const fixed = new Set<string>(fixedRoutes.map((it) => it.call.path));
const cases = (name: string) =>
  modulesWith(name)
    .filter((it) => !fixed.has(pathOf(it, name)))
    .map((it) => [it.module, it] as const);
const pathOf = (definition: Definition, action: string) => `/api/${definition.module}/${action}.json`;

/** What must never reach SQL as anything but a value. */
const hostile = [
  `'`,
  `"id"`,
  `id; DROP TABLE admin_user`,
  `id" DESC; --`,
  `(SELECT 1)`,
  `pg_sleep(5)`,
  `password`,
  `constructor`,
  `t.id`,
  `\u0000`,
  `A`.repeat(5000),
];

/** Rows are seen by site, through a bill, and by everybody: these are asked everything, every other module a little. */
const isSample = ({ module }: Definition): boolean =>
  ['rmaCheckBill', 'rmaCheckBillLine', 'adminUser', 'ubsItem', 'rmaStockupBill'].includes(module);
const hostileTo = (definition: Definition): string[] => (isSample(definition) ? hostile : hostile.slice(2, 4));
const idsFor = (definition: Definition): string[] => (isSample(definition) ? ids : ids.slice(0, 5));

const wrongFor: Partial<Record<Field['type'], string[]>> = {
  Number: ['abc', '-1', 'NaN', 'Infinity', '1e999'],
  Integer: ['abc', '-1', '1.5', '99999999999'],
  Long: ['abc', '-1', '1.5', '9'.repeat(30)],
  BigDecimal: ['abc', '-1', '1000001', '1e3', '0.0000001'],
  date: ['abc', '2026-11-21', '9'.repeat(20)],
  dateTime: ['abc', '2026-11-21', '9'.repeat(20)],
  Month: ['abc', '2026-13', '202611'],
};

describe('pager refuses columns, orders and pages that it does not have', () => {
  writesNothing();
  it.each(cases('pager'))('%s', async (_, definition) => {
    const path = pathOf(definition, 'pager');
    const sortBy = definition.list?.most ? definition.list.sort?.replace(/^-/, '') : 'id';
    for (const value of hostileTo(definition)) {
      await expectRefused('GET', path, { sortBy: value }, null, '100015', 'sortBy');
      await expectRefused('GET', path, { sortBy, order: value }, null, '100015', 'order');
      await expectRefused('GET', path, { pageStart: value }, null, '100015', 'pageStart');
      if (value !== '\u0000') await expectRefused('GET', path, { [value]: 'x' }, null, '100015');
    }
    for (const pageStart of ['-1', '1.5', '99999999999']) {
      await expectRefused('GET', path, { pageStart }, null, '100015', 'pageStart');
    }
    for (const pageCount of ['0', '201', '-1', 'x']) {
      await expectRefused('GET', path, { pageCount }, null, '100015', 'pageCount');
    }
    await expectRefused('GET', path, { nobodyKnows: 'x' }, null, '100015', 'nobodyKnows');
  });
});

describe('pager refuses search values of another type, and too long ones', () => {
  writesNothing();
  it.each(cases('pager'))('%s', async (_, definition) => {
    const path = pathOf(definition, 'pager');
    for (const name of definition.search ?? []) {
      const field = definition.fields[name];
      if (!field) continue;
      const queryName = field.type === 'dateTime' ? `${name}Start` : name;
      // A day alone is all of that day.
      const isDay = (it: unknown) => field.type === 'dateTime' && it === '2026-11-21';
      for (const value of (wrongFor[field.type] ?? []).filter((it) => !isDay(it))) {
        await expectRefused('GET', path, { [queryName]: value }, null, '100015');
      }
      await expectRefused('GET', path, { [queryName]: 'A'.repeat(5000) }, null, '100015');
      await expectRefused('GET', path, { [queryName]: ['a', 'b'] }, null, '100015');
    }
  });
});

describe('advancedSearch refuses what is no tree of known columns and relations', () => {
  writesNothing();
  it.each(cases('advancedSearch'))('%s', async (_, definition) => {
    const path = pathOf(definition, 'advancedSearch');
    const column = definition.list?.columns[0] ?? 'id';
    const group = (rule: object) => ({ adminAdvancedSearchGroup: { connector: 'AND', rules: [rule], groups: [] } });
    const right = { connector: 'AND', column, relation: 'IS_NOT_NULL', value: '' };

    const refuse = (body: unknown, code: string | string[] = '100015') => expectRefused('POST', path, {}, body, code);
    if (!isSample(definition)) {
      await refuse(group({ ...right, column: 'nobodyKnows' }));
      await refuse(group({ ...right, relation: 'nobodyKnows' }));
      return refuse({}, '100001');
    }
    for (const value of hostileTo(definition)) {
      await refuse(group({ ...right, column: value }));
      await refuse(group({ ...right, relation: value }));
      await refuse(group({ ...right, connector: value }));
      await expectRefused('POST', path, { sortBy: value }, group(right), '100015', 'sortBy');
    }
    await refuse({}, '100001');
    for (const body of [[], 'text', 7, null, { nobodyKnows: 1 }]) await refuse(body, ['100001', '100015']);
    for (const tree of [7, 'text', [], { rules: 7 }, { rules: [7] }, { groups: {} }, { nobodyKnows: [] }]) {
      await refuse({ adminAdvancedSearchGroup: tree });
    }
    await refuse(group({ ...right, nobodyKnows: 1 }));
    await refuse(group({ ...right, column: { a: 1 } }));
    await refuse(group({ ...right, relation: 'LIKE', value: 'A'.repeat(201) }));
    await refuse(group({ ...right, relation: 'EQUAL_TO', value: { a: 1 } }));
    const deep = (levels: number): object => ({ rules: [right], groups: levels > 1 ? [deep(levels - 1)] : [] });
    await refuse({ adminAdvancedSearchGroup: deep(4) });
    await refuse({ adminAdvancedSearchGroup: { rules: Array.from({ length: 51 }, () => right) } });
    await refuse({
      adminAdvancedSearchGroup: { groups: Array.from({ length: 1001 }, () => ({ rules: [], groups: [] })) },
    });
  });
});

describe.each(['searchItems', 'toAdvancedSearch', 'toAdd'])('%s refuses a parameter that nobody knows', (action) => {
  writesNothing();
  it.each(cases(action))('%s', async (_, definition) => {
    await expectRefused('GET', pathOf(definition, action), { nobodyKnows: 'x' }, null, '100015', 'nobodyKnows');
  });
});

const ids = [
  '999999999',
  '0',
  '-1',
  'abc',
  '1 OR 1=1',
  `1'`,
  '1.5',
  '9'.repeat(30),
  'CKB2026112199999',
  '\u0000',
  'A'.repeat(5000),
];

describe.each(['queryById', 'toModify'])('%s refuses what is no row', (action) => {
  writesNothing();
  it.each(cases(action))('%s', async (_, definition) => {
    const path = pathOf(definition, action);
    await expectRefused('GET', path, {}, null, '100001', 'id');
    await expectRefused('GET', path, { id: '' }, null, '100001', 'id');
    for (const id of idsFor(definition)) await expectRefused('GET', path, { id }, null, ['100002', '100015'], 'id');
    await expectRefused('GET', path, { id: ['1', '2'] }, null, ['100002', '100015'], 'id');
    await expectRefused('GET', path, { id: '1', nobodyKnows: 'x' }, null, '100015', 'nobodyKnows');
  });
});

/** Columns that a form never sets, and names that mean something to JavaScript. */
const notInForm = [
  'version',
  'createBy',
  'createTime',
  'updateBy',
  'nobodyKnows',
  'constructor',
  'toString',
  `a" = 1; --`,
];

function wrongFields(definition: Definition): [name: string, value: unknown][] {
  const names = new Set((definition.form ?? []).flat());
  const wrong: [string, unknown][] = notInForm.map((name) => [name, '1']);
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!names.has(name) || field.readOnly) {
      // What a client may not decide is ignored.
      if (name !== 'siteId' && name !== 'userId') wrong.push([name, '1']);
      continue;
    }
    const more = isSample(definition) ? [['a'], 'A'.repeat(5000), 'a\u0000b', ...(wrongFor[field.type] ?? [])] : [];
    for (const value of [{ a: 1 }, ...more]) wrong.push([name, value]);
    if (field.options) wrong.push([name, 'no such value']);
    if (field.maxLength !== undefined) wrong.push([name, 'A'.repeat(field.maxLength + 1)]);
  }
  return wrong;
}

/** The one wrong field is named, though others that are required are missing as well. */
async function expectNamed(path: string, body: Record<string, unknown>, name: string): Promise<void> {
  await expectRefused('POST', path, {}, body, ['100001', '100002', '100015'], name);
}

describe('create refuses what is no row of its module', () => {
  writesNothing();
  it.each(cases('create'))('%s', async (_, definition) => {
    const path = pathOf(definition, 'create');
    for (const [name, value] of wrongFields(definition)) await expectNamed(path, { [name]: value }, name);
    const required = Object.entries(definition.fields).filter(
      ([name, it]) => it.required && it.default === undefined && (definition.form ?? []).flat().includes(name),
    );
    for (const [name] of required) await expectNamed(path, {}, name);
    for (const body of [[], 'text', 7, null]) await expectRefused('POST', path, {}, body, ['100001', '100015']);
  });
});

describe('modifyById refuses what is no change of its row', () => {
  writesNothing();
  it.each(cases('modifyById'))('%s', async (_, definition) => {
    const path = pathOf(definition, 'modifyById');
    const id = rowIds.get(definition.module);
    await expectRefused('POST', path, {}, {}, '100001', 'id');
    for (const no of [...idsFor(definition), { a: 1 }, [1], true]) {
      await expectRefused('POST', path, {}, { id: no, version: 1 }, ['100002', '100015'], 'id');
    }
    await expectRefused('POST', path, {}, { id }, '100001', 'version');
    for (const [name, value] of wrongFields(definition)) {
      if (name !== 'version') await expectNamed(path, { id, version: 1, [name]: value }, name);
    }
    for (const version of [0, 2, '2', 'abc', { a: 1 }]) {
      await expectRefused('POST', path, {}, { id, version }, ['100025', '100015']);
    }
  });
});

describe.each(['deleteById', 'deleteAll'])('%s refuses what is no row', (action) => {
  writesNothing();
  it.each(cases(action))('%s', async (_, definition) => {
    const path = pathOf(definition, action);
    const bodyOf = (id: unknown) => (action === 'deleteById' ? { id } : { ids: [rowIds.get(definition.module), id] });
    for (const id of [...idsFor(definition), { a: 1 }, [1], true]) {
      await expectRefused('POST', path, {}, bodyOf(id), ['100002', '100015']);
    }
    for (const body of [{}, [], 'text', null, { ids: [] }, { ids: 'x' }, { id: '' }]) {
      await expectRefused('POST', path, {}, body, ['100001', '100015']);
    }
    await expectRefused('POST', path, {}, { ...bodyOf(999999999), nobodyKnows: 1 }, '100015', 'nobodyKnows');
    if (action === 'deleteAll') {
      await expectRefused('POST', path, {}, { ids: Array.from({ length: 1001 }, (__, i) => i) }, '100015');
    }
  });
});

/** What was published before modules said what they allow: first in each toolbar, for any row. */
const fillScripts = ['uploadOne', 'uploadDocument', 'uploadSignForTime'];
const label = { zh: '新', en: 'New' };
const addedTo = (definition: Definition): PublishedChange => {
  const { module, fields, rowsOf } = definition;
  const [first = ''] = Object.keys(fields);
  // A list of another's rows has never had the others.
  const scripts = writingScripts.filter((it) => !rowsOf || it.startsWith('upload'));
  const buttons = [...scripts, 'bulk'].map((script) => [
    `x${script}`,
    { script, label, ...(fillScripts.includes(script) && { field: first, by: [first] }) },
  ]);
  return {
    module,
    change: { buttons: Object.fromEntries(buttons), buttonOrder: buttons.map(([btnNo]) => btnNo as string) },
  };
};
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');

type Ask = () => Promise<Answer<Refused>>;
/** The looks that open a script, and the ways to write one row by it. */
function waysOf(definition: Definition, script: string, id: number): { looks: Ask[]; writes: Ask[] } {
  const call = (method: 'GET' | 'POST', action: string, input: object) => () =>
    testApp.ask<Refused>(method, pathOf(definition, action), input, { as: 'admin' });
  const bulk = (action: string, values: object) => async () => {
    const body = { action, ids: [id], values, versions: { [id]: 1 } };
    const path = pathOf(definition, 'bulk');
    const { data, ...answer } = await testApp.ask<{ results: Refused['problems'] }>('POST', path, body, {
      as: 'admin',
    });
    return { ...answer, data: { problems: data.results } };
  };
  const capital = script.charAt(0).toUpperCase() + script.slice(1);
  switch (script) {
    case 'create':
      return { looks: [], writes: [call('POST', 'create', {})] };
    case 'modify': {
      const [name] = (definition.form ?? []).flat();
      return {
        looks: [call('GET', 'toModify', { id })],
        writes: [
          call('POST', 'modifyById', { id, version: 1 }),
          ...(name === undefined ? [] : [bulk('modify', { [name]: '1' })]),
        ],
      };
    }
    case 'deleteById':
      return { looks: [], writes: [call('POST', 'deleteById', { id })] };
    case 'deleteAll':
      return { looks: [], writes: [call('POST', 'deleteAll', { ids: [id] }), bulk('deleteAll', {})] };
    case 'upload':
    case 'uploadSignForTime':
      return {
        looks: [call('GET', `to${capital}`, {}), call('GET', `${script}Template`, {})],
        writes: [call('POST', script, { url: `/file/${'0'.repeat(32)}.xlsx` })],
      };
    default: {
      const sent = { as: 'admin', fields: { id: String(id) } };
      return {
        looks: [call('GET', `to${capital}`, {})],
        writes: [() => sendFile<Refused>(testApp, pathOf(definition, script), [PDF], sent)],
      };
    }
  }
}

/** The rows of a module that stand where it does not allow this any more. */
const statesBeyond = ({ fields }: Definition, allowed: When): [string, string][] =>
  Object.entries(allowed).flatMap(([name, among]) =>
    (testApp.model.options[fields[name]?.options ?? ''] ?? [])
      .filter((it) => ![among].flat().includes(it.value))
      .map((it): [string, string] => [name, it.value]),
  );

describe('what a module does not allow is refused, whatever was published before it said so', () => {
  const shipped = [...definitions.values()];
  const beyond = new Map<string, number>();
  const states = (definition: Definition) =>
    writingScripts.flatMap((script) => statesBeyond(definition, allowedRows(definition, { script }) ?? {}));
  beforeAll(async () => {
    for (const definition of shipped) {
      for (const [name, value] of states(definition)) {
        const at = `${definition.module} ${value}`;
        if (!beyond.has(at)) beyond.set(at, await addRow(definition, { [name]: value }));
      }
    }
    // As a start reads them.
    const published = readModel(registers, shipped.map(addedTo)).definitions;
    for (const [module, it] of published) (testApp.model.definitions as Map<string, Definition>).set(module, it);
  });
  afterAll(() => {
    for (const it of shipped) (testApp.model.definitions as Map<string, Definition>).set(it.module, it);
  });
  writesNothing();

  const walked = { refused: 0, byState: 0, own: 0, allowed: 0 };
  it.each(shipped.map((it) => [it.module, it] as const))('%s', async (module, definition) => {
    for (const script of writingScripts) {
      const [field = ''] = Object.keys(definition.fields);
      if (definition.rowsOf && !script.startsWith('upload')) continue;
      const allowed = allowedRows(definition, { script, field });
      const isOwn = `${module}:${script}` in features.imports || fixed.has(pathOf(definition, script));
      const refuse = async (id: number, key: string) => {
        const { looks, writes } = waysOf(definition, script, id);
        const asked = [...(isSample(definition) || key !== 'notAllowed' ? looks : []), ...writes];
        for (const [i, ask] of asked.entries()) {
          const { data } = await ask();
          expect([module, script, i, data.problems[0]?.key]).toEqual([module, script, i, key]);
        }
      };
      if (isOwn) walked.own += 1;
      else if (!allowed) {
        walked.refused += 1;
        await refuse(rowIds.get(module) ?? 0, 'notAllowed');
      } else if (Object.keys(allowed).length > 0) {
        const rows = statesBeyond(definition, allowed);
        expect(rows.length).toBeGreaterThan(0);
        const keyOf = (name: string) =>
          definition.number && definition.fields[name]?.options ? 'billState' : 'rowState';
        for (const [name, value] of rows) await refuse(beyond.get(`${module} ${value}`) ?? 0, keyOf(name));
        walked.byState += 1;
      } else walked.allowed += 1;
    }
  });

  it('and every module was asked for every script', () => {
    const lists = shipped.filter((it) => it.rowsOf).length;
    expect(Object.values(walked).reduce((all, it) => all + it, 0)).toBe(
      shipped.length * writingScripts.length - lists * 4,
    );
    expect(walked.refused).toBeGreaterThan(500);
    expect(walked.byState).toBeGreaterThan(15);
  });

  it('and a right to a script that has no button opens nothing', async () => {
    const rights = ['rmaStoreBill:fly', 'rmaStoreBill:modify'].map((right) => ({ roleId: 'viewer', right }));
    (testApp.model.definitions as Map<string, Definition>).set(
      'rmaStoreBill',
      definitions.get('rmaStoreBill') as never,
    );
    await testApp.db.insertInto('role_right').values(rights).execute();
    const answer = await testApp.ask('POST', '/api/rmaStoreBill/modifyById.json', { id: 1 }, { as: 'viewer' });
    await testApp.db
      .deleteFrom('role_right')
      .where(
        'right',
        'in',
        rights.map((it) => it.right),
      )
      .execute();
    expect([answer.status, answer.code]).toEqual([404, '100050']);
  });
});
