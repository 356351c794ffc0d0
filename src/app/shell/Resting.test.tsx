// @vitest-environment jsdom
import { type ReactNode } from 'react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '#app/queryClient.ts';
import { Resting } from '#app/shell/Resting.tsx';

const TEN_MINUTES = 10 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = () => act(() => vi.advanceTimersByTimeAsync(TEN_MINUTES));

/** Is mounted by what it has read, as the forms of the pages are. */
function Form() {
  const { data } = useQuery({ queryKey: ['record'], queryFn: async () => await Promise.resolve('Qty') });
  return data && <input aria-label={data} />;
}

async function renderResting() {
  const client = createClient();
  const Around = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const page = (window: boolean, tab: boolean, isOpen = true) => (
    <Resting isShown={window}>{isOpen && <Resting isShown={tab}>{<Form />}</Resting>}</Resting>
  );
  const { rerender } = render(page(true, true), { wrapper: Around });
  await act(() => vi.advanceTimersByTimeAsync(1));
  fireEvent.change(screen.getByLabelText('Qty'), { target: { value: '7' } });
  const show = (...how: Parameters<typeof page>) => rerender(page(...how));
  const isKept = () => client.getQueryCache().find({ queryKey: ['record'] }) !== undefined;
  return { show, isKept, typed: () => screen.getByLabelText<HTMLInputElement>('Qty').value };
}

it.each([
  ['at the sign-in', [[false, true]]],
  ['in a tab behind', [[true, false]]],
  [
    'in a tab behind, then at the sign-in, then behind again',
    [
      [true, false],
      [false, false],
      [true, false],
    ],
  ],
] as const)('what is typed stays for longer than the cache keeps what nobody looks at: %s', async (_, ways) => {
  const { show, typed } = await renderResting();
  for (const [window, tab] of ways) {
    show(window, tab);
    await later();
  }
  show(true, true);
  await later();
  expect(typed()).toBe('7');
});

it.each([
  ['in front', true],
  ['behind', false],
])('what a page had read is let go of after it closes %s', async (_, tab) => {
  const { show, isKept } = await renderResting();
  show(true, tab);
  await later();
  expect(isKept()).toBe(true);
  show(true, tab, false);
  await later();
  expect(isKept()).toBe(false);
});

it('and so is what rests in a window that rests, once that comes back without it', async () => {
  const { show, isKept } = await renderResting();
  show(true, false);
  show(false, false);
  await later();
  expect(isKept()).toBe(true);
  show(true, false, false);
  await later();
  expect(isKept()).toBe(false);
});
