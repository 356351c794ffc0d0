import { readXlsx, writeXlsx, type CellValue } from 'hucre';
import sharp from 'sharp';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { newWord } from './newWord.ts';
import { devicesAt } from './operator.ts';
import { signInAs, listenForErrors, openStation, scan, verdict } from './workshop.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const workbook = async (rows: CellValue[][]) => ({
  name: 'rows.xlsx',
  mimeType: XLSX,
  buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows }] })),
});
const photo = (width: number, height: number, format: 'jpeg' | 'png') =>
  sharp({ create: { width, height, channels: 3, background: '#b5651d' } })
    .toFormat(format)
    .toBuffer();

/** What is sent is kept beside the request, as the browser does not tell it for a file. */
async function recordSentFiles(page: Page): Promise<() => Promise<Buffer[]>> {
  await page.addInitScript(() => {
    const sentFiles: Promise<string>[] = [];
    Object.assign(window, { sentFiles });
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (body) {
      const file = body instanceof FormData ? body.get('file') : null;
      if (file instanceof Blob) {
        sentFiles.push(
          new Promise((done) => {
            const reader = new FileReader();
            reader.onload = () => done(String(reader.result).split(',')[1] ?? '');
            reader.readAsDataURL(file);
          }),
        );
      }
      return send.call(this, body);
    };
  });
  return async () => {
    const all = await page.evaluate(() => Promise.all((window as never as { sentFiles: Promise<string>[] }).sentFiles));
    return all.map((it) => Buffer.from(it, 'base64'));
  };
}

test('a photo is 800 wide before it leaves the browser, under the policy of the product [P-UPL-04] [P-UPL-01]', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  const sent = await recordSentFiles(page);
  await signInAs(context, 'tech', baseURL as string);
  const [sn = ''] = await devicesAt(context.request, 1, '10');
  await openStation(page, '/rmaCheckBillList/check');
  await scan(page, sn);
  await verdict(page, 'ok', sn);
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles([
    { name: 'wide.jpg', mimeType: 'image/jpeg', buffer: await photo(4000, 3000, 'jpeg') },
    { name: 'tall.png', mimeType: 'image/png', buffer: await photo(1000, 2000, 'png') },
    { name: 'small.jpg', mimeType: 'image/jpeg', buffer: await photo(640, 480, 'jpeg') },
  ]);
  const enlarge = page.getByRole('button', { name: /放大第 \d 张图片/ });
  await expect(enlarge).toHaveCount(3);
  const pictures = await Promise.all((await sent()).map((it) => sharp(it).metadata()));
  expect(pictures.map((it) => [it.format, it.width, it.height])).toEqual([
    ['jpeg', 800, 600],
    ['png', 800, 1600],
    ['jpeg', 640, 480],
  ]);
  await enlarge.filter({ visible: true }).first().click();
  await expect(page.getByText('1 / 3')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('2 / 3')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(errors).toEqual([]);
});

test('rows of a workbook are looked at, handed back with what is wrong, and imported when they are right [P-UPL-08] [P-FRM-12]', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  await signInAs(context, 'admin', baseURL as string);
  await page.goto('/ubsItemObjectList');
  await page.getByRole('button', { name: '导入', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '导入' });
  const heads = ['SN', '类型', '归属', '物料编号', '销售编码', '物料名称'];
  const sns = Array.from({ length: 3 }, () => `IMP${newWord()}`);
  const good = sns.map((sn): CellValue[] => [sn, '0', '1', 1, 'RX19', 'RX19']);
  const bad: CellValue[] = [null, '0', '1', 1, 'RX19', 'RX19'];
  await dialog.locator('input[type=file]').setInputFiles(await workbook([heads, ...good, bad]));
  await dialog.getByRole('button', { name: '检查' }).click();
  await expect(dialog.getByText('1 行有问题；修正之前不会导入任何数据')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: '下载问题清单' }).click(),
  ]);
  const { createReadStream } = await import('node:fs');
  const { buffer } = await import('node:stream/consumers');
  const report = await readXlsx(new Uint8Array(await buffer(createReadStream(await download.path()))));
  expect(report.sheets[0]?.rows[4]?.[0]).toContain('必填项不为空');
  await dialog.locator('input[type=file]').setInputFiles(await workbook([heads, ...good]));
  await dialog.getByRole('button', { name: '检查' }).click();
  await dialog.getByRole('button', { name: '导入 3 行' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page
      .getByText(sns[2] as string)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  expect(errors).toEqual([]);
});
