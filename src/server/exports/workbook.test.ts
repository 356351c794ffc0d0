import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { smallWorkbook, writeWorkbook, type CellValue, type Sheet } from '#server/exports/workbook.ts';
import { turns } from '#tests/support/turns.ts';
import { formatOf, partsOf } from '#tests/support/workbook.ts';

const columns: Sheet['columns'] = [
  { label: '序列号', kind: 'text' },
  { label: 'Price', kind: 'number' },
  { label: 'Day', kind: 'date' },
  { label: 'Received', kind: 'dateTime' },
];

async function written(rows: CellValue[][], more: Partial<Sheet> = {}): Promise<Buffer> {
  const into = new PassThrough();
  const bytes = buffer(into);
  await writeWorkbook({ name: 'List', columns, batches: [rows], timeZone: 'Asia/Shanghai', ...more }, into);
  return bytes;
}
const createSheet = async (rows: CellValue[][], more?: Partial<Sheet>) =>
  partsOf(await written(rows, more)).get('xl/worksheets/sheet1.xml') ?? '';

const dangerous = [
  '=1+1',
  '=cmd|"/C calc"!A0',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  '=HYPERLINK("http://x","y")',
];

describe('a workbook', () => {
  it.each(dangerous)('keeps %j as text, in the format that stays text when it is edited', async (text) => {
    const parts = partsOf(await written([[text, null, null, null]]));
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).not.toMatch(/<f[ >/]/);
    const cell = /<c r="A2" t="inlineStr" s="(\d+)">/.exec(sheet);
    const styles = parts.get('xl/styles.xml') ?? '';
    const ofCells = [...styles.slice(styles.indexOf('<cellXfs')).matchAll(/<xf numFmtId="(\d+)"/g)].map((it) => it[1]);
    expect(styles).toContain(`<numFmt numFmtId="${ofCells[Number(cell?.[1])]}" formatCode="@"/>`);
    const read = await readXlsx(await written([[text, null, null, null]]));
    expect(read.sheets[0]?.rows[1]?.[0]).toBe(text);
  });

  it('writes an object that came from somewhere as text, never as a formula', async () => {
    const sheet = await createSheet([[{ formula: '1+1' } as unknown as string, null, null, null]]);
    expect(sheet).not.toMatch(/<f[ >/]/);
    expect(sheet).toContain('[object Object]');
  });

  it('writes decimals as numbers, days and moments as dates of the workshop’s clock', async () => {
    const sheet = await createSheet([
      ['SN1', '12.345000', Date.UTC(2026, 10, 20, 16), Date.UTC(2026, 10, 21, 4, 5, 6)],
      ['SN2', 0, null, ''],
    ]);
    // 46347 is 2026-11-21; 12:05:06 there is 04:05:06 UTC.
    expect(sheet).toMatch(/<c r="B2"><v>12.345<\/v>/);
    expect(sheet).toMatch(/<c r="C2" s="\d+"><v>46347<\/v>/);
    const moment = Number(/<c r="D2" s="\d+"><v>([\d.]+)<\/v>/.exec(sheet)?.[1]);
    expect(moment).toBeCloseTo(46347 + (12 * 3600 + 5 * 60 + 6) / 86_400, 8);
    expect(sheet).toMatch(/<c r="B3"><v>0<\/v>/);
    expect(sheet).not.toContain('r="C3"');
    expect(sheet).not.toContain('r="D3"');
  });

  describe.each<[string, (sheet: Omit<Sheet, 'batches'>, rows: CellValue[][]) => Promise<Buffer>]>([
    ['that is streamed', (sheet, rows) => written(rows, sheet)],
    [
      'that is small',
      async (sheet, rows) =>
        Buffer.from(await smallWorkbook([{ ...sheet, rows: rows.map((cells) => ({ cells })) }], sheet.timeZone)),
    ],
  ])('%s', (_, write) => {
    const bill = {
      name: 'Bill',
      columns: [
        { label: 'Bill', kind: 'text' },
        { label: 'Sum', kind: 'money' },
        { label: 'On', kind: 'date' },
      ],
      timeZone: 'Asia/Shanghai',
    } as const;
    const rows: CellValue[][] = [
      ['RFB1', { amount: '1234.500000', currency: 'CNY' }, Date.UTC(2026, 10, 21, 4)],
      ['RFB 20261121 of the whole month', { amount: -3, currency: 'USD' }, null],
      ['RFB3', { amount: '7', currency: null }, null],
      ['RFB4', { amount: '8', currency: 'JPY' }, null],
      ['RFB5', null, null],
      ['RFB6', { amount: 'none', currency: 'CNY' }, null],
      ['RFB7', { amount: '9.125', currency: 'KWD' }, null],
    ];

    it('shows each amount with the digits and the sign of its currency', async () => {
      const parts = partsOf(await write(bill, rows));
      const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
      const format = (sign: string, digits = '.00') => {
        const amount = `"${sign}"#,##0${digits}`;
        return formatOf(parts, `${amount};-${amount}`);
      };
      const cell = (at: string) => new RegExp(`<c r="${at}" s="(\\d+)"><v>([^<]*)</v>`).exec(sheet)?.slice(1);
      expect(cell('B2')).toEqual([String(format('¥')), '1234.5']);
      expect(cell('B3')).toEqual([String(format('$')), '-3']);
      expect(cell('B4')).toEqual([String(format('$')), '7']);
      expect(cell('B5')).toEqual([String(format('JPY ', '')), '8']);
      expect(cell('B8')).toEqual([String(format('KWD ', '.000')), '9.125']);
      expect(sheet).not.toContain('r="B6" s=');
      expect((await readXlsx(await write(bill, rows))).sheets[0]?.rows[6]?.[1]).toBe('none');
    });

    it('has whole days, a filter over all of its rows, and columns as wide as what they hold', async () => {
      const sheet = partsOf(await write(bill, rows)).get('xl/worksheets/sheet1.xml') ?? '';
      expect(sheet).toMatch(/<c r="C2" s="\d+"><v>46347<\/v>/);
      expect(sheet).toContain('<autoFilter ref="A1:C8"');
      const widths = [...sheet.matchAll(/<col [^>]*width="([\d.]+)"/g)].map((it) => Number(it[1]));
      expect(widths[0]).toBeGreaterThanOrEqual('RFB 20261121 of the whole month'.length);
      expect(widths[1]).toBeLessThan(15);
      expect(widths[2]).toBeGreaterThanOrEqual('2026-11-21'.length);
    });
  });

  it('follows the clock where it changes to summer time', async () => {
    const sheet = await createSheet([['', null, null, Date.UTC(2026, 6, 1, 12)]], { timeZone: 'America/New_York' });
    expect(Number(/<c r="D2" s="\d+"><v>([\d.]+)/.exec(sheet)?.[1]) % 1).toBeCloseTo(8 / 24, 8);
  });

  it('has a bold heading that stands still, wide enough for its words', async () => {
    const parts = partsOf(await written([['a', 1, null, null]]));
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('ySplit="1"');
    expect(sheet).toContain('state="frozen"');
    expect([...sheet.matchAll(/<col /g)]).toHaveLength(4);
    const heading = /<c r="A1" t="inlineStr" s="(\d+)">/.exec(sheet)?.[1];
    expect(heading).toBeDefined();
    expect(parts.get('xl/styles.xml')).toContain('<b/>');
    expect(sheet).toMatch(/<c r="A2" t="str"><v>a<\/v>/);
  });

  it('goes on in further sheets when one is full, each with its bold heading and no row lost', async () => {
    const rows = Array.from({ length: 7 }, (_, i) => [`SN${i}`, i, null, null]);
    const bytes = await written(rows, { maxRowsPerSheet: 4 });
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map((it) => it.rows.length)).toEqual([4, 4, 2]);
    expect(sheets.flatMap((it) => it.rows.slice(1).map((row) => row[0]))).toEqual(rows.map((it) => it[0]));
    const parts = partsOf(bytes);
    const headings = [1, 2, 3].map((n) => parts.get(`xl/worksheets/sheet${n}.xml`) ?? '');
    const styles = headings.map((it) => /<c r="A1" t="inlineStr" s="(\d+)">/.exec(it)?.[1]);
    expect(new Set(styles).size).toBe(1);
    expect(styles[0]).toBeDefined();
    for (const it of headings) expect(it).toMatch(/<c r="A2" t="str"><v>/);
  });

  it('survives what XML cannot hold and what a sheet’s name may not have', async () => {
    const text = 'a\u0001b\ufffec\ud800d & <e> "f" \u{1F600}';
    const bytes = await written([[text, null, null, null]], { name: "'[维修/单]*:?" });
    const { sheets } = await readXlsx(bytes);
    expect(sheets[0]?.rows[1]?.[0]).toBe('a\u0001bc\ufffdd & <e> "f" \u{1F600}');
    expect(sheets[0]?.name).toBe('维修 单');
    expect(
      (await readXlsx(await written([['x'.repeat(40_000), null, null, null]]))).sheets[0]?.rows[1]?.[0],
    ).toHaveLength(32_767);
  });

  it.each<[string, string]>([
    ['History', 'History_'],
    [' hISTORY ', 'hISTORY_'],
    ["'History'", 'History_'],
    ['Historys', 'Historys'],
    [`${'n'.repeat(30)}😀`, 'n'.repeat(30)],
    [`${'n'.repeat(29)}😀`, `${'n'.repeat(29)}😀`],
    [`${'n'.repeat(27)}👩‍🔧`, 'n'.repeat(27)],
    [`${'n'.repeat(28)}👨‍👩‍👧`, 'n'.repeat(28)],
    [`${'n'.repeat(30)}'s`, 'n'.repeat(30)],
    ['a\nb\u202ec\ud800', 'a b c'],
    ['\u200b', 'Sheet'],
  ])('calls a sheet %j as a spreadsheet program takes it: %j', async (name, expected) => {
    for (const bytes of [await written([], { name }), await smallWorkbook([{ name, columns, rows: [] }], 'UTC')])
      expect((await readXlsx(bytes)).sheets.map((it) => it.name)).toEqual([expected]);
    expect(expected.length).toBeLessThanOrEqual(31);
  });

  it('numbers sheets and cuts cells without halving a sign', async () => {
    const name = `${'n'.repeat(28)}😀x`;
    const two = await readXlsx(
      await written(
        [
          ['a', 1, null, null],
          ['b', 2, null, null],
        ],
        { name, maxRowsPerSheet: 2 },
      ),
    );
    expect(two.sheets.map((it) => it.name)).toEqual([name, `${'n'.repeat(28)}_2`]);
    const long = `${'x'.repeat(32_766)}😀`;
    const { sheets } = await readXlsx(await written([[long, null, null, null]]));
    expect(sheets[0]?.rows[1]?.[0]).toBe('x'.repeat(32_766));
  });

  it.each([' a', 'a ', 'a\tb', 'a\nb', 'a\rb', '_x0041_', '_x005F_x0041_', '007', ' ', ']]>'])(
    'gives back %j as it was',
    async (text) => {
      const { sheets } = await readXlsx(await written([[text, null, null, null]]));
      expect(sheets[0]?.rows[1]?.[0]).toBe(text);
    },
  );

  it('joins batches of any length, and goes on in a further sheet amid one', async () => {
    const sns = Array.from({ length: 10_000 }, (_, i) => `SN${i} ${'x'.repeat(i % 100)}`);
    const cells = sns.map((it) => [it, null, null, null]);
    const batches = [[], cells.slice(0, 1), cells.slice(1, 7000), [], cells.slice(7000), []];
    const { sheets } = await readXlsx(await written([], { batches, maxRowsPerSheet: 5001, name: 'n'.repeat(31) }));
    expect(sheets.map((it) => it.rows.length)).toEqual([5001, 5001]);
    expect(sheets.flatMap((it) => it.rows.slice(1).map((row) => row[0]))).toEqual(sns);
    expect(sheets.map((it) => it.name)).toEqual(['n'.repeat(31), `${'n'.repeat(29)}_2`]);
    expect((await readXlsx(await written([]))).sheets.map((it) => it.rows.length)).toEqual([1]);
  });

  it('is read no further than its stream takes it, and no more of it is read once it is given up', async () => {
    const batch: CellValue[][] = Array.from({ length: 5000 }, (_, i) => [`SN${i} ${Math.random()}`, i, null, null]);
    let given = 0;
    let isClosed = false;
    async function* batches() {
      try {
        for (; ; given++) yield batch;
      } finally {
        isClosed = true;
      }
    }
    const giveUp = new AbortController();
    const stuck = new Writable({ write: () => undefined });
    const sheet = { name: 'List', columns, batches: batches(), timeZone: 'UTC' };
    const writing = writeWorkbook(sheet, stuck, giveUp.signal);
    await expect.poll(() => stuck.writableNeedDrain).toBe(true);
    await turns(1000);
    expect(given).toBeLessThan(5);
    giveUp.abort(new Error('cancelled'));
    await expect(writing).rejects.toThrow();
    await expect.poll(() => isClosed).toBe(true);
    expect(stuck.destroyed).toBe(true);
  });

  it('is not finished where its rows fail', async () => {
    async function* batches(): AsyncGenerator<CellValue[][]> {
      yield [['SN1', 1, null, null]];
      throw new Error('the database is gone');
    }
    const into = new PassThrough();
    await expect(writeWorkbook({ name: 'List', columns, batches: batches(), timeZone: 'UTC' }, into)).rejects.toThrow(
      'the database is gone',
    );
    expect(into.destroyed).toBe(true);
  });

  it('of several small sheets follows the same rules, and no two sheets share a name', async () => {
    const rows = [{ cells: ['=1+1', '2.50', null, 0] }, { cells: ['x', 'y'], kinds: ['text', 'text'] as const }];
    const bytes = Buffer.from(
      await smallWorkbook(
        [
          { name: 'A', columns, rows },
          { name: 'a', columns, rows: [] },
        ],
        'UTC',
      ),
    );
    const parts = partsOf(bytes);
    for (const [path, part] of parts) if (path.startsWith('xl/worksheets/')) expect(part).not.toMatch(/<f[ >/]/);
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map((it) => it.name)).toEqual(['A', 'a 2']);
    expect(sheets[0]?.rows[1]?.slice(0, 2)).toEqual(['=1+1', 2.5]);
    expect(sheets[0]?.rows[2]?.slice(0, 2)).toEqual(['x', 'y']);
  });
});
