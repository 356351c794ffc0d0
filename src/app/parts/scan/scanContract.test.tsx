// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, cleanup, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notices } from '#app/notify.ts';
import { receiveScans } from '#app/parts/scan/scanner.ts';
import { turnOf } from '#tests/support/tries.ts';
import { drawn, fileOf, inputs, nameOf, openings, reach, UNKNOWN_SN, type View } from '#app/testing/scanFields.tsx';

const paces = [2, 8, 20, 60];

let at = 0;
/** What is done when all letters of a code have come. */
let atEnd = (): void => undefined;
/** A key as a browser has it: what nobody prevents is written where the caret is, or sends the form off. */
function press(key: string, gap: number, more: KeyboardEventInit = {}): void {
  const target = document.activeElement ?? document.body;
  const event = createEvent.keyDown(target, { key, ...more });
  at += gap;
  Object.defineProperty(event, 'timeStamp', { value: at });
  const isLeft = fireEvent(target, event);
  const field = document.activeElement;
  if (!isLeft || !(field instanceof HTMLInputElement) || field.readOnly) return;
  if (key === 'Enter' && field.form) fireEvent.submit(field.form);
  if (key.length === 1) insert(field, key);
}
function insert(field: HTMLInputElement, letters: string): void {
  const [from, to] = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
  if (field.maxLength >= 0 && field.value.length - (to - from) >= field.maxLength) return;
  field.setRangeText(letters, from, to, 'end');
  fireEvent.input(field);
}
/** Later than anything before, and so that no key seems to come late however busy the machine is. */
const begin = () => (at = Math.max(at + 1000, performance.now() + 60_000));
function scan(text: string, gap: number, enters: number): void {
  begin();
  for (const letter of text) press(letter, gap);
  atEnd();
  for (let i = 0; i < enters; i++) press('Enter', gap);
}
/** Under an input method only the keys are told; the letters stand in the field until it is left. */
function compose(text: string, gap: number): void {
  begin();
  const start = document.activeElement as HTMLInputElement;
  fireEvent.compositionStart(start);
  for (const letter of text) {
    const code = /\d/.test(letter) ? `Digit${letter}` : `Key${letter}`;
    press('Process', gap, { code, isComposing: true });
    if (document.activeElement === start) insert(start, letter.toLowerCase());
  }
  atEnd();
  press('Process', gap, { code: 'Enter', isComposing: true });
  fireEvent.compositionEnd(start, { data: text });
}

// eslint-disable-next-line no-restricted-globals -- the input method lets go by a timer of its own
const passed = () => act(() => new Promise((done) => setTimeout(done, 5)));
const settled = () => act(() => new Promise((done) => setImmediate(done)));
/** What stands in the field, and where its caret is, when the next code is scanned. */
const standing: Record<string, (field: HTMLInputElement) => void> = {
  'is empty': (field) => fireEvent.change(field, { target: { value: '' } }),
  'is filled': (field) => fill(field, 5, 5),
  'is selected': (field) => fill(field, 0, 5),
  'is selected in part': (field) => fill(field, 1, 3),
  'has the caret in the middle': (field) => fill(field, 2, 2),
  'holds what was refused': (field) => {
    fireEvent.change(field, { target: { value: '' } });
    scan(UNKNOWN_SN, 2, 1);
  },
};
function fill(field: HTMLInputElement, from: number, to: number): void {
  fireEvent.change(field, { target: { value: 'OLD99' } });
  field.setSelectionRange(from, to);
}

interface Try {
  what: string;
  stand: (field: HTMLInputElement) => void;
  type: (text: string) => void;
}
/** Each state at each pace, with one Enter behind it and with two, and each under an input method. */
const contract: readonly Try[] = Object.entries(standing).flatMap(([what, stand]) => [
  ...paces.flatMap((gap) =>
    [1, 2].map((ends) => ({
      ...{ what: `${what}, ${gap} ms, ${ends} Enter`, stand },
      type: (it: string) => scan(it, gap, ends),
    })),
  ),
  { what: `${what}, under an input method`, stand, type: (it: string) => compose(it, 8) },
]);
/** One a field: there are more fields than these, so that each is tried. */
const SHARE = contract.length;

