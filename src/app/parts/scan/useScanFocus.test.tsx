// @vitest-environment jsdom
import { useRef } from 'react';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FOCUS_AFTER, useScanFocus } from '#app/parts/scan/useScanFocus.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function Station({ handled }: { handled: number }) {
  const field = useRef<HTMLInputElement>(null);
  useScanFocus(field, handled);
  return (
    <>
      <input ref={field} aria-label="scan" />
      <button>choice</button>
      <button>other</button>
    </>
  );
}
const focusOn = (name: string) => act(() => screen.getByText(name).focus());
const wait = () => act(() => vi.advanceTimersByTimeAsync(FOCUS_AFTER));

it('goes back to the scan field from a button when a scan was handled', async () => {
  const { rerender } = render(<Station handled={0} />);
  focusOn('choice');
  await wait();
  rerender(<Station handled={1} />);
  await wait();
  expect(document.activeElement).toBe(screen.getByLabelText('scan'));
});

it('leaves the focus on what Tab reached after the scan was handled', async () => {
  const { rerender } = render(<Station handled={0} />);
  await wait();
  rerender(<Station handled={1} />);
  focusOn('choice');
  await wait();
  expect(document.activeElement).toBe(screen.getByText('choice'));
});

it('goes back to the scan field when nothing has the focus', async () => {
  render(<Station handled={0} />);
  focusOn('other');
  await wait();
  act(() => screen.getByText('other').blur());
  await wait();
  expect(document.activeElement).toBe(screen.getByLabelText('scan'));
});
