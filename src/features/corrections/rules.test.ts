import { describe, expect, it } from 'vitest';
import { currencyOf, toDraft, toEntries, validateEntries } from './rules.ts';

const left = new Map([
  [1, '100.00'],
  [2, '0.30'],
]);
const keysOf = (entries: Parameters<typeof validateEntries>[0], currency: unknown = 'CNY') =>
  validateEntries(entries, (it) => left.get(it), currency).map(({ key, field }) => [key, field].join(' ').trim());
const line = (amount: string, more: object = {}) => ({ lineId: 1, amount, reason: 'charged twice', ...more });

describe('the lines of a correction', () => {
  it.each([['-100'], ['-0.01'], ['0.1'], ['999999.99']])('may be %s', (amount) => {
    expect(keysOf([line(amount)])).toEqual([]);
  });

  it.each([
    ['nothing', '0'],
    ['nothing with decimals', '-0.00'],
    ['a fraction of a cent', '-0.005'],
    ['no number', 'ten'],
    ['more than a line may have', '1000000.01'],
    ['an exponent', '1e3'],
  ])('are no %s', (_, amount) => {
    expect(keysOf([line(amount)])).toEqual(['correctionAmount lines.0.amount']);
  });

  it('have the digits of their currency', () => {
    expect(keysOf([line('-1.5')], 'JPY')).toEqual(['correctionAmount lines.0.amount']);
    expect(keysOf([line('-1.555')], 'KWD')).toEqual([]);
  });

  it('credit no more than is left, each to the cent, and debit as much as is owed', () => {
    const [refused] = validateEntries([line('-100.01')], (it) => left.get(it), 'CNY');
    expect(refused).toEqual({ key: 'creditTooMuch', field: 'lines.0.amount', args: { left: '¥100.00' } });
    expect(keysOf([line('-0.3', { lineId: 2 })])).toEqual([]);
    expect(keysOf([line('-0.31', { lineId: 2 })])).toEqual(['creditTooMuch lines.0.amount']);
    expect(keysOf([line('500', { lineId: 2 })])).toEqual([]);
  });

  it('say why, are of the bill, each once, and there is one', () => {
    expect(keysOf([])).toEqual(['noCorrections']);
    for (const reason of [' ', '\u200b', '\u2060 \ufeff', '\u3164\u2800'])
      expect([reason, ...keysOf([line('-1', { reason })])]).toEqual([reason, 'required lines.0.reason']);
    expect(keysOf([line('')])).toEqual(['correctionWithoutAmount lines.0.amount']);
    expect(keysOf([line('-1', { lineId: 9 })])).toEqual(['format lines.0.lineId']);
    expect(keysOf([line('-1'), line('-2')])).toEqual(['namedTwice lines.1.lineId']);
  });
});

describe('what is typed for a line', () => {
  it.each(['-5', '4,20', '1.234,56'])('is refused where it is %s, whichever way it is meant', (amount) => {
    for (const kind of ['credit', 'debit'] as const) {
      const entries = toEntries(new Map([[1, { kind, amount, reason: 'twice' }]]));
      expect([kind, keysOf(entries)]).toEqual([kind, ['correctionAmount lines.0.amount']]);
    }
  });

  it('is sent as a credit below nothing or a debit above it; a reason alone is not left out', () => {
    const drafts = new Map([
      [1, { kind: 'credit' as const, amount: ' 1.5', reason: ' twice ' }],
      [2, { kind: 'debit' as const, amount: '3', reason: 'forgotten' }],
      [3, { kind: 'credit' as const, amount: '', reason: 'nothing yet' }],
      [4, { kind: 'debit' as const, amount: ' ', reason: '' }],
    ]);
    expect(toEntries(drafts)).toEqual([
      { lineId: 1, amount: '-1.5', reason: 'twice' },
      { lineId: 2, amount: '3', reason: 'forgotten' },
      { lineId: 3, amount: '', reason: 'nothing yet' },
    ]);
  });

  it.each([
    ['-1.500000', { kind: 'credit', amount: '1.5' }],
    ['20.000000', { kind: 'debit', amount: '20' }],
  ])('is what a line of %s says already', (includingTaxAmount, draft) => {
    expect(toDraft({ includingTaxAmount, reason: 'twice' })).toEqual({ ...draft, reason: 'twice' });
  });
});

it('what amounts are in is what the lines say, else the bill', () => {
  expect(currencyOf({ currency: 'CNY' }, [{ currency: null }, { currency: 'JPY' }])).toBe('JPY');
  expect(currencyOf({ currency: 'CNY' }, [{ currency: '' }])).toBe('CNY');
  expect(currencyOf({}, [{}])).toBeNull();
});
