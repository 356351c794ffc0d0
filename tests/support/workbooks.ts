import { crc32, deflateRawSync } from 'node:zlib';
import { writeXlsx, type CellValue } from 'hucre';
import type { Answer, TestApp } from '#tests/support/app.ts';

/** A workbook whose first sheet has these rows, heads first. */
export const workbook = async (rows: CellValue[][]): Promise<Buffer> =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet1', rows }] }));

/** A number as a spreadsheet shows it. */
export interface Shown {
  number: number;
  format: string;
}

/** A workbook whose numbers are shown by formats of their own. */
export async function shownWorkbook(rows: readonly (readonly (CellValue | Shown)[])[]): Promise<Buffer> {
  const isShown = (it: CellValue | Shown): it is Shown => typeof it === 'object' && it !== null && 'format' in it;
  const cells = new Map(
    rows.flatMap((row, i) =>
      row.flatMap((it, j) =>
        isShown(it) ? [[`${i},${j}`, { value: it.number, style: { numFmt: it.format } }] as const] : [],
      ),
    ),
  );
  const values = rows.map((row) => row.map((it) => (isShown(it) ? it.number : it)));
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet1', rows: values, cells }] }));
}

export interface Entry {
  name: string;
  content: Buffer | string;
  /** What the archive claims, where it lies. */
  claims?: { unpacked?: number; packed?: number; method?: number; flags?: number; at?: number };
}

/** An archive made by hand, so that it can lie. */
export function zip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, claims = {} } of entries) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(claims.flags ?? 0, 2);
    common.writeUInt16LE(claims.method ?? 8, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(claims.packed ?? packed.length, 14);
    common.writeUInt32LE(claims.unpacked ?? raw.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, title, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(claims.at ?? at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, title]));
    files.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  const size = directory.reduce((sum, it) => sum + it.length, 0);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

const NS = 'http://schemas.openxmlformats.org';

/** A workbook around a sheet that is written by hand; `state` says who is shown it. */
export const workbookAround = (sheet: string, more: readonly Entry[] = [], state = 'visible'): Buffer =>
  zip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${NS}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${NS}/package/2006/relationships"><Relationship Id="rId1" Type="${NS}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${NS}/spreadsheetml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" state="${state}" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${NS}/package/2006/relationships"><Relationship Id="rId1" Type="${NS}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    ...more,
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
  ]);

/** As much of the older container as says what it holds. */
export const oldWorkbook = (...streams: string[]): Buffer =>
  Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    ...streams.map((it) => Buffer.from(it, 'utf16le')),
  ]);

export interface Sending {
  as?: string;
  fields?: Record<string, string>;
  name?: string;
  lang?: 'zh' | 'en';
  key?: string;
}

/** Sends a file as a browser does: multipart, with the token in its header. */
export async function sendFile<Data = Record<string, unknown>>(
  testApp: TestApp,
  path: string,
  files: readonly Buffer[],
  { as, fields = {}, name = 'rows.xlsx', lang = 'en', key }: Sending = {},
): Promise<Answer<Data>> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  for (const it of files) form.append('file', new Blob([new Uint8Array(it)]), name);
  const body = new Response(form);
  const reply = await testApp.app.inject({
    method: 'POST',
    url: `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`,
    headers: {
      'content-type': body.headers.get('content-type') ?? '',
      ...(as && { token: await testApp.openToken(as) }),
      ...(key && { 'idempotency-key': key }),
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { status: reply.statusCode, ...reply.json<Omit<Answer<Data>, 'status'>>() };
}
