// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { receiveScans } from '#app/parts/scan/scanner.ts';

let at = 1000;
const [take, refuse] = [vi.fn(), vi.fn()];
let stop: () => void;
beforeEach(() => {
  vi.clearAllMocks();
  localStorage.clear();
  stop = receiveScans({ current: { take, refuse } });
});
afterEach(() => stop());

/** Keys with so many milliseconds before each of them. */
function types(ms: number, ...keys: (string | KeyboardEventInit)[]): void {
  for (const key of keys) {
    at += ms;
    const event = new KeyboardEvent('keydown', { bubbles: true, ...(typeof key === 'string' ? { key } : key) });
    Object.defineProperty(event, 'timeStamp', { value: at });
    (document.activeElement ?? document.body).dispatchEvent(event);
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && event.key.length === 1) field.value += event.key;
  }
}
const SN = 'NB1234567890';

it('takes what is scanned at once after a quick hand has submitted', () => {
  types(90, 'U', '1', '2', { key: 'Control', ctrlKey: true }, { key: 'Enter', ctrlKey: true });
  at += 300;
  types(8, ...SN, 'Enter');
  expect(take.mock.calls).toEqual([[SN]]);
  expect(refuse).not.toHaveBeenCalled();
});

it('tells a code as torn where a pause is in the middle of it', () => {
  types(8, ...SN.slice(0, 5));
  at += 300;
  types(8, ...SN.slice(5), 'Enter');
  expect(take).not.toHaveBeenCalled();
  expect(refuse.mock.calls).toEqual([['torn', SN]]);
});

it.each([1, 4, SN.length])('takes a code of which %i keys come late, as the browser was held up', (late) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  document.body.innerHTML = '<input value="a text" />';
  const field = document.querySelector('input');
  field?.focus();
  const keys = [...SN, 'Enter'];
  types(8, ...keys.slice(0, -late));
  vi.advanceTimersByTime(5000);
  types(8, ...keys.slice(-late));
  vi.useRealTimers();
  expect(take.mock.calls).toEqual([[SN]]);
  expect(field?.value).toBe('a text');
  document.body.innerHTML = '';
});

it.each([1, 4, SN.length])(
  'has a code whole in its own field, or takes it, when its last %i keys come late',
  (late) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    document.body.innerHTML = '<input />';
    const field = document.querySelector('input');
    stop();
    stop = receiveScans({ current: { take, refuse, field: { current: field } } });
    types(8, ...SN, 'Enter', ...SN, 'Enter');
    if (field) field.value = '';
    const keys = [...SN, 'Enter'];
    types(8, ...keys.slice(0, -late));
    vi.advanceTimersByTime(5000);
    types(8, ...keys.slice(-late));
    vi.useRealTimers();
    expect([...take.mock.calls.flat(), field?.value].join('')).toBe(SN);
    expect(refuse.mock.calls.every(([why]) => why === 'torn')).toBe(true);
    document.body.innerHTML = '';
  },
);

it('leaves what a hand has typed before its Enter, though the code after it says that it began before', () => {
  document.body.innerHTML = '<input /><input />';
  const [slot, part] = document.querySelectorAll('input');
  slot?.focus();
  types(90, 'U', '1', '2', 'Enter');
  part?.focus();
  at -= 150;
  types(2, ...SN, 'Enter');
  expect(slot?.value).toBe('U12');
  expect(take.mock.calls).toEqual([[SN]]);
  document.body.innerHTML = '';
});

it('leaves a code whole around the signs that a scanner sends as chords', () => {
  types(8, ...SN, { key: 'Control', ctrlKey: true }, { key: ']', ctrlKey: true }, '1', '0', 'L', 'Enter');
  expect(take.mock.calls).toEqual([[`${SN}10L`]]);
});

it('keeps no Enter from who comes after the last station has gone', () => {
  types(8, ...SN, 'Enter');
  stop();
  stop = receiveScans({ current: { take, refuse } });
  const onKeydown = vi.fn();
  document.body.addEventListener('keydown', onKeydown);
  types(100, 'Enter');
  document.body.removeEventListener('keydown', onKeydown);
  expect(onKeydown).toHaveBeenCalledOnce();
});

describe('an Enter behind a code that its field has read', () => {
  const pressed = vi.fn();
  /** The second position is selected at the Enter of the first, as parts are entered. */
  const scansInto = (gap: number, later: number) => {
    document.body.innerHTML = '<input data-scan="part" /><button></button>';
    const [field, button] = [document.querySelector('input'), document.querySelector('button')];
    field?.addEventListener('keydown', ({ key }) => key === 'Enter' && button?.focus());
    button?.addEventListener('keydown', pressed);
    field?.focus();
    pressed.mockClear();
    types(gap, ...SN, 'Enter');
    expect(document.activeElement).toBe(button);
    types(later, 'Enter');
    expect(field?.value).toBe(SN);
    document.body.innerHTML = '';
  };

  it.each([2, 8, 20, 60])(
    "is its scanner's second one at the pace of its letters, and presses nothing (%i ms)",
    (gap) => {
      scansInto(gap, gap);
      expect(pressed).not.toHaveBeenCalled();
    },
  );

  it.each([2, 8, 20, 60])("is a hand's when it comes later, and presses what has the focus (%i ms)", (gap) => {
    scansInto(gap, Math.max(50, 2 * gap));
    expect(pressed).toHaveBeenCalledOnce();
  });
});

it.each(['/', "'"])('keeps the %s with which a code begins from the search of the browser', (sign) => {
  const isPrevented = (target: Element) =>
    !target.dispatchEvent(new KeyboardEvent('keydown', { key: sign, bubbles: true, cancelable: true }));
  document.body.innerHTML = '<div role="dialog"><button></button><input /></div>';
  const [button, input] = document.querySelectorAll('button, input');
  expect([button, input].map((it) => isPrevented(it as Element))).toEqual([true, false]);
  document.body.innerHTML = '';
});
