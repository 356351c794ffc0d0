import { describe, expect, it } from 'vitest';
import {
  onTheSpotActions,
  nextActions,
  undoableSteps,
  type Actor,
  type OnTheSpotActionName,
  type StandingItem,
  type StandingUnit,
} from '#domain/nextActions.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { stations } from '#domain/stations.ts';

const everything = new Set(['*:*']);
const at = (ivyId: Node | null, more: Partial<StandingUnit> = {}): StandingUnit => ({
  sn: 'SN-1',
  siteId: 'SZ',
  ivyId,
  held: null,
  mtbId: 'MTB1',
  billStatus: '1',
  type: '0',
  deliverStatus: ivyId === Node.CanShip ? '1' : '0',
  deliverPriority: '0',
  item: null,
  partsCount: 6,
  inside: null,
  tally: ivyId === Node.CanShip ? { skbId: 'SKB1', siteId: 'SZ', status: '0' } : null,
  lastStep: null,
  ...more,
});
const tech: Actor = { siteId: 'SZ', sites: ['SZ'], rights: everything };
const names = (unit: StandingUnit, actor: Partial<Actor> = {}) =>
  nextActions(unit, { ...tech, ...actor }).map((it) => it.action);

/** Where each station takes a device, and with which right. */
const way: [string, Node | null, string, string][] = [
  ['receive', null, 'rmaReceiveBill:receive', '/rmaReceiveBillList/receive?sn=SN-1'],
  ['check', Node.AwaitingCheck, 'rmaCheckBill:check', '/rmaCheckBillList/check?sn=SN-1'],
  ['repair', Node.AwaitingRepair, 'rmaRepairBill:repair', '/rmaRepairBillList/repair?sn=SN-1'],
  ['assemble', Node.AwaitingAssembly, 'rmaAssembleBill:assemble', '/rmaAssembleBillList/assemble?sn=SN-1'],
  ['aging', Node.AwaitingTest, 'rmaBurninBill:burnin', '/rmaBurninBillList/burnin?sn=SN-1'],
  ['qc', Node.AwaitingInspection, 'rmaExamineBill:examine', '/rmaExamineBillList/examine?sn=SN-1'],
  ['store', Node.AwaitingStorage, 'rmaStoreBill:store', '/rmaStoreBillList/store?sn=SN-1'],
  ['deliver', Node.CanShip, 'rmaDeliverBill:deliver', '/rmaDeliverBillList/deliver?shipNo=SKB1&sn=SN-1'],
  ['receive', Node.Shipped, 'rmaReceiveBill:receive', '/rmaReceiveBillList/receive?sn=SN-1'],
];
const nodesAndNone: (Node | null)[] = [null, ...nodes];

