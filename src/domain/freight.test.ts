import { expect, it } from 'vitest';
import { chargeOf } from './freight.ts';

it.each([
  ['SF1', 'Fuel surcharge', 'sf1', ' fuel  SURCHARGE '],
  ['SF1', 'ＦＵＥＬ', 'ＳＦ１', 'Fuel'],
  ['SF1', '燃油 附加费', 'SF1', '燃油附加费'],
  ['SF1', null, 'SF1', undefined],
  ['SF1', '', 'SF1', '　'],
])('the charge %s %j is that of %s %j', (no, charge, otherNo, other) => {
  expect(chargeOf({ deliverShipNo: no, chargeItems: charge })).toBe(
    chargeOf({ deliverShipNo: otherNo, chargeItems: other }),
  );
});

it('another charge or parcel is another one', () => {
  const all = [
    ['SF1', '1'],
    ['SF1', '3'],
    ['SF1', null],
    ['SF11', null],
  ].map(([deliverShipNo, chargeItems]) => chargeOf({ deliverShipNo, chargeItems }));
  expect(new Set(all).size).toBe(4);
});
