import { describe, expect, it } from 'vitest';
import { readCell } from '#server/imports/cells.ts';
import { readSheet, type SheetRow } from '#server/imports/workbook.ts';
import { workbook, workbookAround, zip } from '#tests/support/workbooks.ts';

async function rowsOf(bytes: Buffer): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const it of readSheet(bytes)) rows.push(it);
  return rows;
}
const keyOf = (bytes: Buffer) =>
  rowsOf(bytes).then(
    () => 'read',
    (error: { problems?: { key: string }[] }) => error.problems?.[0]?.key,
  );
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

it('words that are offered again stand for the value that is offered, not for the retired one', () => {
  const waiting = { zh: '等待', en: 'Waiting' };
  const options = [
    { value: '1', label: waiting, retired: true as const },
    { value: '2', label: waiting },
    { value: '3', label: { zh: '旧', en: 'Old' }, retired: true as const },
  ];
  const read = (said: string) =>
    readCell(said, 'kind', { type: 'select', label: waiting, options: 'kinds' }, { options, timeZone: 'UTC' });
  expect(['waiting', '等待', '1', 'Old'].map(read)).toEqual(['2', '2', '1', '3'].map((value) => ({ value })));
});

it('words that are the label of one value and another value mean what an export writes by them', () => {
  const words = (en: string) => ({ zh: en, en });
  const options = [
    { value: 'Open', label: words('Waiting') },
    { value: 'reopened', label: words('Open') },
    { value: 'Old', label: words('Older') },
    { value: 'former', label: words('Old'), retired: true as const },
    { value: 'Closed', label: words('Closed') },
  ];
  const read = (said: string) =>
    readCell(said, 'state', { type: 'select', label: words('State'), options: 'states' }, { options, timeZone: 'UTC' });
  for (const { value, label } of options) expect(read(label.en)).toEqual({ value });
  expect(read('former')).toEqual({ value: 'former' });
});

