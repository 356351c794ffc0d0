// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { Cell } from './Cell.tsx';
import { momentOf } from './format.ts';

it('an age says how long ago it is, and since when to whom points at it', async () => {
  const since = Date.now() - (5 * 24 + 3) * 3_600_000;
  const column = { name: 'pendingTime', type: 'dateTime', format: 'age', label: '' } as const;
  await openPage(<Cell column={column} value={since} module="rmaUnhandledPackageBill" />, { lang: 'en' });
  expect((await screen.findByTitle(momentOf(since))).textContent).toBe('5 d 3 h');
});
