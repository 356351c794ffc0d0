import { readFileSync } from 'node:fs';
import {
  expect,
  type APIRequestContext,
  type BrowserContext,
  type CDPSession,
  type Locator,
  type Page,
} from '@playwright/test';
import { fire } from './scanner.ts';

export type Language = 'zh' | 'en';
export const PASSWORD = 'Reflow#2026';

/** The texts of stations and bills in a language, by their path: `words('en')('check.do')`. */
export function words(language: Language): (path: string) => string {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../i18n/${language}/${name}.json`, import.meta.url), 'utf8')) as object;
  const all: unknown = {
    ...read('bills'),
    ...read('stations'),
    shell: read('shell'),
    serials: read('serials'),
    refusals: read('refusals'),
    studio: read('studio'),
    lists: read('lists'),
  };
  return (path) => {
    const found = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], all);
    if (typeof found !== 'string') throw new Error(`no words in ${language} under ${path}`);
    return found;
  };
}

/** A new session of the user without walking through the login page, which has a test of its own. */
export async function startSession(request: APIRequestContext, userId: string): Promise<string> {
  const reply = await request.post('/api/login.json', { form: { userId, password: PASSWORD, captcha: '', uuid: '' } });
  const { code, msg, data } = (await reply.json()) as { code: string; msg: string; data: { token: string } };
  expect(code, `${userId} signs in: ${msg}`).toBe('000000');
  return data.token;
}

const sessions = new Map<string, Promise<string>>();
/** The user's session, which all journeys of a worker share: whoever signs out starts one of their own. */
export function fetchToken(request: APIRequestContext, userId: string): Promise<string> {
  const session = sessions.get(userId) ?? startSession(request, userId);
  sessions.set(userId, session);
  return session;
}

/** Leaves the pages that stand open: one that loses its session while it loads pictures reports errors. */
export async function leavePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) if (page.url() !== 'about:blank') await page.goto('/healthz');
}

/** The browser becomes this user's, as after a sign-in at this machine. */
export async function signInAs(context: BrowserContext, userId: string, baseURL: string): Promise<void> {
  const token = await fetchToken(context.request, userId);
  await leavePages(context);
  await context.addCookies([{ name: 'token', value: token, url: baseURL }]);
}

/** Asks the server itself, past the screen. */
export async function apiGet<Data = Record<string, unknown>>(
  request: APIRequestContext,
  token: string,
  path: string,
  query: Record<string, string> = {},
): Promise<Data> {
  const reply = await request.get(path, { params: { lang: 'en', ...query }, headers: { token } });
  const { code, msg, data } = (await reply.json()) as { code: string; msg: string; data: Data };
  expect(code, `${path}: ${msg}`).toBe('000000');
  return data;
}

/** What the page itself shows: neither menu nor notices. A page that was left is hidden and not meant. */
export const content = (page: Page): Locator => page.locator('#content').filter({ visible: true });

/** The notices over the page that say what went wrong. */
export const notices = (page: Page): Locator =>
  page.getByRole('region', { name: /^(Notifications|通知)$/ }).getByRole('alert');

const scanners = new WeakMap<Page, Promise<CDPSession>>();

/** So long after a scan no hand has pressed anything yet: an Enter that comes sooner is the scanner's second one. */
const HAND_MS = 50;

/** A wedge scanner: an SN and Enter, wherever the focus is. What a hand does next comes later than its keys do. */
export async function scan(page: Page, text: string): Promise<void> {
  const scanner = scanners.get(page) ?? page.context().newCDPSession(page);
  scanners.set(page, scanner);
  const endsAt = await fire(await scanner, text);
  // eslint-disable-next-line no-restricted-properties -- a scanner takes its time
  await page.waitForTimeout(Math.max(0, endsAt + HAND_MS - Date.now()));
}

/** Opens a station and waits, as its technician does, until the scan field is ready. */
export async function openStation(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('input[data-scan=field]')).toBeFocused();
}

/** Goes on with Tab until the element has the focus: a shift is worked without a mouse. */
export async function tabTo(page: Page, target: Locator, most = 80): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < most; i++) {
    const way = await target.evaluate((it) => {
      const from = document.activeElement;
      if (from === it) return 'there';
      if (!from || from === document.body) return 'Tab';
      return from.compareDocumentPosition(it) & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab';
    });
    if (way === 'there') return;
    await page.keyboard.press(way);
  }
  await expect(target).toBeFocused();
}

/** Opens a select with the keyboard and chooses the option that begins so. */
export async function choose(page: Page, select: Locator, option: string | RegExp): Promise<void> {
  await tabTo(page, select);
  await page.keyboard.press('Enter');
  const list = page.getByRole('listbox');
  const wanted = list.getByRole('option', { name: option }).filter({ visible: true }).first();
  await wanted.waitFor();
  const way = await wanted.evaluate((it) => {
    const all = [...(it.parentElement?.children ?? [])];
    return all.indexOf(it) - all.findIndex((other) => other === document.activeElement);
  });
  for (let i = 0; i < Math.abs(way); i++) await page.keyboard.press(way > 0 ? 'ArrowDown' : 'ArrowUp');
  await expect(wanted).toBeFocused();
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'hidden' });
}

/** The verdict line of a station says so, about this SN. */
export async function verdict(
  page: Page,
  kind: 'ok' | 'duplicate' | 'wrong' | 'refused' | 'kept',
  text?: string,
): Promise<void> {
  // Pages behind other tabs stay in the document.
  const line = page.locator('[data-verdict]:visible');
  await expect(line).toHaveAttribute('data-verdict', kind);
  if (text) await expect(line).toContainText(text);
}

/** A film strip for whoever looks at the journey: pictures only where `FILM` names a folder. */
export async function film(page: Page, name: string): Promise<void> {
  const folder = process.env['FILM'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** What the browser's console says in anger fails the test. */
export function listenForErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}
