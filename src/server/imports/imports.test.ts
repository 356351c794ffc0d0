import { readXlsx, type CellValue } from 'hucre';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { addProbe, countRows, probe, putRows, readRow } from '#tests/support/probe.ts';
import {
  oldWorkbook,
  sendFile,
  shownWorkbook,
  workbook,
  workbookAround,
  type Sending,
  type Shown,
} from '#tests/support/workbooks.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  await addProbe(testApp);
  const buttons = [
    ...(probe.buttons ?? []),
    { btnNo: 'bring', script: 'upload', label: { zh: '导入', en: 'Import' } },
    {
      btnNo: 'times',
      script: 'uploadSignForTime',
      label: { zh: '导入签收时间', en: 'Import times' },
      field: 'seenAt',
      by: ['probeId', 'shop'],
    },
  ];
  (testApp.model.definitions as Map<string, Definition>).set('probe', { ...probe, buttons });
});
afterAll(() => testApp?.close());

interface Imported {
  url: string;
  jobId: number;
  state: string;
  rows: number;
  imported: number;
  bad: number;
  problems: { row: number; msg: string; fields: string[] }[];
  ignored: string[];
  sample: { row: number; cells: string[] }[];
  report: string | null;
}
const UPLOAD = '/api/probe/upload.json';
const TIMES = '/api/probe/uploadSignForTime.json';

const bring = async (rows: CellValue[][], sending: Sending = {}, path = UPLOAD) =>
  sendFile<Imported>(testApp, path, [await workbook(rows)], { as: 'prober', ...sending });
const look = (rows: CellValue[][], sending: Sending = {}, path = UPLOAD) =>
  bring(rows, { ...sending, fields: { ...sending.fields, dryRun: '1' } }, path);
const present = () => countRows(testApp, 'probe');
const HEADS = ['Title', 'Code', 'Count', 'Serial'];
let serial = 1000;
const goodRow = (title = 'good'): CellValue[] => [title, 'a1', 3, ++serial];

describe('an import is refused, and nothing is written', () => {
  const good = () => [HEADS, goodRow()];
  it.each<[string, string, string | null, number, string]>([
    ['without a session', UPLOAD, null, 401, '401'],
    ['without the right of its button', UPLOAD, 'viewer', 403, '100013'],
    ['where the module has no such button', '/api/rmaCheckBill/upload.json', 'admin', 404, '100050'],
    ['of times, without a session', TIMES, null, 401, '401'],
    ['of times, without the right', TIMES, 'tech', 403, '100013'],
    [
      'of times, where the module has no such button',
      '/api/rmaCheckBill/uploadSignForTime.json',
      'admin',
      404,
      '100050',
    ],
  ])('%s', async (_, path, as, status, code) => {
    const before = await present();
    const answer = await sendFile(testApp, path, [await workbook(good())], as === null ? {} : { as });
    expect(answer).toMatchObject({ status, code });
    expect(await present()).toBe(before);
  });

  it.each<[string, () => Promise<Buffer[]>, string, RegExp]>([
    ['without a file', async () => [], '100001', /No upload file selected/],
    ['of a file that is no workbook', async () => [Buffer.from('a,b\n1,2')], '100017', /choose one of: xlsx/],
    ['of an old workbook', async () => [oldWorkbook('Workbook')], '100015', /save it as \.xlsx/],
    ['of heads without rows', async () => [await workbook([HEADS])], '100001', /no rows/],
    [
      'of a workbook without a required column',
      async () => [await workbook([['Count'], [1]])],
      '100001',
      /missing: Title/,
    ],
    [
      'of more than 100 columns',
      async () => [await workbook([Array.from({ length: 101 }, (_, i) => `C${i}`)])],
      '100015',
      /more than 100 columns/,
    ],
  ])('%s', async (_, files, code, msg) => {
    const before = await present();
    const answer = await sendFile(testApp, UPLOAD, await files(), { as: 'prober' });
    expect([answer.code, answer.msg]).toEqual([code, expect.stringMatching(msg)]);
    expect(await present()).toBe(before);
  });

  it('with a field beside the file that nobody knows', async () => {
    const answer = await bring(good(), { fields: { siteId: 'NB' } });
    expect(answer).toMatchObject({ code: '100015', msg: expect.stringContaining('siteId') as string });
  });

  it('of a workbook that somebody else uploaded, or nobody', async () => {
    const { data } = await look(good());
    for (const [as, url] of [
      ['proberNB', data.url],
      ['prober', `/file/${'0'.repeat(32)}`],
      ['prober', '../../etc/passwd'],
    ] as const) {
      expect((await testApp.ask('POST', UPLOAD, { url }, { as })).code).toBe('100002');
    }
    expect((await testApp.ask('POST', UPLOAD, {}, { as: 'prober' })).code).toBe('100001');
    const other = await testApp.app.inject({ url: data.url, headers: { token: await testApp.openToken('admin') } });
    expect(other.statusCode).toBe(404);
  });
});

