import sharp from 'sharp';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/journey.ts';
import { devicesAt, createOperator } from '#tests/e2e/operator.ts';
import { featurePages } from '#tests/e2e/register.ts';
import { fire, type Rhythm } from '#tests/e2e/scanner.ts';
import { CHECK, figures, QC } from '#tests/e2e/shift.ts';
import { signInAs, openStation, words } from '#tests/e2e/workshop.ts';

/** Something of the page itself is there, not its frame alone; its heading is above it. */
const DRAWN = '#content :is(h2, input, textarea, tbody tr, [role=alert]):visible';

/**
 * A scan while something lies over the page: taken, or refused aloud, never swallowed. What can lie there is found by
 * pressing whatever can be pressed on each page of the register of features and in the shell around it. In the short
 * run each overlay meets one rhythm, in that of `npm run chaos -- browser` all. Rule: scanning#scans.
 */
const isLong = process.env['CHAOS'] === 'long';
test.describe.configure({ timeout: isLong ? 1_800_000 : 600_000 });

const FIRST_TEST = '/rmaCheckBillList/check';
const PACES = [30, 45, 60, 100];
/** What is found over a page, whatever has drawn it. */
const FLOATING = [
  '.MuiModal-root:not([aria-hidden=true])',
  '.MuiPopper-root',
  '[role=dialog]',
  '[role=menu]',
  '[role=listbox]',
  '[role=tooltip]',
].join();
/** What stays until somebody leaves it. */
const HELD = '[role=dialog],[role=menu],[role=listbox]';
const TRIGGERS = 'button:enabled, [role=button], [role=combobox], [aria-haspopup], header [aria-label]';

interface Walk {
  page: Page;
  session: CDPSession;
  overlays: string[];
  fired: number;
  lost: string[];
  doubled: string[];
  disturbed: string[];
}

let scans = 0;
const newSn = () =>
  `Z${(++scans).toString(36).padStart(3, '0')}P4A26${Date.now().toString(36).slice(-4)}`.toUpperCase();

async function begin(page: Page, context: BrowserContext, baseURL = ''): Promise<Walk> {
  await signInAs(context, 'admin', baseURL);
  await page.addInitScript(() => {
    const seen = { tones: 0, clicks: 0 };
    Object.assign(window, { seen });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (this: OscillatorNode, at?: number) {
      seen.tones += 1;
      start.call(this, at);
    };
    document.addEventListener('click', () => (seen.clicks += 1), true);
  });
  const session = await context.newCDPSession(page);
  return { page, session, overlays: [], fired: 0, lost: [], doubled: [], disturbed: [] };
}

const seenOn = (page: Page) =>
  page.evaluate((floating) => {
    const { seen } = window as unknown as { seen: { tones: number; clicks: number } };
    const isOver = [...document.querySelectorAll<HTMLElement>(floating)].some((it) => it.checkVisibility());
    return { ...seen, isOver, address: location.pathname };
  }, HELD);

/** Where a code is told: a row, a verdict, a notice, a field that wants one, the page of its own. */
const readMentions = (page: Page, sn: string) =>
  page.evaluate((text) => {
    const all = (what: string) => [...document.querySelectorAll<HTMLElement>(what)];
    const has = (it: HTMLElement) => it.textContent.includes(text);
    return {
      rows: all('tr[data-state]').filter(has).length,
      words: all('[data-verdict],[role=alert],[role=status],main h1').filter(has).length,
      fields: all('input').filter((it) => (it as HTMLInputElement).value === text).length,
    };
  }, sn);

/** Scans into what lies over the page now; each rhythm with a code of its own. */
async function scanInto(walk: Walk, name: string, rhythms: readonly Rhythm[], patience = 4000): Promise<void> {
  const { page, session } = walk;
  walk.overlays.push(name);
  for (const rhythm of rhythms) {
    const sn = newSn();
    const how = `${name}, ${rhythm.gap} ms: ${sn}`;
    const before = await seenOn(page);
    await fire(session, sn, rhythm);
    walk.fired += 1;
    await expect(async () => {
      const { rows, words, fields } = await readMentions(page, sn);
      expect(rows + words + fields).toBeGreaterThan(0);
    })
      .toPass({ timeout: patience, intervals: [20, 50, 100] })
      .catch(() => walk.lost.push(how));
    const { rows, fields } = await readMentions(page, sn);
    if (rows > 1) walk.doubled.push(how);
    const after = await seenOn(page);
    // The Enter in a field that has taken the code is that field's own.
    const isSame = fields > 0 || (after.clicks === before.clicks && after.isOver === before.isOver);
    if (!isSame && after.address === before.address) walk.disturbed.push(`${how}: ${JSON.stringify([before, after])}`);
  }
}

