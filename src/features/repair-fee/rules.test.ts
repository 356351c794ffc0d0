import { describe, expect, it } from 'vitest';
import { dealOut, partyOf, validateCorrections } from './rules.ts';

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

describe('whose corrected lines are', () => {
  const nobody = { supplierName: null, currency: null };
  const of = (...parts: Parameters<typeof partyOf>[0]) => {
    const { party, problems } = partyOf(parts, { supplierName: 'S', currency: 'CNY' });
    return problems[0]?.args?.['value'] ?? `${party.supplierName} ${party.currency}`;
  };
  it.each<[string, Parameters<typeof partyOf>[0]]>([
    ['S CNY', [units('S', 'CNY'), spent('CNY')]],
    ['T USD', [units('T', 'USD')]],
    ['S CNY', [spent('CNY')]],
    ['S CNY, T CNY', [units('S', 'CNY'), units('T', 'CNY')]],
    ['S CNY, - USD', [units('S', 'CNY'), spent('USD')]],
    ['S CNY, - -', [units('S', 'CNY'), units(null, null)]],
  ])('%s', (expected, parts) => {
    expect(of(...parts)).toBe(expected);
  });

  it('nobody’s, where no price is there', () => {
    expect(partyOf([units(null, null)], nobody)).toEqual({ party: nobody, problems: [] });
  });
});

describe('corrections', () => {
  const line = { id: 1, repairProject: '1', warranty: '0', repairType: '1', isSecondRepair: '0' };
  const fields = (more: object) =>
    validateCorrections({ corrected: [line], removed: [2], remark: 'x', ...more }).map((it) => it.field);
  it('need a remark, values that exist, and one word on a line', () => {
    expect(fields({})).toEqual([]);
    expect(fields({ remark: '  ' })).toEqual(['remark']);
    expect(fields({ corrected: [{ ...line, warranty: '7' }] })).toEqual(['corrected.0.warranty']);
    expect(fields({ removed: [1] })).toEqual(['corrected']);
    expect(fields({ removed: [2, 2] })).toEqual(['corrected']);
  });
});
