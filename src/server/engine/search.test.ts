import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, probe, putRows } from '#tests/support/probe.ts';

let testApp: TestApp;
const MOMENT = Date.parse('2026-03-05T12:00:00.000Z');

beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  await putRows(
    testApp,
    'probe',
    [
      { title: 'a', count: 1, size: 1.5, amount: '1.10', status: '0', day: '2026-03-01', shop: 'X1' },
      { title: 'b', count: 2, size: 2.5, amount: '2.20', status: '1', day: '2026-03-02', seenAt: new Date(MOMENT) },
      { title: 'c', count: 3, size: 3.5, amount: '3.30', status: '1', day: '2026-03-03', shop: '' },
      { title: 'Cc%', count: null, status: null, month: '2026-03', shipId: 'SF' },
    ].map((it) => ({ ...it, siteId: 'SZ' })),
  );
});
afterAll(() => testApp.close());

interface Rule {
  connector?: unknown;
  column?: unknown;
  relation?: unknown;
  value?: unknown;
  [name: string]: unknown;
}
interface Group {
  connector?: unknown;
  rules?: Rule[];
  groups?: Group[];
}
const path = '/api/probe/advancedSearch.json?pageCount=200&sortBy=title&order=asc';
const ask = (tree: unknown) =>
  testApp.ask<{ items: { title: string }[]; itemTotal: number }>(
    'POST',
    '/api/probe/advancedSearch.json',
    { adminAdvancedSearchGroup: tree },
    { as: 'prober' },
  );
const found = async (tree: Group) => {
  const answer = await ask(tree);
  expect(answer, answer.msg).toMatchObject({ status: 200, code: '000000' });
  const titles = answer.data.items.map((it) => it.title).sort();
  expect(answer.data.itemTotal).toBe(titles.length);
  return titles.join(' ');
};
const is = (column: string, relation: string, value?: unknown, connector?: string): Rule => ({
  ...(connector && { connector }),
  column,
  relation,
  ...(value !== undefined && { value }),
});

