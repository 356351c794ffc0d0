import { describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import {
  problemsOfBuyOut,
  problemsOfChange,
  problemsOfClosing,
  problemsOfCode,
  problemsOfItem,
  problemsOfMove,
  problemsOfMoved,
  problemsOfReturn,
  siteOf,
  type ActedItem,
} from './rules.ts';

const unit = { sn: 'A1', siteId: 'SZ', ivyId: Node.AwaitingRepair, held: null, mtbId: 'MTB1', billStatus: '1' };
const item: ActedItem = {
  ...{ mtbliId: 'MBI1', mtblId: 'MBL1', mtbId: 'MTB1', billStatus: '1', type: '0', siteId: 'SZ', receiveSn: 'A1' },
  ...{ receiveStatus: '1', deliverStatus: '0', deliverSiteId: null, deliverSalesCode: null, salesCode: 'RX19' },
  ...{ scrap: '0', unit },
};
const keys = (problems: readonly Problem[]) => problems.map((it) => it.key);

describe('an action on an item', () => {
  const held = { confirmation: 'scrap', ckbId: 'CKB1', lineId: 5 } as const;
  /** Each case hides those after it. */
  const worst: [more: Partial<ActedItem>, key: string][] = [
    [{ unit: { ...unit, siteId: 'NB', held }, deliverStatus: '2', billStatus: '2' }, 'otherSite'],
    [{ unit: { ...unit, held }, deliverStatus: '2', billStatus: '2' }, 'shipped'],
    [{ unit: { ...unit, held }, deliverStatus: '3', billStatus: '2' }, 'scrapped'],
    [{ unit: { ...unit, held }, deliverStatus: '4', billStatus: '2' }, 'boughtOut'],
    [{ unit: { ...unit, held }, billStatus: '2' }, 'held'],
    [{ billStatus: '2' }, 'billFinished'],
  ];
  it.each(worst)('%j is refused as %s', (more, key) => {
    expect(keys(problemsOfItem({ ...item, ...more }, 'SZ', 'x'))).toEqual([key]);
  });

  it('is let through, also before its unit has come, and at any site for provider staff', () => {
    expect(problemsOfItem(item, 'SZ', 'x')).toEqual([]);
    expect(problemsOfItem({ ...item, unit: null }, 'SZ', 'x')).toEqual([]);
    expect(problemsOfItem({ ...item, unit: { ...unit, siteId: 'NB' } }, null, 'x')).toEqual([]);
  });
});

it('a buy-out names what is missing of each group', () => {
  expect(problemsOfBuyOut([{ mtblId: 'MBL1', mtbliIdList: ['MBI1'], remark: 'agreed' }])).toEqual([]);
  const none = problemsOfBuyOut([{ mtblId: '', mtbliIdList: [], remark: '' }]);
  expect(none.map((it) => it.field)).toEqual(['0.mtblId', '0.mtbliIdList', '0.remark']);
  expect(keys(problemsOfBuyOut([]))).toEqual(['required']);
});

it('a bill with units in the house is closed only where they are given up; many are not all named', () => {
  expect(problemsOfClosing('MTB1', [], false)).toEqual([]);
  expect(problemsOfClosing('MTB1', ['A1'], true)).toEqual([]);
  const many = Array.from({ length: 60 }, (_, i) => `A${i}`);
  const [problem] = problemsOfClosing('MTB1', many, false);
  expect(problem).toMatchObject({ key: 'unitsInHouse', args: { n: 60, mtbId: 'MTB1' } });
  expect(problem?.args?.['sns']).toHaveLength(51);
});

describe('a return to the first test', () => {
  const said = { mtbliId: 'MBI1', mtbId: 'MTB1', siteId: 'SZ', latest: 'Normal' };
  const state = { deliverStatus: '0', receiveSn: 'A1', scrap: '0' };
  const says = (node: Node, more: object = {}, of: object = {}, latest = 'Normal') =>
    keys(
      problemsOfReturn(
        { ...unit, mtbliId: 'MBI1', ivyId: node, ...more },
        { ...state, ...of },
        { ...said, latest },
        'x',
      ),
    );
  const held = { held: { confirmation: 'nofault', ckbId: 'CKB1', lineId: 5 } };

  it('is for what is on its way, for the held, and for confirmed scrap', () => {
    for (const node of [Node.AwaitingRepair, Node.AwaitingInspection, Node.CanShip]) expect(says(node)).toEqual([]);
    expect(says(Node.AwaitingCheck, held)).toEqual([]);
    expect(says(Node.Scrapped, {}, { scrap: '1', deliverStatus: '3' })).toEqual([]);
    expect(says(Node.Scrapped, {}, { deliverStatus: '3' })).toEqual(['scrapped']);
  });

  it('tells a repeat from a unit that never left its first test', () => {
    expect(says(Node.AwaitingCheck)).toEqual(['atFirstTest']);
    expect(says(Node.AwaitingCheck, {}, {}, 'Rollbacked')).toEqual(['rolledBack']);
    expect(says(Node.AwaitingCheck, held, {}, 'Rollbacked')).toEqual([]);
    expect(says(Node.AwaitingTest, {}, {}, 'Rollbacked')).toEqual([]);
  });
});

describe('a change of item', () => {
  it('needs a code, a flag and the right count', () => {
    const change = { salesCode: 'RX21', replaceFlag: '0', count: 2 };
    expect(problemsOfChange(change, 2)).toEqual([]);
    expect(keys(problemsOfChange({ ...change, salesCode: '' }, 2))).toEqual(['required']);
    expect(keys(problemsOfChange({ ...change, replaceFlag: '' }, 2))).toEqual(['required']);
    expect(keys(problemsOfChange({ ...change, replaceFlag: 'x' }, 2))).toEqual(['format']);
    expect(keys(problemsOfChange({ ...change, count: null }, 2))).toEqual(['count']);
  });

  it('compares with what is sent, or with what was registered', () => {
    const to = (salesCode: string, corrects: boolean) => ({ salesCode, type: '0', corrects });
    const exchanged = { ...item, deliverSalesCode: 'RX21' };
    expect(keys(problemsOfCode(exchanged, to('RX21', false), undefined, 'x'))).toEqual(['sameCode']);
    expect(problemsOfCode(exchanged, to('RX19', false), undefined, 'x')).toEqual([]);
    expect(problemsOfCode(exchanged, to('RX21', true), undefined, 'x')).toEqual([]);
    expect(keys(problemsOfCode(exchanged, to('RX19', true), undefined, 'x'))).toEqual(['sameCode']);
    for (const status of ['0', '3']) {
      expect(problemsOfCode(item, to('RX21', true), { skbId: 'SKB1', status }, 'x')).toEqual([]);
    }
    expect(keys(problemsOfCode(item, to('RX21', true), { skbId: 'SKB1', status: '1' }, 'x'))).toEqual(['billState']);
  });
});

describe('a move to another bill', () => {
  const move = { mtbId: 'MTB2', mtblId: 'MBL2', moveBillFlag: '1', deliverFlag: '', splitDeliverFlag: '' };
  const target = { mtbId: 'MTB2', mtblId: 'MBL2', type: '0', siteId: 'SZ', billStatus: '1' };

  it('names both targets at once, and what it moves', () => {
    expect(problemsOfMove(move)).toEqual([]);
    expect(problemsOfMove({ ...move, mtbId: '', mtblId: '' }).map((it) => it.field)).toEqual(['mtbId', 'mtblId']);
    expect(keys(problemsOfMove({ ...move, moveBillFlag: '0' }))).toEqual(['required']);
    expect(keys(problemsOfMove({ ...move, deliverFlag: '1', splitDeliverFlag: '1' }))).toEqual(['format']);
  });

  it('may name its own bill only to ship apart', () => {
    const own = { ...target, mtbId: 'MTB1' };
    expect(keys(problemsOfMoved(item, own, move, 'x'))).toEqual(['sameBill']);
    expect(problemsOfMoved(item, own, { ...move, moveBillFlag: '', splitDeliverFlag: '1' }, 'x')).toEqual([]);
    expect(keys(problemsOfMoved(item, { ...target, siteId: 'NB' }, move, 'x'))).toEqual(['billOtherSite']);
    expect(keys(problemsOfMoved(item, { ...target, type: '1' }, move, 'x'))).toEqual(['format']);
  });
});

it('an item stands where its unit is, and before it has come, where it will be sent from', () => {
  expect(siteOf({ ...item, deliverSiteId: 'US', unit: { ...unit, siteId: 'NB' } })).toBe('NB');
  expect(siteOf({ ...item, receiveStatus: '0', deliverSiteId: 'US', unit: null })).toBe('US');
  expect(siteOf({ ...item, receiveStatus: '0', unit: null })).toBe('SZ');
});
