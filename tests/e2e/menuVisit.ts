import { readdirSync } from 'node:fs';
import { expect, type APIRequestContext, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { bringAxe, DIALOG, findingsIn, isStill } from './axe.ts';
import { expectOneHeading, readCrowdedPages, watchHeadings } from './headings.ts';
import {
  closeOtherTabs,
  fetchButtons,
  fetchMenu,
  go,
  pressWay,
  waysTo,
  type Leaf,
  type MenuButton,
} from './menuWalk.ts';
import { crowded, DESK, readFirstRowTops, settled, TABLET, unreadable, watchFirstRows } from './placing.ts';
import { visit as visitPage } from './operator.ts';
import { dialogComponents, directScripts, featurePages, pageScripts } from './register.ts';
import { figures } from './shift.ts';
import { watchStreams } from './streams.ts';
import { apiGet, content, fetchToken, notices, signInAs } from './workshop.ts';

const definitions = readdirSync(new URL('../../definitions', import.meta.url), { recursive: true, encoding: 'utf8' });
/** Every module there is, also those whose list stands in no menu. */
const modules = definitions.flatMap((it) => /\/(\w+)\.json$/.exec(it)?.[1] ?? []).sort();

/** The menu in pieces, each with a browser page of its own: one that keeps all of them becomes slow. */
const areas = {
  'bills A to N': /^rma[A-N]/,
  'bills O to Z': /^rma[O-Z]/,
  'semiconductors and accounts': /^(icop|user|admin|sys)/,
  'base data': /^(?!rma|icop|user|admin|sys)/,
};
export type Area = keyof typeof areas;

/** The engine's own buttons of rows: a form over the list, a question, a page. */
const ofEngine: Record<string, 'dialog' | 'page'> = {
  ...{ modify: 'dialog', deleteById: 'dialog', deleteAll: 'dialog', detail: 'page' },
};

/** Of those the one part that asks for every list, of one row as of several. */
const DELETING = 'the question before deleting';
const deleting: readonly string[] = ['deleteById', 'deleteAll'];

/** Buttons for which the demo workshop has no row. A new one belongs here only if no demo row can be given to it. */
const withoutRow: readonly string[] = [
  // A job is over sooner than somebody could stop it.
  'rmaReportDownload:cancel',
  // In the demonstration every list is as it is shipped.
  'sysPublish:takeBack',
];

/** Lists with buttons for rows in which the demo workshop has no row at all. */
const withoutRows: readonly string[] = [
  // In the demonstration every list is as it is shipped, and nobody asked for a file.
  'sysPublishList',
  'rmaReportDownloadList',
];

interface Row extends Record<string, unknown> {
  id: number;
}

type Filter = Record<string, string>;

/** A condition on the list, so that the rows are on its first page, and which of them fit the button. */
interface Fit {
  filter: Filter;
  ids: number[];
}

interface Walk {
  page: Page;
  openStreams: () => string[];
  request: APIRequestContext;
  token: string;
  looked: Record<'lists' | 'pages' | 'forms' | 'dialogs' | 'dialogs of rows', Set<string>>;
  /** What axe has looked at: a part that is the same wherever it opens, once. */
  parts: Set<string>;
  /** Lists whose rows were seen to stand still, and those that have no row. */
  still: string[];
  empty: string[];
  /** Buttons for rows for which no row was found, and how many of them open no dialog. */
  missing: string[];
  others: { page: number; direct: number };
}

interface Fixtures {
  page: Page;
  context: BrowserContext;
  baseURL: string | undefined;
}

/**
 * Visits each list, form, feature page and dialog of an area once, and makes every check of the menu at that visit: its
 * heading, its title, its stream, what stands in somebody's way, rows that move, what is crowded or too small on a tablet.
 */
export async function walkArea(area: Area, { page, context, baseURL }: Fixtures): Promise<void> {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await watchHeadings(page);
  const openStreams = watchStreams(page);
  const { request } = context;
  const token = await fetchToken(request, 'admin');
  await signInAs(context, 'admin', baseURL as string);
  await page.goto('/home');
  await expectOneHeading(page, 'home');
  await bringAxe(page);
  const walk: Walk = {
    ...{ page, openStreams, request, token, still: [], empty: [], missing: [], others: { page: 0, direct: 0 } },
    parts: new Set(),
    looked: {
      ...{ lists: new Set(), pages: new Set(), forms: new Set(), dialogs: new Set(), 'dialogs of rows': new Set() },
    },
  };
  const isOwn = (menuNo: string) => areas[area].test(menuNo);
  const menu = (await fetchMenu(request, token)).filter((it) => isOwn(it.menuNo));
  const unlisted = modules.filter((it) => isOwn(it) && !menu.some(({ menuNo }) => menuNo === `${it}List`));
  for (const entry of menu) await visit(walk, entry.menuNo, entry);
  for (const module of unlisted) await visit(walk, `${module}List`);

  const { looked, others, still } = walk;
  const counts = Object.entries(looked).map(([kind, it]) => `${it.size} ${kind}`);
  figures(`${area}: ${counts.join(', ')}; the rows of ${still.length} lists stand still`);
  figures(`${others.page} buttons of rows lead to pages, ${others.direct} act at once`);
  expect(await readCrowdedPages(page), 'pages with more than one heading').toEqual([]);
  const ofArea = (names: readonly string[]) => names.filter((it) => isOwn(it.replace(/^\//, ''))).sort();
  expect([...looked.pages].sort()).toEqual(ofArea(featurePages.filter((it) => !it.endsWith('/list'))));
  // What an earlier journey of this server made is not missed.
  const unnamed = (found: readonly string[], named: readonly string[]) => found.filter((it) => !named.includes(it));
  expect(unnamed(walk.missing, withoutRow), 'buttons without a row').toEqual([]);
  expect(unnamed(walk.empty, withoutRows), 'lists without rows').toEqual([]);
  // An area in which the registers were read as empty would be walked without a look.
  expect(looked.lists.size).toBeGreaterThan(10);
  expect(still.length).toBeGreaterThan(7);
  expect(looked.dialogs.size).toBeGreaterThan(1);
  expect(looked['dialogs of rows'].size).toBeGreaterThan(5);
}

/** A list that stands in no menu is visited for the dialogs of its rows alone. */
async function visit(walk: Walk, menuNo: string, entry?: Leaf): Promise<void> {
  const { page, request, token } = walk;
  const buttons = await fetchButtons(request, token, menuNo);
  if (entry) {
    if (isList(menuNo)) await expectStillRows(walk, menuNo, buttons);
    await visitList(walk, entry);
    await visitDialogs(walk, menuNo, buttons);
    await visitOnTablet(walk, menuNo);
  }
  await visitDialogsOfRows(walk, menuNo, buttons);
  if (entry) await visitPages(walk, menuNo, buttons);
  await closeOtherTabs(page);
}

/** A feature may bring a page in place of a list. */
const isList = (menuNo: string): boolean => !featurePages.includes(`/${menuNo}/list`);
const moduleOf = (menuNo: string): string => menuNo.replace(/List$/, '');

const look = async (walk: Walk, kind: keyof Walk['looked'], name: string, within: string, part = name) => {
  const { page, openStreams, looked, parts } = walk;
  await isStill(page);
  // Each page follows what is published, and by one stream, whatever else it is told.
  await expect.poll(openStreams, name).toHaveLength(1);
  if (!parts.has(part)) expect.soft(await findingsIn(page, within), name).toEqual([]);
  parts.add(part);
  looked[kind].add(name);
};

/**
 * No row moves once it is drawn, neither when what is around it comes nor when it is selected; under a condition that a
 * button of the list asks for, where it has such a one.
 */
async function expectStillRows(walk: Walk, menuNo: string, all: readonly MenuButton[]): Promise<void> {
  const { page, request, token } = walk;
  const module = moduleOf(menuNo);
  const buttons = all.filter((it) => it.rows !== undefined);
  const [button] = buttons;
  if (!button) return;
  const conditions = buttons.flatMap(({ when = {} }) =>
    Object.entries(when).map(([field, values]) => ({ [field]: [values].flat()[0] ?? '' })),
  );
  for (const filter of [...conditions, {}]) {
    const { items } = await apiGet<{ items: unknown[] }>(request, token, `/api/${module}/pager.json`, filter);
    if (items.length === 0) continue;
    await page.evaluate(watchFirstRows);
    await openList(page, module, filter);
    const where = `${menuNo} ${JSON.stringify(filter)}`;
    await hasButton(page, button);
    const row = content(page).locator('tbody tr[data-id]').filter({ visible: true }).first();
    await row.press('x');
    await expect(row, `${where}: its first row is selected`).toHaveAttribute('aria-selected', 'true');
    await settled(page);
    const tops = await page.evaluate(readFirstRowTops);
    expect.soft(tops, `${where}: where its first row stood`).toHaveLength(1);
    // By the mouse: a second key so soon after the first is a scanner's, and selects nothing.
    await toggle(row);
    await expect(row, `${where}: its first row is selected no more`).not.toHaveAttribute('aria-selected', 'true');
    walk.still.push(menuNo);
    return;
  }
  walk.empty.push(menuNo);
}

/** Until they have come the list does not know whether rows may be selected. */
async function hasButton(page: Page, { btnName }: MenuButton): Promise<void> {
  const { button, more } = waysTo(page, btnName);
  await button.or(more).filter({ visible: true }).first().waitFor();
}

async function visitList(walk: Walk, { menuNo, menuName }: Leaf): Promise<void> {
  const { page } = walk;
  if (isList(menuNo)) {
    await openList(page, moduleOf(menuNo), {});
    const head = page.locator(`[data-list-head="${menuNo}"]:visible`);
    await head.getByRole('button', { name: 'Refresh' }).waitFor();
  } else {
    await go(page, `/${menuNo}`);
    await content(page).locator('section').filter({ visible: true }).first().waitFor();
  }
  await expectOneHeading(page, menuNo, menuName);
  await expect(page).toHaveTitle(new RegExp(`^${menuName.replace(/[/()]/g, '.')} · `));
  await look(walk, 'lists', menuNo, '#content');
  if (isList(menuNo)) {
    const head = page.locator(`[data-list-head="${menuNo}"]:visible`);
    expect.soft(await head.evaluate(crowded), `${menuNo}: what stands above its rows`).toEqual([]);
  }
}

/** The form of a new record, and what is opened by a button that needs no row. */
async function visitDialogs(walk: Walk, menuNo: string, buttons: readonly MenuButton[]): Promise<void> {
  const { page, looked } = walk;
  for (const { btnScript, btnName, rows } of buttons) {
    const script = btnScript ?? '';
    const address = `/${menuNo}/${script}`;
    const component = componentOf(moduleOf(menuNo), script);
    if (component !== undefined && rows === undefined && !looked.dialogs.has(component)) {
      const opener = isList(menuNo)
        ? await pressWay(page, btnName)
        : content(page).getByRole('button', { name: btnName }).filter({ visible: true }).first();
      if (!isList(menuNo)) await opener.click();
      await page.locator(DIALOG).waitFor();
      await look(walk, 'dialogs', component, DIALOG);
      await expectGoodEnd(page, `${address}: ${component}`, opener);
    }
    if (script !== 'create' || featurePages.includes(address)) continue;
    await go(page, address);
    await page.locator(`${DIALOG} input`).filter({ visible: true }).first().waitFor();
    await look(walk, 'forms', address, DIALOG);
    await expectGoodEnd(page, address);
  }
}

const componentOf = (module: string, script: string): string | undefined =>
  dialogComponents.get(`${module}:${script}`) ?? dialogComponents.get(`*:${script}`);

/** What a dialog shows, where it is the same part for every list. */
const partOf = (module: string, { btnScript }: MenuButton): string | undefined =>
  deleting.includes(btnScript ?? '') && componentOf(module, btnScript ?? '') === undefined ? DELETING : undefined;

/** A dialog has a name, closes by Escape, and gives the focus back to what opened it. */
async function expectGoodEnd(page: Page, name: string, opener?: Locator): Promise<void> {
  const dialog = page.locator(DIALOG);
  await expect.soft(dialog, `${name} is named`).toHaveAccessibleName(/./);
  await page.keyboard.press('Escape');
  await expect(dialog, `${name} closes by Escape`).toBeHidden();
  if (opener) await expect.soft(opener, `${name} gives the focus back`).toBeFocused();
}

/** What stands in a list and about it is large enough, keeps to its field, and lies on nothing else. */
async function visitOnTablet({ page }: Walk, menuNo: string): Promise<void> {
  await page.setViewportSize(TABLET);
  await settled(page);
  await content(page).locator(':is([role=search] button, section)').filter({ visible: true }).first().waitFor();
  expect.soft(await page.evaluate(unreadable), `${menuNo}: what can't be read`).toEqual([]);
  if (isList(menuNo)) {
    const head = page.locator(`[data-list-head="${menuNo}"]:visible`);
    expect.soft(await head.evaluate(crowded), `${menuNo}: what lies on something`).toEqual([]);
  }
  await page.setViewportSize(DESK);
  await settled(page);
}

/** Stations and other pages: what opens without a record. */
async function visitPages(walk: Walk, menuNo: string, buttons: readonly MenuButton[]): Promise<void> {
  const { page } = walk;
  for (const { btnScript, rows } of buttons) {
    const address = `/${menuNo}/${btnScript ?? ''}`;
    if (rows !== undefined || !featurePages.includes(address)) continue;
    await visitPage(page, address);
    await expectOneHeading(page, address);
    await look(walk, 'pages', address, '#content');
  }
}

async function visitDialogsOfRows(walk: Walk, menuNo: string, buttons: readonly MenuButton[]): Promise<void> {
  const { request, token, looked, missing, others } = walk;
  const module = moduleOf(menuNo);
  const fits: { button: MenuButton; fit: Fit }[] = [];
  for (const button of buttons) {
    const script = button.btnScript ?? '';
    if (button.rows === undefined && !Object.hasOwn(ofEngine, script)) continue;
    const name = `${module}:${button.btnNo}`;
    const kind = kindOf(module, script);
    expect(kind, `${name} is in no register`).toBeDefined();
    if (kind === 'page' || kind === 'direct') {
      others[kind]++;
      continue;
    }
    const fit = await findRows(request, token, module, button);
    if (fit === undefined) missing.push(name);
    else fits.push({ button, fit });
  }
  // Those under one condition after another, so that the list is read once for them.
  const order = ({ fit }: { fit: Fit }) => JSON.stringify(Object.entries(fit.filter));
  for (const { button, fit } of fits.toSorted((a, b) => order(a).localeCompare(order(b)))) {
    const name = `${module}:${button.btnNo}`;
    if (await tryRows(walk, module, button, fit)) looked['dialogs of rows'].add(name);
    else missing.push(name);
  }
}

/** What a button leads to, as the registers and what they load say it. */
function kindOf(module: string, script: string): 'dialog' | 'page' | 'direct' | undefined {
  if (pageScripts.has(`${module}:${script}`)) return 'page';
  if (directScripts.has(`${module}:${script}`) || directScripts.has(`*:${script}`)) return 'direct';
  return componentOf(module, script) === undefined ? ofEngine[script] : 'dialog';
}

/** Rows for which a button is; where it looks at a field, by each of the values that it takes. */
async function findRows(
  request: APIRequestContext,
  token: string,
  module: string,
  { when = {} }: MenuButton,
): Promise<Fit | undefined> {
  const [[field, values] = []] = Object.entries(when);
  for (const value of field === undefined ? [undefined] : [values ?? []].flat()) {
    const filter: Filter = field === undefined || value === undefined ? {} : { [field]: value };
    const { items } = await apiGet<{ items: Row[] }>(request, token, `/api/${module}/pager.json`, filter);
    const ids = items
      .filter((row) => Object.entries(when).every(([name, it]) => [it].flat().includes(String(row[name] ?? ''))))
      .map((it) => it.id);
    if (ids.length > 0) return { filter, ids };
  }
  return undefined;
}

/** No more rows of one list are tried than these: what the first few are refused, the others are. */
const TRIES = 4;

/** Opens the dialog of the first row that it opens for, looks at it, and closes it. */
async function tryRows(walk: Walk, module: string, button: MenuButton, { filter, ids }: Fit): Promise<boolean> {
  const { page } = walk;
  await openList(page, module, filter);
  await hasButton(page, button);
  const name = `${module}:${button.btnNo}`;
  const dialog = page.locator(DIALOG);
  for (const id of ids.slice(0, TRIES)) {
    await select(page, id);
    await closeNotices(page);
    const opener = await pressWay(page, button.btnName);
    const notice = notices(page).filter({ visible: true });
    await dialog.or(notice).filter({ visible: true }).first().waitFor();
    if ((await dialog.count()) === 0) continue;
    await look(walk, 'dialogs of rows', name, DIALOG, partOf(module, button) ?? name);
    await expectGoodEnd(page, name, opener);
    return true;
  }
  return false;
}

/** What a row before was refused would be taken for what the next one is. */
async function closeNotices(page: Page): Promise<void> {
  // In one step: some of them close by themselves meanwhile.
  await notices(page).evaluateAll((all) =>
    all.forEach((it) => it.querySelector<HTMLElement>('.MuiAlert-action button')?.click()),
  );
  await expect(notices(page)).toHaveCount(0);
}

/** Selects a row and no other; a list that is come back to has those that were selected before. */
async function select(page: Page, id: number): Promise<void> {
  const rows = content(page).locator('tbody tr[data-id]').filter({ visible: true });
  const others = rows.and(page.locator(`[aria-selected=true]:not([data-id="${id}"])`));
  while ((await others.count()) > 0) await toggle(others.filter({ visible: true }).first());
  const row = rows.and(page.locator(`[data-id="${id}"]`));
  if ((await row.getAttribute('aria-selected')) !== 'true') await toggle(row);
  await expect(row, `row ${id} of ${page.url()} is selected`).toHaveAttribute('aria-selected', 'true');
}

/** Where one row alone is taken it is pressed, as its number is a link. */
async function toggle(row: Locator): Promise<void> {
  const box = row.getByRole('checkbox');
  if ((await box.count()) > 0) await box.click();
  else
    await row
      .locator('td')
      .filter({ visible: true })
      .last()
      .click({ position: { x: 2, y: 2 } });
}

/** Goes to the list so filtered, unless it is there already; until its rows are drawn those before them stand there. */
async function openList(page: Page, module: string, filter: Filter): Promise<void> {
  const asked = JSON.stringify(filter);
  const { pathname, searchParams } = new URL(page.url());
  if (pathname === `/${module}List` && (searchParams.get('filter') ?? '{}') === asked) return;
  const answered = page.waitForResponse(
    (it) => it.url().includes(`/api/${module}/`) && it.url().includes('pager.json'),
  );
  await go(page, asked === '{}' ? `/${module}List` : `/${module}List?${new URLSearchParams({ filter: asked })}`);
  const { data } = (await (await answered).json()) as { data: { items: Row[] } };
  await page.waitForFunction(
    ([list, expected]) => {
      const shown = (what: string) => [...document.querySelectorAll(what)].filter((it) => it.checkVisibility());
      if (shown(`[data-list-head="${list}"]`).length !== 1) return false;
      const drawn = shown('#content tbody tr[data-id]').map((it) => it.getAttribute('data-id') ?? '');
      if (expected.length === 0) return drawn.length === 0 && shown('#content [role=status]').length > 0;
      return drawn[0] === expected[0] && drawn.every((it) => expected.includes(it));
    },
    [`${module}List`, data.items.map((it) => String(it.id))] as const,
  );
  await isStill(page);
}