/** Every overlay that something in this part of the page opens; each is closed again. */
async function walkIn(walk: Walk, where: string, address: string): Promise<void> {
  const { page } = walk;
  const tried = new Set<string>();
  for (;;) {
    if (new URL(page.url()).pathname !== address) {
      await page.goto(address);
      await page.locator(DRAWN).filter({ visible: true }).first().waitFor();
    }
    const name = await press(page, where, [...tried]);
    if (name === undefined) return;
    tried.add(name);
    if (!(await opened(page))) continue;
    const paces = isLong ? PACES : [PACES[walk.overlays.length % PACES.length]];
    await scanInto(
      walk,
      `${address} ${name}`,
      paces.map((gap) => ({ gap })),
    );
    await close(page);
  }
}

/** Presses the next thing that was not tried yet; what stands in each row of a table, once. */
function press(page: Page, where: string, tried: readonly string[]): Promise<string | undefined> {
  return page.evaluate(
    ([where, triggers, tried]) => {
      const nameOf = (it: HTMLElement) => {
        // An id is another one each time that a form is drawn anew, and would never be done.
        const label = (it as HTMLInputElement).labels?.[0]?.textContent ?? '';
        const name = it.ariaLabel || it.title || label;
        const row = it.closest('tr') ? 'row ' : '';
        return row + (name || it.textContent.slice(0, 30) || it.dataset['field'] || it.tagName).replace(/Z\w{12}/g, '');
      };
      const all = [...document.querySelectorAll<HTMLElement>(where)].flatMap((it) => [
        ...it.querySelectorAll<HTMLElement>(triggers),
      ]);
      const next = all.find(
        (it) => it.checkVisibility() && !(it instanceof HTMLAnchorElement) && !tried.includes(nameOf(it)),
      );
      if (!next) return undefined;
      const name = nameOf(next);
      next.focus();
      next.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
      next.click();
      return name;
    },
    [where, TRIGGERS, tried] as const,
  );
}

const opened = (page: Page) =>
  page
    .waitForFunction(
      (it) => [...document.querySelectorAll<HTMLElement>(it)].some((one) => one.checkVisibility()),
      FLOATING,
      {
        timeout: 400,
        polling: 25,
      },
    )
    .then(
      () => true,
      () => false,
    );

async function close(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    expect(await opened(page)).toBe(false);
  }).toPass({ timeout: 5000, intervals: [50] });
}

/** The station with everything in the shell around it. */
async function openQc(page: Page): Promise<void> {
  await openStation(page, QC);
  await page.locator('header [aria-haspopup=menu], header button').filter({ visible: true }).nth(4).waitFor();
}

const volume = (page: Page) => page.getByRole('button', { name: words('zh')('sound.volume') });
const rowOf = (page: Page, sn: string) => page.locator('tr[data-state]').filter({ hasText: sn });

/** Scans into the scan field, so that the scanner is known; gives how many arrived, each once. */
async function scanAll({ page, session }: Walk, rhythm: Rhythm, count = 3): Promise<string[]> {
  const sns: string[] = [];
  for (let i = 0; i < count; i++) {
    const sn = newSn();
    await fire(session, sn, rhythm);
    await expect(rowOf(page, sn)).toHaveCount(1);
    sns.push(sn);
  }
  return sns;
}

function report(walk: Walk, what: string): void {
  const { overlays, fired, lost, doubled, disturbed } = walk;
  figures(`${what}: ${overlays.length} overlays, ${fired} scans at ${PACES.join(', ')} ms a key`);
  figures(`${lost.length} lost, ${doubled.length} doubled, ${disturbed.length} disturbed`);
  if (isLong) for (const it of overlays) figures(`  ${it}`);
}

const found = ({ lost, doubled, disturbed }: Walk) => ({ lost, doubled, disturbed });
const none = { lost: [], doubled: [], disturbed: [] };

test('a scan is heard with every overlay of the shell open, at a station', async ({ page, context, baseURL }) => {
  const walk = await begin(page, context, baseURL);
  await openQc(page);
  await walkIn(walk, 'header, nav', QC);
  report(walk, 'the shell over a station');
  expect(walk.overlays.length).toBeGreaterThan(5);
  expect(found(walk)).toEqual(none);
});

test('a scan is heard with every overlay of a page open, at each page of the register', async ({
  page,
  context,
  baseURL,
}) => {
  const walk = await begin(page, context, baseURL);
  for (const address of featurePages) {
    await page.goto(address);
    await page.locator(DRAWN).filter({ visible: true }).first().waitFor();
    if ((await page.locator('#content input[data-scan]:visible').count()) === 0) continue;
    await walkIn(walk, 'main', address);
  }
  report(walk, 'the pages that scan');
  expect(walk.overlays.length).toBeGreaterThan(10);
  expect(found(walk)).toEqual(none);
});

test('a scan is refused aloud with every overlay open where nothing takes one', async ({ page, context, baseURL }) => {
  const walk = await begin(page, context, baseURL);
  await page.goto('/rmaInventoryList');
  await page.locator('tbody tr').filter({ visible: true }).first().waitFor();
  // The shell around it was walked at a station.
  await walkIn(walk, isLong ? 'header, main' : 'main', '/rmaInventoryList');
  report(walk, 'the shell over a list');
  expect(walk.overlays.length).toBeGreaterThan(5);
  expect(found(walk)).toEqual(none);
});

