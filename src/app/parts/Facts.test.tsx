// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BigCount, FactGrid } from '#app/parts/Facts.tsx';
import { openPage } from '#app/parts/openPage.tsx';

it.each([
  { done: 3, expected: 3, isDone: true },
  { done: 2, expected: 3, isDone: false },
  { done: 0, expected: 0, isDone: false },
])('counts $done of $expected as done: $isDone', async ({ done, expected, isDone }) => {
  await openPage(<BigCount done={done} expected={expected} label="Received" />, { lang: 'en' });
  expect(screen.getByRole('progressbar').className.includes('colorSuccess')).toBe(isDone);
});

it('shows a dash for what is empty, or leaves it out', async () => {
  const facts = [
    { label: 'Model', value: 'RX19' },
    { label: 'Customer', value: null },
    { label: 'Remark', value: '' },
    { label: 'Count', value: 0 },
  ];
  const { rerender } = await openPage(<FactGrid facts={facts} />, { lang: 'en' });
  const shown = () => screen.getAllByRole('definition').map((it) => it.textContent);
  expect(shown()).toEqual(['RX19', '–', '–', '0']);
  rerender(<FactGrid hidesEmpty facts={facts} />);
  expect(shown()).toEqual(['RX19', '0']);
});
