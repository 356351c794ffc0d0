import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buttonSlips } from '#domain/definition/buttonSlips.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { documentScripts } from '#server/uploads/documents.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, probe, putRows } from '#tests/support/probe.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

let testApp: TestApp;
let here = 0;
let there = 0;
let closed = 0;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  const buttons = [
    { btnNo: 'attach', script: 'uploadOne', label: { zh: '附件', en: 'Attach' }, field: 'note', when: { status: '0' } },
    { btnNo: 'paper', script: 'uploadDocument', label: { zh: '文件', en: 'Document' }, field: 'note' },
  ];
  (testApp.model.definitions as Map<string, Definition>).set('probe', { ...probe, buttons });
  [here = 0, there = 0, closed = 0] = await putRows(testApp, 'probe', [
    { title: 'a', siteId: 'SZ', status: '0' },
    { title: 'b', siteId: 'NB', status: '0' },
    { title: 'c', siteId: 'SZ', status: '2' },
  ]);
});
afterAll(() => testApp?.close());

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');
const one = (id: number | string) => `/api/probe/uploadOne.json?id=${id}`;
const DOCUMENT = '/api/probe/uploadDocument.json';
const readNote = async (id: number) =>
  (
    await sql<{ note: string | null; version: number }>`SELECT note, version FROM probe WHERE id = ${id}`.execute(
      testApp.db,
    )
  ).rows[0];
const files = async () => (await sql<{ n: number }>`SELECT count(*) AS n FROM file`.execute(testApp.db)).rows[0]?.n;

describe('a paper for one row is refused, and nothing is kept', () => {
  it.each<[string, () => string, Buffer[], string | null, number, string]>([
    ['without a session', () => one(here), [PDF], null, 401, '401'],
    ['without the right of its button', () => one(here), [PDF], 'viewer', 403, '100013'],
    [
      'where the module has no such button',
      () => '/api/rmaCheckBill/uploadOne.json?id=1',
      [PDF],
      'admin',
      404,
      '100050',
    ],
    ['without a file', () => one(here), [], 'prober', 200, '100001'],
    ['without a row', () => '/api/probe/uploadOne.json', [PDF], 'prober', 200, '100001'],
    ['for the row of another site', () => one(there), [PDF], 'prober', 200, '100002'],
    ['for a row that its button is not offered for', () => one(closed), [PDF], 'prober', 200, '100025'],
    ['of plain text', () => one(here), [Buffer.from('text')], 'prober', 200, '100017'],
    ['of a page', () => one(here), [Buffer.from('<html>%PDF-')], 'prober', 200, '100017'],
    ['of two at once', () => one(here), [PDF, PDF], 'prober', 200, '100017'],
    [
      'of more than 5M',
      () => one(here),
      [Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)])],
      'prober',
      413,
      '100051',
    ],
    ['as a document, without a session', () => DOCUMENT, [PDF], null, 401, '401'],
    ['as a document, without the right', () => DOCUMENT, [PDF], 'tech', 403, '100013'],
    ['as a document, without a row', () => DOCUMENT, [PDF], 'prober', 200, '100001'],
  ])('%s', async (_, path, sent, as, status, code) => {
    const before = [await files(), await readNote(here), await readNote(there), await readNote(closed)];
    const answer = await sendFile(testApp, path(), sent, { name: 'a.pdf', ...(as !== null && { as }) });
    expect([answer.status, answer.code], answer.msg).toEqual([status, code]);
    expect([await files(), await readNote(here), await readNote(there), await readNote(closed)]).toEqual(before);
  });
});

