// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { useState } from 'react';
import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Answers, openPage } from '#app/parts/openPage.tsx';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { openSavedScans, savedScans } from '#app/parts/scan/savedScans.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { send } from '#app/send.ts';
import { currentUser, type UserState } from '#app/session.ts';
import type { Call } from '#domain/call.ts';

const call = (name: string, writes: boolean) =>
  ({ method: 'POST', path: `/api/trial/${name}.json`, writes }) as unknown as Call;
const pressed = vi.fn();

/** The least of a station: two tabs, a quantity, one code, a field of its own. */
function Trial({ name = 'trial', refresh }: { name?: string; refresh?: () => void }) {
  const [tab, setTab] = useState('0');
  const [quantity, setQuantity] = useState(20);
  const [codes, setCodes] = useState('');
  const [note, setNote] = useState('');
  const station = useStation<{ name: string }, unknown, unknown>({
    name,
    refresh,
    onCode: (text) => {
      if (text !== 'FX409') return false;
      setCodes(text);
      return true;
    },
    check: (sn) => send(call('check', false), { sn }) as never,
    submit: (input, key) => send(call('submit', true), input as never, { key }),
  });
  const press = () =>
    station.actions.submit(
      { sns: station.accepted.map((it) => it.sn) },
      station.accepted.map((it) => it.key),
    );
  return (
    <ScanStation
      menuNo="trial"
      title="Trial"
      station={station}
      primary={{ label: 'Do it', press }}
      commands={{
        tabs: { value: tab, onChange: setTab },
        quantities: [20, 40],
        onQuantity: setQuantity,
        codes: [{ code: 'FX409', name: 'No power' }],
      }}
      facts={<output>{`${tab} ${quantity} ${codes}`}</output>}
      work={
        <>
          <button onClick={pressed}>Plus one</button>
          <input aria-label="Note" value={note} onChange={(it) => setNote(it.target.value)} />
          <input aria-label="Part" data-scan="part" />
        </>
      }
    />
  );
}

const answers = {
  '/api/trial/check.json': ({ sn }: { sn: string }) => ({ name: sn }),
  '/api/trial/submit.json': {},
};
async function opens(lang: 'zh' | 'en' = 'en', trial = <Trial />, more: Answers = {}) {
  const page = await openPage(trial, { lang, answers: { ...answers, ...more } });
  const field = screen.getByLabelText(lang === 'en' ? 'Scan SN' : '扫描SN');
  const scan = (text: string) => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  const accepts = (sn: string) => waitFor(() => expect(states()).toContain(`${sn} ok`));
  return { ...page, scan, accepts };
}
const states = () =>
  [...document.querySelectorAll<HTMLElement>('tr[data-state]')].map(
    (it) => `${it.querySelector('.sn')?.textContent} ${it.dataset['state']}`,
  );
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const facts = () => document.querySelector('output')?.textContent;
const submits = (asked: { path: string; input: unknown }[]) =>
  asked.filter((it) => it.path.endsWith('submit.json')).map((it) => it.input);

let now = 0;
/** A key so long after the last one, however busy the machine is; whether it still does what it does. */
function key(target: Element, init: object, gap = 10): boolean {
  const event = createEvent.keyDown(target, init);
  Object.defineProperty(event, 'timeStamp', { value: (now += gap) });
  return fireEvent(target, event);
}

/** What a scanner of another rhythm types on this element; whether its last key still did what it does. */
function types(target: Element, keys: readonly string[], gap: number): boolean {
  return keys.map((it) => key(target, { key: it }, gap)).at(-1) ?? true;
}

/** A burst of a wedge scanner on this element; under an input method only the keys are told. */
function burst(target: Element, text: string, isComposing = false): void {
  for (const letter of text) {
    const code = /\d/.test(letter) ? `Digit${letter}` : `Key${letter}`;
    key(target, isComposing ? { key: 'Process', code, isComposing } : { key: letter, code });
  }
  key(target, { key: isComposing ? 'Process' : 'Enter', code: 'Enter', isComposing });
}

beforeEach(() => {
  pressed.mockClear();
  localStorage.removeItem('scanner');
});

