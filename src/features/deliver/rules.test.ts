import { describe, expect, it } from 'vitest';
import {
  lineOf,
  problemsOfDelivery,
  problemsOfLines,
  problemsOfNames,
  problemsOfStockup,
  problemsOfSubmitType,
} from './rules.ts';

const line = { skblId: 'SKL1', itemId: 7, sn: 'A1', salesCode: 'RX19', delivered: '0' };
const unit = { sn: 'A1', salesCode: 'RX19', itemRowId: 7, deliverStatus: '1', deliverPriority: '0' };
const keys = (...args: Parameters<typeof problemsOfDelivery>) => problemsOfDelivery(...args).map((it) => it.key);

describe('a delivery', () => {
  it('is submitted with SNs', () => {
    expect(problemsOfSubmitType('0')).toEqual([]);
    for (const type of ['', '1', '2', '9']) expect(problemsOfSubmitType(type)).toMatchObject([{ key: 'format' }]);
  });

  it('leaves on an open or partly delivered stock-up bill', () => {
    const open = ['0', '1', '2', '3', '4', null].filter((it) => problemsOfStockup('SKB1', it).length === 0);
    expect(open).toEqual(['0', '1']);
  });

  it('has nothing to do on a bill on which nothing waits', () => {
    expect(problemsOfLines([])).toMatchObject([{ key: 'completeDelivery' }]);
    expect(problemsOfLines([{ ...line, delivered: '1' }])).toMatchObject([{ key: 'completeDelivery' }]);
    expect(problemsOfLines([line])).toEqual([]);
  });

  it('ships a unit that can ship and stands on this bill', () => expect(keys(unit, [line], true)).toEqual([]));

  it.each(['0', '2', '3', '4', null])('refuses a unit with deliver status %s', (deliverStatus) => {
    expect(keys({ ...unit, deliverStatus }, [line], true)).toEqual(['cannotShip']);
  });

  it('refuses a model of which nothing waits on the bill [W-DLV-08]', () => {
    expect(keys({ ...unit, salesCode: 'RX21' }, [line], true)).toEqual(['mismatch']);
    expect(keys(unit, [{ ...line, delivered: '1' }], true)).toEqual(['mismatch']);
  });

  it('refuses a unit of another bill, and one without tally data [W-DLV-10]', () => {
    const other = [{ ...line, sn: 'B1' }];
    expect(keys(unit, other, true)).toEqual(['mismatch']);
    expect(keys(unit, other, false)).toEqual(['noTally']);
  });

  it('refuses an SN for an item that is not its own [W-DLV-09]', () => {
    const names = (deliverItemId: number | null, sklId: string) =>
      problemsOfNames(line, { deliverItemId, sklId }, 'f').map((it) => it.key);
    expect([names(7, 'SKL1'), names(null, '')]).toEqual([[], []]);
    expect([names(8, 'SKL1'), names(7, 'SKL2')]).toEqual([['mismatch'], ['mismatch']]);
  });

  it('finds the line that waits for an SN', () => {
    expect(lineOf(unit, [{ ...line, delivered: '1' }, line])).toBe(line);
    expect(lineOf({ sn: 'B1', itemRowId: 7 }, [line])).toBeUndefined();
  });
});