describe('a workbook', () => {
  it('gives its rows with their numbers, empty ones left out', async () => {
    const bytes = await workbook([
      ['a', 'b'],
      [null, null],
      [1, new Date('2026-11-21T08:30:00Z')],
      [true, ''],
    ]);
    expect(await rowsOf(bytes)).toEqual([
      { number: 1, cells: ['a', 'b'], formulas: [], formats: {} },
      { number: 3, cells: [1, new Date('2026-11-21T08:30:00Z')], formulas: [], formats: { 1: 'yyyy-mm-dd' } },
      { number: 4, cells: [true], formulas: [], formats: {} },
    ]);
  });

  it.each([
    [
      'where cells say where they stand',
      '<row r="3"><c r="B3" t="str"><f>cmd|calc</f><v>=1+1</v></c><c r="AB3"><f t="shared" si="0"/><v>2</v></c></row>',
    ],
    [
      'under a prefix',
      '<x:row r="3"><x:c r="B3" t="str"><x:f>cmd|calc</x:f><x:v>=1+1</x:v></x:c><x:c r="AB3"><x:f>1</x:f><x:v>2</x:v></x:c></x:row>',
    ],
  ])('tells which cells are formulas, and gives the values that were last computed, %s', async (_, rows) => {
    const [row] = await rowsOf(workbookAround(sheet(rows)));
    expect(row).toMatchObject({ number: 3, formulas: [1, 27], formats: {} });
    expect([row?.cells[1], row?.cells[27]]).toEqual(['=1+1', 2]);
  });

  it('gives days that are written out as days, with what their clock says', async () => {
    const said = [
      ...['2026-03-01', '2026-03-01T00:00:00', '2026-03-01T08:30:15.250', '2026-03-01T08:30Z', '08:30:00'],
      '2026-03-01T08:30:00+08:00',
    ];
    const cells = said.map((it) => `<c t="d"><v>${it}</v></c>`).join('');
    const [row] = await rowsOf(workbookAround(sheet(`<row>${cells}<c t="d"/><c t="str"><v>2026-03-01</v></c></row>`)));
    expect(row?.cells).toEqual([
      new Date('2026-03-01T00:00Z'),
      new Date('2026-03-01T00:00Z'),
      new Date('2026-03-01T08:30:15.250Z'),
      new Date('2026-03-01T08:30Z'),
      new Date('1899-12-31T08:30Z'),
      new Date(Number.NaN),
      null,
      '2026-03-01',
    ]);
  });

  it('takes how a text is read aloud for no part of it', async () => {
    const aloud = '<rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>';
    const inline = (said: string) => `<c t="inlineStr"><is>${said}</is></c>`;
    const pieces = '<r><t>東</t></r><r><t xml:space="preserve">京 &amp; 1</t></r>';
    const said = [`<t>東京</t>${aloud}`, `${aloud}<t>東京</t>`, pieces + aloud];
    const asOthers = [`<t><![CDATA[東 & <京>]]></t>${aloud}`, `<t>東_x0041_</t>${aloud}`];
    const cells = [...said, ...asOthers].map(inline).join('');
    const row = `<row r="2">${cells}<c t="inlineStr"><is/></c>${cell('plain')}</row>`;
    const [read] = await rowsOf(workbookAround(sheet(row)));
    expect(read?.cells).toEqual(['東京', '東京', '東京 & 1', '東 & <京>', '東A', '', 'plain']);
  });

  it('says which rows nobody is shown, and whether the sheet is', async () => {
    const rows = `<row>${cell('a')}</row><row hidden="1">${cell('b')}</row><row hidden="0">${cell('c')}</row>`;
    const said = async (state?: string) =>
      (await rowsOf(workbookAround(sheet(rows), [], state))).map((it) => it.hidden);
    expect(await said()).toEqual([undefined, 'row', undefined]);
    expect(await said('hidden')).toEqual(['sheet', 'sheet', 'sheet']);
    expect(await said('veryHidden')).toEqual(['sheet', 'sheet', 'sheet']);
  });

  it('takes a row of no height for one that nobody is shown', async () => {
    const heights = ['', 'ht="0" customHeight="1"', 'ht="0.0"', 'ht="0.75"', 'ht="10"', 'ht=""'];
    const rows = await rowsOf(workbookAround(sheet(heights.map((it) => `<row ${it}>${cell('a')}</row>`).join(''))));
    expect(rows.map((it) => it.hidden)).toEqual([undefined, 'row', 'row', undefined, undefined, undefined]);
  });

  it('says with each row which columns nobody is shown', async () => {
    const columns =
      '<col min="1" max="1" width="9"/><col min="2" max="3" width="9" hidden="1"/><col min="4" max="4" hidden="0"/>' +
      '<x:col max="6" min="6" width="0" customWidth="1"/><col min="99" max="16384" hidden="true"/>';
    const bytes = workbookAround(
      `<worksheet><cols>${columns}</cols><sheetData>${`<row>${cell('a')}</row>`.repeat(2)}</sheetData></worksheet>`,
    );
    expect((await rowsOf(bytes)).map((it) => it.hiddenColumns)).toEqual([
      [1, 2, 5, 98, 99],
      [1, 2, 5, 98, 99],
    ]);
  });

  it('tells formulas where nothing says where its cells stand, and takes no text for one', async () => {
    const computed = '<row><c t="str"><f>cmd|calc</f><v>=1+1</v></c><c><f>1+1</f><v>2</v></c></row>';
    expect(
      await rowsOf(workbookAround(sheet(computed + `<row>${cell('=1+1')}<c t="str"><v>=2</v></c></row>`))),
    ).toEqual([
      { number: 1, cells: ['=1+1', 2], formulas: [0, 1], formats: {} },
      { number: 2, cells: ['=1+1', '=2'], formulas: [], formats: {} },
    ]);
  });
});

