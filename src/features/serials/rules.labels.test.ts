import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { LabelPrintKind } from '#domain/enums.ts';
import { type Label, LabelKind, labelKinds, labelSizes, lineDots, QUIET, TEST_SN, zplOf } from '#domain/labelPrint.ts';
import { serialOf } from './rules.ts';

const { New, Reprint, Change, Test } = LabelPrintKind;
const SN = 'ZX014A2647D000001';
const label = (more: Partial<Label> = {}): Label => ({
  ...{ sn: SN, modelCode: 'ZX01', kind: LabelKind.Device, printKind: New },
  ...more,
});

describe('a label as ZPL', () => {
  it('of a device at 203 dpi', () => {
    expect(zplOf(label(), 203)).toBe(`^XA
^CI28
^PW399
^LL198
^LH0,0
^FO99,15^BY1^BCN,99,N,N,N^FH^FD>:ZX014A2647D>5000001^FS
^FO0,121^A0N,25,25^FB399,1,0,C^FH^FDZX014A2647D000001^FS
^FO0,155^A0N,25,25^FB399,1,0,C^FH^FDZX01^FS
^PQ1
^XZ
`);
  });

  it('of a device, again, at 300 dpi', () => {
    expect(zplOf(label({ printKind: Reprint }), 300)).toMatchInlineSnapshot(`
      "^XA
      ^CI28
      ^PW590
      ^LL293
      ^LH0,0
      ^FO95,22^BY2^BCN,146,N,N,N^FH^FD>:ZX014A2647D>5000001^FS
      ^FO0,179^A0N,37,37^FB590,1,0,C^FH^FDZX014A2647D000001^FS
      ^FO0,230^A0N,37,37^FB590,1,0,C^FH^FDZX01 · 补打 / REPRINT^FS
      ^PQ1
      ^XZ
      "
    `);
  });

  it('of a board at 203 dpi', () => {
    expect(zplOf(label({ sn: 'CBZX4A2647V00000A', kind: LabelKind.Veneer }), 203)).toMatchInlineSnapshot(`
      "^XA
      ^CI28
      ^PW300
      ^LL150
      ^LH0,0
      ^FO39,22^BY1^BCN,75,N,N,N^FH^FD>:CBZX4A2647V00000A^FS
      ^FO0,104^A0N,21,21^FB300,1,0,C^FH^FDCBZX4A2647V00000A^FS
      ^PQ1
      ^XZ
      "
    `);
  });

  it('of controls, again, at 203 dpi', () => {
    const controls = label({ sn: 'CBZX4A2647C000001', kind: LabelKind.Controls, printKind: Reprint });
    expect(zplOf(controls, 203)).toMatchInlineSnapshot(`
      "^XA
      ^CI28
      ^PW300
      ^LL150
      ^LH0,0
      ^FO50,7^BY1^BCN,75,N,N,N^FH^FD>:CBZX4A2647C>5000001^FS
      ^FO0,89^A0N,21,21^FB300,1,0,C^FH^FDCBZX4A2647C000001^FS
      ^FO0,118^A0N,21,21^FB300,1,0,C^FH^FD补打 / REPRINT^FS
      ^PQ1
      ^XZ
      "
    `);
  });

  it('of controls, changed, at 300 dpi', () => {
    const controls = label({ sn: 'CBZX4A2647C000001', kind: LabelKind.Controls, printKind: Change });
    expect(zplOf(controls, 300)).toMatchInlineSnapshot(`
      "^XA
      ^CI28
      ^PW443
      ^LL221
      ^LH0,0
      ^FO21,33^BY2^BCN,110,N,N,N^FH^FD>:CBZX4A2647C>5000001^FS
      ^FO0,153^A0N,31,31^FB443,1,0,C^FH^FDCBZX4A2647C000001^FS
      ^PQ1
      ^XZ
      "
    `);
  });

  it('of a test at 203 and at 300 dpi', () => {
    const test = label({ sn: TEST_SN, modelCode: '', printKind: Test });
    expect(zplOf(test, 203)).toMatchInlineSnapshot(`
      "^XA
      ^CI28
      ^PW399
      ^LL198
      ^LH0,0
      ^FO88,15^BY1^BCN,99,N,N,N^FH^FD>:TEST-LABEL-SAMPLE^FS
      ^FO0,121^A0N,25,25^FB399,1,0,C^FH^FDTEST-LABEL-SAMPLE^FS
      ^FO0,155^A0N,25,25^FB399,1,0,C^FH^FD测试 / TEST^FS
      ^PQ1
      ^XZ
      "
    `);
    expect(zplOf({ ...test, kind: LabelKind.Veneer }, 300)).toMatchInlineSnapshot(`
      "^XA
      ^CI28
      ^PW443
      ^LL221
      ^LH0,0
      ^FO110,11^BY1^BCN,110,N,N,N^FH^FD>:TEST-LABEL-SAMPLE^FS
      ^FO0,132^A0N,31,31^FB443,1,0,C^FH^FDTEST-LABEL-SAMPLE^FS
      ^FO0,175^A0N,31,31^FB443,1,0,C^FH^FD测试 / TEST^FS
      ^PQ1
      ^XZ
      "
    `);
  });

  it('writes Chinese as UTF-8, and what could be a command as its number', () => {
    const zpl = zplOf(label({ sn: 'A_B', modelCode: '主板 ^XZ~JR\\&_5E\n^FS' }), 203);
    expect(zpl).toContain('^CI28');
    expect(zpl).toContain('^FD主板 _5EXZ_7EJR_5C&_5F5E _5EFS^FS');
    expect(zpl).toContain('^FD>:A_5FB^FS');
    expect(zpl.match(/\^XZ/g)).toHaveLength(1);
    expect(zpl).not.toContain('~');
  });

  it('says in both languages that it is a reprint or a test, and of a first or changed label nothing', () => {
    expect(zplOf(label({ printKind: Reprint }), 203)).toContain('^FDZX01 · 补打 / REPRINT^FS');
    expect(zplOf(label({ printKind: Reprint, kind: LabelKind.Controls }), 203)).toContain('^FD补打 / REPRINT^FS');
    expect(zplOf(label({ printKind: Test, sn: TEST_SN, modelCode: '' }), 203)).toContain('^FD测试 / TEST^FS');
    for (const printKind of [New, Change]) expect(zplOf(label({ printKind }), 203)).not.toMatch(/REPRINT|TEST/);
  });
});

