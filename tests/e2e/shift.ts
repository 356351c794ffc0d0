import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { apiGet, fetchToken, scan } from './workshop.ts';

/** Long by `npm run chaos -- browser`, short with `--short`. */
const isLong = process.env['CHAOS'] === 'long';
export const ROUNDS = isLong ? Number(process.env['ROUNDS']) : 2;
/** The same for what takes its time, such as opening browsers. */
export const FEW_ROUNDS = isLong ? ROUNDS : 1;
/** Scans without a network, over all rounds. */
export const SCANS = isLong ? Number(process.env['SCANS']) : 10;
const SEED = Number(process.env['SEED'] ?? 20261121);

export const QC = '/rmaExamineBillList/examine';
export const CHECK = '/api/rmaExamineBill/attemptExamine.json';
export const SUBMIT = '/api/rmaExamineBill/submitExamineBill.json';
const STORE = 'reflow-stations';

/** Numbers from 0 to 1 that are the same in each run of one seed. */
export function randomFrom(seed = SEED): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Findings {
  lost: string[];
  doubled: string[];
  disordered: string[];
}
export const fine: Findings = { lost: [], doubled: [], disordered: [] };

/** What is wrong with a list, beside what must be on it; more than that may be. The controls are judged by it as well. */
export function compare(wanted: readonly string[], found: readonly string[]): Findings {
  const there = [...new Set(found)].filter((it) => wanted.includes(it));
  const order = wanted.filter((it) => there.includes(it));
  return {
    lost: wanted.filter((it) => !there.includes(it)),
    doubled: [...new Set(found.filter((it, i) => found.indexOf(it) !== i))],
    disordered: order.filter((it, i) => it !== there[i]),
  };
}

/** Units that wait for QC, each with the last event of its life so far. */
export type Units = ReadonlyMap<string, number>;

/** Puts so many units of the technician's site before QC, wherever they are; some stay for those who repair. */
export async function unitsAtQc(request: APIRequestContext, count: number): Promise<Units> {
  const [tech, admin] = [await fetchToken(request, 'tech'), await fetchToken(request, 'admin')];
  const sns: string[] = [];
  for (const ivyId of ['80', '90', '100', '70', '60', '40', '10', '900']) {
    if (sns.length >= count) break;
    const query = { ivyId, type: '0', pageCount: '200', sortBy: 'sn', order: 'asc' };
    const { items } = await apiGet<{ items: { sn: string }[] }>(request, tech, '/api/rmaInventory/pager.json', query);
    const chosen = items.map((it) => it.sn).slice(0, count - sns.length);
    if (ivyId !== '80') await inTurn(chosen, (sn) => putToQc(request, admin, sn));
    sns.push(...chosen);
  }
  if (sns.length < count) throw new Error(`The demo data hold no ${count} devices, only ${sns.length}`);
  return eachLife(request, sns, (events) => events[0]?.id ?? 0);
}

/** The units of these that passed QC since, each as often as it did. */
export async function passedSince(request: APIRequestContext, before: Units): Promise<string[]> {
  const times = await eachLife(request, [...before.keys()], (events, sn) => {
    const since = before.get(sn) ?? 0;
    return events.filter((it) => it.step === 'qc' && it.id > since).length;
  });
  return [...times].flatMap(([sn, count]) => Array<string>(count).fill(sn));
}

interface Event {
  id: number;
  step: string;
}

/** What the newest events of each unit come to. */
async function eachLife(
  request: APIRequestContext,
  sns: readonly string[],
  come: (events: readonly Event[], sn: string) => number,
): Promise<Map<string, number>> {
  const tech = await fetchToken(request, 'tech');
  const found = new Map(sns.map((sn) => [sn, 0]));
  await inTurn(sns, async (sn) => {
    const path = '/api/rmaMaintainBill/viewHistory.json';
    const { events } = await apiGet<{ events: Event[] }>(request, tech, path, { sn });
    found.set(sn, come(events, sn));
  });
  return found;
}

async function putToQc(request: APIRequestContext, token: string, sn: string): Promise<void> {
  const reply = await request.post('/api/rmaInventory/modifyIvyId.json', {
    params: { lang: 'en' },
    headers: { token },
    data: { sn, ivyId: '80', remark: 'chaos' },
  });
  const { code, msg } = (await reply.json()) as { code: string; msg: string };
  expect(code, `${sn} goes to QC: ${msg}`).toBe('000000');
}

/** Four at a time: the server has others to serve. */
async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let it = rest.shift(); it !== undefined; it = rest.shift()) await work(it);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** The SNs on the screen, oldest first. */
export const shownOn = async (page: Page): Promise<string[]> =>
  (await page.locator('tr[data-state] td:first-child > :first-child').allTextContents()).reverse();

/** What the browser's disk holds of lists, of submits without a verdict, and of what was entered beside them. */
export const readSavedScans = (
  page: Page,
): Promise<{ scans: { sn: string; state: string }[]; submissions: number; notes: string }> =>
  page.evaluate(async (name) => {
    // Opening what is not there yet would make it.
    if (!(await indexedDB.databases()).some((it) => it.name === name)) return { scans: [], submissions: 0, notes: '' };
    const answer = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((done, fail) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => fail(request.error ?? new Error('request'));
      });
    const db = await answer(indexedDB.open(name));
    const tx = db.transaction(['scans', 'submissions', 'notes']);
    const [records, submissions, notes] = await Promise.all([
      answer<{ scan: { sn: string; state: string; at: number } }[]>(tx.objectStore('scans').getAll()),
      answer(tx.objectStore('submissions').count()),
      answer(tx.objectStore('notes').getAll()),
    ]);
    db.close();
    const scans = records.map((it) => it.scan).sort((a, b) => a.at - b.at);
    return { scans: scans.map(({ sn, state }) => ({ sn, state })), submissions, notes: JSON.stringify(notes) };
  }, STORE);

/** Every scan on the list has had its verdict, and the screen shows what the disk holds. */
export async function workedOff(page: Page): Promise<string[]> {
  let sns: string[] = [];
  await expect(async () => {
    await expect(page.locator('table[aria-busy]')).toHaveAttribute('aria-busy', 'false');
    const { scans } = await readSavedScans(page);
    expect(scans.filter((it) => it.state !== 'ok')).toEqual([]);
    sns = scans.map((it) => it.sn);
    expect(await page.locator('tr[data-state=ok]').count()).toBe(Math.min(sns.length, 30));
  }).toPass({ intervals: [50, 100, 200] });
  return sns;
}

/** Submits until the list is empty: what was on its way already goes on by itself. */
export async function submitAll(page: Page): Promise<void> {
  await expect(async () => {
    const { scans, submissions } = await readSavedScans(page);
    if (scans.length > 0 && submissions === 0) await page.keyboard.press('Control+Enter');
    expect({ scans, submissions }).toEqual({ scans: [], submissions: 0 });
  }).toPass({ intervals: [200] });
}

/** Scans one code after the other and waits for no verdict. */
export async function scanAll(page: Page, sns: readonly string[]): Promise<void> {
  for (const sn of sns) await scan(page, sn);
}

/** What came of it, for whoever looks at the run. */
export function figures(line: string): void {
  test.info().annotations.push({ type: 'figures', description: line });
  process.stdout.write(`    ${line}\n`);
}