describe.each(['Asia/Shanghai', 'Europe/Berlin', 'America/Los_Angeles'])('in a browser in %s', (zone) => {
  it('a scan is told by the workshop’s clock, and so is when it was undone', async () => {
    vi.stubEnv('TZ', zone);
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { scan, accepts } = await opens();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T16:55:03Z') });
    onTestFinished(() => void vi.useRealTimers());
    currentUser.set({ ...(currentUser.get() as UserState), timeZone: 'Asia/Shanghai' });
    scan('SN1');
    await accepts('SN1');
    expect(document.querySelector('tr[data-state] .time')?.textContent).toBe('00:55:03');
    scan('%UNDO');
    await waitFor(() => expect(states()).toEqual(['SN1 undone']));
    expect(document.querySelector('tr[data-state] .sn')?.getAttribute('title')).toBe('00:55:03');
  });
});

describe('the command card', () => {
  it('submits what was scanned, also what is still being checked when its barcode is read', async () => {
    const { scan, asked } = await opens();
    scan('SN1');
    scan('SN2');
    scan('%SUBMIT');
    await waitFor(() => expect(submits(asked)).toEqual([{ sns: ['SN1', 'SN2'] }]));
  });

  it('takes back, goes to the next tab, sets a quantity and gives a code', async () => {
    const { scan, accepts } = await opens();
    scan('SN1');
    await accepts('SN1');
    scan('%UNDO');
    await waitFor(() => expect(states()).toEqual(['SN1 undone']));
    scan('%NEXT');
    scan('%QTY-40');
    scan('％ＣＯＤＥ－ＦＸ４０９');
    await waitFor(() => expect(facts()).toBe('1 40 FX409'));
    scan('%TAB-1');
    await waitFor(() => expect(facts()).toBe('0 40 FX409'));
    await waitFor(() => expect(verdict()).toBe('Device'));
  });

  it('has turned the tab before the next key comes', async () => {
    await opens();
    const field = screen.getByLabelText<HTMLInputElement>('Scan SN');
    field.value = '%TAB-2';
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    onTestFinished(() => void vi.unstubAllGlobals());
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    // What a browser does between two keys, and nothing that waits for its turn.
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(facts()).toBe('1 20 ');
  });

  it('says when a command means nothing, or nothing here', async () => {
    const { scan } = await opens();
    scan('%FLY');
    await waitFor(() => expect(verdict()).toBe('There is no such command; print the card again'));
    scan('%QTY-60');
    await waitFor(() => expect(verdict()).toBe('This command does nothing here now'));
    scan('%TAB-3');
    await waitFor(() => expect(verdict()).toBe('This command does nothing here now'));
    scan('%CODE-XX1');
    await waitFor(() => expect(states()).toEqual([]));
  });

  it.each(['zh', 'en'] as const)('is printed with a barcode for each, in %s', async (lang) => {
    await opens(lang);
    fireEvent.click(screen.getByRole('button', { name: lang === 'en' ? 'Command card' : '指令条码卡' }));
    await screen.findByRole('dialog');
    const drawn = [...document.querySelectorAll<SVGElement>('svg[data-barcode]')];
    const texts = ['%SUBMIT', '%UNDO', '%NEXT', '%TAB-1', '%TAB-2', '%QTY-20', '%QTY-40', '%CODE-FX409'];
    expect(drawn.map((it) => it.dataset['barcode'])).toEqual(texts);
    expect(drawn.every((it) => it.querySelectorAll('rect').length > 20)).toBe(true);
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    fireEvent.click(screen.getByRole('button', { name: lang === 'en' ? 'Print' : '打印' }));
    expect(print).toHaveBeenCalledOnce();
  });
});

