// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { digitsOf, type NumberKind } from '#app/fields/typedNumber.ts';
import { useTypedNumber } from '#app/fields/useTypedNumber.ts';

it.each([
  ['whole', '12', '12'],
  ['whole', '１２', '12'],
  ['whole', ' 1,234 ', '1234'],
  ['whole', '1,234,567', '1234567'],
  ['whole', '', ''],
  ['whole', '1.5', 'before'],
  ['whole', '-3', 'before'],
  ['whole', '12a', 'before'],
  ['whole', '1,5', 'before'],
  ['decimal', '1.5', '1.5'],
  ['decimal', '.5', '.5'],
  ['decimal', '1.2.3', 'before'],
  ['money', '1,234.50', '1234.50'],
  ['money', '1e3', 'before'],
  ['money', '¥1,234.50', '1234.50'],
  ['money', '￥１２．５０', '12.50'],
  ['money', 'CHF 12.50', '12.50'],
  ['money', '-¥12.50', 'before'],
  ['whole', '¥12', 'before'],
] as const)('of a %s number, %j is entered as %j [P-FRM-04]', (kind, text, digits) => {
  expect(digitsOf(kind, text, 'before')).toBe(digits);
});

/** Keys at the end of what stands there, `<` takes the last character away, `>` leaves the field. */
function typed(kind: NumberKind, keys: string) {
  let value = '';
  const { result, rerender } = renderHook(() => useTypedNumber(kind, value));
  for (const key of keys) {
    act(() => {
      if (key === '>') result.current.leave();
      else value = result.current.read(key === '<' ? value.slice(0, -1) : value + key);
    });
    rerender();
  }
  return [value, result.current.problem !== undefined];
}

it.each([
  ['whole', '1.5', '1', true],
  ['whole', '1。5', '1', true],
  ['whole', '12.50', '12', true],
  ['whole', '1e3', '1', true],
  ['whole', '1.<25', '25', false],
  ['whole', '1.>5', '15', false],
  ['whole', '1,234', '1234', false],
  ['whole', '12a3', '123', false],
  ['whole', '.5', '5', false],
  ['decimal', '1.5', '1.5', false],
  ['decimal', '1.2.3', '1.2', true],
  ['money', '12.50', '12.50', false],
  ['money', '1e3', '1', true],
] as const)('of a %s number, the keys %j enter %j', (kind, keys, digits, isTold) => {
  expect(typed(kind, keys)).toEqual([digits, isTold]);
});

it.each([
  ['money', '1.234,56', '', true],
  ['money', '-5', '', true],
  ['money', '1,234.56', '1234.56', false],
  ['whole', '12 pieces', '', true],
  ['whole', 'a', '', false],
] as const)(
  'of a %s number, %j that is pasted enters %j, and says so where it is none',
  (kind, text, digits, isTold) => {
    let value = '';
    const { result, rerender } = renderHook(() => useTypedNumber(kind, value));
    act(() => {
      value = result.current.read(text);
    });
    rerender();
    expect([value, result.current.problem !== undefined]).toEqual([digits, isTold]);
    act(() => result.current.leave());
    expect(result.current.problem).toBeUndefined();
  },
);
