import { expect, it } from 'vitest';
import { chargesOf } from './freight.ts';

it.each([
  ['SF1', 'Fuel surcharge', 'sf1', ' fuel  SURCHARGE '],
  ['SF1', 'ＦＵＥＬ', 'ＳＦ１', 'Fuel'],
  ['SF1', '燃油 附加费', 'SF1', '燃油附加费'],
  ['SF1', null, 'SF1', undefined],
  ['SF1', '', 'SF1', '　'],
])('the charge %s %j is that of %s %j', (no, charge, otherNo, other) => {
  expect(chargesOf({ deliverShipNo: no, chargeItems: charge })).toEqual(
    chargesOf({ deliverShipNo: otherNo, chargeItems: other }),
  );
});

it('another charge or parcel is another one', () => {
  const all = [
    ['SF1', '1'],
    ['SF1', '3'],
    ['SF1', 'Fuel'],
    ['SF11', null],
  ].flatMap(([deliverShipNo, chargeItems]) => chargesOf({ deliverShipNo, chargeItems }));
  expect(new Set(all).size).toBe(4);
});

it('no charge is freight, and freight with insurance is both', () => {
  const of = (chargeItems: string | null) => chargesOf({ deliverShipNo: 'SF1', chargeItems });
  expect(of(null)).toEqual(of('1'));
  expect(of('2')).toEqual([...of('1'), ...of('3')]);
});