describe('a wedge scanner', () => {
  it('is heard in another text field: what it typed is gone, and its second Enter presses nothing', async () => {
    const { accepts } = await opens();
    const note = screen.getByLabelText('Note');
    fireEvent.change(note, { target: { value: 'loose fan' } });
    key(note, { key: 'S', code: 'KeyS' });
    fireEvent.change(note, { target: { value: 'loose fanS' } });
    burst(note, 'N0001');
    expect(key(note, { key: 'Enter', code: 'Enter' })).toBe(false);
    now += 500;
    expect(key(note, { key: 'Enter', code: 'Enter' })).toBe(true);
    await accepts('SN0001');
    expect((note as HTMLInputElement).value).toBe('loose fan');
  });

  it('is no hand: an Enter right after a Tab is for what has the focus then', async () => {
    await opens();
    const note = screen.getByLabelText('Note');
    burst(note, 'SN0001');
    expect(key(note, { key: 'Enter', code: 'Enter' })).toBe(false);
    key(note, { key: 'Tab', code: 'Tab' });
    expect(key(note, { key: 'Enter', code: 'Enter' })).toBe(true);
  });

  it('is heard in another text field with the next code at once, as of a scanner that kept them', async () => {
    await opens();
    const note = screen.getByLabelText('Note');
    for (const sn of ['SN0001', 'SN0002', 'SN0003']) burst(note, sn);
    const rows = () => [...document.querySelectorAll('tr[data-state=ok]')].map((it) => it.textContent.slice(0, 6));
    await waitFor(() => expect(rows()).toEqual(['SN0003', 'SN0002', 'SN0001']));
  });

  it('moves to the scan field from a button, so that nothing is pressed', async () => {
    await opens();
    const button = screen.getByRole('button', { name: 'Plus one' });
    button.focus();
    fireEvent.keyDown(button, { key: 'S', code: 'KeyS' });
    expect(document.activeElement).toBe(screen.getByLabelText('Scan SN'));
    expect(pressed).not.toHaveBeenCalled();
  });

  it('is heard under the open composition of an input method', async () => {
    const { accepts } = await opens();
    const note = screen.getByLabelText('Note');
    note.focus();
    burst(note, 'SN0002', true);
    // Leaving the field, the input method puts there what it held.
    fireEvent.change(note, { target: { value: 'sn0002' } });
    await accepts('SN0002');
    expect((note as HTMLInputElement).value).toBe('');
  });

  it.each(['Note', 'Part'])('has its commands heard however slowly they come, in the field %s', async (name) => {
    const { scan, asked, accepts } = await opens();
    scan('SN1');
    await accepts('SN1');
    const field = screen.getByLabelText<HTMLInputElement>(name);
    fireEvent.change(field, { target: { value: 'P7%SUBMIT' } });
    now += 5000;
    expect(key(field, { key: 'Enter', code: 'Enter' })).toBe(false);
    await waitFor(() => expect(submits(asked)).toEqual([{ sns: ['SN1'] }]));
    expect(field.value).toBe('P7');
    fireEvent.change(field, { target: { value: '20 % off' } });
    now += 5000;
    expect(key(field, { key: 'Enter', code: 'Enter' })).toBe(true);
  });

  it('leaves a field for parts its own scans, but not the commands', async () => {
    const { asked, scan, accepts } = await opens();
    scan('SN1');
    await accepts('SN1');
    const part = screen.getByLabelText('Part');
    burst(part, 'PART1');
    expect(states()).toEqual(['SN1 ok']);
    burst(part, '%SUBMIT');
    await waitFor(() => expect(submits(asked)).toEqual([{ sns: ['SN1'] }]));
  });
});

