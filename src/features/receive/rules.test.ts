import { describe, expect, it } from 'vitest';
import { Node, nodes } from '#domain/nodes.ts';
import {
  parseAmount,
  assignItems,
  fitsLine,
  isDeletable,
  isSecondHand,
  lineFor,
  validateArrival,
  validateBoards,
  validateMachines,
  validateNonOfficial,
  validatePayment,
  validateReceipt,
  validateSigning,
  parseSlaveCodes,
  warrantyOf,
  type Known,
} from './rules.ts';

const known: Known = { type: '0', salesCode: 'RX19', slaveCodes: ['RX19-OLD'] };

describe('a device at the dock', () => {
  const says = (ivyId: Node | null, mtbId: string | null = 'MTB1', siteId = 'SZ') =>
    validateArrival('A1', known, { ivyId, mtbId, siteId, held: null }, 'SZ').map((it) => it.key);

  it('may come when it was never here or was shipped, from whichever site', () => {
    expect(validateArrival('A1', known, undefined, 'SZ')).toEqual([]);
    expect([says(null), says(Node.Shipped), says(Node.Shipped, 'MTB1', 'NB')]).toEqual([[], [], []]);
  });

  it('is refused at every other node', () => {
    const others = nodes.filter((it) => it !== Node.Shipped);
    expect(others.map((it) => says(it))).toEqual(others.map((it) => [it === '40' ? 'scrapped' : 'inHouse']));
  });

  it('is refused in the house of another site before anything is told of it', () => {
    expect(says(Node.AwaitingTest, 'MTB1', 'NB')).toEqual(['otherSite']);
  });

  it('is refused as the site’s own machine', () => expect(says(Node.CanShip, null)).toEqual(['stockMachine']));

  it('is refused when the archive does not know it, and as a board', () => {
    expect(validateArrival('A1', undefined, undefined, 'SZ')).toMatchObject([{ key: 'notInArchive' }]);
    expect(validateArrival('A1', { ...known, type: '1' }, undefined, 'SZ')).toMatchObject([{ key: 'isBoard' }]);
  });
});

describe('the line of a device', () => {
  const line = (mtblId: string, salesCode: string, type = '0') => ({ mtblId, salesCode, type });

  it('is that of its own code [W-RCV-18]', () => {
    const lines = [line('L1', 'RX19-OLD'), line('L2', 'RX19')];
    expect(lineFor(known, lines)?.mtblId).toBe('L2');
  });

  it('is that of one of its slave codes when none has its own [W-RCV-19]', () => {
    expect(lineFor(known, [line('L1', 'RX21'), line('L2', 'RX19-OLD')])?.mtblId).toBe('L2');
  });

  it('is a new one when no line fits [W-RCV-20]', () => {
    expect(lineFor(known, [line('L1', 'RX21'), line('L2', 'RX19', '1')])).toBeUndefined();
    expect(fitsLine(known, line('L1', 'RX21'))).toBe(false);
  });

  it('reads slave codes parted by bars', () => {
    expect(parseSlaveCodes(' rx19-old |RX19-X||')).toEqual(['RX19-OLD', 'RX19-X']);
    expect(parseSlaveCodes(null)).toEqual([]);
  });
});

