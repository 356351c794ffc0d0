// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { render } from '@testing-library/react';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { LabelPrintKind } from '#domain/enums.ts';
import { type LabelKind, labelKinds, labelSizes, TEST_SN } from '#domain/labelPrint.ts';
import { SerialLabels } from './SerialLabels.tsx';

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const { buffer } = readFileSync(wasm);
  await prepareZXingModule({ overrides: { wasmBinary: buffer }, fireImmediately: true });
});

/** The bars of a label as they stand on the page, drawn by somebody else at so many dots per inch, in black and white. */
async function draw(sn: string, kind: LabelKind, dpi: number): Promise<Uint8Array> {
  const labels = { snList: [sn], modelCode: 'ZX01', kind, printKind: LabelPrintKind.Reprint };
  const { unmount } = render(<SerialLabels labels={labels} onPrinted={() => undefined} />);
  const svg = document.querySelector<SVGElement>('[data-label] svg[data-barcode]') as SVGElement;
  const [width, height] = [labelSizes[kind].width, labelSizes[kind].height / 2].map((px) =>
    Math.floor((px * dpi) / 96),
  ) as [number, number];
  expect([svg.getAttribute('width'), svg.getAttribute('height')]).toEqual(['100%', `${labelSizes[kind].height / 2}px`]);
  expect(svg.getAttribute('viewBox')).toMatch(new RegExp(`^0 0 \\d+ ${labelSizes[kind].height / 2}$`));
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  const text = svg.outerHTML;
  unmount();
  const picture = await sharp(Buffer.from(text))
    .flatten({ background: '#fff' })
    .greyscale()
    .threshold(128)
    .extend({ top: 20, bottom: 20, background: '#fff' })
    .png()
    .toBuffer();
  return new Uint8Array(picture);
}

describe('a label of the browser, read by a reader that is not ours', () => {
  const sns = ['ZX014A2647D000001', 'ABCDEFWXYZV0BRRAE', TEST_SN];
  // At 203 dpi its lines fall between the dots: labels for such a printer are drawn for it. Rule: labels#bars.
  const cases = [300, 600].flatMap((dpi) => labelKinds.flatMap((kind) => sns.map((sn) => [sn, kind, dpi] as const)));

  it.each(cases)('has %s on kind %s at %i dpi', async (sn, kind, dpi) => {
    const found = await readBarcodes(await draw(sn, kind, dpi), { formats: ['Code128'] });
    expect(found.map((it) => it.text)).toEqual([sn]);
  });
});
