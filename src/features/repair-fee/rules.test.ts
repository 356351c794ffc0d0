import { describe, expect, it } from 'vitest';
import { dealOut } from './rules.ts';

const units = (supplierName: string | null, currency: string | null) => ({ supplierName, currency, isExpense: false });
const spent = (currency: string) => ({ supplierName: null, currency, isExpense: true });
const bill = (rfbId: string, supplierName: string | null, currency: string | null, isRejected = true) => ({
  ...{ rfbId, supplierName, currency, isRejected },
});
const told = (deals: ReturnType<typeof dealOut>) =>
  deals.map(({ party, parts, rfbId, isLate }) => [
    `${party.supplierName ?? '-'} ${party.currency ?? '-'}`,
    parts.length,
    isLate ? `late for ${rfbId}` : (rfbId ?? 'new'),
  ]);

describe('the lines of a month are dealt out', () => {
  it('to a bill of each supplier and currency, and to one without either', () => {
    const parts = [units('S', 'CNY'), units('S', 'USD'), units('T', 'CNY'), units(null, null)];
    expect(told(dealOut(parts, []))).toEqual([
      ['S CNY', 1, 'new'],
      ['S USD', 1, 'new'],
      ['T CNY', 1, 'new'],
      ['- -', 1, 'new'],
    ]);
  });

  it('with expenses to the only supplier of their currency, or to nobody', () => {
    const parts = [units('S', 'CNY'), units('T', 'CNY'), units('T', 'USD'), spent('CNY'), spent('USD')];
    expect(told(dealOut(parts, []))).toEqual([
      ['S CNY', 1, 'new'],
      ['T CNY', 1, 'new'],
      ['T USD', 2, 'new'],
      ['- CNY', 1, 'new'],
    ]);
    expect(told(dealOut([spent('CNY')], []))).toEqual([['- CNY', 1, 'new']]);
  });

  it('with expenses counting the suppliers whose bills stand, to nobody where the only one stands', () => {
    expect(told(dealOut([units('S', 'CNY'), spent('CNY')], [bill('B1', 'T', 'CNY', false)]))).toEqual([
      ['S CNY', 1, 'new'],
      ['- CNY', 1, 'new'],
    ]);
    expect(told(dealOut([spent('CNY')], [bill('B1', 'S', 'CNY', false)]))).toEqual([['- CNY', 1, 'new']]);
  });

  it('to rejected bills of their own, to those that have nothing left, and not to one that stands', () => {
    const bills = [bill('B1', null, null), bill('B2', 'S', 'CNY', false), bill('B3', 'T', 'CNY')];
    expect(told(dealOut([units('T', 'CNY'), units('S', 'CNY'), units('T', 'USD')], bills))).toEqual([
      ['T CNY', 1, 'B3'],
      ['S CNY', 1, 'late for B2'],
      ['T USD', 1, 'B1'],
    ]);
  });
});