describe('a paper for one row', () => {
  it('is added to its field, once for one key, and kept under its own name [P-UPL-10] [P-UPL-13]', async () => {
    const key = newKey();
    const send = () => sendFile<{ url: string }>(testApp, one(here), [PDF], { as: 'prober', name: '报价 1.pdf', key });
    const [first, again] = [await send(), await send()];
    expect(first.code).toBe('000000');
    expect(first.data.url).toMatch(/^\/file\/[0-9a-f]{32}\.pdf$/);
    expect(again.data.url).toBe(first.data.url);
    expect(await readNote(here)).toEqual({ note: first.data.url, version: 2 });
    const reply = await testApp.app.inject({
      url: first.data.url,
      headers: { token: await testApp.openToken('prober') },
    });
    expect(reply.headers['content-type']).toBe('application/pdf');
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('报价 1.pdf')}`,
    );
    expect(reply.rawPayload.equals(PDF)).toBe(true);
    const ledger = await testApp.db
      .selectFrom('ledger')
      .select(['what', 'recordId'])
      .where('module', '=', 'probe')
      .execute();
    expect(ledger).toEqual([{ what: 'uploadOne', recordId: String(here) }]);
  });

  it('is seen by whoever sees the list, and by nobody else', async () => {
    const { data } = await sendFile<{ url: string }>(testApp, one(here), [PDF], { as: 'prober' });
    const statusFor = async (user: string) =>
      (await testApp.app.inject({ url: data.url, headers: { token: await testApp.openToken(user) } })).statusCode;
    expect([await statusFor('prober'), await statusFor('admin')]).toEqual([200, 200]);
    expect([await statusFor('tech'), await statusFor('proberNB'), await statusFor('viewer')]).toEqual([404, 404, 404]);
  });

  it('may also name its row beside the file [P-UPL-15]', async () => {
    const sent = [await workbook([['a']])];
    const { code, data } = await sendFile<{ url: string }>(testApp, DOCUMENT, sent, {
      as: 'prober',
      name: 'plan.xlsx',
      fields: { id: String(closed) },
    });
    expect(code).toBe('000000');
    expect(data.url).toMatch(/\.xlsx$/);
    expect(await readNote(closed)).toEqual({ note: data.url, version: 2 });
    const other = await sendFile(testApp, DOCUMENT, sent, {
      as: 'prober',
      fields: { id: String(closed), siteId: 'NB' },
    });
    expect(other.code).toBe('100015');
  });

  it('comes at most ten times, joined by ## [P-UPL-17]', async () => {
    const [id = 0] = await putRows(testApp, 'probe', [{ title: 'd', siteId: 'SZ', status: '0' }]);
    for (let i = 0; i < 10; i++)
      expect((await sendFile(testApp, one(id), [PDF], { as: 'prober' })).code).toBe('000000');
    expect((await readNote(id))?.note?.split('##')).toHaveLength(10);
    expect((await sendFile(testApp, one(id), [PDF], { as: 'prober' })).code).toBe('100017');
  });

  it('is opened by what says which files are taken [P-UPL-10]', async () => {
    const { data } = await testApp.ask('GET', '/api/probe/toUploadOne.json', {}, { as: 'prober' });
    expect(data).toMatchObject({ accept: ['pdf', 'jpg', 'jpeg', 'png', 'xls', 'xlsx'], maxBytes: 5 * 1024 * 1024 });
  });
});

it('each field that a draft may let a paper fill takes it, by either call', async () => {
  const definitions = testApp.model.definitions as Map<string, Definition>;
  const before = definitions.get('probe') as Definition;
  const filled: string[] = [];
  try {
    for (const field of Object.keys(probe.fields)) {
      for (const script of documentScripts) {
        const buttons = [{ btnNo: 'paper', script, field, label: { zh: '文件', en: 'Document' } }];
        const definition = { ...probe, buttons };
        if (buttonSlips(definition).length > 0) continue;
        definitions.set('probe', definition);
        const [id = 0] = await putRows(testApp, 'probe', [{ title: 'f', siteId: 'SZ', status: '0' }]);
        const path = `/api/probe/${script}.json?id=${id}`;
        const answer = await sendFile(testApp, path, [PDF], { as: 'prober' });
        expect([field, script, answer.code]).toEqual([field, script, '000000']);
        filled.push(field);
      }
    }
  } finally {
    definitions.set('probe', before);
  }
  expect([...new Set(filled)]).toEqual(['title', 'note', 'reason', 'grade', 'remark']);
});

it('a user who has uploaded the quota of 24 hours is refused, and another one is not', async () => {
  testApp.config.uploadQuotaMb = 1;
  const large = Buffer.concat([PDF, Buffer.alloc(700 * 1024), PDF]);
  const [mine = 0] = await putRows(testApp, 'probe', [{ title: 'q', siteId: 'NB', status: '0' }]);
  const send = (as: string) => sendFile(testApp, one(mine), [large], { as });
  expect((await send('proberNB')).code).toBe('000000');
  const refused = await send('proberNB');
  expect([refused.status, refused.code]).toEqual([429, '100046']);
  expect(refused.msg).toContain('24 hours (1 MB)');
  expect((await send('admin')).code).toBe('000000');
});