describe('a row is judged as a form is', () => {
  it.each<[string, CellValue[], CellValue[], RegExp]>([
    ['a required field that is empty', ['Title', 'Count'], [null, 3], /must not be empty \(Title\)/],
    ['a text that is too long', ['Title'], ['x'.repeat(21)], /Title is too long/],
    ['a number beyond its bound', ['Title', 'Count'], ['a', 51], /Count must be at most 50/],
    ['a negative number', ['Title', 'Size'], ['a', -1], /Size must be at least 0/],
    ['a number that is none', ['Title', 'Count'], ['a', 'many'], /Count/],
    [
      'an option that does not exist',
      ['Title', 'Status'],
      ['a', 'lost'],
      /Status "lost" is none of: Awaiting receipt, Received/,
    ],
    ['a day that does not exist', ['Title', 'Day'], ['a', '2026-02-30'], /Day does not meet the rules/],
    ['a reference to nothing', ['Title', 'Shipment'], ['a', 'Pigeon'], /Shipment Pigeon does not exist/],
    ['another site', ['Title', 'Site'], ['a', 'NB'], /Site NB does not exist/],
    ['a field that its neighbour requires', ['Title', 'Status'], ['a', '2'], /must not be empty \(Reason\)/],
    ['a long number that the spreadsheet rounded', ['Title', 'Code'], ['a', 12345678901234567], /Code was rounded/],
    ['a cell in error', ['Title'], ['#N/A'], /Title does not meet the rules/],
  ])('%s is told by its row', async (_, heads, row, msg) => {
    const { code, data } = await look([heads, ['fine', ...Array<null>(heads.length - 1).fill(null)], row]);
    expect(code).toBe('000000');
    expect(data).toMatchObject({ state: 'done', rows: 2, bad: 1, imported: 0 });
    expect(data.problems).toEqual([
      { row: 3, msg: expect.stringMatching(msg) as string, fields: expect.any(Array) as string[] },
    ]);
  });

  it('a formula is told by its cell, computed or not; beside the columns that are read it is nobody’s fault', async () => {
    const text = (at: string, said: string) => `<c r="${at}" t="inlineStr"><is><t>${said}</t></is></c>`;
    const sheet = `<worksheet><sheetData><row r="1">${text('A1', 'Title')}${text('B1', 'Weather')}${text('C1', 'Count')}</row>
      <row r="2">${text('A2', 'fine')}<c r="B2"><f>1+1</f><v>2</v></c><c r="C2"><v>3</v></c></row>
      <row r="3">${text('A3', 'sum')}<c r="C3"><f>SUM(C2)</f><v>3</v></c></row>
      <row r="5"><c r="A5" t="str"><f>A2</f></c></row></sheetData></worksheet>`;
    const sending = { as: 'prober', fields: { dryRun: '1' } };
    const { data } = await sendFile<Imported>(testApp, UPLOAD, [workbookAround(sheet)], sending);
    expect(data).toMatchObject({ rows: 3, bad: 2 });
    expect(data.problems.map((it) => [it.row, it.fields, it.msg])).toEqual([
      [3, ['count'], 'Cell C3 (Count) holds a formula; paste its value in its place'],
      [5, ['title'], 'Cell A5 (Title) holds a formula; paste its value in its place'],
    ]);
  });

  it('what is there already, and what stands higher up, is named', async () => {
    await putRows(testApp, 'probe', [{ title: 'old', siteId: 'SZ', serial: 77 }]);
    const { data } = await look([HEADS, ['a', null, 1, 77], ['b', null, 1, 78], ['c', null, 1, 78]]);
    expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
      [2, 'Serial 77 already exists; choose another one'],
      [4, 'Serial 78 is already in row 3'],
    ]);
  });

  it('a reference takes rows of its kind alone, and of two of one name the one that it takes', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const before = definitions.get('probe') as Definition;
    const motherId = before.fields['motherId'] as Field;
    const ref = { ...(motherId.ref as NonNullable<Field['ref']>), only: { field: 'status', values: ['1'] } };
    await putRows(testApp, 'probe', [
      { probeId: 'KIND1', title: 'of one name', siteId: 'SZ', status: '1' },
      { probeId: 'KIND2', title: 'of one name', siteId: 'SZ', status: '0' },
      { probeId: 'KIND3', title: 'alone', siteId: 'SZ', status: '0' },
    ]);
    const rows = ['of one name', 'KIND1', 'KIND2', 'alone'].map((it) => ['a', it]);
    definitions.set('probe', { ...before, fields: { ...before.fields, motherId: { ...motherId, ref } } });
    try {
      const { data } = await look([['Title', 'Mother'], ...rows]);
      expect(data.problems.map((it) => it.row)).toEqual([4, 5]);
      expect(data.problems[0]?.msg).toContain("Mother KIND2 can't be taken here: its Status has to be");
    } finally {
      definitions.set('probe', before);
    }
  });

  it.each([
    ['shop', 'Code', 'NEAR', 'FAR', 'FAR'],
    ['count', 'Count', 7, 8, '8'],
    ['day', 'Day', new Date('2026-03-05'), new Date('2026-03-06'), '2026-03-06'],
  ] as const)(
    'a reference that %s narrows down takes rows of the same alone, in a form as well',
    async (of, head, its, other, said) => {
      const definitions = testApp.model.definitions as Map<string, Definition>;
      const before = definitions.get('probe') as Definition;
      const motherId = before.fields['motherId'] as Field;
      const ref = { ...(motherId.ref as NonNullable<Field['ref']>), within: { field: of, of } };
      const mother = { title: `near ${of}`, siteId: 'SZ', [of]: its, status: '0' };
      await putRows(testApp, 'probe', [{ ...mother, probeId: `NEAR ${of}` }]);
      definitions.set('probe', { ...before, fields: { ...before.fields, motherId: { ...motherId, ref } } });
      const write = (action: string, body: object) =>
        testApp.ask<{ id: number }>('POST', `/api/probe/${action}.json`, body, { as: 'prober', lang: 'en' });
      const sent = (it: typeof its | typeof other) => (it instanceof Date ? it.getTime() : it);
      try {
        const { data } = await look([
          ['Title', 'Mother', head],
          ['a', `NEAR ${of}`, its],
          ['a', `near ${of}`, other],
          ['a', `NEAR ${of}`, null],
        ]);
        const msg = expect.stringContaining(`Mother NEAR ${of} can't be taken here: its ${head} has to be "${said}`);
        expect(data.problems).toEqual([expect.objectContaining({ row: 3, msg })]);
        const wrong = { title: 'x', motherId: `NEAR ${of}`, [of]: sent(other) };
        expect(await write('create', wrong)).toMatchObject({ code: '100015', msg });
        const made = await write('create', { ...wrong, [of]: sent(its) });
        expect(made, made.msg).toMatchObject({ code: '000000' });
        const { id } = made.data;
        expect(await write('modifyById', { id, version: 1, [of]: sent(other) })).toMatchObject({ code: '100015', msg });
        expect(await write('modifyById', { id, version: 1, note: 'x' })).toMatchObject({ code: '000000' });
        expect(await write('modifyById', { id, version: 2, motherId: null })).toMatchObject({ code: '000000' });
        expect(await write('modifyById', { id, version: 3, [of]: sent(other) })).toMatchObject({ code: '000000' });
        expect(await write('modifyById', { id, version: 4, motherId: wrong.motherId })).toMatchObject({
          code: '100015',
        });
        expect(await write('modifyById', { id, version: 4, motherId: wrong.motherId, [of]: sent(its) })).toMatchObject({
          code: '000000',
        });
      } finally {
        definitions.set('probe', before);
      }
    },
  );

  it.each([
    ['user', 'prober', 'nobody', 'nobody'],
    ['roles', '|prober|', '|prober|nobody|', 'nobody'],
  ] as const)('an account or a role is one that there is (%s), in a form as well', async (format, its, other, said) => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const before = definitions.get('probe') as Definition;
    const note: Field = { type: 'String', label: { zh: '人员', en: 'Person' }, format };
    definitions.set('probe', { ...before, fields: { ...before.fields, note } });
    const write = async (value: string, as = 'admin') =>
      (await testApp.ask('POST', '/api/probe/create.json', { title: 'x', note: value }, { as, lang: 'en' })).msg;
    const msg = `Person ${said} does not exist`;
    try {
      const rows = [its, other].map((it) => ['a', it]);
      const { data } = await look([['Title', 'Person'], ...rows], { as: 'admin' });
      expect(data.problems).toEqual([expect.objectContaining({ row: 3, msg })]);
      expect([await write(its), await write(other)]).toEqual(['', msg]);
      expect(await write(other, 'prober')).toBe(format === 'user' ? '' : msg);
      // What a row holds already it may keep, beside what is added.
      if (format !== 'roles') return;
      const [id] = await putRows(testApp, 'probe', [
        { probeId: 'ROLES1', title: 'x', siteId: 'SZ', status: '0', note: '|gone|prober|' },
      ]);
      const change = async (value: string) => {
        const { version } = (await readRow(testApp, id as number)) ?? {};
        const body = { id, version, note: value };
        return (await testApp.ask('POST', '/api/probe/modifyById.json', body, { as: 'admin', lang: 'en' })).msg;
      };
      expect(await change('|gone|prober|admin|')).toBe('');
      expect(await change('|gone|nobody|admin|')).toBe(msg);
      expect(await change('|gone|')).toBe('');
      expect(await change('|prober|')).toBe('');
      expect(await change('|gone|prober|')).toBe('Person gone does not exist');
    } finally {
      definitions.set('probe', before);
    }
  });

  it('a name that several have is refused with their values, and each is taken by its own', async () => {
    await putRows(testApp, 'probe', [
      { probeId: 'SAME2', title: 'called the same', siteId: 'SZ' },
      { probeId: 'SAME1', title: 'called the same', siteId: 'SZ' },
    ]);
    const rows = [
      ['Title', 'Mother'],
      ['a', 'called the same'],
      ['a', 'SAME2'],
    ];
    const { data } = await look(rows);
    expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
      [2, 'Mother called the same is the name of several; enter the value of the one that is meant: SAME1, SAME2'],
    ]);
    expect((await look(rows, { lang: 'zh' })).data.problems[0]?.msg).toBe(
      '母单 called the same 是多行共有的名称，请改填所指一行的值：SAME1, SAME2',
    );
  });

  it('in the language of who asks', async () => {
    const { data } = await look(
      [
        ['名称', '数量'],
        ['a', 51],
      ],
      { lang: 'zh' },
    );
    expect(data.problems[0]?.msg).toMatch(/数量/);
  });
});

