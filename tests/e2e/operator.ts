import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, type APIRequestContext, type BrowserContext, type Locator, type Page } from '@playwright/test';
import {
  apiGet,
  choose,
  film,
  PASSWORD,
  scan as scanAt,
  tabTo,
  fetchToken,
  leavePages,
  signInAs,
  verdict,
  words,
  type Language,
} from './workshop.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { go } from './menuWalk.ts';
import { newWord } from './newWord.ts';

/** Where a step is done: the list that it belongs to, and the button of the list that opens it. */
const stations = {
  signFor: ['intake/rmaArrivalBill', 'signFor'],
  receive: ['intake/rmaReceiveBill', 'receive'],
  check: ['workflow/rmaCheckBill', 'check'],
  repair: ['workflow/rmaRepairBill', 'repair'],
  assemble: ['workflow/rmaAssembleBill', 'assemble'],
  aging: ['workflow/rmaBurninBill', 'burnin'],
  qc: ['workflow/rmaExamineBill', 'examine'],
  store: ['storing/rmaStoreBill', 'store'],
  deliver: ['storing/rmaDeliverBill', 'deliver'],
} as const;
export type Station = keyof typeof stations;

interface Definition {
  label: Record<Language, string>;
  buttons: { btnNo: string; label: Record<Language, string> }[];
}
export const readDefinition = (path: string): Definition =>
  JSON.parse(readFileSync(new URL(`../../definitions/${path}.json`, import.meta.url), 'utf8')) as Definition;

