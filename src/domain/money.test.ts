import { describe, expect, it } from 'vitest';
import { lessMoney, moneyText, sumMoney, withoutTax } from './money.ts';

describe('money', () => {
  it.each([
    ['113', '13', 4, '100.0000'],
    ['100', '13', 4, '88.4956'],
    ['0.01', '13', 2, '0.01'],
    ['1000000', '0', 4, '1000000.0000'],
    ['1', '100', 2, '0.50'],
    ['0.015', '0', 2, '0.02'],
  ])('of %s with %s %% tax is, without it, to %i digits %s', (withTax, rate, digits, expected) => {
    expect(withoutTax(withTax, rate, digits)).toBe(expected);
  });

  it('is added and taken away without a float’s error', () => {
    expect(sumMoney(['0.1', '0.2'], 2)).toBe('0.30');
    expect(sumMoney([], 2)).toBe('0.00');
    expect(lessMoney('0.3', '0.1', 2)).toBe('0.20');
    expect(lessMoney('1', '2.345', 2)).toBe('-1.35');
  });

  it.each([
    ['1234567.5', 'CNY', '¥1,234,567.50'],
    ['-32.46', 'CNY', '-¥32.46'],
    ['-1234.5', 'USD', '-$1,234.50'],
    ['-1234', 'CHF', '-CHF 1,234.00'],
    ['-0.000000', 'CNY', '¥0.00'],
    ['0.004500', 'CNY', '¥0.0045'],
    ['12800.000000', 'JPY', 'JPY 12,800'],
    ['-12800', 'JPY', '-JPY 12,800'],
    ['1.5', 'KWD', 'KWD 1.500'],
    ['7', null, '$7.00'],
    [7.1, undefined, '$7.10'],
    ['no number', 'CNY', '¥no number'],
    ['', 'CNY', ''],
    [null, 'CNY', ''],
  ])('of %s in %s reads %s', (amount, currency, text) => {
    expect(moneyText(amount, currency)).toBe(text);
  });
});
