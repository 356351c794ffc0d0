import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/journey.ts';
import { advanceUnit, fetchCodeId, devicesAt, newBill, newDevices } from '#tests/e2e/operator.ts';
import { fire } from '#tests/e2e/scanner.ts';
import { signInAs, openStation, scan, fetchToken, verdict, words, type Language } from '#tests/e2e/workshop.ts';
import { CHECK, FEW_ROUNDS, figures, QC, unitsAtQc } from '#tests/e2e/shift.ts';

/**
 * A scanner that types at full speed, wherever the focus is: the scan arrives and nothing else happens.
 * `npm run chaos -- browser` is the long run. Rule: scanning#scans.
 */
test.describe.configure({ timeout: 600_000 + FEW_ROUNDS * 20_000 });

const say = words('zh');
/** As that of `fire`. */
const GAP_S = 0.003;

interface Focus {
  name: string;
  /** Brings the focus there. */
  on: (page: Page) => Promise<void>;
  /** Types the code and its Enter; plain keys where it is left out. */
  type?: (session: CDPSession, sn: string) => Promise<unknown>;
  off?: (page: Page) => Promise<void>;
}

const marking = (page: Page) => page.getByLabel(say('repair.repairMarking'));
const select = (page: Page) => page.getByRole('combobox', { name: say('repair.partsType') });
const card = (page: Page) => page.getByRole('dialog');
const button: Focus = {
  name: 'a button',
  on: (page) => page.getByRole('button', { name: say('undo'), exact: true }).focus(),
};
const textField: Focus = { name: 'a text field', on: (page) => marking(page).focus() };
const scanField = (page: Page) => page.locator('input[data-scan=field]').focus();
const focuses: readonly Focus[] = [
  button,
  textField,
  { name: 'a select', on: (page) => select(page).focus() },
  {
    name: 'an open choice',
    on: async (page) => {
      await select(page).click();
      await page.getByRole('listbox').waitFor();
    },
    off: async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('[role=listbox]').waitFor({ state: 'detached' });
    },
  },
  { name: 'nothing', on: (page) => page.evaluate(() => (document.activeElement as HTMLElement).blur()) },
  {
    name: 'a dialog',
    on: async (page) => {
      await page.getByRole('button', { name: say('command.card') }).click();
      await expect(card(page).locator('svg').filter({ visible: true }).first()).toBeVisible();
    },
    off: async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    },
  },
  { name: 'a text field, two codes at once', on: (page) => marking(page).focus(), type: typeTwo },
  { name: 'an open composition', on: (page) => marking(page).focus(), type: compose },
  { name: 'a text field, in full-width letters', on: (page) => marking(page).focus(), type: typeWide },
  { name: 'a button, in full-width letters', on: button.on, type: typeWide },
  { name: 'the scan field, in full-width letters', on: scanField, type: typeWide },
  { name: 'the scan field, in a full-width text at once', on: scanField, type: insertWide },
];

test('a burst is heard wherever the focus is, and nothing else happens', async ({ page, context, baseURL }) => {
  await signInAs(context, 'tech', baseURL as string);
  await atRepair(page);
  const session = await context.newCDPSession(page);
  for (let round = 0; round < FEW_ROUNDS; round++) {
    for (const [i, focus] of focuses.entries()) {
      expect(await burst(page, session, focus, snOf(round, i)), focus.name).toEqual([]);
    }
  }
  figures(
    `${FEW_ROUNDS * focuses.length} bursts on ${focuses.length} kinds of focus: each heard, nothing else touched`,
  );
});

test('what follows on the heels of a tab is typed into the page that comes, whole', async ({
  browser,
  request,
  baseURL,
}) => {
  const [sn = ''] = await devicesAt(request, 1, '10');
  const skbId = await advanceUnit(request, sn, '100');
  const { shipNo } = await newBill(request, [], { salesCode: 'HB-RX19', type: '1', count: 4 });
  const [device = ''] = await newDevices(request, 1);
  for (let round = 0; round < 3 * FEW_ROUNDS; round++) {
    for (const [path, no, unit] of [
      ['/rmaDeliverBillList/deliver', skbId, sn],
      ['/rmaReceiveBillList/receive', shipNo, device],
    ] as const) {
      const context = await browser.newContext({ baseURL });
      await signInAs(context, 'warehouse', baseURL as string);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      const turned = page.locator('main [role=tab]:visible');
      await page.goto(path);
      await expect(page.locator('input[data-scan=number]')).toBeFocused();
      await typePlain(session, `%TAB-2\r${no}`);
      await expect(turned.filter({ visible: true }).nth(1)).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByText(say('loaded'), { exact: true })).toBeVisible();
      await typePlain(session, `%TAB-1\r${unit}`);
      await expect(turned.filter({ visible: true }).nth(0)).toHaveAttribute('aria-selected', 'true');
      await expect(page.locator('tr[data-state] .sn')).toHaveText([unit]);
      await context.close();
    }
  }
});