/** What is told after a submit begins so. */
const messagePrefix = (message: string): string => message.split(/%\{|：|:/)[0] as string;

/** To an address as a link leads there, until its page is in front; the first one in a page is loaded. */
export async function visit(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') return void (await page.goto(path));
  await go(page, path);
  const { key } = parsePageAddress(new URL(path, page.url()).pathname);
  await page.locator(`#content > [data-page="${key}"]:visible`).waitFor();
}

interface OperatorOptions {
  /** Under a name they are filmed. */
  filmName?: string;
  /** The server's address, for hands that come without the login page and go straight to where they work. */
  directUrl?: string | undefined;
}

/** Hands at the stations of the workshop: they scan and type, and never touch a mouse. */
export function createOperator(
  page: Page,
  context: BrowserContext,
  language: Language,
  { filmName = '', directUrl }: OperatorOptions,
) {
  const say = words(language);
  let frame = 0;
  const shot = async (name: string) => {
    if (filmName !== '') await film(page, `${filmName}-${String(++frame).padStart(2, '0')}-${name}`);
  };
  const press = (key: string) => page.keyboard.press(key);
  const scan = (text: string) => scanAt(page, text);
  const ok = (text: string) => verdict(page, 'ok', text);
  const field = (name: string | RegExp): Locator => page.getByLabel(name).filter({ visible: true }).first();
  const button = (name: string): Locator =>
    page.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  /** The field of this name, with Tab. */
  const fill = async (name: string, text: string) => {
    await tabTo(page, field(new RegExp(`^${name.replace(/[()（）]/g, '\\$&')}\\s*\\*?$`)));
    await page.keyboard.type(text);
  };
  const pressButton = async (target: Locator) => {
    await tabTo(page, target);
    await press('Enter');
  };

  /** The page speaks for nobody yet, or for whoever was here before. */
  let isStale = directUrl !== undefined;

  /** Signs in: whose shift it is from here. Without the login page, this is seen where they go next. */
  async function signIn(userId: string) {
    if (directUrl) {
      await signInAs(context, userId, directUrl);
      isStale = true;
      return;
    }
    await leavePages(context);
    await context.clearCookies();
    await page.goto('/login');
    await page.locator('input[name=userId]').waitFor();
    await page.keyboard.type(userId);
    await press('Tab');
    await page.keyboard.type(PASSWORD);
    await press('Enter');
    await page.waitForURL(/\/home$/);
    await page.locator('main h2').filter({ visible: true }).first().waitFor();
  }

  /** To an address; only who has just signed in loads the page. */
  async function walkTo(path: string) {
    if (isStale) await page.goto(path);
    else await visit(page, path);
    isStale = false;
  }

  async function openPalette() {
    if (isStale) {
      await walkTo('/home');
      await page.locator('main h2').filter({ visible: true }).first().waitFor();
    }
    await press('Control+k');
    await expect(page.getByRole('combobox', { name: say('shell.palette.placeholder') })).toBeFocused();
  }

  /** To a list by its name. */
  async function goTo(path: string) {
    const address = `/${path.split('/')[1]}List`;
    if (directUrl) await walkTo(address);
    else {
      await openPalette();
      const name = readDefinition(path).label[language];
      // At once: keys as fast as a test presses them are a scanner's, and are taken for a code when the page is busy.
      await page.keyboard.insertText(name);
      await page.getByRole('option').filter({ visible: true }).first().waitFor();
      await press('Enter');
    }
    await page.waitForURL(new RegExp(`${address}$`));
    await page.locator('tbody tr').filter({ visible: true }).first().waitFor();
  }

  /** To a station by the name of its list, and by the button of the list. */
  async function open(station: Station) {
    const [path, btnNo] = stations[station];
    if (directUrl) {
      await walkTo(`/${path.split('/')[1]}List/${btnNo}`);
      return expect(page.locator('input[data-scan]').filter({ visible: true }).first()).toBeFocused();
    }
    await goTo(path);
    const label = readDefinition(path).buttons.find((it) => it.btnNo === btnNo)?.label[language] ?? '';
    await pressButton(button(label));
    await page.waitForURL(new RegExp(`/${btnNo}$`));
    await expect(page.locator('input[data-scan]').filter({ visible: true }).first()).toBeFocused();
  }

  /** The page of an SN, from wherever one is. */
  async function lookUp(sn: string) {
    if (directUrl) await walkTo(`/rmaInventoryList/viewHistory/${sn}`);
    else {
      await openPalette();
      await scan(sn);
    }
    await page.waitForURL(new RegExp(`/viewHistory/${sn}$`));
    await page.getByRole('heading', { name: sn }).filter({ visible: true }).first().waitFor();
    const next = page.getByRole('group', { name: say('history.next') }).or(page.getByText(say('history.nothingNext')));
    await next.filter({ visible: true }).first().waitFor();
  }

  /** What the page of an SN offers to do next. */
  const pressNext = (action: string) => {
    const next = page.getByRole('group', { name: say('history.next') });
    const named = { name: say(`history.do.${action}`), exact: true };
    return pressButton(next.getByRole('link', named).or(next.getByRole('button', named)));
  };

  async function openBill(mtbId: string) {
    if (isStale) await walkTo(`/rmaMaintainBillList/detail/${(await fetchBill(context.request, mtbId)).id}`);
    else {
      await openPalette();
      await scan(mtbId);
    }
    await page.waitForURL(/\/rmaMaintainBillList\/detail\//);
    await page
      .getByRole('button', { name: new RegExp(say('maintainBill.items').replace('%{code}', '.+')) })
      .filter({ visible: true })
      .first()
      .waitFor();
  }

  /** Presses the verb of a dialog. */
  async function confirm(dialog = page.getByRole('dialog')) {
    await pressButton(dialog.locator('button[type=submit]'));
    await expect(dialog.locator('button[type=submit]')).toBeEnabled();
  }
  /** Presses it, and the dialog has done its work. */
  async function submitDialog() {
    const dialog = page.getByRole('dialog');
    await pressButton(dialog.locator('button[type=submit]'));
    await expect(dialog).toBeHidden();
  }

  /** Chooses the row that says so, by the keys of a list, and presses its button. */
  async function pressRow(text: string, name: string) {
    const row = page.locator('tbody tr').filter({ hasText: text, visible: true }).filter({ visible: true }).first();
    await row.waitFor();
    await tabTo(page, page.locator('tbody tr[tabindex="0"]:visible'));
    for (let i = 0; i < 10 && !(await row.evaluate((it) => it === document.activeElement)); i++)
      await press('ArrowDown');
    await expect(row).toBeFocused();
    await press('x');
    await pressButton(button(name));
  }

  async function signFor(shipNo: string) {
    await open('signFor');
    await scan(shipNo);
    await expect(field(say('field.receivePackageCount'))).toBeFocused();
    await press('Enter');
    await expect(page.getByText(shipNo, { exact: true })).toBeVisible();
    await shot('sign-for');
  }

  /** The bill of a parcel, and the SNs on it, as fast as a scanner goes. */
  async function receive(shipNo: string, sns: readonly string[]) {
    await open('receive');
    await scan(shipNo);
    for (const sn of sns) await scan(sn);
    await scanned(sns);
    await scan(sns[0] as string);
    await verdict(page, 'duplicate', sns[0]);
    await shot('receive');
    await scan('%SUBMIT');
    await ok(messagePrefix(say('receive.told')));
  }

  async function finishReceipt() {
    await pressButton(button(say('receive.finalize')));
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(say('receive.finalizeText'));
    await shot('finish-receipt');
    // The page begins anew for the next bill.
    const anew = page.waitForEvent('load');
    await pressButton(dialog.getByRole('button', { name: say('receive.finalize') }));
    await expect(dialog).toBeHidden();
    await anew;
    await expect(page.locator('input[data-scan]').filter({ visible: true }).first()).toBeFocused();
  }

  const refused = (sn: string) => verdict(page, 'refused', sn);

  /** Every SN has been found in order. */
  const scanned = (sns: readonly string[]) => expect(page.locator('tr[data-state=ok]:visible')).toHaveCount(sns.length);

  /** One device and what was found on it; where a code asks for one, with a picture. */
  async function check(sn: string, codes: readonly string[], more: { picture?: Buffer; frame?: string } = {}) {
    await scan(sn);
    for (const code of codes) await scan(`%CODE-${code}`);
    if (more.picture) {
      const choosing = page.waitForEvent('filechooser');
      await pressButton(page.getByRole('button', { name: new RegExp(`^${say('picture.add')}`) }));
      await (await choosing).setFiles({ name: 'found.jpg', mimeType: 'image/jpeg', buffer: more.picture });
      await expect(page.getByRole('status').filter({ hasText: say('picture.uploaded') })).toBeVisible();
    }
    if (more.frame) {
      await ok(codes.at(-1) as string);
      await shot(more.frame);
    }
    await scan('%SUBMIT');
    await ok(`${sn} →`);
  }

  /** One record: the first board, welded, at one slot. */
  async function repair(sn: string, shotAs?: string) {
    await scan(sn);
    const boardType = field(new RegExp(`^${say('repair.partsType')}`));
    await boardType.waitFor();
    for (const [select, number] of [
      [boardType, '7'],
      [field(new RegExp(`^${say('repair.repairMethod')}`)), '8'],
    ] as const) {
      await tabTo(page, select);
      await page.keyboard.type(number);
      await page.getByRole('option').filter({ visible: true }).first().waitFor();
      await press('Enter');
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
    }
    await fill(say('repair.slot'), 'U12');
    await press('Tab');
    await scan('%CODE-RP01');
    await ok('RP01');
    if (shotAs) await shot(`${shotAs}-record`);
    await pressButton(button(say('repair.addRow')));
    await expect(page.getByRole('list', { name: say('repair.rows') }).getByRole('listitem')).toHaveCount(1);
    if (shotAs) await shot(shotAs);
    await scan('%SUBMIT');
    await ok(`${sn} →`);
  }

  /** A part of its own in each position, one after the other; gives how many. */
  async function scanParts(): Promise<number> {
    const positions = await page.locator('input[data-scan=part]:visible').count();
    for (let i = 0; i < positions; i++) await scan(newPartSn(i));
    return positions;
  }

  /** A device and its parts. */
  async function assemble(sn: string, shotAs?: string) {
    await scan(sn);
    await expect(page.locator('input[data-scan=part]').filter({ visible: true }).first()).toBeFocused();
    await scanParts();
    await expect(page.locator('input[data-scan=field]:visible')).toBeFocused();
    if (shotAs) await shot(shotAs);
    await scan('%SUBMIT');
    await ok(`${sn} →`);
  }

  /** The result first, then the devices that it holds of. */
  async function test(station: 'aging' | 'qc', results: readonly (readonly [code: string, sns: readonly string[]])[]) {
    await expect(page.getByRole('combobox', { name: new RegExp(say('test.result')) })).toContainText('00');
    const tested: string[] = [];
    for (const [code, sns] of results) {
      await scan(`%CODE-${code}`);
      await ok(code);
      for (const sn of sns) await scan(sn);
      tested.push(...sns);
      await scanned(tested);
    }
    await shot(station);
    await scan('%SUBMIT');
    await ok(messagePrefix(say('test.told')));
  }

  async function store(sns: readonly string[]) {
    await scan('%QTY-20');
    for (const sn of sns) await scan(sn);
    await scanned(sns);
    await shot('store');
    await scan('%SUBMIT');
    await ok('STB');
  }

  /** One of them may have no known parts: it is asked for them, and leaves without. */
  async function deliver(skbId: string, sns: readonly string[], withoutParts?: string) {
    await scan(skbId);
    for (const sn of sns.filter((it) => it !== withoutParts)) await scan(sn);
    if (withoutParts) {
      await scan(withoutParts);
      await leaveWithoutParts(withoutParts);
    }
    await scanned(sns);
    await shot('deliver');
    await scan('%SUBMIT');
    const [one = '', many = one] = say('deliver.told').split(' |||| ');
    await ok(messagePrefix((sns.length === 1 ? one : many).replace('%{smart_count}', String(sns.length))));
    await shot('delivered');
  }

  /** What asks for the parts of a device that none are known of. */
  async function askedForParts(sn: string): Promise<Locator> {
    const dialog = page.getByRole('dialog', { name: say('rebind.title').replace('%{sn}', sn) });
    await dialog.waitFor();
    return dialog;
  }

  async function leaveWithoutParts(sn: string) {
    const dialog = await askedForParts(sn);
    await shot('no-parts');
    await press('Escape');
    await expect(dialog).toBeHidden();
  }

  /** A supervisor's word on a unit that waits for it. */
  async function judge(kind: 'scrap' | 'nofault', sn: string, word: { yes: boolean; remark?: string }) {
    await lookUp(sn);
    await pressNext(`${kind}Confirm`);
    const remark = kind === 'nofault' ? 'nofault.remark' : word.yes ? 'scrap.situation' : 'scrap.whyNot';
    const decision = button(say(`confirm.${kind}.${word.yes ? 'yes' : 'no'}`));
    await decision.waitFor();
    // A scrap asks for more than its button says, whichever it is.
    if (kind === 'scrap') await pressButton(decision);
    if (kind === 'scrap' && word.yes) {
      await choose(page, field(new RegExp(`^${say('confirm.scrap.duty')}`)), /./);
    }
    if (word.remark) await fill(say(`confirm.${remark}`), word.remark);
    await shot(`judge-${kind}-${word.yes ? 'yes' : 'no'}`);
    await pressButton(decision);
    await expect(page.getByText(say('confirm.done').replace('%{sn}', sn))).toBeVisible();
  }

  return {
    page,
    say,
    openBill,
    confirm,
    submitDialog,
    pressRow,
    choose: (select: Locator, option: string | RegExp) => choose(page, select, option),
    shot,
    press,
    scan,
    ok,
    refused,
    field,
    button,
    fill,
    pressButton,
    signIn,
    goTo,
    open,
    lookUp,
    signFor,
    receive,
    finishReceipt,
    check,
    repair,
    assemble,
    scanParts,
    test,
    store,
    deliver,
    askedForParts,
    leaveWithoutParts,
    pressNext,
    judge,
  };
}
export type Operator = ReturnType<typeof createOperator>;

/** A part's SN, of 17 characters as a QR code asks for; new each time. */
export const newPartSn = (position: number): string => `P${position}${newWord()}`.padEnd(17, '0');

/** Says something to the server itself, past the screen. */
export async function apiPost<Data = Record<string, unknown>>(
  request: APIRequestContext,
  userId: string,
  path: string,
  data: object,
): Promise<Data> {
  const headers = { token: await fetchToken(request, userId), 'idempotency-key': randomUUID() };
  const reply = await request.post(path, { data, headers, params: { lang: 'en' } });
  const answer = (await reply.json()) as { code: string; msg: string; data: Data };
  expect(answer.code, `${path}: ${answer.msg}`).toBe('000000');
  return answer.data;
}

/** Devices of one model that the archive now knows and that were never in the workshop. */
export async function newDevices(request: APIRequestContext, count: number): Promise<string[]> {
  const sns = Array.from({ length: count }, () => `SH${newWord()}`);
  await Promise.all(sns.map((sn) => newDevice(request, sn)));
  return sns;
}
/** A device of ours with this SN. */
export async function newDevice(request: APIRequestContext, sn: string): Promise<void> {
  const model = { salesCode: MODEL, itemName: 'RX-19 95T', itemId: 1004, type: '0', origin: '1' };
  await apiPost(request, 'admin', '/api/ubsItemObject/create.json', { sn, ...model });
}
export const MODEL = 'RX19-95T';

interface Row {
  [name: string]: unknown;
}
/** A bill as the server knows it: its status, its lines, its units by SN and what of their lives happened since they came. */
export async function fetchBill(request: APIRequestContext, mtbId: string) {
  const token = await fetchToken(request, 'admin');
  const bill = await apiGet<Row & { rmaMaintainBillLineList: Row[] }>(
    request,
    token,
    '/api/rmaMaintainBill/queryById.json',
    { id: mtbId },
  );
  return { id: Number(bill['id']), status: bill['billStatus'], lines: bill.rmaMaintainBillLineList };
}
export async function fetchUnitHistory(request: APIRequestContext, sn: string) {
  const token = await fetchToken(request, 'admin');
  const { unit, events } = await apiGet<{ unit: Row | null; events: Row[] }>(
    request,
    token,
    '/api/rmaMaintainBill/viewHistory.json',
    { sn },
  );
  return {
    unit,
    node: unit?.['ivyId'],
    steps: events.map((it) => `${String(it['step'])} ${String(it['userId'])} ${String(it['toNode'])}`).reverse(),
  };
}

/** A customer's bill of these devices, received and closed; of what is declared alone, nothing is here yet. */
export async function newBill(
  request: APIRequestContext,
  sns: readonly string[],
  line: { salesCode: string; type: string; count: number } = { salesCode: MODEL, type: '0', count: sns.length },
) {
  const shipNo = `SF${newWord()}`;
  const bill = { receiveShipNo: shipNo, userName: '宁远矿业', rmaMaintainBillLineList: [line] };
  const { mtbId } = await apiPost<{ mtbId: string }>(request, 'office', '/api/rmaMaintainBill/create.json', bill);
  if (sns.length > 0) {
    const items = sns.map((sn) => ({ receiveSn: sn, depreciation: 'B' }));
    const received = { mtbId, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: items }] };
    await apiPost(request, 'warehouse', '/api/rmaReceiveBill/receive.json', received);
    await apiPost(request, 'warehouse', '/api/rmaReceiveBill/finishReceive.json', { maintainBillId: mtbId });
  }
  return { mtbId, shipNo };
}