describe('a preview', () => {
  it('counts good and bad rows, shows the first, names unknown heads, and writes nothing', async () => {
    const before = await present();
    const bad = Array.from({ length: 60 }, () => [null, 'x', 99, null] as CellValue[]);
    const { data } = await look([[...HEADS, 'Weather'], goodRow(), goodRow(), ...bad]);
    expect(data).toMatchObject({ rows: 62, bad: 60, imported: 0, ignored: ['Weather'] });
    expect(data.problems).toHaveLength(50);
    expect(data.sample[0]).toEqual({ row: 2, cells: ['good', 'a1', '3', String(serial - 1)] });
    expect(await present()).toBe(before);
  });

  it('takes heads in either language, by name, in any order, with the stars of the template', async () => {
    const { data } = await look([
      ['serial', '名称 *', 'COUNT', '状态'],
      [900_001, 'a', '1', 'Finished'],
      [900_002, 'b', '2', '已完结'],
    ]);
    expect(data).toMatchObject({ rows: 2, ignored: [] });
    const reason = expect.stringMatching(/Reason/) as string;
    expect(data.problems.map((it) => it.msg)).toEqual([reason, reason]);
  });
});

describe('an import', () => {
  it('writes every row with its number, site, writer and ledger [P-UPL-08] [P-UPL-13]', async () => {
    const before = await present();
    const day = new Date('2026-11-21T00:00:00Z');
    const { code, data } = await bring([
      ['Title', 'Code', 'Count', 'Amount', 'Day', 'Seen at', 'Month', 'Status', 'Shipment'],
      ['first', ' ab-1 ', 3, 12.5, day, new Date('2026-11-21T08:30:00Z'), '2026-11', 'Received', '顺丰速运'],
      ['=1+1', 'x2', '4', '1,234.50', '2026/11/22', '2026-11-22 09:00', new Date('2026-12-01'), '1', 'DHL'],
    ]);
    expect(code).toBe('000000');
    expect(data).toMatchObject({ state: 'done', rows: 2, imported: 2, bad: 0, problems: [], report: null });
    expect(data.url).toMatch(/^\/file\/[0-9a-f]{32}\.xlsx$/);
    expect(await present()).toBe(before + 2);
    const { rows } = await sql<Record<string, unknown>>`
      SELECT title, shop, count, amount, day, "seenAt", month, status, "shipId", "siteId", "createBy", "probeId"
        FROM probe ORDER BY id DESC LIMIT 2`.execute(testApp.db);
    const at = (clock: string) => Date.parse(`${clock}+08:00`);
    expect(rows[1]).toMatchObject({
      title: 'first',
      shop: 'AB-1',
      count: 3,
      amount: '12.500000',
      day: at('2026-11-21T00:00:00'),
      seenAt: at('2026-11-21T08:30:00'),
      month: '2026-11',
      status: '1',
      shipId: 'SF',
      siteId: 'SZ',
      createBy: 'prober',
    });
    expect(rows[0]).toMatchObject({
      title: '=1+1',
      amount: '1234.500000',
      day: at('2026-11-22T00:00:00'),
      shipId: 'DHL',
    });
    expect(rows.map((it) => it['probeId'])).toEqual([
      expect.stringMatching(/^PBE\d{13}$/),
      expect.stringMatching(/^PBE\d{13}$/),
    ]);
    const ledger = await testApp.db
      .selectFrom('ledger')
      .select(['what', 'userId', 'recordId'])
      .where('module', '=', 'probe')
      .where('what', '=', 'upload')
      .execute();
    expect(ledger).toHaveLength(2);
  });

  it('is done once, however often it is confirmed', async () => {
    const before = await present();
    const { data } = await look([HEADS, goodRow(), goodRow()]);
    expect(data).toMatchObject({ rows: 2, bad: 0, imported: 0 });
    const key = newKey();
    const confirm = (of: string) => testApp.ask<Imported>('POST', UPLOAD, { url: data.url }, { as: 'prober', key: of });
    const answers = [await confirm(key), await confirm(key)];
    expect(answers.map((it) => [it.data.jobId, it.data.imported])).toEqual(Array(2).fill([answers[0]?.data.jobId, 2]));
    expect(await present()).toBe(before + 2);
  });

  it('is told to be done already, and not to be done, where it is confirmed once more after what it brought has gone', async () => {
    const { data } = await look([HEADS, goodRow('gone')]);
    const confirm = () => testApp.ask<Imported>('POST', UPLOAD, { url: data.url }, { as: 'prober', key: newKey() });
    expect((await confirm()).data.imported).toBe(1);
    await sql`DELETE FROM probe WHERE title = 'gone'`.execute(testApp.db);
    const before = await present();
    const { code, msg } = await confirm();
    expect([code, msg]).toEqual([
      '100007',
      expect.stringMatching(/was imported on \d{4}-\d\d-\d\d .* upload the file again/),
    ]);
    expect(await present()).toBe(before);
    // Uploaded anew it is looked at anew, and imported.
    const again = await bring([HEADS, goodRow('gone')]);
    expect(again.data.imported).toBe(1);
  });

  it('is refused with the columns that are read otherwise than in the look, be it that they came or went', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const known = definitions.get('probe') as Definition;
    const { remark: _, ...fields } = known.fields;
    const rows = [
      ['Title', 'Count', 'Remark'],
      ['read otherwise', 1, 'typed'],
    ];
    const before = await present();
    const confirm = (url: string, lang: 'zh' | 'en' = 'en') =>
      testApp.ask<Imported>('POST', UPLOAD, { url }, { as: 'prober', lang });
    const whole = (await look(rows)).data;
    definitions.set('probe', { ...known, fields });
    try {
      expect(await confirm(whole.url)).toMatchObject({
        code: '100025',
        msg: 'Some columns of this file are read otherwise than in the preview (Remark), so nothing was imported; look at the file again',
      });
      expect((await confirm(whole.url, 'zh')).msg).toContain('读法与预览时不同（Remark）');
      const less = (await look(rows)).data;
      expect(less.ignored).toEqual(['Remark']);
      definitions.set('probe', known);
      expect(await confirm(less.url)).toMatchObject({
        code: '100025',
        msg: expect.stringContaining('Remark') as string,
      });
    } finally {
      definitions.set('probe', known);
    }
    expect(await present()).toBe(before);
    const again = (await look(rows)).data;
    expect((await confirm(again.url)).data).toMatchObject({ imported: 1, ignored: [] });
  });

  it('with bad rows writes none, and hands them back with what is wrong, ready to be put right', async () => {
    const before = await present();
    const { data } = await bring([HEADS, goodRow(), ['=cmd|calc', 'x', 99, 5], goodRow('=2+2')]);
    expect(data).toMatchObject({ rows: 3, bad: 1, imported: 0 });
    expect(await present()).toBe(before);
    const file = await testApp.app.inject({
      url: String(data.report),
      headers: { token: await testApp.openToken('prober') },
    });
    const bytes = new Uint8Array(file.rawPayload);
    const rows = (await readXlsx(bytes)).sheets[0]?.rows ?? [];
    expect(rows[0]).toEqual(['Problem', ...HEADS]);
    expect(rows.slice(1).map((it) => it[0])).toEqual(['', expect.stringMatching(/Count must be at most 50/), '']);
    expect(rows[2]?.slice(1)).toEqual(['=cmd|calc', 'x', 99, 5]);
    const again = await sendFile<Imported>(testApp, UPLOAD, [Buffer.from(bytes)], {
      as: 'prober',
      fields: { dryRun: '1' },
    });
    expect(again.data).toMatchObject({ rows: 3, bad: 1, ignored: [] });
  });

  it('is refused as a whole when a row of it came into the house after it was looked at', async () => {
    const [mine, other] = [goodRow('mine'), goodRow('other')];
    const { data } = await look([HEADS, mine, other]);
    expect(data).toMatchObject({ bad: 0 });
    await putRows(testApp, 'probe', [{ title: 'first', siteId: 'SZ', serial: other[3] }]);
    const before = await present();
    const done = await testApp.ask<Imported>('POST', UPLOAD, { url: data.url }, { as: 'prober', key: newKey() });
    expect(done.data).toMatchObject({ rows: 2, bad: 1, imported: 0 });
    expect(done.data.problems[0]?.msg).toMatch(/already exists/);
    expect(await present()).toBe(before);
  });

  it('of 10,000 rows with 50 bad ones names the 50 and writes none; put right, it writes all', async () => {
    const before = await present();
    const rows = Array.from({ length: 10_000 }, (_, i): CellValue[] => [
      `row ${i}`,
      `c${i}`,
      i % 200 === 0 ? 99 : 5,
      2_000_000 + i,
    ]);
    const { data } = await bring([HEADS, ...rows]);
    expect(data).toMatchObject({ rows: 10_000, bad: 50, imported: 0 });
    expect(data.problems.map((it) => it.row)).toEqual(Array.from({ length: 50 }, (_, i) => i * 200 + 2));
    expect(await present()).toBe(before);
    const right = await bring([HEADS, ...rows.map((it) => it.with(2, 5))]);
    expect(right.data).toMatchObject({ rows: 10_000, bad: 0, imported: 10_000 });
    expect(await present()).toBe(before + 10_000);
  });
});

