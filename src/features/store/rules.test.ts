import { describe, expect, it } from 'vitest';
import {
  isStockedUp,
  validatePackage,
  validateScans,
  validateGoodsWarehouse,
  storedStatus,
  storageTypeOf,
} from './rules.ts';

describe('a package', () => {
  it('holds a standard quantity: 20, 40, 60, 80 or 100', () => {
    const sizes = Array.from({ length: 200 }, (_, n) => n).filter((n) => validatePackage(1, n).length === 0);
    expect(sizes).toEqual([20, 40, 60, 80, 100]);
  });

  it('holds no more SNs than its quantity, and any fewer', () => {
    expect([validatePackage(1, 20), validatePackage(20, 20)]).toEqual([[], []]);
    expect(validatePackage(21, 20)).toMatchObject([{ key: 'count', args: { a: 21, b: 20 } }]);
  });

  it('is not empty', () => {
    expect([validateScans(1), validateScans(0)]).toMatchObject([[], [{ key: 'required' }]]);
  });
});

describe('a shelf', () => {
  it('is one for goods that exists', () => {
    const codes = ['FG', 'DEF', 'SCR'];
    expect(validateGoodsWarehouse('FG', codes)).toEqual([]);
    for (const code of ['DEF', 'SCR', 'XX'])
      expect(validateGoodsWarehouse(code, codes)).toMatchObject([{ key: 'format' }]);
  });

  it('says what kind of goods lies there', () => {
    expect(['FG', 'DEF', 'SCR', 'NEW'].map(storageTypeOf)).toEqual(['0', '1', '2', '0']);
  });
});

describe('a unit on the shelf', () => {
  it('can ship unless it is paused', () => {
    expect(['0', '1', '2', null].map((deliverPriority) => storedStatus({ deliverPriority }))).toEqual([
      '1',
      '1',
      '0',
      '1',
    ]);
  });

  it('is stocked up when it is a customer’s and can ship', () => {
    const customers = { mtbliId: 'I1', billType: null };
    expect(isStockedUp({ ...customers, deliverPriority: '0' })).toBe(true);
    expect(isStockedUp({ ...customers, deliverPriority: '2' })).toBe(false);
    expect(isStockedUp({ ...customers, billType: '9', deliverPriority: '0' })).toBe(false);
    expect(isStockedUp({ mtbliId: null, billType: null, deliverPriority: null })).toBe(false);
  });
});
