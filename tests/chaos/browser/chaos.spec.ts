import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserType, LaunchOptions, Page, Request, Response } from '@playwright/test';
import { expect, test } from '#tests/e2e/journey.ts';
import { signInAs, openStation, scan, verdict } from '#tests/e2e/workshop.ts';
import {
  CHECK,
  compare,
  FEW_ROUNDS,
  figures,
  fine,
  readSavedScans,
  passedSince,
  QC,
  randomFrom,
  ROUNDS,
  scanAll,
  SCANS,
  shownOn,
  SUBMIT,
  submitAll,
  unitsAtQc,
  workedOff,
  type Findings,
} from '#tests/e2e/shift.ts';
import { passes } from '#tests/chaos/browser/passes.ts';

/**
 * A station at its worst: killed, cut off, unanswered, opened twice. Each fault has its control, a client that is wrong
 * on purpose and must be found out by the same check. `npm run chaos -- browser` is the long run.
 * Rule: scanning#faults.
 */
test.describe.configure({ timeout: 600_000 + ROUNDS * 40_000 });

const random = randomFrom();
const between = (from: number, to: number) => from + Math.floor(random() * (to - from));
const BURST = 20;

test('a browser killed in the middle of scanning has every scan that was accepted, and each is done once', async ({
  playwright,
  launchOptions,
  request,
  baseURL,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'reflow-chaos-'));
  const began = Date.now();
  const open = () => openBrowser(playwright.chromium, { folder, launchOptions, baseURL: baseURL as string });
  let browser = await open();
  let [kills, scans, accepted] = [0, 0, 0];
  for (let round = 0; round < FEW_ROUNDS; round++) {
    const units = await unitsAtQc(request, BURST);
    const sns = [...units.keys()];
    const acceptedSns = await killWhileScanning(browser, sns);
    browser = await open();
    const savedSns = await workedOff(browser.page);
    expect(compare(acceptedSns, savedSns)).toEqual(fine);
    expect(await shownOn(browser.page)).toEqual(savedSns);
    // What came after the kill never reached the list; what is there came in order and without a gap.
    expect(savedSns).toEqual(sns.slice(0, savedSns.length));
    kills += 1;
    scans += sns.length;
    accepted += acceptedSns.length;

    await scanAll(browser.page, sns.slice(savedSns.length));
    expect(await workedOff(browser.page)).toEqual(sns);
    await browser.page.keyboard.press('Control+Enter');
    if (round % 2 === 0) {
      await passes(between(0, 120));
      await browser.kill();
      kills += 1;
      browser = await open();
    }
    await submitAll(browser.page);
    expect(compare(sns, await passedSince(request, units))).toEqual(fine);
  }
  await browser.context.close();
  rmSync(folder, { recursive: true, force: true });
  figures(`${kills} kills, ${scans} scans, ${accepted} accepted before a kill: 0 lost, 0 doubled; ${since(began)}`);
});

test('control: a browser that keeps its list in memory only is found to have lost scans', async ({
  playwright,
  launchOptions,
  request,
  baseURL,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'reflow-chaos-'));
  const sns = [...(await unitsAtQc(request, BURST)).keys()];
  const forgetful = () => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      return this.name === 'scans' ? (this.count() as IDBRequest) : put.call(this, value, key);
    };
  };
  const open = () =>
    openBrowser(playwright.chromium, { folder, launchOptions, baseURL: baseURL as string, init: forgetful });
  const acceptedSns = await killWhileScanning(await open(), sns);
  const { page, context } = await open();
  const { lost } = compare(acceptedSns, await workedOff(page));
  expect(lost).toEqual(acceptedSns);
  await context.close();
  rmSync(folder, { recursive: true, force: true });
  figures(`control: ${lost.length} of ${acceptedSns.length} named as lost`);
});