describe('times of many bills', () => {
  const heads = ['Probe', 'Code', 'Seen at'];
  it('are set by number; what is unknown, ambiguous, foreign, doubled or ahead is told [P-UPL-09]', async () => {
    const [one = 0] = await putRows(testApp, 'probe', [
      { title: 't', siteId: 'SZ', probeId: 'PBE2026010100001', shop: 'K1' },
      { title: 't', siteId: 'SZ', probeId: 'PBE2026010100002', shop: 'K2' },
      { title: 't', siteId: 'SZ', probeId: 'PBE2026010100003', shop: 'K2' },
      { title: 't', siteId: 'NB', probeId: 'PBE2026010100004', shop: 'K4' },
    ]);
    const bad = await bring(
      [
        heads,
        ['PBE2026010100001', null, '2026-11-01 10:00'],
        [null, 'K1', '2026-11-01 11:00'],
        [null, 'K2', '2026-11-01 10:00'],
        ['PBE2026010100004', null, '2026-11-01 10:00'],
        ['PBE2026010100002', null, '2199-01-01'],
        ['PBE2026010100003', null, null],
        [null, null, '2026-11-01'],
      ],
      {},
      TIMES,
    );
    expect(bad.data.problems.map((it) => [it.row, it.msg])).toEqual([
      [3, expect.stringMatching(/K1 is already in row 2/)],
      [4, expect.stringMatching(/several bills/)],
      [5, 'Probe PBE2026010100004 does not exist'],
      [6, expect.stringMatching(/in the future/)],
      [7, expect.stringMatching(/must not be empty \(Seen at\)/)],
      [8, expect.stringMatching(/must not be empty \(Probe\)/)],
    ]);
    const seen = async () =>
      (
        await sql<{ seenAt: number; version: number }>`SELECT "seenAt", version FROM probe WHERE id = ${one}`.execute(
          testApp.db,
        )
      ).rows[0];
    expect(await seen()).toEqual({ seenAt: null, version: 1 });
    const good = await bring([heads, [null, 'K1', '2026-11-01 10:00']], {}, TIMES);
    expect(good.data).toMatchObject({ rows: 1, imported: 1, bad: 0 });
    expect(good.data.url).toMatch(/^\/file\//);
    expect(await seen()).toEqual({ seenAt: Date.parse('2026-11-01T10:00:00+08:00'), version: 2 });
  });
});

describe('times of bills for which the button is not offered', () => {
  it('are refused as by the button, with the state in which each bill is', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const before = definitions.get('probe') as Definition;
    const narrowed = before.buttons?.map((it) => (it.btnNo === 'times' ? { ...it, when: { status: ['1'] } } : it));
    definitions.set('probe', { ...before, buttons: narrowed ?? [] });
    await putRows(testApp, 'probe', [
      { title: 't', siteId: 'SZ', probeId: 'PBE2026010300001', status: '1' },
      { title: 't', siteId: 'SZ', probeId: 'PBE2026010300002', status: '2' },
      { title: 't', siteId: 'SZ', probeId: 'PBE2026010300003' },
    ]);
    const rows = [1, 2, 3].map((it) => [`PBE202601030000${it}`, '2026-11-01 10:00']);
    const { data } = await bring([['Probe', 'Seen at'], ...rows], {}, TIMES);
    definitions.set('probe', before);
    expect(data).toMatchObject({ imported: 0, bad: 2 });
    expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
      [3, expect.stringMatching(/Received/)],
      [4, expect.stringMatching(/Status/)],
    ]);
  });
});

