import { describe, expect, it } from 'vitest';
import { TransferSnStatus, TransferStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import {
  itemToSign,
  lineFor,
  mergeLines,
  statusAfter,
  type StockUnit,
  validateArrived,
  validateCounts,
  validateInBill,
  validateLine,
  validateLines,
  validateRoom,
  validateSigned,
  validateSites,
  validateStep,
  validateStock,
} from './rules.ts';

const goods = { salesCode: 'RX19', itemType: '0', storageType: '0' };
const line = { ...goods, count: 2, remark: '' };
const keysOf = (problems: readonly { key: string }[]) => problems.map((it) => it.key);
const transfer = { sktbId: 'SKT1', billStatus: '0', deliverSiteId: 'SZ', receiveSiteId: 'NB' };

describe('a line', () => {
  it.each([
    ['storageType', { storageType: '' }],
    ['itemType', { itemType: '' }],
    ['salesCode', { salesCode: '' }],
    ['count', { count: 0 }],
  ])('needs its %s [S-STK-04]', (field, part) => {
    expect(validateLine(line)).toEqual([]);
    expect(validateLine({ ...line, ...part }, 'list.1.')).toMatchObject([
      { key: 'transferIncomplete', field: `list.1.${field}` },
    ]);
  });

  it('is one with another that takes the same', () => {
    const other = { ...line, storageType: '1' };
    expect(mergeLines([line, other, { ...line, count: 3, remark: 'a' }])).toEqual([
      { ...line, count: 5, remark: 'a' },
      other,
    ]);
  });

  it('takes what has its sales code, item type and storage type, while it has room [S-STK-15, S-STK-16]', () => {
    const lines = [{ ...goods, storageType: '1' }, goods];
    expect(lineFor(lines, { ...goods })).toBe(lines[1]);
    for (const [name, value] of Object.entries({ salesCode: 'RX21', itemType: '1', storageType: '2' })) {
      expect(keysOf(validateInBill('SN1', { ...goods, [name]: value }, lines))).toEqual(['notInBill']);
    }
    expect(validateRoom(line, 1)).toEqual([]);
    expect(keysOf(validateRoom(line, 2))).toEqual(['lineFull']);
  });
});

describe('a transfer', () => {
  it('has two sites that differ, and lines of at most 2,000 units [S-STK-05]', () => {
    const sites = { deliverSiteId: 'SZ', receiveSiteId: 'NB' };
    expect(validateSites(sites)).toEqual([]);
    expect(validateSites({ ...sites, receiveSiteId: '' })).toMatchObject([{ field: 'receiveSiteId' }]);
    expect(keysOf(validateSites({ ...sites, receiveSiteId: 'SZ' }))).toEqual(['sameSites']);
    expect(keysOf(validateLines([]))).toEqual(['transferIncomplete']);
    expect(validateLines([{ ...line, count: 2000 }])).toEqual([]);
    expect(keysOf(validateLines([{ ...line, count: 2000 }, line]))).toEqual(['transferTooLarge']);
  });

  it.each([
    ['deliverAccept', 'SZ', '0', []],
    ['deliverAccept', 'NB', '0', ['transferSite']],
    ['deliverAccept', 'SZ', '1', ['billState']],
    ['receiverAccept', 'NB', '1', []],
    ['receiverAccept', 'SZ', '1', ['transferSite']],
    ['receiverAccept', 'NB', '0', ['billState']],
    ['receiverAccept', 'NB', '2', ['billState']],
    ['deliverAccept', 'SZ', '3', ['billState']],
  ] as const)('takes %s at %s in state %s: %j [S-STK-09, S-STK-10, S-STK-11]', (step, siteId, billStatus, keys) => {
    expect(keysOf(validateStep({ ...transfer, billStatus }, step, siteId))).toEqual(keys);
  });

  it('is delivered with just the counts of its lines [S-STK-18]', () => {
    const lines = [{ sktblId: 'A', salesCode: 'RX19', count: 2 }];
    expect(validateCounts(lines, () => 2)).toEqual([]);
    for (const given of [0, 1, 3]) expect(validateCounts(lines, () => given)).toMatchObject([{ args: { given } }]);
  });
});

describe('own stock', () => {
  const unit: StockUnit = {
    sn: 'SN1',
    siteId: 'SZ',
    ivyId: Node.CanShip,
    held: null,
    mtbId: null,
    billStatus: null,
    ...goods,
  };
  const asked = { siteId: 'SZ', elsewhere: 'notStore', field: 'sn' } as const;
  const proposed = { kind: 'scrap', billId: 'CKB1', since: 0, lineId: 1 } as const;
  const onTheWay = { kind: 'transfer', billId: 'SKT1', since: 0, siteIds: ['NB', 'SZ'] } as const;

  it.each<[string, Partial<StockUnit>, string[]]>([
    ['on the shelf', {}, []],
    ['scrap of a finished bill', { ivyId: Node.Scrapped, mtbId: 'MTB1', billStatus: '2' }, []],
    ['at another site', { siteId: 'NB' }, ['notStore']],
    ['shipped', { ivyId: Node.Shipped }, ['shipped']],
    ['waiting for a supervisor', { held: proposed }, ['held']],
    ['under way from another site', { siteId: 'NB', ivyId: null, held: onTheWay }, ['spokenFor']],
    ['nowhere', { ivyId: null }, ['notOnShelf']],
    ['in no stock', { storageType: '' }, ['notOnShelf']],
    ['on an open bill', { mtbId: 'MTB1', billStatus: '1' }, ['notOwnStock']],
  ])('%s: %j gives %j [S-STK-14]', (_, part, keys) => {
    expect(keysOf(validateStock('SN1', { ...unit, ...part }, asked))).toEqual(keys);
  });

  it('must be known to the inventory', () => {
    expect(keysOf(validateStock('SN1', undefined, asked))).toEqual(['noInventoryRecord']);
  });
});

describe('what is signed for', () => {
  const items = [
    { id: 1, sn: 'SN1', snStatus: TransferSnStatus.Sent },
    { id: 2, sn: 'SN2', snStatus: TransferSnStatus.Received },
    { id: 3, sn: 'SN3', snStatus: TransferSnStatus.Sent },
  ];
  const sent = { ...transfer, billStatus: TransferStatus.AwaitingReceipt };

  it('is under way and not signed for yet [S-STK-20]', () => {
    expect(itemToSign(items, ' sn1 ')).toBe(items[0]);
    for (const sn of ['SN2', 'SN9']) expect(keysOf(validateArrived(items, sn))).toEqual(['snMismatch']);
  });

  it.each([
    [[1], []],
    [[1, 3], []],
    [[1, 1], ['transferCount']],
    [[1, 2, 3], ['transferCount']],
    [[2], ['snMismatch']],
    [[9], ['snMismatch']],
  ])('ids %j give %j [S-STK-20, S-STK-23]', (ids, keys) => {
    expect(keysOf(validateSigned(sent, items, ids))).toEqual(keys);
  });

  it.each([
    [['1', '2'], TransferStatus.AwaitingReceipt],
    [['2', '2'], TransferStatus.Finished],
    [['2', '3'], TransferStatus.Finished],
    [['3', '3'], TransferStatus.Cancelled],
  ])('items in %j leave it in state %s [S-STK-12]', (states, status) => {
    expect(statusAfter(states.map((snStatus) => ({ snStatus })))).toBe(status);
  });
});
