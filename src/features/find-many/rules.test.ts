import { describe, expect, it } from 'vitest';
import { MOST_SNS, readPasted, validateMany } from './rules.ts';

describe('a pasted column of SNs', () => {
  it.each([
    ['a column of a sheet', 'A1\r\nA2\r\n', ['A1', 'A2'], 0],
    ['a line with commas of both languages', 'a1, a2；a3、A4', ['A1', 'A2', 'A3', 'A4'], 0],
    ['two columns', 'A1\tB1\nA2\tB2', ['A1', 'B1', 'A2', 'B2'], 0],
    ['what stands there again', 'A1\nA2\na1\nA1', ['A1', 'A2'], 2],
    ['full-width letters', 'ＲＸ１', ['RX1'], 0],
    ['nothing', ' \n ', [], 0],
  ])('is read from %s', (_, text, sns, repeated) => {
    expect(readPasted(text)).toEqual({ sns, repeated });
  });

  it('is refused where it is empty or too long', () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => `S${i}`);
    expect(validateMany([])[0]).toMatchObject({ key: 'required' });
    expect(validateMany(many(MOST_SNS))).toEqual([]);
    expect(validateMany(many(MOST_SNS + 1))[0]).toMatchObject({ key: 'tooManySns', args: { n: 5001, max: 5000 } });
  });
});
