import { describe, expect, it } from 'vitest';
import { findMisfits, validateCatalogueItems, validateDeclaredLines, type FittingUnit } from './rules.ts';

const line = { type: '0', salesCode: 'RX19', count: 2 };
const fields = (problems: { key: string; field?: string }[]) => problems.map((it) => `${it.key} ${it.field}`);

describe('a maintain bill', () => {
  it('has at least one line', () => {
    expect(validateDeclaredLines([line])).toEqual([]);
    expect(fields(validateDeclaredLines([]))).toEqual(['required rmaMaintainBillLineList']);
  });

  it('says in each line what and how many', () => {
    expect(fields(validateDeclaredLines([line, { ...line, salesCode: '', count: 0 }]))).toEqual([
      'required rmaMaintainBillLineList.1.salesCode',
      'required rmaMaintainBillLineList.1.count',
    ]);
    expect(fields(validateDeclaredLines([{ ...line, count: NaN }]))).toEqual([
      'required rmaMaintainBillLineList.0.count',
    ]);
  });

  it('declares no more units than a shipment can hold', () => {
    const many = Array.from({ length: 11 }, () => ({ ...line, count: 1000 }));
    expect(fields(validateDeclaredLines(many))).toEqual(['format rmaMaintainBillLineList']);
  });

  it('declares goods of the catalogue, as what they are', () => {
    const catalogue = new Map([['RX19', { salesCode: 'RX19', name: 'RX19', productName: null, type: '0' }]]);
    expect(validateCatalogueItems([line, { ...line, type: null }], catalogue)).toEqual([]);
    expect(
      fields(
        validateCatalogueItems(
          [
            { ...line, salesCode: 'RX20' },
            { ...line, type: '1' },
          ],
          catalogue,
        ),
      ),
    ).toEqual(['notFound rmaMaintainBillLineList.0.salesCode', 'format rmaMaintainBillLineList.1.type']);
  });
});

describe('what stands against an action on several units', () => {
  const many = { btnNo: 'buyOut', rows: 'many' as const };
  const refused = (why: string) => ({ refused: { buyOut: why } });

  it.each<[what: string, button: { btnNo: string; rows?: 1 | 'many' }, units: FittingUnit[], expected: string[]]>([
    ['nothing, where it takes them all', many, [{}, { refused: { moveBill: 'held' } }], []],
    ['how many it refuses', many, [refused('shipped'), {}, refused('shipped')], ['2 shipped']],
    ['each reason by itself', many, [refused('shipped'), refused('held'), {}], ['1 shipped', '1 held']],
    ['that it takes one at a time', { ...many, rows: 1 }, [{}, {}, {}], ['3 oneAtATime']],
    ['nothing, where it takes one and gets one', { ...many, rows: 1 }, [{}], []],
    ['its reason, where it takes one and refuses it', { ...many, rows: 1 }, [refused('held')], ['1 held']],
  ])('is %s', (_, button, units, expected) => {
    expect(findMisfits(button, units).map((it) => `${it.units.length} ${it.why}`)).toEqual(expected);
  });
});