test('scans without a network are checked in order when it is back, and each is done once', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const began = Date.now();
  await atQc(page, context, baseURL);
  const each = Math.round(SCANS / ROUNDS);
  // As many as one list takes before it is submitted, and as the workshop has.
  const cutsOfList = Math.min(ROUNDS, Math.max(1, Math.floor(120 / (each + 1))));
  let scans = 0;
  for (let cuts = 0; cuts < ROUNDS; cuts += cutsOfList) {
    const many = Math.min(cutsOfList, ROUNDS - cuts);
    const units = await unitsAtQc(request, many * (each + 1));
    const sns = [...units.keys()];
    const parts = Array.from({ length: many }, (_, i) => sns.slice(i * (each + 1), (i + 1) * (each + 1)));
    const { found, submitted } = await cutAndRestore(page, context, parts);
    expect(found).toEqual(fine);
    expect(submitted).toEqual(sns);
    expect(compare(sns, await passedSince(request, units))).toEqual(fine);
    scans += many * each;
  }
  figures(`${ROUNDS} cuts, ${scans} scans without a network: 0 lost, 0 doubled, in order; ${since(began)}`);
});

test('control: a client that drops scans without a network, or changes their order, is found out', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await page.addInitScript(spoilOffline);
  await atQc(page, context, baseURL);
  for (const [fault, wrong] of [
    ['drop', 'lost'],
    ['reverse', 'disordered'],
  ] as const) {
    await page.evaluate((it) => void (document.documentElement.dataset['fault'] = it), fault);
    const { found } = await cutAndRestore(page, context, [[...(await unitsAtQc(request, 6)).keys()]]);
    expect(found[wrong]).not.toEqual([]);
    figures(`control: ${found[wrong].length} of 5 named as ${wrong}`);
  }
});

test('a submit whose answer is lost is repeated under its key and done once; under another key it is found out', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const began = Date.now();
  await atQc(page, context, baseURL);
  let [losses, scans] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const lose = between(1, 4);
    const { found, refused, keys } = await loseAnswers(page, request, lose);
    expect({ ...found, refused }).toEqual({ ...fine, refused: false });
    expect(keys).toHaveLength(lose + 1);
    expect(new Set(keys).size).toBe(1);
    losses += lose;
    scans += 3;
  }
  figures(`${losses} answers lost after the commit, ${scans} scans: 0 lost, 0 doubled; ${since(began)}`);
  const control = await loseAnswers(page, request, 1, () => `another-${Date.now()}-${Math.random()}`);
  expect(control.refused).toBe(true);
  figures('control: under another key, what was done is refused as done already');
});

test('a scanner that ends with two Enters, and a submit pressed twice, count once', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await page.addInitScript(recordTones);
  await atQc(page, context, baseURL);
  const keys = recordSubmitKeys(page);
  for (let round = 0; round < ROUNDS; round++) {
    const units = await unitsAtQc(request, 2);
    const sns = [...units.keys()];
    // The second Enter behind the last one is the scanner's own.
    await scan(page, sns.map((sn) => `${sn}\r`).join('\r'));
    expect(await workedOff(page)).toEqual(sns);
    await verdict(page, 'ok', sns[1]);
    keys.length = 0;
    await Promise.all([page.keyboard.press('Control+Enter'), page.keyboard.press('Control+Enter')]);
    await submitAll(page);
    await verdict(page, 'ok');
    expect(new Set(keys).size).toBe(1);
    expect(compare(sns, await passedSince(request, units))).toEqual(fine);
  }
  expect(await readTones(page)).not.toContain(WRONG);
  figures(`${ROUNDS} double Enters and double submits: each once`);
});

test('control: a station that takes every second Enter for a scan is found out', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  // The clock leaps at each Enter, so that none comes soon after a scan that was taken up.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    let leapt = 0;
    performance.now = () => now() + leapt;
    window.addEventListener('keydown', (it) => (leapt += it.key === 'Enter' ? 1000 : 0), true);
  });
  await page.addInitScript(recordTones);
  await atQc(page, context, baseURL);
  const [sn = ''] = (await unitsAtQc(request, 1)).keys();
  await scan(page, sn);
  expect(await workedOff(page)).toEqual([sn]);
  await page.keyboard.press('Enter');
  await expect.poll(() => readTones(page)).toContain(WRONG);
  figures('control: an Enter too many is told as a scan of nothing');
});