describe('times of bills that have one', () => {
  const heads = ['Probe', 'Seen at'];
  const at = (time: string) => new Date(`2026-11-01T${time}:00+08:00`);
  const ids = ['PBE2026010200001', 'PBE2026010200002', 'PBE2026010200003'];
  const held = async () =>
    (
      await sql<{ seenAt: number; version: number }>`
        SELECT "seenAt", version FROM probe WHERE "probeId" = ANY(${ids}) ORDER BY "probeId"`.execute(testApp.db)
    ).rows.map((it) => [it.seenAt, it.version]);
  const confirm = (url: string) => testApp.ask<Imported>('POST', TIMES, { url }, { as: 'prober' });
  const change = async (probeId: string | undefined, values: Record<string, unknown>) => {
    const { rows } = await sql<{ id: number; version: number }>`
      SELECT id, version FROM probe WHERE "probeId" = ${probeId}`.execute(testApp.db);
    const changed = await testApp.ask(
      'POST',
      '/api/probe/modifyById.json',
      { ...rows[0], ...values },
      { as: 'prober' },
    );
    expect(changed).toMatchObject({ code: '000000' });
  };

  it('are told before they are written over; what was set since is not, and what is so already stays', async () => {
    await putRows(
      testApp,
      'probe',
      ids.map((probeId, i) => ({
        title: 't',
        status: '0',
        siteId: 'SZ',
        createTime: at('08:00'),
        probeId,
        ...(i > 0 && { seenAt: at('09:00') }),
      })),
    );
    const rows = [heads, [ids[0], '2026-11-01 10:00'], [ids[1], '2026-11-01 09:00'], [ids[2], '2026-11-01 10:00']];
    const looked = await look(rows as CellValue[][], {}, TIMES);
    expect(looked.data).toMatchObject({
      bad: 0,
      notes: [{ row: 4, msg: 'Seen at is 2026-11-01 09:00:00 by now and will be written over' }],
    });
    // One is set twice in between, one is written over, and of one only something else is changed.
    for (const time of ['09:15', '09:30']) await bring([heads, [ids[0] ?? null, `2026-11-01 ${time}`]], {}, TIMES);
    await change(ids[1], { title: 'other' });
    await change(ids[2], { seenAt: at('09:45').getTime() });
    const before = await held();
    const refused = await confirm(looked.data.url);
    expect(refused.data).toMatchObject({ imported: 0, bad: 3 });
    const seen = 'The bill was changed after the preview: Seen at was';
    expect(refused.data.problems.map((it) => it.msg)).toEqual([
      `${seen} – and is 2026-11-01 09:30:00 now. Look at the file again`,
      'The bill was changed after the preview; Seen at is 2026-11-01 09:00:00, as it was. Look at the file again',
      `${seen} 2026-11-01 09:00:00 and is 2026-11-01 09:45:00 now. Look at the file again`,
    ]);
    expect(await held()).toEqual(before);

    const again = await look(rows as CellValue[][], {}, TIMES);
    expect((await confirm(again.data.url)).data).toMatchObject({ imported: 3, bad: 0 });
    expect(await held()).toEqual([
      [at('10:00').getTime(), 4],
      [at('09:00').getTime(), 2],
      [at('10:00').getTime(), 3],
    ]);
  });

  it.each([
    ['zh', 'Seen at 2025-11-01 早于单据创建日期 2026-11-01，请检查年份和该行'],
    ['en', 'Seen at 2025-11-01 is before its bill was made, 2026-11-01; check the year and the row'],
  ] as const)(
    'of a day before the bill was made are told before, in %s; of its first day they are not',
    async (lang, msg) => {
      const made = { title: 't', siteId: 'SZ', createTime: at('17:00') };
      const bills = ['PBE2026010400001', 'PBE2026010400002'].map((it) => `${it}${lang}`);
      await putRows(
        testApp,
        'probe',
        bills.map((probeId) => ({ ...made, probeId })),
      );
      const rows = [heads, [bills[0], '2025-11-01 10:00'], [bills[1], '2026-11-01']] as CellValue[][];
      const looked = await look(rows, { lang }, TIMES);
      expect(looked.data).toMatchObject({
        bad: 0,
        notes: [{ row: 2, msg: expect.stringContaining(msg.slice(8)) as string }],
      });
      expect((await confirm(looked.data.url)).data).toMatchObject({ imported: 2, bad: 0 });
    },
  );

  it('are not written over what was begun before the look and kept after it', async () => {
    const probeId = 'PBE2026010200009';
    await putRows(testApp, 'probe', [{ title: 't', siteId: 'SZ', probeId, seenAt: at('09:00') }]);
    const url = await testApp.db.transaction().execute(async (db) => {
      await sql`UPDATE probe SET "seenAt" = ${at('09:30')}, "updateTime" = now(), version = version + 1
                 WHERE "probeId" = ${probeId}`.execute(db);
      const looked = await look([heads, [probeId, '2026-11-01 10:00']], {}, TIMES);
      expect(looked.data).toMatchObject({ notes: [{ msg: expect.stringContaining('09:00:00 by now') as string }] });
      return looked.data.url;
    });
    expect(await confirm(url)).toMatchObject({ code: '100025' });
    const kept = await sql<{ seenAt: number }>`SELECT "seenAt" FROM probe WHERE "probeId" = ${probeId}`.execute(
      testApp.db,
    );
    expect(kept.rows).toEqual([{ seenAt: at('09:30').getTime() }]);
  });

  it('are not set in a bill that was changed while the run waited for it', async () => {
    const probeId = 'PBE2026010200010';
    await putRows(testApp, 'probe', [{ title: 't', siteId: 'SZ', status: '0', probeId }]);
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const known = definitions.get('probe') as Definition;
    const buttons = known.buttons?.map((it) => (it.btnNo === 'times' ? { ...it, when: { status: '0' } } : it));
    definitions.set('probe', { ...known, ...(buttons && { buttons }) });
    try {
      const { data } = await look([heads, [probeId, '2026-11-01 10:00']], {}, TIMES);
      expect(data).toMatchObject({ bad: 0 });
      const sent = await testApp.db.transaction().execute(async (db) => {
        await sql`UPDATE probe SET status = '3', "updateTime" = now(), version = version + 1
                   WHERE "probeId" = ${probeId}`.execute(db);
        const run = confirm(data.url);
        await untilWaiting(testApp.db);
        return { run };
      });
      expect((await sent.run).data).toMatchObject({ imported: 0, bad: 1 });
    } finally {
      definitions.set('probe', known);
    }
    const kept = await sql`SELECT status, "seenAt" FROM probe WHERE "probeId" = ${probeId}`.execute(testApp.db);
    expect(kept.rows).toEqual([{ status: '3', seenAt: null }]);
  });
});

