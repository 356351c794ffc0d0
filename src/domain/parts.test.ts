import { describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { validateNewPart, validateOldPart, validatePartInside, type KnownPart } from './parts.ts';

const stock: KnownPart = { type: '1', siteId: 'SZ', ivyId: Node.CanShip, held: null, isBound: false };
const held = { kind: 'scrap', billId: 'CKB1', since: 1, lineId: 1 } as const;
const keys = (problems: readonly { key: string }[]) => problems.map((it) => it.key);
const put = (change: Partial<KnownPart>) => keys(validateNewPart('P1', { ...stock, ...change }, 'SZ', 'sn'));
const take = (change: Partial<KnownPart>) =>
  keys(validateOldPart('P1', { ...stock, ...change }, { sn: 'D1', siteId: 'SZ' }, 'sn'));

describe('a part that is put in', () => {
  it('is one that nobody knows, or of the site’s own stock, or not in the house [W-EVT-15] [W-EVT-17]', () => {
    expect(validateNewPart('P1', undefined, 'SZ', 'sn')).toEqual([]);
    expect(put({})).toEqual([]);
    expect(put({ ivyId: Node.AwaitingRepair })).toEqual([]);
    expect(put({ ivyId: null, siteId: 'NB' })).toEqual([]);
  });

  it.each<[key: string, change: Partial<KnownPart>]>([
    ['isDevice', { type: '0' }],
    ['otherSite', { siteId: 'NB', ivyId: Node.Shipped }],
    ['shipped', { ivyId: Node.Shipped }],
    ['scrapped', { ivyId: Node.Scrapped }],
    ['held', { ivyId: Node.AwaitingCheck, held }],
  ])('is refused as %s [W-EVT-15] [W-EVT-17]', (key, change) => {
    expect(put(change)).toEqual([key]);
    expect(put({ ...change, isBound: true })).toEqual(key === 'isDevice' ? [key] : []);
  });

  it('is no device, in the house or not', () => expect(put({ type: '0', ivyId: null })).toEqual(['isDevice']));
});

describe('a part that is inside a device', () => {
  const inside = (change: Partial<KnownPart>) => keys(validatePartInside('P1', { ...stock, ...change }, 'SZ', 'sn'));

  it('may have left the house by itself, from whatever site; else it is as one that is put in [W-EVT-17] [W-EVT-27]', () => {
    expect(inside({ ivyId: Node.Shipped })).toEqual([]);
    expect(inside({ ivyId: Node.Shipped, siteId: 'NB' })).toEqual([]);
    expect(inside({ siteId: 'NB' })).toEqual(['otherSite']);
    expect(inside({ ivyId: Node.Scrapped })).toEqual(['scrapped']);
    expect(inside({ type: '0', ivyId: Node.Shipped })).toEqual(['isDevice']);
  });
});

describe('a part that is taken out as scrap', () => {
  it('is one of the device, or one that is not in the house [W-EVT-15]', () => {
    expect(validateOldPart('P1', undefined, { sn: 'D1', siteId: 'SZ' }, 'sn')).toEqual([]);
    expect(take({ ivyId: null })).toEqual([]);
    expect(take({ isBound: true })).toEqual([]);
  });

  it.each<[key: string, change: Partial<KnownPart>]>([
    ['isDevice', { type: '0' }],
    ['isDevice', { type: '0', ivyId: null }],
    ['isDevice', { type: '0', isBound: true }],
    ['otherSite', { siteId: 'NB' }],
    ['shipped', { ivyId: Node.Shipped }],
    ['scrapped', { ivyId: Node.Scrapped }],
    ['notTogether', {}],
    ['notTogether', { ivyId: Node.AwaitingTest }],
  ])('is refused as %s: %j [W-EVT-15]', (key, change) => expect(take(change)).toEqual([key]));

  it('is named with the device that it is not in', () => {
    expect(validateOldPart('P1', stock, { sn: 'D1', siteId: 'SZ' }, 'partsList.0.sn')).toEqual([
      { key: 'notTogether', field: 'partsList.0.sn', args: { part: 'P1', whole: 'D1' } },
    ]);
  });
});
