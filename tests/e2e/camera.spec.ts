import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import JsBarcode from 'jsbarcode';
import sharp from 'sharp';
import { expect, test } from './journey.ts';
import { signInAs, listenForErrors, openStation, verdict } from './workshop.ts';
import { devicesAt } from './operator.ts';

const labels = [
  ['the label of a unit', (sn: string) => ({ text: sn, isGs1: false })],
  ['the SN in a GS1 label', (sn: string) => ({ text: `010952123454321321${sn}`, isGs1: true })],
] as const;

for (const [what, labelled] of labels) {
  test(`the camera reads ${what}`, async ({ request, baseURL, launchOptions, locale }, info) => {
    const [sn] = (await devicesAt(request, 1, '80')) as [string];
    const film = info.outputPath('label.mjpeg');
    writeFileSync(film, await renderLabel(labelled(sn)));
    const browser = await chromium.launch({
      ...launchOptions,
      args: [
        ...(launchOptions.args ?? []),
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ],
    });
    try {
      const context = await browser.newContext({ baseURL, locale });
      await signInAs(context, 'tech', baseURL as string);
      const page = await context.newPage();
      const errors = listenForErrors(page);
      await openStation(page, '/rmaExamineBillList/examine');
      await page.getByRole('button', { name: '用摄像头扫描' }).click();
      await verdict(page, 'ok', sn);
      await expect(page.locator('tr[data-state]')).toHaveCount(1);
      await page.getByRole('button', { name: '关闭摄像头' }).click();
      await expect(page.locator('video')).toHaveCount(0);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
}

/** The picture of a label in the hand: a code of 128, small and a little askew. */
function renderLabel({ text, isGs1 }: { text: string; isGs1: boolean }): Promise<Buffer> {
  const drawn = {} as { encodings: { data: string }[] };
  JsBarcode(drawn, text, { format: 'CODE128', ean128: isGs1 });
  const modules = [...drawn.encodings.map((it) => it.data).join('')];
  const bars = modules.map((it, i) => (it === '1' ? `<rect x="${i * 2}" width="2" height="90"/>` : '')).join('');
  const label = `<g transform="translate(${640 - modules.length} 300) rotate(4)">
    <rect x="-40" y="-30" width="${modules.length * 2 + 80}" height="160" fill="#f4f1ea"/>${bars}</g>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720">
    <rect width="1280" height="720" fill="#8a8377"/>${label}</svg>`;
  return sharp(Buffer.from(picture)).blur(0.7).jpeg({ quality: 80 }).toBuffer();
}
