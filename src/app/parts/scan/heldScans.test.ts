// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepEarlyKeys } from '#app/earlyKeys.ts';
import { currentToken } from '#app/session.ts';

const SN = 'NB1234567890';
let at = 1000;
function types(...keys: string[]): void {
  for (const key of keys) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: (at += 8) });
    (document.activeElement ?? document.body).dispatchEvent(event);
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && event.key.length === 1) field.value += event.key;
  }
}
const signIn = (token: string) => {
  document.cookie = `token=${token}`;
  currentToken.set(token);
};
/** The scanner as it comes with the first script of a page that is loading. */
async function load() {
  vi.resetModules();
  const scanner = await import('#app/parts/scan/scanner.ts');
  (await import('#app/session.ts')).currentToken.set(currentToken.get());
  return scanner;
}
const [take, refuse] = [vi.fn(), vi.fn()];
const station = () => ({ current: { take, refuse, field: { current: document.querySelector('input') } } });
// eslint-disable-next-line no-restricted-globals -- they are given by a timer
const given = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  vi.clearAllMocks();
  localStorage.clear();
  signIn('mine');
  window.earlyKeys = keepEarlyKeys();
});
afterEach(() => {
  window.earlyKeys?.take('');
  document.body.innerHTML = '';
});

it.each([0, 1, 6, SN.length + 1])('has a scan whole of which %i keys came before any script', async (early) => {
  const keys = [...SN, 'Enter'];
  types(...keys.slice(0, early));
  const { receiveScans } = await load();
  document.body.innerHTML = '<input data-scan="field" />';
  const stop = receiveScans(station());
  await given();
  types(...keys.slice(early));
  const field = document.querySelector('input');
  expect([...take.mock.calls.flat(), field?.value].join('')).toBe(SN);
  expect(refuse).not.toHaveBeenCalled();
  stop();
});

it('keeps what is scanned while a page is loading for that page, in its order', async () => {
  const { holdScans, receiveScans } = await load();
  const find = vi.fn();
  const behind = receiveScans({ current: { isLast: true, wants: () => 'take', take: find, refuse } });
  const letGo = holdScans();
  types(...SN, 'Enter', ...'NB2222222222', 'Enter', ...'NB33');
  await given();
  expect(take).not.toHaveBeenCalled();
  letGo();
  document.body.innerHTML = '<input data-scan="field" />';
  const stop = receiveScans(station());
  await given();
  types(...'33333333', 'Enter');
  expect(take.mock.calls.flat()).toEqual([SN, 'NB2222222222', 'NB3333333333']);
  expect(document.querySelector('input')?.value).toBe('');
  expect([find, refuse].map((it) => it.mock.calls)).toEqual([[], []]);
  stop();
  behind();
});

it('gives what was scanned for a page that was left before it had opened to no other one, and says so', async () => {
  const { holdScans, receiveScans } = await load();
  history.replaceState(null, '', '/one');
  const stop = receiveScans(station());
  await given();
  history.replaceState(null, '', '/two');
  const letGo = holdScans();
  types(...SN, 'Enter');
  history.replaceState(null, '', '/one');
  letGo();
  await given();
  expect(take).not.toHaveBeenCalled();
  expect(refuse.mock.calls).toEqual([['left', SN]]);
  stop();
});

it('brings it to what has to be filled in first', async () => {
  types(...SN, 'Enter');
  const { receiveScans } = await load();
  document.body.innerHTML = '<input data-scan="field" /><input data-scan="number" data-first="" />';
  const stop = receiveScans(station());
  await given();
  expect([...document.querySelectorAll('input')].map((it) => it.value)).toEqual(['', SN]);
  expect(take).not.toHaveBeenCalled();
  stop();
});

it('gives nothing of it to who has signed in since', async () => {
  types(...SN, 'Enter');
  const { holdScans, receiveScans } = await load();
  const letGo = holdScans();
  types(...SN, 'Enter');
  await given();
  (await import('#app/session.ts')).currentToken.set('of somebody else');
  letGo();
  const stop = receiveScans(station());
  await given();
  expect([take, refuse].map((it) => it.mock.calls)).toEqual([[], []]);
  stop();
});

it('leaves what is typed into a field where it is, as the password of who signs in', async () => {
  document.body.innerHTML = '<input />';
  document.querySelector('input')?.focus();
  types(...SN, 'Enter');
  const { receiveScans } = await load();
  const stop = receiveScans(station());
  await given();
  expect(take).not.toHaveBeenCalled();
  expect(document.querySelector('input')?.value).toBe(SN);
  stop();
});
