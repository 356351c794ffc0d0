import { expect, test } from './journey.ts';
import { devicesAt } from './operator.ts';
import { signInAs, openStation, scan, verdict, words } from './workshop.ts';
import { CHECK, QC } from './shift.ts';

// The clock is stopped.
test.use({ ownProfile: true });

const say = words('zh');

for (const [status, isProbeWell] of [
  [500, true],
  [503, false],
] as const) {
  test(`after a minute of ${status}s what waits goes on by itself, in its own words meanwhile`, async ({
    page,
    context,
    baseURL,
  }) => {
    await page.clock.install();
    await signInAs(context, 'tech', baseURL as string);
    const sns = await devicesAt(page.request, 5, '80');
    await openStation(page, QC);
    let isDown = true;
    let asked = 0;
    const down = { status, contentType: 'application/json', body: '{"code":"100099","msg":"relation x","data":null}' };
    await page.route(`**${CHECK}*`, (it) => {
      asked += 1;
      return isDown ? it.fulfill(down) : it.continue();
    });
    if (!isProbeWell) await page.route('**/readyz', (it) => (isDown ? it.fulfill({ status: 503 }) : it.continue()));
    for (const sn of sns) await scan(page, sn);
    const rows = page.locator('tr[data-state=queued]');
    await expect(rows).toHaveCount(sns.length);
    // A minute, each retry of which is answered.
    for (let i = 0; i < 31; i++) {
      const before = asked;
      await page.clock.runFor(2000);
      if (isProbeWell) await expect.poll(() => asked).toBeGreaterThan(before);
    }
    await expect(rows.filter({ visible: true }).first()).toContainText(say('serverFails'));
    await expect(page.locator('main')).not.toContainText('relation x');
    isDown = false;
    await expect(page.locator('tr[data-state=ok]')).toHaveCount(sns.length);
  });
}

test('what lies on disk is never said to be nothing, while it is being read', async ({ page, context, baseURL }) => {
  await signInAs(context, 'tech', baseURL as string);
  const sns = await devicesAt(page.request, 4, '80');
  await openStation(page, QC);
  for (const sn of sns) {
    await scan(page, sn);
    await verdict(page, 'ok', sn);
  }
  await page.addInitScript(watch, say('nothingScanned'));
  await page.route('**/api/**', (it) => (it.request().url().includes('Examine') ? it.abort() : it.continue()));
  await page.reload();
  await expect(page.locator('tr[data-state]')).toHaveCount(sns.length);
  expect(await page.evaluate(() => (window as unknown as Seen).seen)).toEqual({
    frames: expect.any(Number),
    nothing: 0,
  });
  await expect(page.locator('table[aria-busy=true]')).toHaveCount(0);
});

interface Seen {
  seen: { frames: number; nothing: number };
}

/** Counts the drawings of the page in which these words stand; what is on disk takes its time. */
function watch(words: string): void {
  const seen = ((window as unknown as Seen).seen = { frames: 0, nothing: 0 });
  const get = IDBIndex.prototype.getAll;
  IDBIndex.prototype.getAll = function slow(this: IDBIndex, ...args: Parameters<typeof get>) {
    // A disk that is busy: the same is read many times before.
    for (let i = 0; i < 300; i++) get.apply(this, args);
    return get.apply(this, args);
  };
  const look = () => {
    seen.frames += 1;
    if (document.body?.textContent?.includes(words)) seen.nothing += 1;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