describe('a scanner of any rhythm', () => {
  it.each([5, 30, 45, 60, 100])('is heard on the paper of an open menu, at %i ms a key', async (gap) => {
    const { accepts } = await opens();
    fireEvent.click(screen.getByRole('button', { name: 'Sound volume' }));
    const paper = (await screen.findByRole('menu')).closest('.MuiPaper-root') as HTMLElement;
    paper.focus();
    expect(types(paper, [...`SN00${gap}`, 'Enter'], gap)).toBe(false);
    await accepts(`SN00${gap}`);
    expect(screen.getByRole('menu')).toBeDefined();
  });

  it.each([30, 45, 60])('is heard in a field for text, at %i ms a key', async (gap) => {
    const { accepts } = await opens();
    const note = screen.getByLabelText('Note');
    expect(types(note, [...`SN11${gap}`, 'Enter'], gap)).toBe(false);
    await accepts(`SN11${gap}`);
  });

  it.each([400, 1200])('is told as torn after a pause of %i ms, and never taken for its end', async (stall) => {
    await opens();
    const note = screen.getByLabelText<HTMLInputElement>('Note');
    fireEvent.change(note, { target: { value: 'loose fan' } });
    types(note, [...'SN0'], 10);
    fireEvent.change(note, { target: { value: 'loose fanSN0' } });
    now += stall;
    expect(types(note, [...'00001', 'Enter'], 10)).toBe(false);
    await waitFor(() => expect(verdict()).toBe('The label was read in pieces: scan it again'));
    expect(note.value).toBe('loose fan');
    expect(states()).toEqual([]);
  });

  it('may end its codes with a Tab: they are scanned, and the focus stays', async () => {
    const { accepts } = await opens();
    const field = screen.getByLabelText<HTMLInputElement>('Scan SN');
    field.focus();
    for (const sn of ['SN0001', 'SN0002']) {
      expect(types(field, [...sn, 'Tab'], 10)).toBe(false);
      now += 500;
    }
    await accepts('SN0001');
    await accepts('SN0002');
    expect(document.activeElement).toBe(field);
    expect(types(field, ['Tab'], 10)).toBe(true);
    const note = screen.getByLabelText('Note');
    expect(types(note, [...'SN0003', 'Tab'], 10)).toBe(false);
    await accepts('SN0003');
  });

  it('may end its codes with nothing: a pause does, once it is known', async () => {
    const { accepts } = await opens();
    const field = screen.getByLabelText<HTMLInputElement>('Scan SN');
    field.focus();
    for (const sn of ['SN0001', 'SN0002', 'SN0003']) {
      types(field, [...sn], 10);
      now += 2000;
    }
    types(field, [...'SN0004'], 10);
    await accepts('SN0004');
    expect(states()).toEqual(['SN0004 ok', 'SN0003 ok', 'SN0002 ok', 'SN0001 ok']);
    expect(JSON.parse(localStorage.getItem('scanner') ?? '')).toMatchObject({
      endings: ['none', 'none', 'none', 'none'],
    });
  });
});

describe('spoken reasons', () => {
  it.each([
    ['en', 'en-US', 'Duplicate SN'],
    ['zh', 'zh-CN', 'SN重复'],
  ] as const)('are the words of the verdict, in %s, once the user asked for them', async (lang, voice, words) => {
    const said: { text: string; lang: string; volume: number }[] = [];
    vi.stubGlobal('speechSynthesis', { cancel: () => undefined, speak: (it: never) => said.push(it) });
    vi.stubGlobal(
      'SpeechSynthesisUtterance',
      class {
        constructor(readonly text: string) {}
      },
    );
    const { scan, accepts } = await opens(lang);
    scan('SN1');
    await accepts('SN1');
    scan('SN1');
    await waitFor(() => expect(verdict()).toContain(words));
    expect(said).toEqual([]);
    const userId = currentUser.get()?.userId ?? '';
    localStorage.setItem(`volume:${userId}`, '0.3');
    fireEvent.click(screen.getByRole('button', { name: lang === 'en' ? 'Sound volume' : '提示音量' }));
    fireEvent.click(await screen.findByLabelText(lang === 'en' ? 'Say the reasons aloud' : '语音播报原因'));
    said.length = 0;
    scan('SN1');
    await waitFor(() => expect(said).toMatchObject([{ text: words, lang: voice, volume: 0.3 }]));
    expect(localStorage.getItem(`speech:${userId}`)).toBe('on');
    expect(localStorage.getItem('speech:somebody')).toBeNull();
  });
});