describe('the advanced search', () => {
  it.each<[string, Rule, string]>([
    ['equals', is('title', 'EQUAL_TO', 'b'), 'b'],
    ['equals nothing in another case', is('title', 'EQUAL_TO', 'B'), ''],
    ['differs, what is empty too', is('status', 'NOT_EQUAL_TO', '1'), 'Cc% a'],
    ['is greater', is('count', 'GREATER_THAN', 2), 'c'],
    ['is greater than what the form would take', is('count', 'GREATER_THAN', 51), ''],
    ['is at least', is('count', 'GREATER_THAN_OR_EQUAL_TO', '2'), 'b c'],
    ['is less', is('size', 'LESS_THAN', 2.5), 'a'],
    ['is at most', is('amount', 'LESS_THAN_OR_EQUAL_TO', '2.2'), 'a b'],
    ['contains in any case', is('title', 'LIKE', 'C'), 'Cc% c'],
    ['does not contain, what is empty too', is('shop', 'NOT_LIKE', 'x'), 'Cc% b c'],
    ['is one of several', is('title', 'IN', 'a, b，zz'), 'a b'],
    ['is one of several on lines', is('count', 'IN', '2\n3'), 'b c'],
    ['is one of none', is('title', 'IN', ' , '), 'Cc% a b c'],
    ['contains a percent sign', is('title', 'LIKE', '%'), 'Cc%'],
    ['contains digits of a number', is('size', 'LIKE', '.5'), 'a b c'],
    ['is empty, as text and as nothing', is('shop', 'IS_NULL'), 'Cc% b c'],
    ['is empty, a number', is('count', 'IS_NULL'), 'Cc%'],
    ['is not empty', is('shop', 'IS_NOT_NULL'), 'a'],
    ['is a day', is('day', 'EQUAL_TO', Date.parse('2026-03-02T00:00:00+08:00')), 'b'],
    ['is before a day', is('day', 'LESS_THAN', Date.parse('2026-03-02T23:59:00+08:00')), 'a'],
    ['contains a part of a moment as lists show it', is('seenAt', 'LIKE', '2026-03-05 20:00'), 'b'],
    ['is a moment', is('seenAt', 'EQUAL_TO', MOMENT), 'b'],
    ['is on a day, whenever', is('seenAt', 'EQUAL_TO', '2026-03-05'), 'b'],
    ['is on another day', is('seenAt', 'EQUAL_TO', '2026-03-06'), ''],
    ['is not on a day, or never', is('seenAt', 'NOT_EQUAL_TO', '2026-03-05'), 'Cc% a c'],
    ['is on one of several days', is('seenAt', 'IN', '2026-03-04, 2026-03-05'), 'b'],
    ['is after a day', is('seenAt', 'GREATER_THAN', '2026-03-05'), ''],
    ['is on a day or after', is('seenAt', 'GREATER_THAN_OR_EQUAL_TO', '2026-03-05'), 'b'],
    ['is before a day of moments', is('seenAt', 'LESS_THAN', '2026-03-05'), ''],
    ['is on a day or before', is('seenAt', 'LESS_THAN_OR_EQUAL_TO', '2026-03-05'), 'b'],
    ['is another row', is('shipId', 'EQUAL_TO', 'SF'), 'Cc%'],
    ['takes no notice of a rule without a value', is('title', 'EQUAL_TO', ''), 'Cc% a b c'],
  ])('finds what %s', async (_, rule, titles) => {
    expect(await found({ rules: [rule] })).toBe(titles);
  });

  it('reads connectors from left to right', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((it) => is('title', 'EQUAL_TO', it));
    const or = { connector: 'OR' };
    const and = { connector: 'AND' };
    // (a OR b) AND status 1: not a OR (b AND status 1), which would find a as well.
    expect(await found({ rules: [{ ...a }, { ...b, ...or }, { ...is('status', 'EQUAL_TO', '1'), ...and }] })).toBe('b');
    expect(await found({ rules: [{ ...is('status', 'EQUAL_TO', '1') }, { ...c, ...and }, { ...a, ...or }] })).toBe(
      'a c',
    );
  });

  it('joins groups by their connector, three levels deep, and by AND where none is said [P-ADV-09]', async () => {
    const tree: Group = {
      rules: [is('title', 'EQUAL_TO', 'a')],
      groups: [
        {
          connector: 'OR',
          rules: [is('status', 'EQUAL_TO', '1')],
          groups: [{ connector: 'AND', rules: [is('count', 'EQUAL_TO', 3), is('count', 'EQUAL_TO', 9, 'OR')] }],
        },
      ],
    };
    expect(await found(tree)).toBe('a c');
    expect(await found({ ...tree, groups: tree.groups?.map((it) => ({ ...it, connector: 'AND' })) })).toBe('');
    expect(await found({ ...tree, groups: tree.groups?.map((it) => ({ ...it, connector: undefined })) })).toBe('');
    expect(await found({ rules: [is('status', 'EQUAL_TO', '1'), is('count', 'EQUAL_TO', 3)] })).toBe('c');
  });

  it('finds everything by an empty tree', async () => {
    expect(await found({})).toBe('Cc% a b c');
    expect(await found({ rules: [], groups: [{ connector: 'AND', rules: [] }] })).toBe('Cc% a b c');
  });

  it('is read in pages like any list', async () => {
    const answer = await testApp.ask<{ items: object[]; itemTotal: number }>(
      'POST',
      `${path.replace('200', '2')}`,
      { adminAdvancedSearchGroup: {} },
      { as: 'prober' },
    );
    expect(answer.data).toMatchObject({ itemTotal: 4, items: [{ title: 'Cc%' }, { title: 'a' }] });
  });
});

const rules = (n: number) => Array.from({ length: n }, () => is('title', 'EQUAL_TO', 'a', 'OR'));
const deep = (n: number): Group => (n === 1 ? { rules: rules(1) } : { groups: [deep(n - 1)] });