describe('a hostile workbook is refused, and the server lives on', () => {
  const ENTITIES = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;&a;">]>`;
  const big = Buffer.alloc(60 * 1024 * 1024, 'a');
  const padded = (content: Buffer | string) => workbookAround(sheet(''), [{ name: 'xl/x.bin', content }]);

  it.each<[string, () => Buffer, string]>([
    ['no archive', () => Buffer.from('PK\u0003\u0004nothing'), 'workbookBroken'],
    ['an archive that breaks off', () => workbookAround(sheet('')).subarray(0, 300), 'workbookBroken'],
    ['an archive without a workbook', () => zip([{ name: 'a', content: 'a' }]), 'workbookBroken'],
    ['one that unpacks to 60 MB', () => padded(big), 'workbookHuge'],
    ['one of a ratio that no honest file has', () => padded(Buffer.alloc(20 * 1024 * 1024)), 'workbookHuge'],
    [
      'one of 2,000 files',
      () => zip(Array.from({ length: 2000 }, (_, i) => ({ name: `${i}`, content: '' }))),
      'workbookHuge',
    ],
    [
      'one that claims to be empty',
      () => zip([{ name: 'xl/worksheets/sheet1.xml', content: big, claims: { unpacked: 0 } }]),
      'workbookBroken',
    ],
    [
      'one that hides its size in the larger format',
      () => zip([{ name: 'a', content: 'a', claims: { unpacked: 0xffffffff } }]),
      'workbookHuge',
    ],
    [
      'one whose files share their bytes',
      () =>
        zip([
          { name: 'a', content: 'abc' },
          { name: 'b', content: 'abc', claims: { at: 0 } },
        ]),
      'workbookBroken',
    ],
    [
      'one with the same name twice',
      () =>
        zip([
          { name: 'a', content: 'a' },
          { name: 'a', content: 'b' },
        ]),
      'workbookBroken',
    ],
    ['an encrypted one', () => zip([{ name: 'a', content: 'a', claims: { flags: 1 } }]), 'workbookBroken'],
    ['one of an unknown method', () => zip([{ name: 'a', content: 'a', claims: { method: 99 } }]), 'workbookBroken'],
    ['an old one', () => Buffer.concat([Buffer.from([0xd0, 0xcf]), Buffer.alloc(600)]), 'oldWorkbook'],
  ])('%s', async (_, bytes, key) => {
    expect(await keyOf(bytes())).toBe(key);
  });

  it('one whose directory lies about the size of a part', async () => {
    const parts = [
      {
        name: 'xl/worksheets/sheet1.xml',
        content: sheet(`<row>${cell('a'.repeat(5_000_000))}</row>`),
        claims: { unpacked: 100 },
      },
    ];
    const bytes = zip([...entriesOf(), ...parts]);
    expect(['workbookBroken', 'workbookHuge']).toContain(await keyOf(bytes));
  });

  it('one whose entities point at a file of the server is read without them', async () => {
    const bytes = workbookAround(ENTITIES + sheet(`<row>${cell('&a;')}${cell('&b;')}</row>`));
    const found = await rowsOf(bytes).catch(() => []);
    const text = JSON.stringify(found);
    expect(text).not.toContain('root:');
    expect(text.length).toBeLessThan(500);
  });

  it('one whose cells stand far out runs out of its own memory or columns, not of ours', async () => {
    const far = Array.from(
      { length: 300_000 },
      (_, i) => `<row r="${i + 1}"><c r="XFD${i + 1}" t="str"><v>${i}</v></c></row>`,
    );
    expect(['workbookHuge', 'workbookColumns']).toContain(await keyOf(workbookAround(sheet(far.join('')))));
  });
});

/** The small parts around a sheet, without the sheet. */
function entriesOf() {
  const NS = 'http://schemas.openxmlformats.org';
  return [
    { name: '[Content_Types].xml', content: `<Types xmlns="${NS}/package/2006/content-types"/>` },
    {
      name: '_rels/.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${NS}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${NS}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
  ];
}