/** These are asked a little later than it is typed, or as soon as an input method lets go of the field. */
const asksMeanwhile: ReadonlySet<string> = new Set([
  '/api/find.json',
  '/api/rmaInventory/validateSn.json',
  '/api/rmaMaintainBill/queryByReceiveShipNo.json',
]);

const refuse = vi.fn();
let stop: () => void;
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // As the frame of every page does.
  stop = receiveScans({ current: { isLast: true, take: refuse, refuse } });
});
afterEach(() => stop());

/** Every text that a page holds or has sent. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
const valuesNow = () => [...document.querySelectorAll('input')].map((it) => it.value.toUpperCase());
const found = new Map<string, Set<string>>();
let count = 0;
let turn = 0;
/** With those that are like another one of the same page. */
let all = 0;

describe('a field that takes scans', () => {
  it.each(openings)('has the next code whole and alone, whatever stands in it (%s)', async (name, open) => {
    const start = async () => {
      cleanup();
      notices.closeAll();
      document.body.innerHTML = '';
      localStorage.clear();
      const view = await open();
      await reach[name]?.(view.user);
      await settled();
      return view;
    };
    let view: View = await start();
    const faults: string[] = [];
    // The boards of a device are entered in fields that are all the same.
    const labels = inputs().map(nameOf);
    const alike = labels.map((it) => it.replace(/\d/, ''));
    all += labels.length;
    for (const label of labels.filter((_, i) => alike.indexOf(alike[i] ?? '') === i)) {
      const find = () => inputs().find((it) => nameOf(it) === label);
      const ready = async () => {
        if (!find()) view = await start();
        const field = find() as HTMLInputElement;
        if (field.dataset['scan'] === 'only') await view.user.click(screen.getByRole('button', { name: 'Scan' }));
        act(() => field.focus());
        return field;
      };
      const file = fileOf(await ready());
      found.set(file, (found.get(file) ?? new Set()).add(label));
      const tries = turnOf(contract, turn, SHARE);
      turn += 1;
      for (const { what, stand, type } of tries) {
        const field = await ready();
        if (!field.readOnly) stand(field);
        await settled();
        await ready();
        // Some ask while it is typed.
        atEnd = () => void (view.asked.length = 0);
        refuse.mockClear();
        notices.closeAll();
        count += 1;
        const code = `R${String(count).padStart(4, '0')}Q`;
        type(code);
        const sent = () =>
          view.asked
            .filter((it) => !asksMeanwhile.has(it.path))
            .flatMap((it) => textsIn(it.input))
            .map((it) => it.toUpperCase());
        const isThere = () => [...sent(), ...valuesNow(), document.body.textContent].some((it) => it.includes(code));
        // What the input method held is read when that has let it go.
        await passed();
        // What a station shows it draws once a frame.
        await waitFor(() => expect(isThere()).toBe(true)).catch(() => undefined);
        const told = document.body.textContent;
        const mixed = [...sent(), ...valuesNow()].filter((it) => it !== code && it.includes(code.slice(2)));
        const twice = valuesNow().filter((it) => it === code).length > 1;
        const isTorn = told.includes('read in pieces') || refuse.mock.calls.length > 0;
        const isLeft = find()?.dataset['scan'] === 'field' && find()?.value !== '';
        if (isLeft || !isThere() || mixed.length > 0 || twice || isTorn) {
          faults.push(
            `${label}: ${what}: ${JSON.stringify({ isLeft, isThere: isThere(), mixed, twice, isTorn, values: valuesNow() })}`,
          );
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('has been found wherever one is drawn', () => {
    const missing = Object.entries(drawn).filter(([file, many]) => (found.get(file)?.size ?? 0) < many);
    expect(missing.map(([file]) => file)).toEqual([]);
    const many = Object.values(drawn).reduce((sum, it) => sum + it, 0);
    expect(all).toBeGreaterThanOrEqual(many);
    expect(turn).toBeGreaterThanOrEqual(SHARE);
  });
});
