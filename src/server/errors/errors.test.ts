import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tidy } from '#server/housekeeping.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  await testApp.db.deleteFrom('error_log').execute();
  await testApp.db.deleteFrom('login_attempt').execute();
});

const entry = {
  type: 'script',
  code: '',
  message: 'TypeError: x is not a function',
  url: 'https://reflow.example/rmaCheckBillList',
  time: 1_790_000_000_000,
  token: '',
  userId: '',
  userName: '',
};
const save = (more: object = {}, asking: Parameters<TestApp['ask']>[3] = {}) =>
  testApp.ask('POST', '/api/save_error_logger', { ...entry, ...more }, asking);
const readErrors = () => testApp.db.selectFrom('error_log').selectAll().orderBy('id').execute();

describe('an error entry is refused', () => {
  it.each([
    ['without a message', { message: undefined }, '100001'],
    ['without a time', { time: undefined }, '100001'],
    ['with an impossible time', { time: 1e300 }, '100015'],
    ['with a field that nobody knows', { stack: 'x' }, '100015'],
    ['with a message longer than 2000', { message: 'x'.repeat(2001) }, '100015'],
    ['with an address longer than 1000', { url: 'x'.repeat(1001) }, '100015'],
    ['with a NUL', { message: 'a\0b' }, '100015'],
    ['with a list as message', { message: ['a', 'b'] }, '100015'],
  ])('%s', async (_, more, code) => {
    expect((await save(more)).code).toBe(code);
    expect(await readErrors()).toEqual([]);
  });

  it('from an address that told of thirty within a minute', async () => {
    const codes: string[] = [];
    for (let i = 0; i < 33; i += 1) codes.push((await save()).code);
    expect(codes.filter((it) => it === '000000')).toHaveLength(30);
    expect(await save()).toMatchObject({ status: 429, code: '100046' });
    expect(await readErrors()).toHaveLength(30);
  });
});

describe('an error entry', () => {
  it('is taken from anybody, at the login page too, with the fields of the specification [P-ELG-02] [P-ELG-03]', async () => {
    expect(await save({ type: 'ajax', code: '500' })).toMatchObject({ status: 200, code: '000000' });
    expect(await readErrors()).toMatchObject([
      { type: 'ajax', code: '500', message: entry.message, url: entry.url, time: entry.time, userId: '', userName: '' },
    ]);
  });

  it('belongs to whom the session says, whatever it claims', async () => {
    await save({ userId: 'admin', userName: 'Admin' }, { as: 'tech' });
    await save({ userId: 'admin', userName: 'Admin', token: await testApp.openToken('office') });
    await save({ userId: 'li', userName: 'Li', token: 'of an ended session' });
    expect((await readErrors()).map((it) => it.userId)).toEqual(['tech', 'office', 'li']);
  });

  it('leaves no token, no ticket and no control character behind', async () => {
    const token = await testApp.openToken('tech');
    const url = `https://reflow.example/login?ticket=ST-1-secret&x=1&token=${token}#a`;
    await save({ token, url, type: 'script\r\nX: y', userName: 'a\u001b[31mb' }, { as: 'tech' });
    const [row] = await readErrors();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row?.url).toBe('https://reflow.example/login?ticket=…&x=1&token=…#a');
    expect(row?.type).toBe('script X: y');
    expect(row?.sessionMark).toMatch(/^[0-9a-f]{8}$/);
  });

  it('is removed after 30 days', async () => {
    await save();
    await save({ message: 'young' });
    await sql`UPDATE error_log SET at = now() - interval '31 days' WHERE message <> 'young'`.execute(testApp.db);
    await tidy(testApp.db);
    expect((await readErrors()).map((it) => it.message)).toEqual(['young']);
  });
});

describe('the list of all captured errors', () => {
  const list = (input: object = {}, as = 'admin') =>
    testApp.ask<{ items: { message: string }[]; total: number }>('GET', '/rest/errors', input, { as });

  it('is for administrators', async () => {
    expect(await testApp.ask('GET', '/rest/errors')).toMatchObject({ status: 401 });
    for (const as of ['tech', 'office', 'viewer', 'finance'])
      expect(await list({}, as)).toMatchObject({ status: 403, code: '100013' });
  });

  it.each([
    { range: '[0,200]' },
    { range: '[-1,5]' },
    { range: '[5,4]' },
    { range: '0-24' },
    { sort: '["message","ASC"]' },
    { filter: 'text' },
    { filter: '["text"]' },
    { filter: '{"text":1}' },
    { filter: '{"message":"x"}' },
    { filter: JSON.stringify({ text: 'x'.repeat(101) }) },
    { pageCount: 5 },
  ])('refuses %o', async (input) => {
    expect((await list(input)).code).toBe('100015');
  });

  it('has the newest first, page by page, found by any words of it', async () => {
    for (const message of ['first 100%', 'second', 'third 100x']) await save({ message });
    const answer = await list();
    expect(answer.data.items.map((it) => it.message)).toEqual(['third 100x', 'second', 'first 100%']);
    expect(answer.data.total).toBe(3);
    const second = await list({ range: '[1,1]', sort: '["id","DESC"]' });
    expect(second.data).toMatchObject({ items: [{ message: 'second' }], total: 3 });
    expect((await list({ filter: '{"text":"100%"}' })).data).toMatchObject({
      items: [{ message: 'first 100%' }],
      total: 1,
    });
  });
});