test('control: a station that hears only its own field is found out', async ({ page, context, baseURL }) => {
  await signInAs(context, 'tech', baseURL as string);
  await page.addInitScript(() => {
    const listen = window.addEventListener.bind(window);
    window.addEventListener = (kind: string, listener: EventListenerOrEventListenerObject, how?: unknown) => {
      if (kind !== 'keydown' || how !== true) listen(kind, listener, how as boolean);
    };
  });
  await atRepair(page);
  const session = await context.newCDPSession(page);
  for (const [i, focus] of [textField, button].entries()) {
    expect(await burst(page, session, focus, snOf(0, i), 500)).not.toEqual([]);
  }
  figures('control: what a field or a button got instead is named');
});

for (const language of ['zh', 'en'] as const) {
  test(`what is said aloud is the message of the server or of the words, in full (${language})`, async ({
    page,
    context,
    request,
    baseURL,
  }) => {
    await signInAs(context, 'tech', baseURL as string);
    await listen(page, language);
    const spoken = await recordSpeech(page, request, language);
    for (const { said, shown, full } of spoken) expect({ said, shown }).toEqual({ said: full, shown: full });
    expect(new Set(spoken.map((it) => it.said)).size).toBe(spoken.length);
    figures(`${spoken.length} messages said in ${language} as the server and the words have them`);
  });
}

test('control: a voice that lags behind the screen by one message is found out', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await signInAs(context, 'tech', baseURL as string);
  await listen(page, 'zh');
  await page.addInitScript(() => {
    const { speak } = speechSynthesis;
    let last = new SpeechSynthesisUtterance('');
    speechSynthesis.speak = (it) => {
      speak(last);
      last = it;
    };
  });
  const spoken = await recordSpeech(page, request, 'zh');
  expect(spoken.filter(({ said, full }) => said !== full)).toHaveLength(spoken.length);
  figures(`control: ${spoken.length} of ${spoken.length} messages named as said wrongly`);
});

interface Spoken {
  said: string;
  shown: string | null;
  /** The message as whoever gives it has it. */
  full: string;
}

/** What was said and shown of each kind of no. */
async function recordSpeech(
  page: Page,
  request: Parameters<typeof unitsAtQc>[0],
  language: Language,
): Promise<Spoken[]> {
  const say = words(language);
  const [token, icdId] = [await fetchToken(request, 'tech'), await fetchCodeId(request, 'QC00')];
  /** Asked past the screen. */
  const fetchRefusal = async (sn: string) => {
    const data = { sn, icdId };
    const reply = await request.post(CHECK, { params: { lang: language }, headers: { token }, data });
    return ((await reply.json()) as { msg: string }).msg;
  };
  const [sn = '', other = ''] = (await unitsAtQc(request, 2)).keys();
  await openStation(page, QC);
  await scan(page, other);
  await verdict(page, 'ok', other);
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('tr[data-state=submitted]')).toHaveCount(1);
  await scan(page, sn);
  await verdict(page, 'ok', sn);
  const spoken: Spoken[] = [];
  for (const [code, kind, fullOf] of [
    [sn, 'duplicate', async () => say('repeateSn')],
    [other, 'refused', fetchRefusal],
    ['NOSUCHUNIT0000001', 'wrong', fetchRefusal],
    ['不是条码', 'wrong', async () => say('notSn')],
  ] as const) {
    await scan(page, code);
    await verdict(page, kind);
    await expect(page.locator('[data-verdict]')).toContainText(kind === 'wrong' ? code : code.slice(0, 4));
    spoken.push({ ...(await saidAndShown(page)), full: await fullOf(code) });
  }
  return spoken;
}

const snOf = (round: number, i: number) => `ZZ19P4A26${String(round).padStart(4, '0')}${String(i).padStart(4, '0')}`;