describe('what opens the dialogs', () => {
  it('says the file, the columns and the bounds [P-UPL-08] [P-UPL-09]', async () => {
    const { data } = await testApp.ask('GET', '/api/probe/toUpload.json', {}, { as: 'prober' });
    expect(data).toMatchObject({
      items: [{ name: 'File', queryName: 'file', type: 'file', required: true }],
      accept: ['xlsx'],
      maxRows: 20_000,
    });
    expect(data['columns']).toContainEqual({ name: 'title', label: 'Title', type: 'String', required: true });
    expect(JSON.stringify(data['columns'])).not.toContain('secret');
    const times = await testApp.ask('GET', '/api/probe/toUploadSignForTime.json', {}, { as: 'prober' });
    expect((times.data['columns'] as { name: string }[]).map((it) => it.name)).toEqual(['probeId', 'shop', 'seenAt']);
    expect((await testApp.ask('GET', '/api/probe/toUpload.json', {}, { as: 'viewer' })).code).toBe('100013');
  });

  it('gives a template whose own heads are understood', async () => {
    const url = '/api/probe/uploadTemplate.json?lang=zh';
    const reply = await testApp.app.inject({ url, headers: { token: await testApp.openToken('prober') } });
    expect(reply.headers['content-disposition']).toContain(encodeURIComponent('样单'));
    const [sheet, notes] = (await readXlsx(new Uint8Array(reply.rawPayload))).sheets;
    expect(sheet?.rows[0]?.slice(0, 2)).toEqual(['名称 *', '备注']);
    expect(notes?.rows[1]?.slice(0, 2)).toEqual(['名称', '是']);
    const rows = [sheet?.rows[0] ?? [], ['甲']];
    expect((await look(rows, { lang: 'zh' })).data).toMatchObject({ rows: 1, bad: 0, ignored: [] });
  });
});

it('rows that are each one’s own are those of whoever imports them', async () => {
  const definitions = testApp.model.definitions as Map<string, Definition>;
  const known = definitions.get('probe') as Definition;
  definitions.set('probe', { ...known, owner: { field: 'remark', unless: 'nobodyHasIt' } });
  try {
    const { data } = await bring([
      ['Title', 'Remark'],
      ['owned', 'somebody else'],
      ['owned', null],
    ]);
    expect(data).toMatchObject({ imported: 2 });
  } finally {
    definitions.set('probe', known);
  }
  const { rows } = await sql`SELECT DISTINCT remark FROM probe WHERE title = 'owned'`.execute(testApp.db);
  expect(rows).toEqual([{ remark: 'prober' }]);
});

it('a number is what is seen in its cell, or is told by its cell and what to write', async () => {
  const shown = (number: number, format: string): Shown => ({ number, format });
  const rows = [
    ['Title', 'Count', 'Amount', 'Tax rate'],
    ['fine', ' 5 ', '$1,234.50', '13%'],
    ['shown', 5, shown(5, '[$$-409]#,##0.00'), shown(0.13, '0%')],
    ['asked', null, null, 0.13],
    ['comma', '4,20', '4,20', null],
    ['groups', '1,23,456', '1.234,56', null],
    ['euros', null, '€5.00', null],
    ['shown euros', null, shown(5, '[$€-407] #,##0.00'), null],
    ['others', shown(5, '"¥"#,##0'), shown(0.5, '0%'), '$13'],
    ['letters', 'HID0', 'HID0', 'AB5'],
  ];
  const fields = { dryRun: '1' };
  const { data } = await sendFile<Imported & { notes: Imported['problems'] }>(
    testApp,
    UPLOAD,
    [await shownWorkbook(rows)],
    { as: 'prober', fields },
  );
  const none = (cell: string, value: string) =>
    `Cell ${cell} says "${value}", which is no number; write it like 1234.50 or 1,234.50`;
  const foreign = (cell: string) =>
    `Cell ${cell} (Amount) is in €, but its row is in USD; enter the amount in USD, or correct the currency`;
  expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
    [5, `${none('B5 (Count)', '4,20')}; ${none('C5 (Amount)', '4,20')}`],
    [6, `${none('B6 (Count)', '1,23,456')}; ${none('C6 (Amount)', '1.234,56')}`],
    [7, foreign('C7')],
    [8, foreign('C8')],
    [
      9,
      'Cell B9 (Count) is an amount of money (¥5), but none is asked for here; enter a plain number; ' +
        'Cell C9 (Amount) is a percentage (50%), but no rate is asked for here; enter a plain number; ' +
        'Cell D9 (Tax rate) is an amount of money ($13), but none is asked for here; enter a plain number',
    ],
    [10, `${none('B10 (Count)', 'HID0')}; ${none('D10 (Tax rate)', 'AB5')}; ${none('C10 (Amount)', 'HID0')}`],
  ]);
  expect(data.notes).toEqual([
    {
      row: 4,
      msg: 'Cell D4 (Tax rate) is read as 0.13 %; if another rate is meant, write it like 13 or 13%',
      fields: ['taxRate'],
    },
  ]);
  const chinese = await sendFile<Imported>(testApp, UPLOAD, [await shownWorkbook(rows)], {
    as: 'prober',
    fields,
    lang: 'zh',
  });
  expect(chinese.data.problems[2]?.msg).toBe('单元格C7（金额）的币种是€，该行币种是USD；请填写USD金额，或更正币种');
  // Put right where it was handed back, it says what it said.
  const file = await testApp.app.inject({
    url: String(data.report),
    headers: { token: await testApp.openToken('prober') },
  });
  const handed = (await readXlsx(new Uint8Array(file.rawPayload))).sheets[0]?.rows ?? [];
  expect([handed[2]?.slice(1), handed[7]?.slice(1, 4)]).toEqual([
    ['shown', 5, '$5', '13%'],
    ['shown euros', null, '€5'],
  ]);
  const good = await sendFile<Imported>(testApp, UPLOAD, [await shownWorkbook(rows.slice(0, 4))], { as: 'prober' });
  expect(good.data).toMatchObject({ imported: 3, bad: 0 });
  const { rows: kept } = await sql`
    SELECT count, amount, "taxRate" FROM probe WHERE title IN ('fine', 'shown', 'asked') ORDER BY id DESC LIMIT 3`.execute(
    testApp.db,
  );
  expect(kept).toEqual([
    { count: null, amount: null, taxRate: '0.130000' },
    { count: 5, amount: '5.000000', taxRate: '13.000000' },
    { count: 5, amount: '1234.500000', taxRate: '13.000000' },
  ]);
});