test('two windows of one user scan and submit the same units at once: each is done once, and neither is refused', async ({
  context,
  request,
  baseURL,
}) => {
  const began = Date.now();
  const both = await twoWindows(context, baseURL);
  let scans = 0;
  for (let round = 0; round < ROUNDS; round++) {
    expect(await atOnce(both, request)).toEqual({ ...fine, refused: false });
    scans += 3;
  }
  figures(`${ROUNDS} times two windows, ${scans} units: 0 lost, 0 doubled; ${since(began)}`);
});

test('control: two windows that know nothing of each other are found out', async ({ context, request, baseURL }) => {
  await context.addInitScript(beAlone);
  const both = await twoWindows(context, baseURL);
  expect(await atOnce(both, request)).toMatchObject({ refused: true });
  figures('control: the second window is refused');
});

test('what a closed window had submitted without an answer is ended by the other, under its key', async ({
  context,
  request,
  baseURL,
}) => {
  const { found, sameKey } = await closeUnanswered(await twoWindows(context, baseURL), request);
  expect({ ...found, sameKey }).toEqual({ ...fine, sameKey: true });
});

test('control: what a closed window had submitted is found to be left to itself where no other knows of it', async ({
  context,
  request,
  baseURL,
}) => {
  await context.addInitScript(beAlone);
  const { sameKey } = await closeUnanswered(await twoWindows(context, baseURL), request);
  expect(sameKey).toBe(false);
  figures('control: the other window submits its own alone, under a key of its own');
});

const since = (began: number) => `${((Date.now() - began) / 60_000).toFixed(1)} min`;

interface Killable {
  context: BrowserContext;
  page: Page;
  /** The scans that the station accepted, each as it beeped. */
  accepted: Set<string>;
  kill: () => Promise<void>;
}

interface Opening {
  folder: string;
  launchOptions: LaunchOptions;
  baseURL: string;
  init?: () => void;
}

/** A browser with a disk of its own, at the station. */
async function openBrowser(browsers: BrowserType, opening: Opening): Promise<Killable> {
  const { folder, launchOptions, baseURL, init } = opening;
  const accepted = new Set<string>();
  const context = await browsers.launchPersistentContext(folder, { ...launchOptions, baseURL, locale: 'zh-CN' });
  await context.exposeBinding('accepted', (_, sn: string) => void accepted.add(sn));
  await context.addInitScript(() => {
    const reportAccepted = (window as unknown as { accepted: (sn: string) => void }).accepted;
    const look = () =>
      document
        .querySelectorAll('tr[data-state=ok] td:first-child > :first-child')
        .forEach((it) => reportAccepted(it.textContent));
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ['data-state'] });
  });
  if (init) await context.addInitScript(init);
  await signInAs(context, 'tech', baseURL);
  const page = context.pages()[0] ?? (await context.newPage());
  await openStation(page, QC);
  const kill = async () => {
    const gone = context.waitForEvent('close');
    process.kill(Number(readlinkSync(join(folder, 'SingletonLock')).split('-').at(-1)), 'SIGKILL');
    await gone;
  };
  return { context, page, accepted, kill };
}

/** Kills the browser at some moment while codes are typed; gives what had been accepted by then, in the order of scanning. */
async function killWhileScanning({ page, accepted, kill }: Killable, sns: readonly string[]): Promise<string[]> {
  accepted.clear();
  const typed = scanAll(page, sns).catch(() => undefined);
  await expect.poll(() => accepted.size, { intervals: [5] }).toBeGreaterThan(0);
  await passes(between(0, 2000));
  await kill();
  await typed;
  return sns.filter((it) => accepted.has(it));
}