/** The repair station with a unit on the bench, so that there is a form; what is scanned then waits. */
async function atRepair(page: Page): Promise<void> {
  const [sn = ''] = await devicesAt(page.request, 1, '50');
  await page.addInitScript(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    document.addEventListener('click', () => (counted.clicks += 1), true);
  });
  await openStation(page, '/rmaRepairBillList/repair');
  await scan(page, sn);
  await verdict(page, 'ok', sn);
  await marking(page).fill('换过');
}

/** What went wrong with one burst. */
async function burst(page: Page, session: CDPSession, focus: Focus, sn: string, patience = 5000): Promise<string[]> {
  await focus.on(page);
  const before = await readState(page);
  await (focus.type ?? typePlain)(session, sn);
  const newest = page.locator('tr[data-state]').filter({ visible: true }).first();
  const problems: string[] = [];
  await expect(newest.locator('td').filter({ visible: true }).first().locator('> *').filter({ visible: true }).first())
    .toHaveText(sn, { timeout: patience })
    .catch(() => problems.push('the scan did not arrive'));
  const after = await readState(page);
  for (const name of ['fields', 'selects', 'floating', 'clicks', 'address'] as const) {
    const [was, is] = [before[name], after[name]].map((it) => JSON.stringify(it));
    if (was !== is) problems.push(`${name}: ${was} became ${is}`);
  }
  const rest = after.rows.filter((it) => !it.includes(sn)).slice(0, 50);
  if (!rest.every((it, i) => it === before.rows[i])) problems.push('other rows changed');
  const rowCount = after.rows.filter((it) => it.includes(sn)).length;
  if (rowCount !== (focus.type === typeTwo ? 2 : 1)) problems.push(`heard ${rowCount} times`);
  await focus.off?.(page);
  return problems;
}

const readState = (page: Page) =>
  page.evaluate(() => {
    const all = (what: string) => [...document.querySelectorAll<HTMLElement>(what)];
    const fields = all('input:not([data-scan=field]),textarea') as HTMLInputElement[];
    return {
      fields: fields.map((it) => it.value),
      selects: all('[role=combobox]').map((it) => it.textContent),
      floating: all('[role=dialog],[role=listbox],[role=menu]').map((it) => it.textContent),
      clicks: (window as unknown as { clicks: number }).clicks,
      address: location.href,
      rows: all('tr[data-state]').map((it) => `${it.dataset['state']} ${it.textContent}`),
    };
  });

const codeOf = (letter: string) => (/[0-9]/.test(letter) ? `Digit${letter}` : `Key${letter}`);
const wide = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);

async function typePlain(session: CDPSession, sn: string): Promise<void> {
  await fire(session, sn);
}
async function typeWide(session: CDPSession, sn: string): Promise<void> {
  await fire(session, sn, { keyOf: wide });
}

/** As a scanner that kept its codes while it had no connection: the second follows on the heels of the first. */
async function typeTwo(session: CDPSession, sn: string): Promise<void> {
  await fire(session, `${sn}B\r${sn}`);
}

async function insertWide(session: CDPSession, sn: string): Promise<void> {
  await session.send('Input.insertText', { text: [...sn].map(wide).join('') });
  await fire(session, '');
}

/** Under an input method each letter belongs to a composition that is still open when Enter comes. */
async function compose(session: CDPSession, sn: string): Promise<void> {
  const began = Date.now() / 1000;
  const sent: Promise<unknown>[] = [];
  const press = (code: string, i: number) =>
    session.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key: 'Process',
      windowsVirtualKeyCode: 229,
      code,
      timestamp: began + i * GAP_S,
    });
  for (const [i, letter] of [...sn].entries()) {
    const text = sn.slice(0, i + 1).toLowerCase();
    sent.push(press(codeOf(letter), i));
    sent.push(
      session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length }),
    );
  }
  sent.push(press('Enter', sn.length));
  await Promise.all(sent);
}

/** Writes down what is handed to the voice, whether or not this machine has one. */
async function listen(page: Page, language: Language): Promise<void> {
  await page.addInitScript((local) => {
    localStorage.setItem('local', local);
    localStorage.setItem('speech:tech', 'on');
    const heard = window as unknown as { said: string };
    heard.said = '';
    speechSynthesis.speak = ({ text }) => void (heard.said = text);
  }, language);
}

async function saidAndShown(page: Page): Promise<Omit<Spoken, 'full'>> {
  const said = await page.evaluate(() => (window as unknown as { said: string }).said);
  return { said, shown: await page.locator('[data-verdict] span[title]').getAttribute('title') };
}