test('a scan is heard with a notice, a picture, a hint or the menu of a phone over the page', async ({
  page,
  context,
  baseURL,
}) => {
  const walk = await begin(page, context, baseURL);
  const operator = createOperator(page, context, 'zh', { directUrl: baseURL });
  const { say } = operator;
  const [sn] = (await devicesAt(context.request, 1, '10')) as [string];
  const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer();
  await openStation(page, FIRST_TEST);
  await operator.scan(sn);
  await operator.scan('%CODE-UM17');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: new RegExp(`^${say('picture.add')}`) }).click();
  await (await choosing).setFiles({ name: 'found.jpg', mimeType: 'image/jpeg', buffer });
  await page
    .getByRole('status')
    .filter({ hasText: say('picture.uploaded') })
    .waitFor();
  await scanInto(walk, 'a notice', [{ gap: 30 }]);
  await page.getByRole('button', { name: words('zh')('picture.enlarge').replace('%{number}', '1') }).click();
  await page.getByRole('dialog').locator('img').waitFor();
  await scanInto(
    walk,
    'a picture',
    PACES.map((gap) => ({ gap })),
  );
  await close(page);

  await openQc(page);
  await page.locator('header button').filter({ visible: true }).first().hover();
  await page.getByRole('tooltip').waitFor();
  await scanInto(
    walk,
    'a hint',
    PACES.map((gap) => ({ gap })),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('header button').filter({ visible: true }).first().click();
  await page.locator('.MuiDrawer-root nav').waitFor();
  await scanInto(
    walk,
    'the menu of a phone',
    PACES.map((gap) => ({ gap })),
  );
  report(walk, 'a notice, a picture, a hint and the menu of a phone');
  expect(walk.overlays).toHaveLength(4);
  expect(found(walk)).toEqual(none);
});

test('each scan is one, at every pace and with every end, in the scan field and under a menu', async ({
  page,
  context,
  baseURL,
}) => {
  const walk = await begin(page, context, baseURL);
  let scans = 0;
  for (const suffix of ['Enter', 'Tab', 'none'] as const) {
    for (const gap of isLong ? PACES : [30, 100]) {
      await openQc(page);
      await page.evaluate(() => localStorage.removeItem('scanner'));
      const known = await scanAll(walk, { gap, suffix });
      await expect(page.locator('input[data-scan=field]')).toBeFocused();
      await expect(page.locator('input[data-scan=field]')).toHaveValue('');
      await volume(page).click();
      await page.locator('[role=menu]').waitFor();
      const covered = newSn();
      await fire(walk.session, covered, { gap, suffix });
      await expect(rowOf(page, covered)).toHaveCount(1);
      await expect(page.locator('[data-verdict]')).toContainText(covered);
      await close(page);
      scans += known.length + 1;
    }
  }
  figures(`${scans} scans, ended by Enter, Tab and nothing: 0 lost, 0 joined`);
});

test('a label that was read in pieces is told as torn, under a menu as well, and nothing is looked up', async ({
  page,
  context,
  baseURL,
}) => {
  const walk = await begin(page, context, baseURL);
  await openQc(page);
  await scanAll(walk, { gap: 30 }, 2);
  const asked: string[] = [];
  page.on('request', (it) => it.url().includes(CHECK) && asked.push(it.postData() ?? ''));
  await volume(page).click();
  await page.locator('[role=menu]').waitFor();
  for (const [after, ms] of [
    [3, 400],
    [7, 900],
    [12, 1300],
  ] as const) {
    await fire(walk.session, newSn(), { gap: 30, stall: { after, ms } });
    await expect(page.locator('[data-verdict=refused]')).toContainText(words('zh')('shell.scanRefused.torn'));
    const whole = newSn();
    await fire(walk.session, whole, { gap: 30 });
    await expect(page.locator('[data-verdict]')).toContainText(whole);
  }
  expect(asked).toHaveLength(3);
  figures('3 labels torn under a menu: 3 told, 0 looked up');
});

test('control: a station that hears no slower rhythm than before is found out', async ({ page, context, baseURL }) => {
  const walk = await begin(page, context, baseURL);
  await page.addInitScript(() => {
    const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')?.get as () => number;
    Object.defineProperty(Event.prototype, 'timeStamp', {
      get(this: Event) {
        return stamp.call(this) * 5;
      },
    });
  });
  await openQc(page);
  await volume(page).click();
  await page.locator('[role=menu]').waitFor();
  await scanInto(walk, 'a menu', [{ gap: 30 }], 700);
  await close(page);
  await page.getByRole('button', { name: words('zh')('command.card') }).click();
  await page.getByRole('dialog').waitFor();
  await scanInto(walk, 'a dialog', [{ gap: 60 }], 700);
  expect(walk.lost).toHaveLength(2);
  figures('control: 2 of 2 named as lost');
});