describe('a receipt', () => {
  const machine = { sn: 'A1', field: 'f', mtblId: '', depreciation: 'B' };

  it('has at least one device or kind of boards [W-RCV-25]', () => {
    expect(validateReceipt([], [])).toMatchObject([{ key: 'required' }]);
    expect([...validateReceipt([machine], []), ...validateReceipt([], [machine])]).toEqual([]);
  });

  it('counts boards of a model, at least one of them [W-RCV-22]', () => {
    const says = (salesCode: string, repairable: number, unrepairable: number) =>
      validateBoards([{ field: 'f', salesCode, repairable, unrepairable }]).map((it) => `${it.key} ${it.field}`);
    expect([says('HB19', 1, 0), says('HB19', 0, 1), says('HB19', 499, 1)]).toEqual([[], [], []]);
    expect([says('', 1, 0), says('HB19', NaN, 3), says('HB19', 0, 0), says('HB19', 500, 1)]).toEqual([
      ['required f.salesCode'],
      ['required f.repairableCount'],
      ['required f.repairableCount'],
      ['atMost f.repairableCount'],
    ]);
  });

  it('takes an SN that nobody knows as somebody else’s, with its kind [W-RCV-23]', () => {
    const says = (sn: string, type: string) => validateNonOfficial(sn, type).map((it) => `${it.key} ${it.field}`);
    expect([says('A', '0'), says('A', '1')]).toEqual([[], []]);
    expect([says('', ''), says('A', ''), says('', '0'), says('A', '2')]).toEqual([
      ['required sn', 'required type'],
      ['required type'],
      ['required sn'],
      ['format type'],
    ]);
  });

  it('may be taken off its receipt only before its first test', () => {
    const unit = { sn: 'A1', receiveSn: 'A1', ivyId: Node.AwaitingCheck, held: null, checkTime: null };
    const may = (more: object, wasTested = false) => isDeletable({ ...unit, ...more }, wasTested);
    expect(may({})).toBe(true);
    expect(nodes.filter((ivyId) => may({ ivyId }))).toEqual([Node.AwaitingCheck]);
    expect([may({ held: {} }), may({ checkTime: 1 }), may({ receiveSn: 'B1' }), may({}, true)]).not.toContain(true);
  });

  it('is signed for first only where the site wants it so, and only with a number', () => {
    const keys = (no: string | null, isSigned: boolean, signsFirst: boolean) =>
      validateSigning(no, isSigned, signsFirst).map((it) => it.key);
    expect(keys('SF1', false, true)).toEqual(['signFirst']);
    expect([keys('SF1', true, true), keys('SF1', false, false), keys(null, false, true)]).toEqual([[], [], []]);
  });

  it('needs a depreciation that exists [W-RCV-13]', () => {
    expect(validateMachines([machine], ['A', 'B'])).toEqual([]);
    expect(validateMachines([{ ...machine, depreciation: '' }], ['B'])).toMatchObject([
      { key: 'required', field: 'f.depreciation' },
    ]);
    expect(validateMachines([{ ...machine, depreciation: 'Z' }], ['B'])).toMatchObject([{ key: 'format' }]);
  });

  it.each([
    ['0', 0, []],
    ['0', -5, []],
    ['1', 12.5, []],
    ['1', 0.01, []],
    ['1', 0, ['required payAmount']],
    ['1', -1, ['required payAmount']],
    ['1', Number.NaN, ['format payAmount']],
    ['2', 1, ['format payment']],
  ])('pays the carrier on arrival alone: payment %s, %d', (payment, amount, expected) => {
    expect(validatePayment(payment, amount).map((it) => `${it.key} ${it.field}`)).toEqual(expected);
  });

  it.each([
    ['12.5', 12.5],
    [' 7 ', 7],
    [12.34, 12.34],
    ['', 0],
    [null, 0],
    [undefined, 0],
    ['-1', -1],
    ['0x10', Number.NaN],
    ['1e3', Number.NaN],
    ['.5', 0.5],
    ['5.', Number.NaN],
    ['.', Number.NaN],
    ['1.234', Number.NaN],
    ['1,5', Number.NaN],
    [1e21, Number.NaN],
  ])('reads %j as an amount: %d', (sent, expected) => {
    expect(parseAmount(sent)).toBe(expected);
  });

  it('puts devices on declared items, the one declared for this SN first, and makes items for the rest', () => {
    const waiting = [
      { mtbliId: 'I1', mtblId: 'L1', receiveSn: 'A2' },
      { mtbliId: 'I2', mtblId: 'L1', receiveSn: null },
      { mtbliId: 'I3', mtblId: 'L2', receiveSn: null },
    ];
    const devices = ['A1', 'A2', 'A3'].map((sn) => ({ sn, mtblId: 'L1' }));
    expect(assignItems(devices, waiting)).toEqual(['I2', 'I1', null]);
  });

  it('knows warranty, repair warranty and a new owner', () => {
    expect(warrantyOf({ inWarranty: true, recently: true })).toBe('1');
    expect(warrantyOf({ inWarranty: false, recently: true })).toBe('2');
    expect(warrantyOf({ inWarranty: false, recently: false })).toBe('0');
    expect([isSecondHand('U1', 'U2'), isSecondHand('U1', 'U1'), isSecondHand(null, 'U1')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