/** For each part: one scan whose check is cut off on its way, the others without a network; then it is back. */
async function cutAndRestore(
  page: Page,
  context: BrowserContext,
  parts: readonly string[][],
): Promise<{ found: Findings; submitted: string[] }> {
  // Several are on their way at once: what counts is the order in which they went out.
  const asked = new Map<Request, { sn: string; isAnswered: boolean }>();
  const goesOut = (it: Request) => {
    if (it.url().includes(CHECK)) asked.set(it, { sn: (it.postDataJSON() as { sn: string }).sn, isAnswered: false });
  };
  const isAnswered = (it: Response) => {
    const check = asked.get(it.request());
    if (check) check.isAnswered = true;
  };
  page.on('request', goesOut);
  page.on('response', isAnswered);
  const scanned: string[] = [];
  for (const [first = '', ...others] of parts) {
    await scan(page, first);
    await context.setOffline(true);
    await scanAll(page, others);
    await context.setOffline(false);
    scanned.push(first, ...others);
    await workedOff(page);
  }
  page.off('request', goesOut);
  page.off('response', isAnswered);
  const request = page.waitForRequest(`**${SUBMIT}*`);
  await page.keyboard.press('Control+Enter');
  const { rmaExamineBillLineList: lines } = (await request).postDataJSON() as {
    rmaExamineBillLineList: { sn: string }[];
  };
  await submitAll(page);
  // Where one is cut off on its way, those behind it are asked about again as well: the last answer is the verdict.
  const answered = [...asked.values()].filter((it) => it.isAnswered).map((it) => it.sn);
  const once = answered.filter((it, i) => answered.lastIndexOf(it) === i);
  return { found: compare(scanned, once), submitted: lines.map((it) => it.sn) };
}

/** A client that is wrong without a network, in the way that the page's `data-fault` names. */
function spoilOffline(): void {
  const held: { field: HTMLInputElement; text: string }[] = [];
  let count = 0;
  let text = '';
  const spoil = (event: KeyboardEvent) => {
    const field = event.target;
    if (navigator.onLine || !(field instanceof HTMLInputElement)) return;
    if (event.key.length === 1) {
      // The field draws its letters a frame later: here they are kept from it.
      text += event.key;
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (event.key !== 'Enter') return;
    const code = text;
    text = '';
    const isDropped = document.documentElement.dataset['fault'] === 'drop';
    if (isDropped && (count += 1) % 2 === 0) return void (field.value = code);
    event.stopImmediatePropagation();
    if (!isDropped) held.unshift({ field, text: code });
  };
  window.addEventListener('keydown', spoil, true);
  window.addEventListener('online', () => {
    for (const { field, text } of held.splice(0)) {
      field.value = text;
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    }
  });
}

/** The tone that a scan of nothing begins with. */
const WRONG = 523;

/** Writes down the tones of the verdicts: on the screen the next one may hide them within a frame. */
function recordTones(): void {
  const tones: number[] = [];
  Object.assign(window, { tones });
  const set = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (this: AudioParam, value: number, at: number) {
    tones.push(value);
    return set.call(this, value, at);
  };
}

const readTones = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { tones: number[] }).tones);

/** The keys of the submits that this page sends. */
function recordSubmitKeys(page: Page): string[] {
  const keys: string[] = [];
  page.on('request', (it) => {
    if (it.url().includes(SUBMIT)) keys.push(it.headers()['idempotency-key'] ?? '');
  });
  return keys;
}

/** The server does the submit and its answer is lost, so many times; `keyOf` sends it under another key than the client's. */
async function loseAnswers(
  page: Page,
  request: Parameters<typeof unitsAtQc>[0],
  times: number,
  keyOf?: () => string,
): Promise<{ found: Findings; refused: boolean; keys: string[] }> {
  const units = await unitsAtQc(request, 3);
  const sns = [...units.keys()];
  const keys: string[] = [];
  await page.route(`**${SUBMIT}*`, async (route) => {
    const headers = { ...route.request().headers(), ...(keyOf && { 'idempotency-key': keyOf() }) };
    keys.push(headers['idempotency-key'] ?? '');
    if (keys.length > times) return route.continue({ headers });
    await route.fetch({ headers });
    if (keys.length % 2 === 1) await route.abort();
    else await route.fulfill({ status: 504, body: 'gateway' });
  });
  await scanAll(page, sns);
  await workedOff(page);
  await page.keyboard.press('Control+Enter');
  // It is repeated by itself; pressing again only spares the pause.
  for (let lost = 1; lost <= times; lost++) {
    await expect.poll(() => keys.length).toBeGreaterThanOrEqual(lost);
    await page.getByRole('button', { name: '立即重试' }).click();
  }
  await expect.poll(async () => (await readSavedScans(page)).submissions).toBe(0);
  const listed = page.locator('tr[data-state=ok]');
  await expect.poll(async () => (await listed.count()) === 0 || (await isRefused(page))).toBe(true);
  const refused = await isRefused(page);
  await page.unroute(`**${SUBMIT}*`);
  return { found: compare(sns, await passedSince(request, units)), refused, keys };
}