describe('what may be done next with a unit', () => {
  describe.each(way)('%s at node %s with %s', (action, node, right, address) => {
    it('is offered with the page that does it', () => {
      expect(nextActions(at(node), { ...tech, rights: new Set([right]) })).toEqual([{ action, address }]);
    });

    it.each(nodesAndNone.filter((it) => !way.some(([name, from]) => name === action && from === it)))(
      'is not offered at %s',
      (other) => {
        expect(names(at(other))).not.toContain(action);
      },
    );

    it('is not offered without its right, however many others there are', () => {
      const others = way.map((it) => it[2]).filter((it) => it !== right);
      expect(names(at(node), { rights: new Set(others) })).toEqual([]);
    });
  });

  it.each(way.filter(([action]) => action !== 'receive'))('%s at %s is for the home site alone', (_, node) => {
    const elsewhere = { siteId: 'NB', sites: 'all' as const };
    expect(names(at(node), elsewhere)).toEqual(['modifyNode']);
  });

  describe('while a bill beside the chain speaks for it', () => {
    const held = { kind: 'transfer', billId: 'SKT1', since: 1, siteIds: ['SZ', 'NB'] } as const;
    const receiver = { siteId: 'NB', sites: ['NB'] };

    it.each(nodesAndNone)('is at %s what ends that, and nothing else', (node) => {
      expect(nextActions(at(node, { held }), { ...tech, ...receiver })).toEqual([
        { action: 'receiverAccept', address: '/rmaStockTransferBillList/receiverAccept/SKT1?sn=SN-1' },
        { action: 'returnTransfer', address: null },
      ]);
    });

    it('is signed for at the home of the receiving site alone, and returned by whoever sees the bill', () => {
      const unit = at(null, { held });
      expect(names(unit)).toEqual(['returnTransfer']);
      expect(names(unit, { siteId: 'US', sites: 'all' })).toEqual(['returnTransfer']);
      expect(names(unit, { siteId: 'US', sites: ['US'] })).toEqual([]);
    });

    it('asks for the right of each', () => {
      const namesWith = (...rights: string[]) =>
        names(at(null, { held }), { ...receiver, rights: new Set(rights.map((it) => `rmaStockTransferBill:${it}`)) });
      expect(namesWith('receiverAccept')).toEqual(['receiverAccept']);
      expect(namesWith('returnTransfer')).toEqual(['returnTransfer']);
      expect(namesWith('deliverAccept', 'cancelTransfer')).toEqual([]);
    });
  });

  it('is nothing of the chain on a finished bill, and everything on no bill', () => {
    expect(names(at(Node.AwaitingTest, { billStatus: '2' }))).toEqual(['modifyNode']);
    expect(names(at(Node.AwaitingTest, { mtbId: null, billStatus: null }))).toEqual(['aging', 'modifyNode']);
  });

  it('assembles no board', () => {
    expect(names(at(Node.AwaitingAssembly, { type: '1' }))).toEqual(['modifyNode']);
  });

  it('leads a board to its tab of the first test and of repair, and never to the receipt of devices', () => {
    expect(nextActions(at(Node.AwaitingRepair, { type: '1' }), tech)[0]?.address).toBe(
      '/rmaRepairBillList/repair?type=1&sn=SN-1',
    );
    expect(nextActions(at(Node.AwaitingCheck, { type: '1' }), tech)[0]?.address).toBe(
      '/rmaCheckBillList/check?type=1&sn=SN-1',
    );
    expect(names(at(Node.Shipped, { type: '1' }))).toEqual(['modifyNode']);
  });

  it.each([
    ['paused', { deliverPriority: '2' }],
    ['not released', { deliverStatus: '0' }],
    ['on no stock-up bill', { tally: null }],
    ['on another site’s stock-up bill', { tally: { skbId: 'SKB1', siteId: 'NB', status: '0' } }],
  ] satisfies [string, Partial<StandingUnit>][])('ships nothing that is %s', (_, more) => {
    expect(names(at(Node.CanShip, more))).toEqual(['modifyNode']);
  });

  it.each([
    ['scrap', 'scrapConfirm', 'rmaScrapConfirm:scrapConfirm', '/rmaScrapConfirmList/scrapConfirm/5'],
    ['nofault', 'nofaultConfirm', 'rmaNofaultConfirm:nofaultConfirm', '/rmaNofaultConfirmList/nofaultConfirm/5'],
  ] as const)('asks for the word on a proposed %s instead of another check', (confirmation, action, right, address) => {
    const unit = at(Node.AwaitingCheck, { held: { kind: confirmation, billId: 'CKB1', since: 1, lineId: 5 } });
    expect(names(unit)).toEqual([action, 'modifyNode']);
    const [only] = nextActions(unit, { ...tech, rights: new Set([right]) });
    expect(only?.address).toBe(address);
    expect(names(unit, { rights: new Set(['rmaCheckBill:check']) })).toEqual([]);
    expect(names(unit, { sites: ['NB'] })).toEqual([]);
  });

  it.each(nodes)('lets an administrator set the node at %s, within the user’s sites', (node) => {
    expect(names(at(node))).toContain('modifyNode');
    expect(names(at(node), { siteId: 'NB', sites: ['NB'] })).not.toContain('modifyNode');
    expect(names(at(node), { rights: new Set(['rmaTransaction:rollback']) })).not.toContain('modifyNode');
  });

  describe('undoing the latest step', () => {
    const last = (step: string, toNode: string, siteId = 'SZ') => ({ lastStep: { id: 7, step, siteId, toNode } });
    const rights = new Set(['rmaTransaction:rollback']);

    it.each(undoableSteps)('is offered after %s where the unit still stands there', (step) => {
      expect(nextActions(at(Node.AwaitingTest, last(step, '70')), { ...tech, rights })).toEqual([
        { action: 'rollback', address: null },
      ]);
      expect(names(at(Node.AwaitingTest, last(step, '60')), { rights })).toEqual([]);
      expect(names(at(Node.AwaitingTest, last(step, '70', 'NB')), { rights })).toEqual([]);
      expect(names(at(Node.AwaitingTest, last(step, '70')), { rights: new Set(['rmaTransaction:list']) })).toEqual([]);
    });

    it('is not offered for what has no way back, nor for the board’s part in a repair, nor for what is in no house', () => {
      expect(names(at(Node.AwaitingTest, last('rollback', '70')), { rights })).toEqual([]);
      expect(names(at(Node.Scrapped, { ...last('repair', '40'), type: '1' }), { rights })).toEqual([]);
      expect(names(at(Node.AwaitingTest, { ...last('repair', '70'), type: '1' }), { rights })).toEqual(['rollback']);
      const inside = { ...at(null), lastStep: { id: 7, step: 'assemble', siteId: 'SZ', toNode: null } };
      expect(names(inside, { rights })).toEqual([]);
      const gone = { ...at(null), siteId: null, lastStep: { id: 7, step: 'receive', siteId: 'SZ', toNode: null } };
      expect(names(gone, { rights })).toEqual([]);
    });
  });

  describe('what is decided about it where it stands', () => {
    const item: StandingItem = {
      ...{ mtbliId: 'MBI1', siteId: 'SZ', receiveSn: 'SN-1', receiveStatus: '1', scrap: '0', checkTime: 1 },
    };
    const held = { kind: 'scrap', billId: 'CKB1', since: 1, lineId: 5 } as const;
    const stock = { mtbId: null, billStatus: null };
    const moves: OnTheSpotActionName[] = ['replaceSaleCode', 'updateSiteId', 'moveBill'];
    const onItsWay: OnTheSpotActionName[] = [
      'editDeliver',
      'supplementCheckPicture',
      ...moves,
      'rollbackToPreliminaryTest',
      'buyOut',
    ];
    const partly = { skbId: 'SKB1', siteId: 'SZ', status: '1' } as const;

    const states: [string, StandingUnit, OnTheSpotActionName[]][] = [
      ['awaits its first test', at('10', { item: { ...item, checkTime: null } }), ['editDeliver', ...moves, 'buyOut']],
      ['is held', at('10', { item, held }), ['supplementCheckPicture', 'editDeliver', 'rollbackToPreliminaryTest']],
      ['awaits repair', at('50', { item }), onItsWay],
      ['awaits assembly', at('60', { item }), onItsWay],
      ['awaits its tests', at('70', { item }), onItsWay],
      ['awaits inspection', at('80', { item }), onItsWay],
      ['awaits its store', at('90', { item }), onItsWay],
      ['can ship', at('100', { item }), onItsWay],
      ['can ship and lacks its parts', at('100', { item, partsCount: 0 }), ['rebind', ...onItsWay]],
      ['can ship and is a board', at('100', { item, partsCount: 0, type: '1' }), onItsWay],
      [
        'can ship with what left in part',
        at('100', { item, tally: partly }),
        onItsWay.filter((it) => it !== 'replaceSaleCode'),
      ],
      [
        'is confirmed scrap',
        at('40', { item: { ...item, scrap: '1' }, deliverStatus: '3' }),
        ['supplementCheckPicture', 'rollbackToPreliminaryTest'],
      ],
      [
        'was given up with its bill',
        at('40', { item, deliverStatus: '3', billStatus: '2' }),
        ['supplementCheckPicture', 'storeStart'],
      ],
      ['was shipped', at('900', { item, deliverStatus: '2', billStatus: '2' }), ['supplementCheckPicture']],
      [
        'stands for an item that was not received',
        at('50', { item: { ...item, receiveStatus: '0' } }),
        onItsWay.slice(0, -1),
      ],
      ['is stock on the shelf', at('100', stock), ['storeStart']],
      ['is stock on the shelf and lacks its parts', at('100', { ...stock, partsCount: 0 }), ['rebind', 'storeStart']],
      ['is stock that is scrap', at('40', stock), ['storeStart']],
      ['is stock in the chain', at('50', stock), []],
      ['is stock again, its device being in the house', at(null, { ...stock, inside: 'RX19' }), []],
      ['came out of its device', at(null, stock), ['storeStart']],
      ['is in no house', at(null, { ...stock, siteId: null }), ['storeStart']],
    ];
    /** These two have tests of their own. */
    const table = (Object.keys(onTheSpotActions) as OnTheSpotActionName[]).filter(
      (it) => it !== 'modifyNode' && it !== 'rollback',
    );
    const offered = (unit: StandingUnit, actor: Partial<Actor> = {}) =>
      names(unit, actor).filter((it) => table.some((other) => other === it));

    describe.each(states)('of a unit that %s', (_, unit, open) => {
      it('is these, in this order, for who may everything', () => {
        expect(offered(unit)).toEqual(table.filter((it) => open.includes(it)));
        expect(offered(unit)).toHaveLength(open.length);
      });

      it.each(table)('%s is of its right alone', (action) => {
        const { right } = onTheSpotActions[action];
        expect(offered(unit, { rights: new Set([right]) })).toEqual(open.includes(action) ? [action] : []);
        const others = table.map((it) => onTheSpotActions[it].right).filter((it) => it !== right);
        expect(offered(unit, { rights: new Set(others) })).not.toContain(action);
      });
    });

    it('is for the unit’s own site; what the office decides, for provider staff anywhere', () => {
      const unit = at('100', { item, partsCount: 0 });
      expect(offered(unit, { siteId: 'NB', sites: ['NB'] })).toEqual([]);
      expect(offered(unit, { siteId: 'NB', sites: 'all' })).toEqual(onItsWay);
      expect(offered(at('100', { ...stock, partsCount: 0 }), { siteId: 'NB', sites: 'all' })).toEqual([]);
      expect(offered(at('50', { item: { ...item, siteId: 'NB' } }))).toEqual([]);
      const elsewhere = at('50', { siteId: 'NB', item: { ...item, siteId: 'NB' } });
      expect(offered(elsewhere, { sites: ['SZ', 'NB'] })).toEqual(['editDeliver', 'supplementCheckPicture']);
    });

    it('comes after what the trade does next, and before the node edit and the rollback', () => {
      const unit = at('100', { item, partsCount: 0, lastStep: { id: 7, step: 'store', siteId: 'SZ', toNode: '100' } });
      expect(names(unit)).toEqual(['deliver', 'rebind', ...onItsWay, 'modifyNode', 'rollback']);
    });
  });

  it('is nothing at all without rights', () => {
    for (const node of nodesAndNone) expect(names(at(node), { rights: new Set() })).toEqual([]);
  });

  it('knows a station for each step of the chain', () => {
    expect(new Set(Object.keys(stations))).toEqual(new Set(way.map(([action]) => action)));
  });
});
