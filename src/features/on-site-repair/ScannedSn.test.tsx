// @vitest-environment jsdom
import { act, createEvent, fireEvent, screen } from '@testing-library/react';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { normaliseSn } from '#domain/sn.ts';
import { tries } from '#tests/support/tries.ts';
import { ScannedSn } from './ScannedSn.tsx';

/** So many of each kind. */
const RUNS = tries(40);
const TIMES = RUNS.numRuns;
const code = fc.stringMatching(/^[A-Z0-9][A-Z0-9_-]{5,29}$/);
/** What is no word: labels have figures in them. */
const label = fc.stringMatching(/^[A-Z]{2}[0-9]{2}[A-Z0-9_-]{3,26}$/);
/** A hand's own pace, and by how much each of its keys is slower; the quickest hands write a letter in 75 ms. */
const hand = fc.record({
  pace: fc.integer({ min: 75, max: 300 }),
  slower: fc.array(fc.nat(30), { minLength: 31, maxLength: 31 }),
});
/** A scanner's pace, and how far each key is from it. */
const scanner = fc
  .tuple(fc.integer({ min: 1, max: 57 }), fc.array(fc.nat(3), { minLength: 31, maxLength: 31 }))
  .map(([pace, later]) => later.map((it) => pace + it));

async function opens() {
  const onChange = vi.fn();
  await openPage(<ScannedSn value="" onChange={onChange} />, { lang: 'en' });
  const field = screen.getByRole('textbox');
  const button = screen.getByRole('button', { name: 'Scan' });
  let at = 1000;
  /** Keys, each so long after the one before. */
  const keys = (names: Iterable<string>, gapOf: (i: number) => number) => {
    [...names].forEach((key, i) => {
      at += gapOf(i);
      const event = createEvent.keyDown(field, { key });
      Object.defineProperty(event, 'timeStamp', { value: at });
      fireEvent(field, event);
    });
  };
  return {
    ...{ onChange, field, keys, arm: () => act(() => button.click()) },
    isArmed: () => button.getAttribute('aria-pressed') === 'true',
  };
}

describe('the field that a scanner alone fills', () => {
  it(`takes each of ${TIMES} bursts, whatever its pace, and nothing of ${TIMES} codes that a hand types or pastes`, async () => {
    const { onChange, field, keys, isArmed, arm } = await opens();
    const each = fc.property(code, hand, label, scanner, (typed, { pace, slower }, scanned, gaps) => {
      onChange.mockClear();
      if (!isArmed()) arm();
      keys([...typed, 'Enter'], (i) => pace + (slower[i] ?? 0));
      fireEvent.paste(field, { clipboardData: { getData: () => typed } });
      expect(onChange).not.toHaveBeenCalled();
      expect(isArmed()).toBe(true);
      arm();
      keys([...scanned, 'Enter'], (i) => (i === 0 ? 500 : (gaps[i] ?? 10)));
      expect(onChange.mock.calls).toEqual([[normaliseSn(scanned)]]);
      expect(isArmed()).toBe(false);
    });
    fc.assert(each, RUNS);
  });

  it('takes nothing of what a quick hand types evenly, after scans of a slow scanner either', async () => {
    const { onChange, keys, arm } = await opens();
    for (let i = 0; i < 5; i++) {
      arm();
      keys([...'SH14X0001', 'Enter'], (at) => (at === 0 ? 500 : 60));
    }
    expect(onChange).toHaveBeenCalledTimes(5);
    arm();
    keys([...'SH14X0002', 'Enter'], (at) => (at === 0 ? 500 : 75));
    expect(onChange).toHaveBeenCalledTimes(5);
  });

  it('takes nothing of a scanner that sends no key behind its codes, nor of one at a slow hand’s pace', async () => {
    const { onChange, keys, isArmed, arm } = await opens();
    arm();
    for (const gap of [10, 10, 10, 75, 75, 75]) keys(['Escape', ...'SH14X0001'], (i) => (i === 0 ? 2000 : gap));
    keys(['Enter'], () => 2000);
    expect(onChange).not.toHaveBeenCalled();
    expect(isArmed()).toBe(true);
  });

  it('takes nothing before it was made ready', async () => {
    const { onChange, keys } = await opens();
    keys([...'SH14X0001', 'Enter'], () => 10);
    expect(onChange).not.toHaveBeenCalled();
  });

  it.each([1, 2, 5, 8, 11, 12])(
    'takes nothing of a code that a pause has torn after %i letters, and says so',
    async (at) => {
      const { onChange, keys, arm } = await opens();
      arm();
      keys([...'SHAXMWZC6APY', 'Enter'], (i) => (i === at ? 300 : 10));
      expect(onChange).not.toHaveBeenCalled();
      // Of less than an SN nothing is said, and the next scan is waited for.
      if (at <= 6 || at === 12) expect(screen.getByText(/read in pieces/)).toBeTruthy();
      keys([...'SHAXMWZC6APY', 'Enter'], (i) => (i === 0 ? 500 : 10));
      expect(onChange.mock.calls).toEqual([['SHAXMWZC6APY']]);
      expect(screen.queryByText(/read in pieces/)).toBeNull();
    },
  );
});
