import { describe, expect, it } from 'vitest';
import { restOf, withMore, type SelectedLot } from './rules.ts';

const lot = {
  wipId: 'W1',
  waferList: [
    { waferId: '1', chipQty: 100 },
    { waferId: '2', chipQty: 80 },
  ],
};
const pick = (piece: string, inputQty: number, remainQty = 0): SelectedLot => ({
  ...{ wipId: 'W1', waferLotId: 'LOT1', stage: '1', part: 'P1', devicePn: '', piece, inputQty, remainQty },
});

describe('what was picked', () => {
  it('leaves the rest of a wafer to be picked, and nothing of one that is picked whole', () => {
    expect(restOf(lot, [pick('1', 30), pick('2', 80)], false).waferList).toEqual([{ waferId: '1', chipQty: 70 }]);
    expect(restOf(lot, [{ ...pick('1', 30), wipId: 'W2' }], false)).toEqual(lot);
  });

  it('leaves only bins that are not picked', () => {
    expect(restOf(lot, [pick('1', 30)], true).waferList).toEqual([{ waferId: '2', chipQty: 80 }]);
  });

  it('grows by what is picked of the same wafer, and keeps what was said of it', () => {
    const own = { ...pick('1', 30, 70), remark: 'thin' };
    expect(withMore([own], [pick('1', 50, 20), pick('2', 80)])).toEqual([
      { ...own, inputQty: 80, remainQty: 20 },
      pick('2', 80),
    ]);
  });
});
