import { describe, expect, it } from 'vitest';
import { isSn, normaliseSn, repeatedSns } from './sn.ts';

describe('an SN', () => {
  it.each([
    ['  rx19a1 \r\n', 'RX19A1'],
    ['ＲＸ１９－Ａ１', 'RX19-A1'],
    ['rx19_a1', 'RX19_A1'],
  ])('is kept trimmed, in upper case and in plain letters: %j', (scanned, expected) => {
    expect(normaliseSn(scanned)).toBe(expected);
  });

  it.each(['', 'A B', 'A/B', 'SN,1', '深圳1', 'A'.repeat(65), "1';DROP"])('is not any text: %j', (text) => {
    expect(isSn(normaliseSn(text))).toBe(false);
  });

  it('is 1 to 64 letters, digits, underscores and hyphens', () => {
    expect(['A', 'A-1_B', '9'.repeat(64)].map(isSn)).toEqual([true, true, true]);
  });

  it('stands once in a list, XXXX as often as there are gaps', () => {
    expect(repeatedSns(['A', 'B', 'A', 'A', 'C', 'B'])).toEqual(['A', 'B']);
    expect(repeatedSns(['XXXX', 'A', 'XXXX'])).toEqual([]);
  });
});
