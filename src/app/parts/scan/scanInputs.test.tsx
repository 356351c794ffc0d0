// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { drawn, fileOf, inputs, nameOf, openings, reach, type View } from '#app/testing/scanFields.tsx';

const nothing = () => undefined;
const state = ({ asked, where }: View) => {
  const { activeElement: at } = document;
  const values = [...document.querySelectorAll('input')].map((it) => it.value);
  return JSON.stringify([
    asked.length,
    at?.id,
    at?.getAttribute('aria-label'),
    at?.tagName,
    values,
    where(),
    document.body.textContent,
  ]);
};
/** Waits until nothing changes by itself any more. */
async function settle(view: View): Promise<string> {
  let now = state(view);
  for (let still = 0; still < 3; still++) {
    // eslint-disable-next-line no-restricted-globals -- what changes by a timer of its own is seen
    await new Promise((done) => setTimeout(done, 15));
    const then = state(view);
    if (then !== now) still = 0;
    now = then;
  }
  return now;
}
/** As fast as a scanner, which one of them asks for. */
function typeInto(input: HTMLInputElement, text: string): void {
  input.focus();
  if (input.readOnly) [...text].forEach((key) => fireEvent.keyDown(input, { key }));
  else fireEvent.change(input, { target: { value: text } });
}
function pressEnter(input: HTMLInputElement): void {
  // What a browser does with the Enter of a form that nobody has taken.
  if (fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' }) && input.form) fireEvent.submit(input.form);
}

const found = new Map<string, Set<string>>();

describe('what is scanned into', () => {
  it.each(openings)('takes at Enter what stands in it (%s) [S-GEN-03]', async (name, open) => {
    vi.spyOn(console, 'error').mockImplementation(nothing);
    const start = async () => {
      cleanup();
      document.body.innerHTML = '';
      localStorage.clear();
      const view = await open();
      await reach[name]?.(view.user);
      await settle(view);
      return view;
    };
    let view = await start();
    for (const label of inputs().map(nameOf)) {
      const find = () => inputs().find((it) => nameOf(it) === label);
      if (!find()) view = await start();
      const input = find() as HTMLInputElement;
      const file = fileOf(input);
      found.set(file, (found.get(file) ?? new Set()).add(label));
      if (input.dataset['scan'] === 'only') await view.user.click(screen.getByRole('button', { name: 'Scan' }));
      // A text of its own, as a label has it: what has been said of another one says nothing of this.
      typeInto(input, ` ab12c${found.get(file)?.size} `);
      // Whoever asks for a scanner's speed forgets what has waited.
      const before = input.readOnly ? state(view) : await settle(view);
      pressEnter(input);
      await waitFor(() => expect(state(view), `${label} takes nothing`).not.toBe(before));
      await settle(view);
    }
  });

  it('has all been found', () => {
    const missing = Object.entries(drawn).filter(([file, count]) => (found.get(file)?.size ?? 0) < count);
    expect(missing.map(([file]) => file)).toEqual([]);
    expect(found.has('nobody')).toBe(false);
  });
});
