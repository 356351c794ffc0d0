import { describe, expect, it } from 'vitest';
import {
  validateNotEnded,
  validateItem,
  validateReceived,
  validateReturn,
  validateTally,
  validateTested,
  type ItemInHand,
} from './itemActions.ts';
import { Node } from './nodes.ts';
import type { Problem } from './refusal.ts';

const unit = { sn: 'A1', siteId: 'SZ', ivyId: Node.AwaitingRepair, held: null, mtbId: 'MTB1', billStatus: '1' };
const item: ItemInHand = {
  ...{ mtbliId: 'MBI1', mtbId: 'MTB1', billStatus: '1', receiveSn: 'A1', receiveStatus: '1', deliverStatus: '0' },
  ...{ scrap: '0', unit },
};
const keys = (problems: readonly Problem[]) => problems.map((it) => it.key);

describe('an action on an item', () => {
  const held = { kind: 'scrap', billId: 'CKB1', since: 1, lineId: 5 } as const;
  /** Each case hides those after it. */
  const worst: [more: Partial<ItemInHand>, key: string][] = [
    [{ unit: { ...unit, siteId: 'NB', held }, deliverStatus: '2', billStatus: '2' }, 'otherSite'],
    [{ unit: { ...unit, held }, deliverStatus: '2', billStatus: '2' }, 'shipped'],
    [{ unit: { ...unit, held }, deliverStatus: '3', billStatus: '2' }, 'scrapped'],
    [{ unit: { ...unit, held }, deliverStatus: '4', billStatus: '2' }, 'boughtOut'],
    [{ unit: { ...unit, held }, billStatus: '2' }, 'held'],
    [{ billStatus: '2' }, 'billFinished'],
  ];
  it.each(worst)('%j is refused as %s', (more, key) => {
    expect(keys(validateItem({ ...item, ...more }, 'SZ', 'x'))).toEqual([key]);
  });

  it('is let through, also before its unit has come, and at any site for provider staff', () => {
    expect(validateItem(item, 'SZ', 'x')).toEqual([]);
    expect(validateItem({ ...item, unit: null }, 'SZ', 'x')).toEqual([]);
    expect(validateItem({ ...item, unit: { ...unit, siteId: 'NB' } }, null, 'x')).toEqual([]);
  });
});

describe('a return to the first test', () => {
  const said = { mtbliId: 'MBI1', mtbId: 'MTB1', siteId: 'SZ', latest: 'Normal' };
  const state = { deliverStatus: '0', receiveSn: 'A1', scrap: '0' };
  const says = (node: Node, more: object = {}, of: object = {}, latest = 'Normal') =>
    keys(
      validateReturn({ ...unit, mtbliId: 'MBI1', ivyId: node, ...more }, { ...state, ...of }, { ...said, latest }, 'x'),
    );
  const held = { held: { kind: 'nofault', billId: 'CKB1', since: 1, lineId: 5 } };

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

it('how an item goes back is open until it has left, is scrap or was bought out', () => {
  const says = (deliverStatus: string | null) => keys(validateNotEnded('A1', deliverStatus, 'x'));
  expect([null, '0', '1'].flatMap(says)).toEqual([]);
  expect(['2', '3', '4'].flatMap(says)).toEqual(['shipped', 'scrapped', 'boughtOut']);
});

it('only what was received is bought, and images are added only to a test that was made', () => {
  expect(['0', '1', '2', '3'].map((receiveStatus) => keys(validateReceived({ ...item, receiveStatus }, 'x')))).toEqual([
    ['notReceived'],
    [],
    ['notReceived'],
    [],
  ]);
  expect([keys(validateTested(null, 'x')), validateTested(1, 'x')]).toEqual([['notChecked'], []]);
});

it('scrap is not bought, also where another machine was to go for it', () => {
  const at = (ivyId: Node) => ({ ...item, receiveStatus: '1', unit: { ...unit, ivyId } });
  expect(keys(validateReceived(at(Node.Scrapped), 'x'))).toEqual(['scrapped']);
  expect(validateReceived(at(Node.AwaitingTest), 'x')).toEqual([]);
});

it('the model stays while a part of the stock-up bill has left', () => {
  expect(validateTally(null, 'x')).toEqual([]);
  const says = (status: string) => keys(validateTally({ skbId: 'SKB1', status }, 'x'));
  expect(['0', '1', '3'].map(says)).toEqual([[], ['billState'], []]);
});
