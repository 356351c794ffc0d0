// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { digitsOf, type NumberKind, type NumberRules } from '#app/fields/typedNumber.ts';
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
  expect(digitsOf(kind, text, { currency: 'CNY' })).toBe(digits);
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
  expect(digitsOf('money', text, { currency })).toBe(digits);
});

it.each([
  ['whole', '4,20', undefined],
  ['whole', '1,23,456', undefined],
  ['whole', '1234,567', undefined],
  ['whole', '0,420', undefined],
  ['whole', ',234', undefined],
  ['whole', '5²', undefined],
  ['whole', '١٢', undefined],
  ['decimal', '1.234,56', undefined],
  ['decimal', '13%', undefined],
  ['percent', '13%', '13'],
  ['percent', '13％', '13'],
] as const)('of a %s number, %j is %j', (kind, text, digits) => {
  expect(digitsOf(kind, text)).toBe(digits);
});

/** Keys at the end of what stands there, `<` takes the last character away, `>` leaves the field. */
function typed(kind: NumberKind, keys: string, rules: NumberRules = {}) {
  let value = '';
  const { result, rerender } = renderHook(() => useTypedNumber(kind, value, rules));
  for (const key of keys) {
    act(() => {
      if (key === '>') result.current.handlers.onBlur();
      else value = result.current.read(key === '<' ? result.current.shown.slice(0, -1) : result.current.shown + key);
    });
    rerender();
  }
  return [value, result.current.problem];
}
const sentence = (key: string) => `shell.form.${key}`;

it.each([
  ['whole', '1.5', '1.5', 'integer'],
  ['whole', '1。5', '1。5', 'number'],
  ['whole', '1e3', '1e3', 'number'],
  ['whole', '1.<25', '125', undefined],
  ['whole', '1,234', '1234', undefined],
  ['whole', '4,', '4,', undefined],
  ['whole', '4,20', '4,20', undefined],
  ['whole', '4,20>', '4,20', 'comma'],
  ['whole', '4,2000', '4,2000', 'comma'],
  ['whole', '4,20<<<', '4', undefined],
  ['whole', '1,234,567', '1234567', undefined],
  ['whole', '1,234,5>', '1,234,5', 'comma'],
  ['whole', '4 ', '4', undefined],
  ['whole', '4 2', '4 2', undefined],
  ['whole', '4 20>', '4 20', 'space'],
  ['whole', '4 200>', '4200', undefined],
  ['whole', '4 2000', '4 2000', 'space'],
  ['money', '1 50>', '1 50', 'space'],
  ['money', '5.>', '5', undefined],
  ['money', '1,234.>', '1234', undefined],
  ['money', '5.5>', '5.5', undefined],
  ['whole', '1'.repeat(25), '1'.repeat(25), 'long'],
  ['whole', '1234,567', '1234,567', 'comma'],
  ['whole', '-5', '-5', 'negative'],
  ['whole', '−5', '−5', 'number'],
  ['whole', '5²', '5²', 'number'],
  ['whole', '12a3', '123', undefined],
  ['whole', '.5', '.5', 'integer'],
  ['decimal', '1.5', '1.5', undefined],
  ['decimal', '1.2.3', '1.2.3', 'number'],
  ['decimal', '5%', '5%', 'number'],
  ['percent', '13%', '13', undefined],
  ['money', '12.50', '12.50', undefined],
  ['money', '4,20>', '4,20', 'comma'],
  ['money', '1.234,56', '1.234,56', 'comma'],
  ['money', '-5', '-5', 'negative'],
  ['money', '¥5', '5', undefined],
  ['money', '¥>', '¥', 'number'],
  ['money', '€5', '€5', 'foreign'],
  ['money', '1e3', '1e3', 'number'],
] as const)('of a %s number, the keys %j enter %j, and it says %j', (kind, keys, value, told) => {
  expect(typed(kind, keys, { currency: 'CNY' })).toEqual([value, told && sentence(told)]);
});

it('what may be less than nothing takes a minus', () => {
  expect(typed('whole', '-5', { isSigned: true })).toEqual(['-5', undefined]);
  expect(typed('money', '-4,20>', { isSigned: true })).toEqual(['-4,20', sentence('comma')]);
});

it.each([
  ['money', '', '1.234,56', '1.234,56', 'comma'],
  ['money', '', '-5', '-5', 'negative'],
  ['money', '', '1,234.56', '1234.56', undefined],
  ['money', '1234.50', '¥1,234.50', '1234.50', undefined],
  ['money', '', '$100.00', '$100.00', 'foreign'],
  ['money', '1234567.50', '$100.00', '$100.00', 'foreign'],
  ['money', '', 'USD 100', 'USD 100', 'foreign'],
  ['whole', '1234', '1,234', '1234', undefined],
  ['whole', '', '12 pieces', '12 pieces', 'number'],
  ['whole', '4', '4,20', '4,20', undefined],
  ['whole', '', 'a', '', undefined],
  ['money', '', '25\t350', '25\t350', 'space'],
  ['money', '', '5\u3000250', '5\u3000250', 'space'],
  ['money', '', `${' '.repeat(20)}1234.50`, '1234.50', undefined],
] as const)('of a %s number, over %j %j that is pasted leaves %j, and says %j', (kind, before, text, value, told) => {
  let now: string = before;
  const { result, rerender } = renderHook(() => useTypedNumber(kind, now, { currency: 'CNY' }));
  act(() => {
    now = result.current.read(text);
  });
  rerender();
  expect([now, result.current.problem]).toEqual([value, told && sentence(told)]);
});

it('what is no number is shown as it was entered where a number is kept of it', () => {
  let kept = NaN;
  const { result, rerender } = renderHook(() => useTypedNumber('whole', String(kept)));
  act(() => {
    kept = Number(result.current.read('4,20'));
  });
  rerender();
  expect([kept, result.current.shown]).toEqual([NaN, '4,20']);
});