it('clears its list at once, when that is meant, and shows more of a long one', async () => {
  const { scan, accepts } = await opens();
  for (let i = 1; i <= 35; i++) scan(`SN${i}`);
  await accepts('SN35');
  expect(states()).toHaveLength(30);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(states()).toHaveLength(35);
  scan('SN36');
  await accepts('SN36');
  expect(states()).toHaveLength(30);
  fireEvent.click(screen.getByRole('button', { name: 'Clear list' }));
  expect(screen.getByRole('dialog').textContent).toContain('Remove 36 scans from the list?');
  expect(states()).toHaveLength(30);
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear list' }).at(-1) as HTMLElement);
  await waitFor(() => expect(states()).toEqual([]));
});

it('lets the browser leave with what is kept, and asks before what it can not keep is lost', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const put = vi.spyOn(savedScans, 'put');
  const { scan, accepts } = await opens();
  scan('SN1');
  await accepts('SN1');
  expect(isAsked()).toBe(false);
  // That it passed is written after it is drawn, and a write that succeeds says that the disk is fine.
  await Promise.all(put.mock.results.map((it) => it.value as Promise<void>));
  put.mockRejectedValue(new Error('disk full'));
  scan('SN2');
  await waitFor(() => expect(isAsked()).toBe(true));
});

it('says where the list has gone when another window goes on with it, and has it back after a scan here', async () => {
  const { scan, accepts } = await opens();
  scan('SN1');
  await accepts('SN1');
  const { userId = '', userName = '', siteId = '' } = currentUser.get() ?? {};
  const scope = { userId, userName, siteId, station: 'trial', bill: '' };
  await (await openSavedScans()).claim({ scope, holder: 'another window' });
  const gone = await screen.findByText('This list goes on in another window; scan here to go on here');
  expect(gone.getAttribute('role')).toBe('status');
  expect([states(), verdict()]).toEqual([[], 'Ready: scan an SN']);
  scan('SN2');
  await accepts('SN2');
  expect(states()).toEqual(['SN2 ok', 'SN1 ok']);
  expect(gone.isConnected).toBe(false);
});

describe('another at the same station', () => {
  const path = '/rest/stations/store/scans';
  it.each([
    ['en', '李工 scanned 2: SN8, SN7', 'has scanned it too and not submitted it yet'],
    ['zh', '李工 已扫描 2 个： SN8、SN7', '也扫描了该SN，尚未提交'],
  ] as const)('is seen quietly, and warned of where both have an SN, in %s', async (lang, line, warning) => {
    let say: (news: object) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (it) => {
        say = (news) => it.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(news)}\n\n`));
      },
    });
    const watch = ({ snList }: { snList?: string[] }) =>
      snList ? {} : new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    const refresh = vi.fn();
    const { scan, accepts, callsTo } = await opens(lang, <Trial name="store" refresh={refresh} />, { [path]: watch });
    const lines = () => [...document.querySelectorAll('[data-colleague]')].map((it) => it.textContent);
    say({ others: [{ userId: 'li', userName: '李工', snList: ['SN7', 'SN8'] }], submitted: false });
    await waitFor(() => expect(lines()).toEqual([line]));
    expect(screen.queryByRole('alert')).toBeNull();
    scan('SN7');
    await accepts('SN7');
    expect(screen.getByRole('alert').textContent).toContain(`李工 ${warning}`);
    scan('SN9');
    await accepts('SN9');
    await waitFor(() => expect(verdict()).not.toContain('李工'));
    await waitFor(() => expect(callsTo(path).at(-1)?.input).toEqual({ bill: '', snList: ['SN7', 'SN9'] }));
    expect(refresh).not.toHaveBeenCalled();
    say({ others: [], submitted: true });
    await waitFor(() => expect(lines()).toEqual([]));
    expect(refresh).toHaveBeenCalledOnce();
    scan('%SUBMIT');
    await waitFor(() => expect(callsTo(path).at(-1)?.input).toEqual({ bill: '', snList: [], submitted: true }));
  });
});

it('has a place for what waits where it stands alone, and no such place beside the menu', async () => {
  const { user } = await opens();
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  expect(screen.queryByText('In the queue')).toBeNull();
  await press('Station alone (hold F9)');
  expect(await screen.findByText('In the queue')).toBeTruthy();
  await press('Leave (hold F9)');
  await waitFor(() => expect(screen.queryByText('In the queue')).toBeNull());
});
