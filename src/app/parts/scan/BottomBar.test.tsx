// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { BottomBar, type Tally } from '#app/parts/scan/BottomBar.tsx';
import type { StationView } from '#app/parts/scan/useStation.ts';

const station = { accepted: [], scans: [], sending: null, others: [], cut: false, actions: {} };
const opens = (tally: readonly Tally[]) =>
  openPage(
    <BottomBar
      station={station as unknown as StationView<unknown, unknown>}
      primary={{ label: 'Do it', press: () => undefined }}
      tally={tally}
    />,
    { lang: 'en' },
  );
const toneOf = (value: string) => screen.getByText(value).dataset['tone'];

describe('the numbers of the bar below a station', () => {
  it('have a colour only where there are any', async () => {
    await opens([
      { label: 'Pass', value: '3', tone: 'success' },
      { label: 'Fail', value: '0', tone: 'error' },
      { label: 'Received', value: '2 / 5' },
    ]);
    expect([toneOf('3'), toneOf('0'), toneOf('2 / 5')]).toEqual(['success', undefined, undefined]);
  });
});
