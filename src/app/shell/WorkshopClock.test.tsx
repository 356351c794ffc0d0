// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { currentUser, type UserState } from '#app/session.ts';
import { WorkshopClock } from '#app/shell/WorkshopClock.tsx';

afterEach(() => vi.unstubAllEnvs());

const open = async (timeZone: string, browser: string) => {
  vi.stubEnv('TZ', browser);
  await openPage(<WorkshopClock />, { lang: 'en' });
  currentUser.set({ ...(currentUser.get() as UserState), timeZone });
};

it.each([
  ['Asia/Shanghai', 'Europe/Berlin'],
  ['Asia/Shanghai', 'America/Los_Angeles'],
  // In one half of the year their clocks agree.
  ['Europe/London', 'Africa/Abidjan'],
])('a workshop in %s says so to a browser in %s', async (timeZone, browser) => {
  await open(timeZone, browser);
  expect(await screen.findByRole('note', { name: new RegExp(`the workshop's \\(${timeZone}\\)`) })).toBeTruthy();
});

it.each([
  ['Asia/Shanghai', 'Asia/Shanghai'],
  ['Asia/Shanghai', 'Asia/Singapore'],
])('a workshop in %s says nothing to a browser in %s', async (timeZone, browser) => {
  await open(timeZone, browser);
  expect(screen.queryByRole('note')).toBeNull();
});