const codeIds = new Map<string, number>();
export async function fetchCodeId(request: APIRequestContext, code: string): Promise<number> {
  if (codeIds.size === 0) {
    const token = await fetchToken(request, 'admin');
    const query = { pageCount: '200' };
    const { items } = await apiGet<{ items: Row[] }>(request, token, '/api/ubsIssueCode/pager.json', query);
    for (const it of items) codeIds.set(String(it['code']), Number(it['codeId']));
  }
  return codeIds.get(code) as number;
}

/** Lets a device that waits for its first test pass the stations until this node; gives its stock-up bill, if it has one. */
export async function advanceUnit(request: APIRequestContext, sn: string, to: string): Promise<string> {
  const lines = async (code: string) => [{ sn, icdId: await fetchCodeId(request, code) }];
  const record = async () => ({
    partsType: '7',
    repairMethod: '8',
    issueCodeIdList: [await fetchCodeId(request, 'RP01')],
    slot: 'U1',
  });
  const qrCodeNum = 'Q'.repeat(17);
  const way: [node: string, user: string, path: string, body: () => Promise<object>][] = [
    ['50', 'tech', 'rmaCheckBill/check', async () => ({ sn, issueCodeIdList: [await fetchCodeId(request, 'FX409')] })],
    ['60', 'tech', 'rmaRepairBill/repair', async () => ({ sn, partsList: [await record()] })],
    [
      '70',
      'tech',
      'rmaAssembleBill/assemble',
      async () => ({
        sn,
        partsList: [
          { sn: newPartSn(0), component_type: 'COIT000000S1', qrCodeNum: '' },
          { sn: newPartSn(1), component_type: 'COIT000000RZ', qrCodeNum: '' },
          { sn: newPartSn(2), component_type: 'COIT000000S0', qrCodeNum },
        ],
      }),
    ],
    ['80', 'tech', 'rmaBurninBill/submitBurninBill', async () => ({ rmaBurninBillLineList: await lines('AT00') })],
    ['90', 'tech', 'rmaExamineBill/submitExamineBill', async () => ({ rmaExamineBillLineList: await lines('QC00') })],
    [
      '100',
      'warehouse',
      'rmaStoreBill/submitStoreBill',
      async () => ({ rmaStoreBillLineList: [{ sn }], packageCount: 20 }),
    ],
  ];
  let stockups: string[] = [];
  for (const [node, user, path, body] of way) {
    const answer = await apiPost<{ skbIdList?: string[] }>(request, user, `/api/${path}.json`, await body());
    stockups = answer.skbIdList ?? [];
    if (node === to) break;
  }
  return stockups[0] ?? '';
}

/** Devices that came just now and stand at this node: no other journey has had a hand in them. */
export async function devicesAt(request: APIRequestContext, count: number, node: string): Promise<string[]> {
  const sns = await newDevices(request, count);
  await newBill(request, sns);
  if (node !== '10') await Promise.all(sns.map((sn) => advanceUnit(request, sn, node)));
  return sns;
}
