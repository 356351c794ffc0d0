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
  ['whole', '1.5', undefined],
  ['whole', '-3', undefined],
  ['whole', '12a', undefined],
  ['whole', '1,5', undefined],
  ['decimal', '1.5', '1.5'],
  ['decimal', '.5', '.5'],
  ['decimal', '1.2.3', undefined],
  ['money', '1,234.50', '1234.50'],
  ['money', '1e3', undefined],
  ['whole', '¥12', undefined],
] as const)('of a %s number, %j is entered as %j [P-FRM-04]', (kind, text, digits) => {
  expect(digitsOf(kind, text, 'CNY')).toBe(digits);
});

it.each([
  ['CNY', '¥1,234.50', '1234.50'],
  ['CNY', '￥１２．５０', '12.50'],
  ['CNY', 'CNY 12.50', '12.50'],
  ['CNY', '¥.5', '.5'],
  ['CNY', '-¥12.50', undefined],
  ['CNY', '¥', undefined],
  ['CNY', '$100.00', undefined],
  ['CNY', 'USD 100', undefined],
  ['CHF', 'CHF 12.50', '12.50'],
  ['CHF', 'CHF12.50', '12.50'],
  ['CHF', 'EUR 12.50', undefined],
  ['EUR', '€12.50', '12.50'],
  ['JPY', '¥1250', undefined],
  ['', '$12.50', '12.50'],
  [undefined, 'USD 12.50', '12.50'],
  [undefined, '¥12.50', undefined],
] as const)('of an amount in %j, %j is entered as %j', (currency, text, digits) => {
  expect(digitsOf('money', text, currency)).toBe(digits);
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
  ['money', '', '1.234,56', '', true],
  ['money', '', '-5', '', true],
  ['money', '', '1,234.56', '1234.56', false],
  ['money', '1234.50', '¥1,234.50', '1234.50', false],
  ['money', '', '$100.00', '', true],
  ['money', '1234567.50', '$100.00', '1234567.50', true],
  ['money', '', 'USD 100', '', true],
  ['whole', '1234', '1,234', '1234', false],
  ['whole', '', '12 pieces', '', true],
  ['whole', '', 'a', '', false],
] as const)(
  'of a %s number, over %j %j that is pasted leaves %j, and it is said where it is none',
  (kind, before, text, digits, isTold) => {
    let value: string = before;
    const { result, rerender } = renderHook(() => useTypedNumber(kind, value, 'CNY'));
    act(() => {
      value = result.current.read(text);
    });
    rerender();
    expect([value, result.current.problem !== undefined]).toEqual([digits, isTold]);
    act(() => result.current.leave());
    expect(result.current.problem).toBeUndefined();
  },
);