it('a text is what the sheet shows of a number, by formats that the file writes out and by those that it need not', async () => {
  const shown = (number: number, format: string): Shown => ({ number, format });
  const rows = [
    ['Title', 'Count', 'Amount'],
    [shown(123, '0000000'), 1, shown(5, '0.00')],
    [shown(123, '"SF"0000'), 1, null],
    [shown(7, '0.00'), shown(12.6, '0'), shown(12.345, '#,##0.00')],
    [shown(8.25, '0'), shown(15, ';;;'), shown(52, 'mm')],
  ];
  const send = async (of: typeof rows, dryRun = {}) =>
    sendFile<Imported>(testApp, UPLOAD, [await shownWorkbook(of)], { as: 'prober', fields: dryRun });
  const { data } = await send(rows, { dryRun: '1' });
  expect(data.problems.map((it) => it.row)).toEqual([4, 5]);
  for (const cell of ['B4 (Count)', 'C4 (Amount)'])
    expect(data.problems[0]?.msg).toContain(`Cell ${cell} is shown as another`);
  for (const cell of ['A5 (Title)', 'B5 (Count)', 'C5 (Amount)'])
    expect(data.problems[1]?.msg).toContain(`Cell ${cell} is shown as another`);
  expect(data.sample[0]?.cells).toEqual(['0000123', '1', '5']);
  const file = await testApp.app.inject({
    url: String(data.report),
    headers: { token: await testApp.openToken('prober') },
  });
  const handed = (await readXlsx(new Uint8Array(file.rawPayload))).sheets[0]?.rows ?? [];
  expect([handed[1]?.slice(1), handed[2]?.slice(1, 3)]).toEqual([
    ['0000123', 1, 5],
    ['SF0123', 1],
  ]);
  expect((await send(rows.slice(0, 3))).data).toMatchObject({ imported: 2, bad: 0 });
  const { rows: kept } = await sql`SELECT title FROM probe WHERE title LIKE '%0123' ORDER BY title`.execute(testApp.db);
  expect(kept).toEqual([{ title: '0000123' }, { title: 'SF0123' }]);
});

it('a text of which the spreadsheet made a number or a day is told by its cell', async () => {
  const rows = [
    ['Title', 'Count'],
    [{ number: 120, format: '0.00E+00' }, 1],
    [new Date('2026-03-01T00:00:00Z'), 1],
    ['MAR1', { number: 20, format: '0.0E+00' }],
  ];
  const { data } = await sendFile<Imported>(testApp, UPLOAD, [await shownWorkbook(rows)], { as: 'prober' });
  const told = (cell: string, value: string) =>
    `The spreadsheet made a number or a day of what was typed in cell ${cell} (Title: ${value}); format the cell as text and type it again`;
  expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
    [2, told('A2', '120')],
    [3, told('A3', '2026-03-01')],
  ]);
  expect(data).toMatchObject({ imported: 0 });
});

it('a day that is written out is one: a text of which it was made is told, a moment is taken with its clock', async () => {
  const text = (said: string) => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
  const day = (said: string) => `<c t="d"><v>${said}</v></c>`;
  const of = (...rows: string[]) =>
    workbookAround(`<worksheet><sheetData>${rows.map((it) => `<row>${it}</row>`).join('')}</sheetData></worksheet>`);
  const heads = ['Title', 'Day', 'Seen at', 'Month'].map(text).join('');
  const good = text('written out') + day('2026-03-01') + day('2026-03-01T08:30:15.250Z') + day('2026-03-01T00:00:00');
  const send = (bytes: Buffer) => sendFile<Imported>(testApp, UPLOAD, [bytes], { as: 'prober' });
  const { data } = await send(of(heads, good, day('2026-03-01')));
  expect(data.problems).toMatchObject([
    { row: 3, msg: expect.stringContaining('cell A3 (Title: 2026-03-01)') as string },
  ]);
  expect((await send(of(heads, good))).data).toMatchObject({ imported: 1, bad: 0 });
  const { rows } = await sql`SELECT day, "seenAt", month FROM probe WHERE title = 'written out'`.execute(testApp.db);
  const at = (clock: string) => Date.parse(`${clock}+08:00`);
  expect(rows).toEqual([{ day: at('2026-03-01T00:00'), seenAt: at('2026-03-01T08:30:15'), month: '2026-03' }]);
});

