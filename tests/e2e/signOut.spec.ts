import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiGet, startSession } from './workshop.ts';

// Whatever a browser may keep, it may keep here.
test.use({ serviceWorkers: 'allow', ownProfile: true });

/** What the browser has of an address by itself, without and with asking the server. */
const readFromCache = (page: Page, path: string) =>
  page.evaluate(async (url) => {
    const read = (cache: RequestCache) =>
      fetch(url, { cache, mode: 'same-origin' }).then(
        async (it) => `${it.status} ${it.status === 200 ? (await it.blob()).size : ''}`,
        () => 'nothing',
      );
    return { onlyIfCached: await read('only-if-cached'), forceCache: await read('force-cache') };
  }, path);

/** Everything that scripts and the service worker keep, by its path. */
const listCachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (it) => (await caches.open(it)).keys()));
    return requests.flat().map((it) => new URL(it.url).pathname);
  });

test('after a sign-out nothing of an export, a picture or a list is left in the browser', async ({
  page,
  context,
  baseURL,
}) => {
  const request = context.request;
  const office = await startSession(request, 'office');
  const { path: file } = await apiGet<{ path: string }>(request, office, '/api/rmaInventory/export.json');
  const { items } = await apiGet<{ items: { checkUrls: string | null }[] }>(
    request,
    office,
    '/api/rmaCheckBill/pager.json',
    {
      pageCount: '200',
    },
  );
  const picture = items.flatMap((it) => it.checkUrls?.split('##') ?? []).find((it) => it.startsWith('/file/'));
  expect([file, picture]).toEqual([expect.stringMatching(/^\/file\//), expect.stringMatching(/^\/file\//)]);
  const list = '/api/rmaInventory/pager.json?lang=en';

  await context.addCookies([{ name: 'token', value: office, url: baseURL ?? '' }]);
  await page.goto(picture ?? '');
  await page.goto('/home');
  await expect(page.getByRole('navigation').filter({ visible: true }).first()).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  for (const path of [file, picture ?? '']) {
    const status = await page.evaluate(
      (it) => fetch(it).then(async (answer) => (await answer.blob(), answer.status)),
      path,
    );
    expect(status).toBe(200);
  }
  await page.evaluate(
    (it) =>
      new Promise((done, fail) => Object.assign(new Image(), { onload: done, onerror: fail, src: it })).then(
        () => undefined,
      ),
    picture ?? '',
  );
  const listed = await page.evaluate(async (url) => {
    const token = /token=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    return (await fetch(url, { headers: { token } })).status;
  }, list);
  expect(listed).toBe(200);

  const { userName } = await apiGet<{ userName: string }>(request, office, '/api/userInfo.json');
  await page.getByRole('button', { name: userName }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page).toHaveURL(/\/login$/);

  for (const path of [file, picture ?? '', list]) {
    expect([path, await readFromCache(page, path)]).toEqual([path, { onlyIfCached: 'nothing', forceCache: '401 ' }]);
  }
  expect((await listCachedPaths(page)).filter((it) => !it.startsWith('/assets/'))).toEqual(['/index.html']);
  const answers: number[] = [];
  page.on('response', (it) => void (it.url().endsWith(picture ?? '') && answers.push(it.status())));
  await page.goto(picture ?? '');
  await page.goto('/login');
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${picture}$`));
  await expect(page.locator('img')).toHaveCount(0);
  expect(answers.length).toBeGreaterThan(0);
  expect(new Set(answers)).toEqual(new Set([401]));
});
