import { describe, expect, it } from 'vitest';
import { findOddities, priceChange } from './rules.ts';

const line = (more: object = {}) => ({
  ...{ salesCode: 'RX21', repairProject: '1', warranty: '0', repairType: '1', currency: 'CNY' },
  ...{ unitPrice: '360.000000', isPriced: '1', isSecondRepair: '0', ...more },
});
const why = (lines: object[]) =>
  findOddities(lines as Record<string, unknown>[]).map((odd) =>
    odd.map((it) => ('usual' in it ? `${it.why} ${Number(it.usual)}` : it.why)).join(', '),
  );

describe('what is unusual about a line', () => {
  it.each<[what: string, lines: object[], expected: string[]]>([
    ['nothing, where all cost the same', [line(), line({ unitPrice: 360 }), line()], ['', '', '']],
    ['that it has no price', [line({ isPriced: '0', unitPrice: '0' })], ['unpriced']],
    ['that it was corrected', [line({ remark: 'a power supply' })], ['corrected']],
    ['that it costs nothing', [line({ unitPrice: '0.00' })], ['free']],
    ['a second repair, which costs nothing by rule', [line({ unitPrice: 0, isSecondRepair: '1' })], ['secondRepair']],
    [
      'a parcel that nobody knows, and one for nothing',
      [
        { isKnown: '0', amount: '9' },
        { isKnown: '1', amount: '0' },
      ],
      ['unknownParcel', 'free'],
    ],
    [
      'a price that differs from the others of its kind',
      [line(), line(), line({ unitPrice: '420' })],
      ['', '', 'differs 360'],
    ],
    ['nothing, where no price is the usual one', [line(), line({ unitPrice: '420' })], ['', '']],
    [
      'nothing, where another model, currency or project costs something else',
      [
        line(),
        line(),
        line({ salesCode: 'RX19', unitPrice: '1' }),
        line({ currency: 'USD', unitPrice: '50' }),
        line({ repairProject: '2', unitPrice: '9' }),
      ],
      ['', '', '', '', ''],
    ],
    [
      'and second repairs are no measure of a price',
      [line(), line({ unitPrice: 0, isSecondRepair: '1' }), line({ unitPrice: 0, isSecondRepair: '1' })],
      ['', 'secondRepair', 'secondRepair'],
    ],
    [
      'a free line among paid ones, for two reasons',
      [line(), line(), line({ unitPrice: '0' })],
      ['', '', 'free, differs 360'],
    ],
  ])('is %s', (_, lines, expected) => {
    expect(why(lines)).toEqual(expected);
  });

  it('marks a parcel that a freight bill charges twice for the same', () => {
    const parcel = (more: object) => ({ deliverShipNo: 'SF1', amount: '20', chargeItems: '1', isKnown: '1', ...more });
    const lines = [
      parcel({}),
      parcel({ chargeItems: '3' }),
      parcel({ amount: '30' }),
      parcel({ deliverShipNo: 'SF2' }),
    ];
    expect(findOddities(lines)).toEqual([[{ why: 'parcelTwice' }], [], [{ why: 'parcelTwice' }], []]);
    const charged = [parcel({}), parcel({ chargeItems: null }), parcel({ deliverShipNo: 'SF2', chargeItems: null })];
    expect(findOddities(charged)).toEqual([[{ why: 'parcelTwice' }], [{ why: 'parcelTwice' }], []]);
  });

  it('marks a line of a correction that another one corrects as well', () => {
    const other = { lineId: 7, crbId: 'CRB1', billStatus: '0', amount: '-10' };
    const lines = [{ lineId: 7 }, { lineId: 8 }, {}];
    expect(findOddities(lines, [other])).toEqual([[{ why: 'correctedElse', others: [other] }], [], []]);
  });

  it('parcels are not compared: they cost what they weigh', () => {
    expect(why([{ amount: '5' }, { amount: '5' }, { amount: '50' }])).toEqual(['', '', '']);
  });
});

it('a line that was priced anew says what it cost, and one whose step was rolled back says so', () => {
  const line = { repairProject: '1', unitPrice: '5', isPriced: '1' };
  expect(
    findOddities([
      { ...line, previousAmount: '386.45' },
      { ...line, rolledBack: '1' },
      { ...line, priceChanged: '1' },
      { ...line, priceChanged: '1', priceConfirmBy: 'office' },
      line,
    ]),
  ).toEqual([
    [{ why: 'repriced', before: '386.45' }],
    [{ why: 'rolledBack' }],
    [{ why: 'priceChanged' }],
    [{ why: 'priceConfirmed' }],
    [],
  ]);
});

it.each<[before: string, now: string, percent: number | null, isUnusual: boolean]>([
  ['100', '110', 10, false],
  ['100', '110.1', 10.1, true],
  ['340.5', '300', -11.9, true],
  ['100', '100', 0, false],
  ['0', '5', null, true],
  ['0', '0', null, false],
])('a price that goes from %s to %s changes by %s percent', (before, now, percent, isUnusual) => {
  expect(priceChange(before, now)).toEqual({ percent, isUnusual });
});