it('a number or a time where a day is meant is told by its cell, and what to write', async () => {
  const shown = (number: number, format: string): Shown => ({ number, format });
  const rows = [
    ['Title', 'Day', 'Seen at', 'Month'],
    ['numbers', 2027, 12.31, 202_612],
    ['times', shown(8.5 / 24, 'h:mm'), shown(1.5, '[h]:mm'), null],
    ['days', shown(46_356, 'yyyy/m/d'), shown(46_356.5, 'yyyy-mm-dd hh:mm'), shown(46_356, 'yyyy"年"m"月"')],
  ];
  const of = async (lang: 'zh' | 'en') =>
    sendFile<Imported>(testApp, UPLOAD, [await shownWorkbook(rows)], { as: 'prober', lang });
  const told = (cell: string, value: string, example: string) =>
    `Cell ${cell} shows no whole date (${value}); format it as a date with its year and check what it shows, or write it like ${example}`;
  const { data } = await of('en');
  expect(data).toMatchObject({ imported: 0, bad: 2 });
  expect(data.problems.map((it) => [it.row, it.msg.split('; Cell ')])).toEqual([
    [
      2,
      [
        told('B2 (Day)', '2027', '2026-11-21'),
        told('C2 (Seen at)', '12.31', '2026-11-21 08:30').slice(5),
        told('D2 (Month)', '202612', '2026-11').slice(5),
      ],
    ],
    [
      3,
      [
        told('B3 (Day)', '1899-12-31 08:30:00', '2026-11-21'),
        told('C3 (Seen at)', '1900-01-01 12:00:00', '2026-11-21 08:30').slice(5),
      ],
    ],
  ]);
  expect((await of('zh')).data.problems[0]?.msg).toContain(
    '单元格B2（日期）显示的不是完整日期（2027）；请设为含年份的日期格式并核对显示的内容，或写成2026-11-21',
  );
});

it('a number that is shown as another one is told by its cell, and no file that is handed back says it as a number', async () => {
  const shown = (number: number, format: string): Shown => ({ number, format });
  const rows = [
    ['Title', 'Count', 'Amount', 'Tax rate'],
    ['rate', shown(5, '0 "PCS"'), null, shown(0.13, '0%')],
    ['ten thousands', null, shown(5, '0.00"万"'), null],
    ['thousands', shown(5000, '#,##0,'), null, shown(5, '[>100]0%;0.00')],
    ['crowns', null, shown(5, '[$kr-41D] 0.00'), null],
    ['two lines', '5\n2', null, null],
  ];
  const of = async (lang: 'zh' | 'en') =>
    sendFile<Imported>(testApp, UPLOAD, [await shownWorkbook(rows)], { as: 'prober', fields: { dryRun: '1' }, lang });
  const { data } = await of('en');
  const other = (cell: string, value: string) =>
    `Cell ${cell} is shown as another number than it holds (${value}); format it as a plain number and check what it says`;
  expect(data.problems.map((it) => [it.row, it.msg])).toEqual([
    [3, other('C3 (Amount)', '5 (0.00"万")')],
    [4, `${other('B4 (Count)', '5000 (#,##0,)')}; ${other('D4 (Tax rate)', '5 ([>100]0%;0.00)')}`],
    [5, 'Cell C5 (Amount) is in kr, but its row is in USD; enter the amount in USD, or correct the currency'],
    [6, 'Cell B6 (Count) says "5\n2", which is no number; write it like 1234.50 or 1,234.50'],
  ]);
  expect((await of('zh')).data.problems[0]?.msg).toBe(
    '单元格C3（金额）显示的数与实际的数不同（5 (0.00"万")）；请设为普通数字格式，核对后再导入',
  );
  // The rows before the eye are as they are seen.
  expect(data.sample.slice(0, 2)).toEqual([
    { row: 2, cells: ['rate', '5', '', '13%'] },
    { row: 3, cells: ['ten thousands', '', '5 (0.00"万")'] },
  ]);
  const file = await testApp.app.inject({
    url: String(data.report),
    headers: { token: await testApp.openToken('prober') },
  });
  const handed = (await readXlsx(new Uint8Array(file.rawPayload))).sheets[0]?.rows ?? [];
  expect(handed.slice(2, 4).map((it) => it.slice(1))).toEqual([
    ['ten thousands', null, '5 (0.00"万")', null],
    ['thousands', '5000 (#,##0,)', null, '5 ([>100]0%;0.00)'],
  ]);
});

it('hidden rows are told in one line before all other notes, and a bad one says that it is hidden', async () => {
  const cell = (it: CellValue) =>
    typeof it === 'number' ? `<c><v>${it}</v></c>` : `<c t="inlineStr"><is><t>${String(it)}</t></is></c>`;
  const count = 80;
  const rowsOf = (bad: boolean) =>
    Array.from({ length: count }, (_, i) => [`row ${i}`, bad && (i === 0 || i === 70) ? 'HID0' : 5, 0.13]);
  const told = async (bad: boolean, lang: 'en' | 'zh') => {
    const lines = [['Title', 'Count', 'Tax rate'], ...rowsOf(bad)].map(
      (it, i) => `<row hidden="${i >= 50 && i < 75 ? 1 : 0}">${it.map(cell).join('')}</row>`,
    );
    const sheet = `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`;
    const { data } = await sendFile<Imported & { notes: Imported['problems']; noted: number }>(
      testApp,
      UPLOAD,
      [workbookAround(sheet, [])],
      { as: 'prober', fields: { dryRun: '1' }, lang },
    );
    return { ...data, first: data.notes[0] };
  };
  const named = Array.from({ length: 20 }, (_, i) => i + 51);
  const rate = 'Cell C2 (Tax rate) is read as 0.13 %; if another rate is meant, write it like 13 or 13%';
  const hidden =
    `Rows that are hidden in the workbook (25: ${named.join(', ')}, …) are imported like the others; ` +
    'delete them there if they are not meant';
  const good = await told(false, 'en');
  expect(good).toMatchObject({ first: { row: 2, msg: `${hidden}; ${rate}` }, noted: count });
  const bad = await told(true, 'en');
  // That the first row is bad keeps nobody from being told.
  expect(bad).toMatchObject({ first: { row: 2, msg: hidden }, noted: count - 1 });
  const no = (place: string) =>
    `Cell ${place} (Count) says "HID0", which is no number; write it like 1234.50 or 1,234.50`;
  expect(bad.problems.map((it) => [it.row, it.msg])).toEqual([
    [2, no('B2')],
    [72, `${no('B72')}; This row is hidden in the workbook; show it there to put it right, or delete it`],
  ]);
  const chinese = await told(true, 'zh');
  expect(chinese.first?.msg).toBe(
    `表格中有 25 行被隐藏（${named.join('、')}、…），仍会与其他行一起导入；如不需要，请在表格中删除这些行`,
  );
  expect(chinese.problems[1]?.msg).toMatch(/该行在表格中被隐藏；请取消隐藏后更正，或删除该行$/);
});
