// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BigCount } from '#app/parts/Facts.tsx';
import { openPage } from '#app/parts/openPage.tsx';

it.each([
  { done: 3, expected: 3, isDone: true },
  { done: 2, expected: 3, isDone: false },
  { done: 0, expected: 0, isDone: false },
])('counts $done of $expected as done: $isDone', async ({ done, expected, isDone }) => {
  await openPage(<BigCount done={done} expected={expected} label="Received" />, { lang: 'en' });
  expect(screen.getByRole('progressbar').className.includes('colorSuccess')).toBe(isDone);
});
