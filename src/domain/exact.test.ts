import { describe, expect, it } from 'vitest';
import { exactDecimal, exactNumber, exactText, isStorable } from './exact.ts';

const strange = [
  true,
  false,
  null,
  undefined,
  [],
  [1],
  {},
  '',
  ' ',
  ' 1',
  '1 ',
  '0x10',
  '1e3',
  '1E3',
  '+1',
  '.5',
  '5.',
];
const noNumbers = [
  ...strange,
  '1,000',
  '١٢',
  '１２',
  '1n',
  'NaN',
  'Infinity',
  '-Infinity',
  '--1',
  '1.2.3',
  NaN,
  Infinity,
];

describe('a number', () => {
  it.each(noNumbers)('is not read into %j', (raw) => expect(exactNumber(raw)).toBeNull());
  it.each(noNumbers)('is no decimal either: %j', (raw) => expect(exactDecimal(raw)).toBeNull());

  it.each([
    [0, 0],
    ['0', 0],
    ['-0', 0],
    [-0, 0],
    ['007', 7],
    ['12.50', 12.5],
    ['-3', -3],
    ['9007199254740991', 2 ** 53 - 1],
    ['0.000001', 0.000001],
    ['100.0000000000000000000', 100],
    [0.1 + 0.2, 0.1 + 0.2],
  ])('%j is read', (raw, is) => expect(Object.is(exactNumber(raw), is)).toBe(true));

  it.each(['9007199254740993', '9'.repeat(20), '9007199254740991.4', '0.12345678901234567'])(
    '%s is refused: a number would say something else',
    (raw) => expect(exactNumber(raw)).toBeNull(),
  );
});

describe('a decimal', () => {
  it.each([
    ['12.50', '12.50'],
    [12.5, '12.5'],
    [0, '0'],
    [-0, '0'],
    ['123456789012.123456', '123456789012.123456'],
    [999999.999999, '999999.999999'],
  ])('%j keeps its digits', (raw, is) => expect(exactDecimal(raw)).toBe(is));

  it.each([123456789012.123456, 1e21, 1e-7, 1e308, 2 ** 53])('%d has lost some, or may have', (raw) =>
    expect(exactDecimal(raw)).toBeNull(),
  );
});

describe('a text', () => {
  it.each([
    ['', ''],
    ['0', '0'],
    [0, '0'],
    [-0, '0'],
    [-1, '-1'],
    [12345, '12345'],
  ])('%j is read', (raw, is) => expect(exactText(raw)).toBe(is));
  it.each([true, false, null, undefined, {}, [], ['a'], 1.5, 2 ** 53, 1e308, NaN])('is not read into %j', (raw) =>
    expect(exactText(raw)).toBeNull(),
  );

  it('can be kept unless it holds NUL or half of a character', () => {
    for (const text of ['', 'a', '漢', '😀', '\u202eabc', '\uffff']) expect(isStorable(text), text).toBe(true);
    for (const text of ['a\0', '\ud800', 'a\udc00b', '\udc00\ud800', '😀\ud83d']) expect(isStorable(text)).toBe(false);
  });
});