describe('the advanced search refuses by name', () => {
  it.each<[string, unknown, string]>([
    ['a fourth level', deep(4), 'groups'],
    ['a 51st rule', { rules: rules(26), groups: [{ rules: rules(25) }] }, 'At most 50 conditions'],
    ['a list of 51 rules', { rules: rules(51) }, 'At most 50 conditions'],
    [
      '201 values',
      { rules: [is('title', 'IN', Array.from({ length: 201 }, (_, i) => i).join())] },
      'at most 200 values',
    ],
    ['a list too long to be taken apart', { rules: [is('title', 'IN', ','.repeat(50_000))] }, 'at most 200 values'],
    ['letters among numbers', { rules: [is('count', 'IN', '1,two')] }, 'Count'],
    ['a value of 201 letters', { rules: [is('title', 'LIKE', 'x'.repeat(201))] }, 'Title'],
    ['a column that does not exist', { rules: [is('colour', 'EQUAL_TO', 'red')] }, 'colour'],
    ['a column that is not shown', { rules: [is('cost', 'GREATER_THAN', '1')] }, 'cost'],
    ['a password', { rules: [is('secret', 'LIKE', 'x')] }, 'secret'],
    ['SQL for a column', { rules: [is('title) OR (1=1', 'EQUAL_TO', 'x')] }, 'title) OR (1=1'],
    ['a name of the language', { rules: [is('constructor', 'EQUAL_TO', 'x')] }, 'constructor'],
    ['a column that is no name', { rules: [is('title', 'EQUAL_TO'), { column: 7, relation: 'IS_NULL' }] }, '7'],
    ['an unknown relation', { rules: [is('title', 'SOUNDS_LIKE', 'x')] }, 'SOUNDS_LIKE'],
    ['a relation of the language', { rules: [is('title', 'toString', 'x')] }, 'toString'],
    ['an unknown connector', { rules: [is('title', 'EQUAL_TO', 'a'), is('title', 'EQUAL_TO', 'b', 'XOR')] }, 'XOR'],
    ['an unknown part of a rule', { rules: [{ ...is('title', 'EQUAL_TO', 'a'), not: true }] }, 'not'],
    ['an unknown part of a group', { rules: [], having: [] }, 'having'],
    ['rules that are no list', { rules: 'title' }, 'rules'],
    ['a rule that is none', { rules: ['title'] }, 'rules'],
    ['a tree that is none', [], 'adminAdvancedSearchGroup'],
    ['letters for a number', { rules: [is('count', 'EQUAL_TO', 'two')] }, 'Count'],
    ['a list for a value', { rules: [is('count', 'EQUAL_TO', [1])] }, 'Count'],
    ['an object that is no text', { rules: [is('title', 'LIKE', { toString: 1 })] }, 'Title'],
    ['a sign that no text has', { rules: [is('title', 'LIKE', 'a\u0000b')] }, 'rules.0.value'],
    ['an object for a value', { rules: [is('title', 'EQUAL_TO', { $gt: '' })] }, 'Title'],
  ])('%s', async (_, tree, name) => {
    const { status, code, msg } = await ask(tree);
    expect({ status, code }).toEqual({ status: 200, code: '100015' });
    expect(msg).toContain(name);
  });

  it('a tree that is missing, and what stands beside it', async () => {
    const post = (body: object) => testApp.ask('POST', '/api/probe/advancedSearch.json', body, { as: 'prober' });
    expect(await post({})).toMatchObject({ code: '100001' });
    expect(await post({ adminAdvancedSearchGroup: {}, where: '1=1' })).toMatchObject({
      code: '100015',
      msg: expect.stringContaining('where') as string,
    });
  });

  it('but takes three levels, 50 rules and 200 letters', async () => {
    expect(await ask(deep(3))).toMatchObject({ code: '000000' });
    expect(await ask({ rules: rules(50) })).toMatchObject({ code: '000000' });
    expect(await ask({ rules: [is('title', 'LIKE', 'x'.repeat(200))] })).toMatchObject({ code: '000000' });
  });
});

describe('what the advanced search can ask', () => {
  it('are the columns of the list by their labels, the relations by theirs, and how each column is typed [P-ADV-02]', async () => {
    type Asked = { title: object; relations: object; columns: { name: string; type: string; options?: object[] }[] };
    const asked = (lang: 'zh' | 'en') =>
      testApp.ask<Asked>('GET', '/api/probe/toAdvancedSearch.json', {}, { as: 'prober', lang });
    const { data } = await asked('en');
    expect(Object.keys(data.title)).toEqual(probe.list?.columns);
    expect(data.relations).toMatchObject({ EQUAL_TO: 'equals', IS_NOT_NULL: 'is not empty' });
    expect(Object.keys(data.relations)).toHaveLength(11);
    expect(data.columns.find((it) => it.name === 'status')?.options).toContainEqual({
      value: '1',
      optionName: 'Received',
      tone: 'work',
    });
    expect(data.columns.find((it) => it.name === 'shipId')?.options).toContainEqual({
      value: 'SF',
      optionName: '顺丰速运',
    });
    expect((await asked('zh')).data).toMatchObject({ relations: { LIKE: '包含' }, title: { title: '名称' } });
  });
});
