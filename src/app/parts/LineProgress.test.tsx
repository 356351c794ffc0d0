// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { openPage } from '#app/parts/openPage.tsx';
import { styleOf } from '#app/testing/styles.ts';

const line = (i: number, done: number) => ({ id: `L${i}`, code: `CODE-${i}`, name: '', done, expected: 1 });
const codes = () => screen.getAllByText(/^CODE-/).map((it) => it.textContent);

it('draws a part of a long bill, what is still open first, and says so', async () => {
  const lines = Array.from({ length: 2000 }, (_, i) => line(i, i < 1990 ? 1 : 0));
  await openPage(<LineProgress lines={lines} />, { lang: 'en' });
  expect(codes()).toHaveLength(30);
  expect(codes().slice(0, 11)).toEqual([...lines.slice(1990), lines[0]].map((it) => it?.code));
  expect(screen.getByText('30 of 2000 lines, what is open first')).toBeTruthy();
});

it('draws a short bill whole, in its order', async () => {
  await openPage(<LineProgress lines={[line(1, 1), line(2, 0)]} />, { lang: 'en' });
  expect(codes()).toEqual(['CODE-1', 'CODE-2']);
});

it('shows a line as done only where something was expected', async () => {
  await openPage(<LineProgress lines={[line(1, 1), { ...line(2, 0), expected: 0 }]} />, { lang: 'en' });
  const colourOf = (text: string) => styleOf(screen.getByText(text)).color;
  expect(colourOf('0 / 0')).not.toBe(colourOf('1 / 1'));
});
