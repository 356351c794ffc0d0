import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let it_: TestApp;
beforeAll(async () => {
  it_ = await startTestApp();
});
afterAll(() => it_.close());

describe('the list', () => {
  it('says no without a session, without the right, and for a module that does not exist', async () => {
    expect(await it_.ask('GET', '/api/ubsSite/pager.json')).toMatchObject({ status: 401, code: '401' });
    expect(await it_.ask('GET', '/api/adminUser/pager.json', {}, { as: 'tech' })).toMatchObject({
      status: 403,
      code: '100013',
    });
    expect(await it_.ask('GET', '/api/nothing/pager.json', {}, { as: 'admin' })).toMatchObject({
      status: 404,
      code: '100050',
    });
  });

  it('answers title, items, total and the name of the table, in the language that is asked for', async () => {
    const answer = await it_.ask('GET', '/api/ubsSite/pager.json', { pageCount: 2 }, { as: 'admin', lang: 'zh' });
    expect(answer).toMatchObject({ status: 200, code: '000000', data: { itemTotal: 3, tableName: '站点' } });
    expect((answer.data['items'] as unknown[]).length).toBe(2);
  });
});