/** Both windows scan the same three units, then both submit, each without waiting for the other. */
async function atOnce(
  both: readonly [Page, Page],
  request: Parameters<typeof unitsAtQc>[0],
): Promise<Findings & { refused: boolean }> {
  const units = await unitsAtQc(request, 3);
  const sns = [...units.keys()];
  await Promise.all(both.map((page) => scanAll(page, sns)));
  const listed = both.map((page) => page.locator('tr[data-state=ok]'));
  const full = async () => Math.max(...(await Promise.all(listed.map((it) => it.count()))));
  await expect.poll(full).toBeGreaterThanOrEqual(sns.length);
  await expect(async () => {
    await Promise.all(both.map((page) => page.keyboard.press('Control+Enter')));
    expect(new Set(await passedSince(request, units)).size).toBe(sns.length);
  }).toPass({ timeout: 20_000, intervals: [500] });
  // A window that sent nothing has no list any more; one that was refused keeps its own. Who was still checking when the
  // other had sent it all submits once more, or is refused by the check.
  const isSettled = async (it: Page) => (await isRefused(it)) || (await it.locator('tr.living').count()) === 0;
  await expect(async () => {
    for (const it of both) if (!(await isSettled(it))) await it.keyboard.press('Control+Enter');
    expect(await Promise.all(both.map(isSettled))).toEqual([true, true]);
  }).toPass({ timeout: 20_000, intervals: [500] });
  const refused = (await Promise.all(both.map(isRefused))).includes(true);
  return { ...compare(sns, await passedSince(request, units)), refused };
}

const isRefused = async (page: Page): Promise<boolean> =>
  (await page.locator('[data-verdict]').getAttribute('data-verdict')) === 'refused' ||
  (await page.locator('tr[data-state=refused]').count()) > 0;

async function twoWindows(context: BrowserContext, baseURL: string | undefined): Promise<[Page, Page]> {
  const both: [Page, Page] = [await context.newPage(), await context.newPage()];
  for (const page of both) await atQc(page, context, baseURL);
  return both;
}

/** A technician's station. */
async function atQc(page: Page, context: BrowserContext, baseURL: string | undefined): Promise<void> {
  await signInAs(context, 'tech', baseURL as string);
  await openStation(page, QC);
}

/** A window that knows nothing of the others: its disk is its own, and it hears nobody. */
function beAlone(): void {
  const open = IDBFactory.prototype.open;
  const own = Math.random().toString(36).slice(2);
  Object.assign(window, { BroadcastChannel: undefined });
  IDBFactory.prototype.open = function (this: IDBFactory, name: string, version?: number) {
    return open.call(this, `${name}-${own}`, version);
  };
}

/** One window's submit is done and its answer lost; the window is closed, and the other one goes on. */
async function closeUnanswered(
  [other, first]: readonly [Page, Page],
  request: Parameters<typeof unitsAtQc>[0],
): Promise<{ found: Findings; sameKey: boolean }> {
  const units = await unitsAtQc(request, 2);
  const [sn, next] = [...units.keys()] as [string, string];
  const keys = [recordSubmitKeys(first), recordSubmitKeys(other)];
  await scan(first, sn);
  await expect(first.locator('tr[data-state=ok]', { hasText: sn })).toBeVisible();
  await first.route(`**${SUBMIT}*`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  const unanswered = first.waitForEvent('requestfailed');
  await first.keyboard.press('Control+Enter');
  await unanswered;
  await first.close({ runBeforeUnload: false });
  await scan(other, next);
  await expect(other.locator('tr[data-state=ok]', { hasText: next })).toBeVisible();
  await expect(async () => {
    await other.keyboard.press('Control+Enter');
    expect(new Set(await passedSince(request, units)).size).toBe(2);
  }).toPass({ timeout: 20_000, intervals: [500] });
  const found = compare([sn, next], await passedSince(request, units));
  return { found, sameKey: keys[1]?.[0] === keys[0]?.[0] };
}
