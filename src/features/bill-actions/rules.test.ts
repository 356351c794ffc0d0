import { describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import {
  validateBuyOut,
  validateCodeChange,
  validateClosing,
  validateCode,
  validateMove,
  validateMovedItem,
  siteOf,
  type ActedItem,
} from './rules.ts';

const unit = { sn: 'A1', siteId: 'SZ', ivyId: Node.AwaitingRepair, held: null, mtbId: 'MTB1', billStatus: '1' };
const item: ActedItem = {
  ...{ mtbliId: 'MBI1', mtblId: 'MBL1', mtbId: 'MTB1', billStatus: '1', type: '0', siteId: 'SZ', receiveSn: 'A1' },
  ...{ receiveStatus: '1', deliverStatus: '0', deliverSiteId: null, deliverSalesCode: null, salesCode: 'RX19' },
  ...{ scrap: '0', stockup: '0', billType: null, btmUserId: 'U1', shipsForUserId: null, unit },
};
const keys = (problems: readonly Problem[]) => problems.map((it) => it.key);

it('a buy-out names what is missing of each group', () => {
  expect(validateBuyOut([{ mtblId: 'MBL1', mtbliIdList: ['MBI1'], remark: 'agreed' }])).toEqual([]);
  const none = validateBuyOut([{ mtblId: '', mtbliIdList: [], remark: '' }]);
  expect(none.map((it) => it.field)).toEqual(['0.mtblId', '0.mtbliIdList', '0.remark']);
  expect(keys(validateBuyOut([]))).toEqual(['required']);
});

it('a bill with units in the house is closed only where they are given up; many are not all named', () => {
  expect(validateClosing('MTB1', [], false)).toEqual([]);
  expect(validateClosing('MTB1', ['A1'], true)).toEqual([]);
  const many = Array.from({ length: 60 }, (_, i) => `A${i}`);
  const [problem] = validateClosing('MTB1', many, false);
  expect(problem).toMatchObject({ key: 'unitsInHouse', args: { n: 60, mtbId: 'MTB1' } });
  expect(problem?.args?.['sns']).toHaveLength(51);
});

describe('a change of item', () => {
  it('needs a code, a flag and the right count', () => {
    const change = { salesCode: 'RX21', replaceFlag: '0', count: 2 };
    expect(validateCodeChange(change, 2)).toEqual([]);
    expect(keys(validateCodeChange({ ...change, salesCode: '' }, 2))).toEqual(['required']);
    expect(keys(validateCodeChange({ ...change, replaceFlag: '' }, 2))).toEqual(['required']);
    expect(keys(validateCodeChange({ ...change, replaceFlag: 'x' }, 2))).toEqual(['format']);
    expect(keys(validateCodeChange({ ...change, count: null }, 2))).toEqual(['count']);
  });

  it('compares with what is sent, or with what was registered', () => {
    const to = (salesCode: string, corrects: boolean) => ({ salesCode, type: '0', corrects });
    const exchanged = { ...item, deliverSalesCode: 'RX21' };
    expect(keys(validateCode(exchanged, to('RX21', false), null, 'x'))).toEqual(['sameCode']);
    expect(validateCode(exchanged, to('RX19', false), null, 'x')).toEqual([]);
    expect(validateCode(exchanged, to('RX21', true), null, 'x')).toEqual([]);
    expect(keys(validateCode(exchanged, to('RX19', true), null, 'x'))).toEqual(['sameCode']);
    for (const status of ['0', '3']) {
      expect(validateCode(item, to('RX21', true), { skbId: 'SKB1', status }, 'x')).toEqual([]);
    }
    expect(keys(validateCode(item, to('RX21', true), { skbId: 'SKB1', status: '1' }, 'x'))).toEqual(['billState']);
  });
});

describe('a move to another bill', () => {
  const move = { mtbId: 'MTB2', mtblId: 'MBL2', moveBillFlag: '1', deliverFlag: '', splitDeliverFlag: '' };
  const place = { mtbId: 'MTB2', mtblId: 'MBL2', type: '0', siteId: 'SZ' };
  const target = { ...place, billStatus: '1', billType: null, btmUserId: null };

  it('names both targets at once, and what it moves', () => {
    expect(validateMove(move)).toEqual([]);
    expect(validateMove({ ...move, mtbId: '', mtblId: '' }).map((it) => it.field)).toEqual(['mtbId', 'mtblId']);
    expect(keys(validateMove({ ...move, moveBillFlag: '0' }))).toEqual(['required']);
    expect(keys(validateMove({ ...move, deliverFlag: '1', splitDeliverFlag: '1' }))).toEqual(['format']);
  });

  it('may name its own bill only to ship apart', () => {
    const own = { ...target, mtbId: 'MTB1' };
    expect(keys(validateMovedItem(item, own, move, 'x'))).toEqual(['sameBill']);
    expect(validateMovedItem(item, own, { ...move, moveBillFlag: '', splitDeliverFlag: '1' }, 'x')).toEqual([]);
    expect(keys(validateMovedItem(item, { ...target, siteId: 'NB' }, move, 'x'))).toEqual(['billOtherSite']);
    expect(keys(validateMovedItem(item, { ...target, type: '1' }, move, 'x'))).toEqual(['format']);
    expect(keys(validateMovedItem(item, { ...target, billType: '9' }, move, 'x'))).toEqual(['ownGoodsApart']);
    expect(keys(validateMovedItem({ ...item, billType: '10' }, target, move, 'x'))).toEqual(['ownGoodsApart']);
  });

  it.each<[flags: string, string[]]>([
    ['move', ['billOtherCustomer']],
    ['deliver', ['billOtherCustomer']],
    ['move deliver', []],
    ['split', []],
    ['move split', []],
  ])('to a bill of another customer, %s, has the problems %j [W-EVT-32]', (names, expected) => {
    const flag = (name: string) => (names.split(' ').includes(name) ? '1' : '0');
    const flags = { moveBillFlag: flag('move'), deliverFlag: flag('deliver'), splitDeliverFlag: flag('split') };
    const says = (btmUserId: string | null) =>
      keys(validateMovedItem(item, { ...target, btmUserId }, { ...move, ...flags }, 'x'));
    expect(says('U2')).toEqual(expected);
    expect([says('U1'), says(null), says('')]).toEqual([[], [], []]);
  });
});

it('an item stands where its unit is, and before it has come, where it will be sent from', () => {
  expect(siteOf({ ...item, deliverSiteId: 'US', unit: { ...unit, siteId: 'NB' } })).toBe('NB');
  expect(siteOf({ ...item, receiveStatus: '0', deliverSiteId: 'US', unit: null })).toBe('US');
  expect(siteOf({ ...item, receiveStatus: '0', unit: null })).toBe('SZ');
});
