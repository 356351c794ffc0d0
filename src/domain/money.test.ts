import { describe, expect, it } from 'vitest';
import { lessMoney, sumMoney, withoutTax } from './money.ts';

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
});