/** No pairs of digits: as wide as an own SN can be. */
const WIDEST = serialOf({ modelCode: 'ABCD', productVer: 'EF', yearWeek: '2647', kind: '2' }, 12_345_678).replace(
  '2647',
  'WXYZ',
);

describe('the bars of a label', () => {
  it.each<[dpi: number, device: number, part: number]>([
    [203, 1, 1],
    [300, 2, 1],
    [600, 4, 3],
  ])('at %i dpi have lines of %i dots on a device and %i on a part, for the widest own SN', (dpi, device, part) => {
    expect(WIDEST).toHaveLength(17);
    expect([LabelKind.Device, LabelKind.Veneer].map((kind) => lineDots(WIDEST, kind, dpi))).toEqual([device, part]);
    expect(lineDots(TEST_SN, LabelKind.Veneer, dpi)).toBe(part);
  });

  it('are never wider than a printer takes', () => {
    expect(lineDots('A', LabelKind.Device, 600)).toBe(10);
  });

  it('have room for 31 letters on a device and 22 on a part at 203 dpi, and are refused beyond', () => {
    expect(lineDots('A'.repeat(31), LabelKind.Device, 203)).toBe(1);
    expect(lineDots('A'.repeat(32), LabelKind.Device, 203)).toBe(0);
    expect(lineDots('A'.repeat(22), LabelKind.Veneer, 203)).toBe(1);
    expect(lineDots('A'.repeat(23), LabelKind.Veneer, 203)).toBe(0);
  });
});

/** The reader of the camera, which knows nothing of how labels are drawn. */
async function read(rows: boolean[], height: number): Promise<string[]> {
  const grey = Buffer.from(Array.from({ length: height }, () => rows.map((it) => (it ? 0 : 255))).flat());
  const raw = { width: rows.length, height, channels: 1 as const };
  const png = await sharp(grey, { raw }).extend({ top: 20, bottom: 20, background: '#fff' }).png().toBuffer();
  return (await readBarcodes(png, { formats: ['Code128'] })).map((it) => it.text);
}

/** The dots of a line through the bars, as a printer draws them from what it is sent. */
function dotsOf(zpl: string): boolean[] {
  const width = Number(/\^PW(\d+)/.exec(zpl)?.[1]);
  const [, left = '', line = '', said = ''] = /\^FO(\d+),\d+\^BY(\d+)\^BC[^^]*\^FH\^FD(.*?)\^FS/.exec(zpl) ?? [];
  const bars = [...patternOf(said.replaceAll('_5F', '_'))].flatMap((it) =>
    Array<boolean>(Number(line)).fill(it === '1'),
  );
  const behind = width - Number(left) - bars.length;
  expect(Math.min(Number(left), behind)).toBeGreaterThanOrEqual(QUIET * Number(line));
  return [...Array<boolean>(Number(left)).fill(false), ...bars, ...Array<boolean>(behind).fill(false)];
}

/** What `^BC` makes of its data: `>:` and `>;` begin with letters or pairs of digits, `>6` and `>5` turn to them. */
function patternOf(data: string): string {
  const turns: Record<string, number> = { '>:': 104, '>;': 105, '>6': 100, '>5': 99 };
  let isPairs = false;
  const symbols = (data.match(/>.|[^>]+/g) ?? []).flatMap((it): number[] => {
    const turn = turns[it];
    if (turn === undefined) return (it.match(isPairs ? /../g : /./g) ?? []).map((one) => valueOf(one));
    isPairs = turn === 105 || turn === 99;
    return [turn];
  });
  const sum = symbols.reduce((all, it, i) => all + it * Math.max(i, 1), 0);
  return [...symbols, sum % 103, STOP].map((it) => BARS[it]).join('');
}
const valueOf = (text: string) => (text.length === 2 ? Number(text) : text.charCodeAt(0) - 32);
const STOP = 106;
const { BARS } = createRequire(import.meta.url)('jsbarcode/bin/barcodes/CODE128/constants.js') as { BARS: number[] };

describe('a label, read by a reader that is not ours', () => {
  beforeAll(async () => {
    const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    const wasmBinary = readFileSync(wasm).buffer;
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  });
  const sns = [
    SN,
    WIDEST,
    TEST_SN,
    '12345678901234567',
    '1234567890123456',
    'A_B-9',
    'CBZX4A2647C0000A1',
    '1234A12345678B1',
  ];
  const cases = [203, 300, 600].flatMap((dpi) =>
    labelKinds.flatMap((kind) => sns.map((sn) => [sn, kind, dpi] as const)),
  );

  it.each(cases)('has %s on kind %s at %i dpi, as the printer draws it', async (sn, kind, dpi) => {
    const zpl = zplOf(label({ sn, kind, printKind: Reprint }), dpi);
    expect(await read(dotsOf(zpl), Math.floor((labelSizes[kind].height / 2 / 96) * dpi))).toEqual([sn]);
  });
});
