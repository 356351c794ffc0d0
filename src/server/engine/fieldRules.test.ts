import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import { findFaults, type RuledField } from '#domain/definition/fieldRules.ts';
import { MAX_TEXT, type Definition } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import { checkForm, sentFields, toAdd } from '#server/engine/form.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { addProbe, countRows, putRows, readRow } from '#tests/support/probe.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
});
afterAll(() => testApp.close());

type Row = Record<string, unknown>;
const post = (action: string, body: object) =>
  testApp.ask<Row & { problems: { key: string; field: string }[] }>('POST', `/api/probe/${action}.json`, body, {
    as: 'prober',
  });
const put = async (row: Row = {}) =>
  (await putRows(testApp, 'probe', [{ title: 'row', siteId: 'SZ', status: '0', ...row }]))[0] as number;

describe('the rules of a form, on the server', () => {
  it.each<[string, object, string, string]>([
    ['a value for a field that the form does not have', { grade: 'A' }, 'notAsked', 'grade'],
    ['the lack of a field that it has now', { status: '4' }, 'required', 'grade'],
    ['a change of what is read only', { status: '3', fee: '5' }, 'fixed', 'fee'],
    ['an end before its start', { day: 2e12, lastDay: 1e12 }, 'notBelow', 'lastDay'],
    ['a remark of 501 letters', { remark: 'x'.repeat(501) }, 'tooLong', 'remark'],
    ['an SN of other letters', { sn: 'A B' }, 'snForm', 'sn'],
    ['half a thing', { count: 1.5 }, 'wholeNumber', 'count'],
    ['a seventh decimal', { amount: '0.1234567' }, 'decimals', 'amount'],
    ['too much', { count: 51 }, 'atMost', 'count'],
    ['a wrong value of a required field, once', { title: 'x'.repeat(21) }, 'tooLong', 'title'],
  ])('refuse %s, by its field, and write nothing', async (_, body, key, field) => {
    const before = await countRows(testApp, 'probe');
    const answer = await post('create', { title: 'x', ...body });
    expect(answer.status).toBe(200);
    expect(answer.data.problems).toEqual([expect.objectContaining({ key, field })]);
    expect(answer.msg).not.toMatch(/%\{/);
    expect(await countRows(testApp, 'probe')).toBe(before);
  });

  it('take what fits them, an SN normalised', async () => {
    const made = await post('create', { title: 'x', status: '4', grade: 'A', day: 1e12, lastDay: 1e12, sn: ' ａb-1 ' });
    expect(made.code).toBe('000000');
    expect(await readRow(testApp, Number(made.data['id']))).toMatchObject({ grade: 'A', sn: 'AB-1' });
    expect(await post('create', { title: 'x', status: '3', fee: '', grade: '' })).toMatchObject({ code: '000000' });
  });

  it('clear what a field held that the form no longer has', async () => {
    const id = await put({ status: '4', grade: 'A', fee: '5', sn: 'S' });
    const button = testApp.model.definitions.get('probe')?.buttons?.find((it) => it.script === 'modify');
    const when = button?.when;
    if (button) button.when = {};
    expect(await post('modifyById', { id, version: 1, status: '0' })).toMatchObject({ code: '000000' });
    expect(await readRow(testApp, id)).toMatchObject({ status: '0', grade: null, sn: 'S' });
    // Read only is judged as the form stands: its own value may come back with it.
    expect(await post('modifyById', { id, version: 2, status: '3', fee: '5.00' })).toMatchObject({ code: '000000' });
    expect(await post('modifyById', { id, version: 3, status: '3', fee: '6' })).toMatchObject({ code: '100015' });
    expect(await readRow(testApp, id)).toMatchObject({ fee: '5.000000', version: 3 });
    if (button) button.when = when;
  });

  it('do not judge again what stands there and is not sent', async () => {
    const id = await put({ remark: 'x'.repeat(600) });
    expect(await post('modifyById', { id, version: 1, title: 'new' })).toMatchObject({ code: '000000' });
    expect(await post('modifyById', { id, version: 2, lastDay: 5, day: 9e11 })).toMatchObject({ code: '100015' });
  });

  it('are sent along with the form, so that the browser judges by the same', async () => {
    const { data } = await testApp.ask<{ items: Row[] }>('GET', '/api/probe/toAdd.json', {}, { as: 'prober' });
    const of = (name: string) => data.items.find((it) => it['queryName'] === name);
    expect(of('grade')).toMatchObject({ required: true, visibleWhen: { status: ['4'] } });
    expect(of('fee')).toMatchObject({ readOnlyWhen: { status: ['3'] }, min: 0, max: 1_000_000 });
    expect(of('taxRate')).toMatchObject({ max: 100 });
    expect(of('lastDay')).toMatchObject({ minField: 'day' });
    expect(of('sn')).toMatchObject({ sn: true, maxLength: 64 });
    expect(of('remark')).toMatchObject({ maxLength: 500 });
  });
});

/** Bills with lines have a call of their own, which asks for the lines first; their header is judged by the same function. */
const ownCreate = new Set(fixedRoutes.map((it) => it.call.path));
const createContext = () =>
  ({
    db: testApp.db,
    currentUser: { sites: 'all' },
    lang: 'en',
    model: testApp.model,
    config: testApp.config,
  }) as unknown as Context;

async function validateOwn(definition: Definition, sent: Row): Promise<Row[]> {
  const path = `/api/${definition.module}/create.json` as const;
  if (ownCreate.has(path)) return checkForm(definition, sent, null, createContext()).problems as unknown as Row[];
  const { data } = await testApp.ask<{ problems?: Row[] }>('POST', path, sent, { as: 'admin' });
  return data.problems ?? [];
}

describe('the bounds of texts', () => {
  it('are those of the definition in every form, told to the browser and held by the server [P-FRM-15]', async () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const definition of testApp.model.definitions.values()) {
      const create = definition.buttons?.find((it) => it.script === 'create');
      const form = sentFields(definition).filter(([, it]) => Number(boundsOf(it).maxLength) < MAX_TEXT);
      if (!create || form.length === 0) continue;
      const path = `/api/${definition.module}/toAdd.json`;
      const { data } = await testApp.ask<{ items: Row[] }>('GET', path, {}, { as: 'admin' });
      for (const [name, field] of form) {
        seen += 1;
        const most = boundsOf(field).maxLength;
        const maxLength = data.items.find((it) => it['queryName'] === name)?.['maxLength'];
        if (maxLength !== most) wrong.push(`${definition.module}.${name}: ${String(maxLength)} instead of ${most}`);
        const problems = await validateOwn(definition, { [name]: 'X'.repeat(Number(most) + 1) });
        const isHidden = field.visibleWhen !== undefined;
        const refused = problems.some((it) => it['field'] === name && (isHidden || it['key'] === 'tooLong'));
        if (!refused) wrong.push(`${definition.module}.${name} takes more than ${most}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(40);
  });
});

describe('the work orders of semiconductors', () => {
  const ruledBy = (names: string[]) =>
    [...testApp.model.definitions.values()].filter((it) =>
      names.every((name) => (it.form ?? []).flat().includes(name)),
    );
  const readItems = async (module: string) => {
    const definition = testApp.model.definitions.get(module) as Definition;
    const { items } = await toAdd(definition, createContext());
    const first = Object.fromEntries(items.map((it) => [it.queryName, it.value]));
    return { definition, first, ruled: new Map(items.map((it) => [it.queryName, it as unknown as RuledField])) };
  };
  /** What is missing, as the browser finds it by what toAdd told it, and as the server finds it. */
  const missing = async (module: string, values: Row) => {
    const { definition, first, ruled } = await readItems(module);
    const browser = [...findFaults(ruled, { ...first, ...values })]
      .filter(([, it]) => it.key === 'required')
      .map(([name]) => name);
    const { problems } = checkForm(definition, values, null, createContext());
    const server = problems.filter((it) => it.key === 'required').map((it) => it.field);
    expect(server).toEqual(browser);
    return browser;
  };

  it('ask for the engineering code of an engineering lot, wherever both are in the form [P-FRM-07]', async () => {
    const modules = ruledBy(['lotType', 'engineeringCode']).map((it) => it.module);
    expect(modules).toEqual(
      expect.arrayContaining(['icopAssemblyWorkOrder', 'icopBumpingCpWorkOrder', 'icopFtWorkOrder']),
    );
    for (const module of modules) {
      expect(await missing(module, { lotType: '3' }), module).toContain('engineeringCode');
      expect(await missing(module, { lotType: '3', engineeringCode: ' ' }), module).toContain('engineeringCode');
      expect(await missing(module, { lotType: '3', engineeringCode: 'E7' }), module).not.toContain('engineeringCode');
      for (const lotType of ['0', '1', '2']) {
        expect(await missing(module, { lotType }), module).not.toContain('engineeringCode');
      }
    }
  });

  it('ask for the FT type of a turnkey assembly, whose process type is 2 [P-FRM-08]', async () => {
    expect(await missing('icopAssemblyWorkOrder', { processType: '2' })).toContain('ftType');
    expect(await missing('icopAssemblyWorkOrder', { processType: '2', ftType: '1' })).not.toContain('ftType');
    expect(await missing('icopAssemblyWorkOrder', { processType: '1' })).not.toContain('ftType');
  });

  it('always ask for the FT type of an FT order [P-FRM-09]', async () => {
    for (const processType of ['1', '2']) {
      expect(await missing('icopFtWorkOrder', { processType })).toContain('ftType');
      expect(await missing('icopFtWorkOrder', { processType, ftType: '1' })).not.toContain('ftType');
    }
  });
});
