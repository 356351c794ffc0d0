import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { Call } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { routes } from '#features/routes.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { newKey, startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import {
  heldUnit,
  maintainBill,
  stockMachine,
  unitOnBill,
  type Bill,
  type UnitOnBill,
} from '#tests/support/factories.ts';
import { expectRefused, readCodeIds } from '#tests/support/guard.ts';

/** Calls that name a thing together with a part of it, or with a count: what does not belong together is refused. */
let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const ask = (path: string, input: object, as = 'admin') => testApp.ask('POST', `/api/${path}.json`, input, { as });
const at = (node: Node, more: object = {}) => unitOnBill(testApp.db, { node, ...more });
/** Received on a bill that still receives. */
const received = (bill?: Bill) => at(Node.AwaitingCheck, bill ? { bill } : { billStatus: '0' });

interface Waiting extends UnitOnBill {
  skbId: string;
  sklId: string;
}
/** Units of one bill on their stock-up bill. */
async function waiting(more: object = {}): Promise<[Waiting, Waiting]> {
  const bill = await maintainBill(testApp.db);
  const units = [await at(Node.AwaitingStorage, { bill, ...more }), await at(Node.AwaitingStorage, { bill, ...more })];
  const rmaStoreBillLineList = units.map(({ sn }) => ({ sn }));
  await testApp.send(submitStoreBill, { rmaStoreBillLineList, packageCount: 20 }, { as: 'warehouse' });
  const lines = await testApp.db
    .selectFrom('rma_stockup_bill_line')
    .select(['sn', 'skbId', 'skblId'])
    .where('mtbId', '=', bill.mtbId)
    .execute();
  return units.map((it) => {
    const line = lines.find(({ sn }) => sn === it.sn);
    return { ...it, skbId: line?.skbId ?? '', sklId: line?.skblId ?? '' };
  }) as [Waiting, Waiting];
}

type Refusal = [code: string, ask: () => Promise<Answer>];
const off = (mtbId: string, ...rmaReceiveBillLineRequestList: object[]) =>
  ask('rmaReceiveBill/deleteReceived', { mtbId, rmaReceiveBillLineRequestList }, 'warehouse');
const deliver = (skbId: string, line: object, submitType = '0') =>
  ask('rmaDeliverBill/submitDeliverBill', { skbId, submitType, rmaDeliverBillLineList: [line] }, 'warehouse');

/** By path: what each refuses. */
const apart: Record<string, () => Promise<Refusal[]>> = {
  'rmaDefectiveProductRepairBill/defectiveProductRepair': async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingCheck, { storageType: '1' });
    const asks = (line: object) => () =>
      ask(
        'rmaDefectiveProductRepairBill/defectiveProductRepair',
        { receiveShipId: 'SF', receiveShipNo: 'SF1', siteId: 'SZ', lineRequestList: [{ sn, ...line }] },
        'warehouse',
      );
    return [
      ['100020', asks({ itemObjectId: 999_999 })],
      ['100020', asks({ salesCode: 'RX21' })],
    ];
  },
  'rmaDefectiveProductRepairBill/testAndStore': async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip, { storageType: '0' });
    const asks = (group: object, item: object) => () =>
      ask(
        'rmaDefectiveProductRepairBill/testAndStore',
        { siteId: 'SZ', dataList: [{ ...group, itemRequestList: [{ sn, ...item }] }] },
        'warehouse',
      );
    return [
      ['100020', asks({ salesCode: 'RX21' }, {})],
      ['100020', asks({}, { itemObjectId: 999_999 })],
    ];
  },
  'rmaScrapRepairBill/combineRepair': async () => {
    const sn = await stockMachine(testApp.db, Node.Scrapped, { storageType: '2' });
    const line = { sn, salesCode: 'RX21' };
    const input = { siteId: 'SZ', count: 1, scrapRepairLineRequestList: [line] };
    return [['100020', () => ask('rmaScrapRepairBill/combineRepair', input, 'warehouse')]];
  },
  'rmaScrapRepairBill/outsourcingAccept': async () => {
    const scrap = () => stockMachine(testApp.db, Node.Scrapped, { storageType: '2' });
    const [one, two] = [await scrap(), await scrap()];
    const bills = await Promise.all(
      [one, two].map(async (sn) => {
        const input = { siteId: 'SZ', count: 1, scrapRepairLineRequestList: [{ sn }] };
        const { data } = await ask('rmaScrapRepairBill/combineRepair', input, 'warehouse');
        return (data as { srbId: string }).srbId;
      }),
    );
    const unit = (productSn: string) => ({
      productSn,
      assistSnList: [productSn === one ? two : one],
      checkIssueCodeIdList: [1],
      repairInfoList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [1], slot: 'U1' }],
      assembleInfoList: slotsOf(4).map(({ name, componentType, hasQrCode }) => ({
        sn: `${name}-N`,
        component_type: componentType,
        qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
      })),
    });
    const accept = (siteId: string) => () =>
      ask('rmaScrapRepairBill/outsourcingAccept', { srbId: bills[0], siteId, list: [unit(one)] }, 'tech');
    // The site is not the bill's; the auxiliary SN is another bill's.
    return [
      ['100020', accept('NB')],
      ['100020', accept('SZ')],
    ];
  },
  'rmaSiteRepairBill/onSiteRepair': async () => {
    const { mtbId } = await received();
    const [{ sn: repaired }, { sn: other }] = [await at(Node.Shipped), await at(Node.Shipped, { salesCode: 'RX21' })];
    const codes = await readCodeIds(testApp);
    const record = { componentSn: 'HB-1', componentType: '7', repairMethod: '8', slot: 'U1' };
    const visit = (productSn: string) => () =>
      ask(
        'rmaSiteRepairBill/onSiteRepair',
        {
          ...{ mtbId, productSn, checkIssueCodeIdList: [codes['FX01']] },
          repairInfoList: [{ ...record, repairIssueCodeIdList: [codes['RP01']] }],
        },
        'tech',
      );
    // The order has no open count of the one's model, and none at all of the other's.
    return [
      ['100020', visit(repaired)],
      ['100020', visit(other)],
    ];
  },
  'rmaReceiveBill/deleteReceived': async () => {
    const [unit, other] = [await received(), await received()];
    const beside = await received(unit);
    const { mtbId, mtblId, sn } = unit;
    return [
      ['100020', () => off(mtbId, { mtblId: other.mtblId, snList: [sn] })],
      ['100020', () => off(mtbId, { mtblId: 'MBL0', count: 0, snList: [] })],
      ['100020', () => off(mtbId, { mtblId: beside.mtblId, snList: [sn] })],
      ['100020', () => off(mtbId, { mtblId, snList: [sn] }, { mtblId: beside.mtblId, snList: [sn, beside.sn] })],
      ['100019', () => off(mtbId, { mtblId, count: 2, snList: [sn] })],
      ['100019', () => off(mtbId, { count: 0, snList: [sn] })],
    ];
  },
  'rmaReceiveBill/receive': async () => {
    const [unit, other] = [await received(), await received()];
    const sn = `RX19${newKey()}`.slice(0, 17).toUpperCase();
    const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19', type: '0', origin: '1' };
    await testApp.db.insertInto('ubs_item_object').values(archived).execute();
    const list = [{ receiveSn: sn, depreciation: 'B' }];
    const lines = [{ mtblId: other.mtblId, rmaReceiveBillLineItemRequestList: list }];
    const input = { mtbId: unit.mtbId, rmaReceiveBillLineRequestList: lines };
    return [['100002', () => ask('rmaReceiveBill/receive', input, 'warehouse')]];
  },
  ...Object.fromEntries(
    (['scrap', 'nofault'] as const).map((kind) => [
      `rmaCheckBill/${kind}Confirm`,
      async (): Promise<Refusal[]> => {
        const [unit, other] = [await heldUnit(testApp.db, kind), await heldUnit(testApp.db, kind)];
        const { sn, ckbId } = unit;
        const word =
          kind === 'scrap'
            ? { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' }
            : { nofaultConfirmStatus: '1', nofaultConfirmRemark: 'seen' };
        const path = `rmaCheckBill/${kind}Confirm`;
        return [
          ['100022', () => ask(path, { sn, ckbId: other.ckbId, ...word })],
          ['100022', () => ask(path, { sn, ckbId, mtbId: other.mtbId, ...word })],
        ];
      },
    ]),
  ),
  'rmaMaintainBillLineItem/updateSiteId': async () => {
    const [unit, other] = [await at(Node.AwaitingRepair), await at(Node.AwaitingRepair)];
    const list = [{ id: String(other.itemId), mtbliId: unit.mtbliId }];
    const input = { rmaMaintainBillLineItemList: list, updateSiteId: 'NB' };
    return [['100020', () => ask('rmaMaintainBillLineItem/updateSiteId', input)]];
  },
  'rmaMaintainBillLineItem/replaceSaleCode': async () => {
    const [unit, other] = [await at(Node.AwaitingRepair), await at(Node.AwaitingRepair)];
    const change = { salesCode: 'RX21', replaceFlag: '0' };
    const on =
      (salesCodeCount: number, id = unit.itemId) =>
      () => {
        const rmaMaintainBillLineItemList = [{ id: String(id), mtbliId: unit.mtbliId }];
        return ask('rmaMaintainBillLineItem/replaceSaleCode', {
          ...change,
          salesCodeCount,
          rmaMaintainBillLineItemList,
        });
      };
    return [
      ['100020', on(1, other.itemId)],
      ['100019', on(2)],
    ];
  },
  'rmaMaintainBillLineItem/moveBill': async () => {
    const [unit, to, other] = [
      await at(Node.AwaitingRepair),
      await at(Node.AwaitingRepair),
      await at(Node.AwaitingRepair),
    ];
    const input = { ids: [unit.mtbliId], mtbId: to.mtbId, mtblId: other.mtblId, moveBillFlag: '1' };
    return [['100020', () => ask('rmaMaintainBillLineItem/moveBill', input)]];
  },
  'rmaMaintainBillLineItem/buyOut': async () => {
    const [unit, other] = [await at(Node.AwaitingRepair), await at(Node.AwaitingRepair)];
    const group = { mtblId: other.mtblId, mtbliIdList: [unit.mtbliId], remark: 'agreed' };
    return [['100020', () => ask('rmaMaintainBillLineItem/buyOut', [group])]];
  },
  'rmaMaintainBillLineItem/rollbackToPreliminaryTest': async () => {
    const [unit, other] = [await at(Node.AwaitingRepair), await at(Node.AwaitingRepair)];
    const { sn, mtbliId, mtbId } = unit;
    const path = 'rmaMaintainBillLineItem/rollbackToPreliminaryTest';
    return [
      ['100020', () => ask(path, [{ sn, mtbliId: other.mtbliId, mtbId }])],
      ['100020', () => ask(path, [{ sn, mtbliId, mtbId: other.mtbId }])],
    ];
  },
  'rmaDeliverBill/submitDeliverBill': async () => {
    const [unit, beside] = await waiting();
    const [other] = await waiting();
    const { skbId, sn } = unit;
    const [promised] = await waiting({ item: { exchange: '1', deliverSalesCode: 'RX21' } });
    const machine = await stockMachine(testApp.db, Node.CanShip, { salesCode: 'RX21' });
    const [boardA, boardB] = await waiting({ salesCode: 'HB19', unit: { type: '1' } });
    await testApp.db
      .updateTable('rma_maintain_bill_line')
      .set({ type: '1' })
      .where('mtbId', '=', boardA.mtbId)
      .execute();
    return [
      ['100020', () => deliver(other.skbId, { deliverSn: sn })],
      ['100020', () => deliver(skbId, { deliverSn: sn, sklId: beside.sklId })],
      ['100020', () => deliver(skbId, { deliverSn: sn, sklId: other.sklId })],
      ['100020', () => deliver(skbId, { deliverSn: sn, deliverItemId: other.itemId })],
      ['100019', () => deliver(skbId, { deliverSn: sn, submitCount: 2 })],
      ['100020', () => deliver(promised.skbId, { deliverSn: machine, sklId: other.sklId })],
      ['100020', () => deliver(promised.skbId, { deliverSn: machine, deliverItemId: other.itemId })],
      ['100020', () => deliver(boardA.skbId, { sklId: other.sklId, submitCount: 1 }, '2')],
      [
        '100020',
        () => deliver(boardA.skbId, { sklId: boardA.sklId, deliverItemId: boardB.itemId, submitCount: 1 }, '2'),
      ],
      ['100019', () => deliver(boardA.skbId, { sklId: boardA.sklId, submitCount: 2 }, '2')],
    ];
  },
};

/** These name two things of which neither is a part of the other, or say of what is new what it will be. */
const free = [
  'rmaMaintainBill/updateSiteId', // A bill and any site.
  'rmaUnhandledPackageBill/editInSiteStatus', // A parcel and the bill that somebody says is its.
];

const namesOf = (schema: unknown, found = new Set<string>()): Set<string> => {
  const { properties, items, anyOf } = (schema ?? {}) as { properties?: object; items?: unknown; anyOf?: unknown[] };
  for (const [name, part] of Object.entries(properties ?? {})) namesOf(part, found.add(name));
  if (items) namesOf(items, found);
  for (const it of anyOf ?? []) namesOf(it, found);
  return found;
};
/** Bills, their lines, items and units, and how many of them. */
const ID =
  /^(id|ids|sn|snList|count|deliverSn|receiveSn|mtbId|mtblId|mtbliId|mtbliIdList|skbId|sklId|skblId|ckbId|deliverItemId|maintainBillId|submitCount|salesCodeCount|siteId)$/;
const isOfBills = ({ path, input }: Call): boolean => {
  const names = [...namesOf(input)].filter((it) => ID.test(it));
  return path.startsWith('/api/rma') && names.length > 1;
};
const pathOf = ({ path }: Call) => path.replace(/^\/api\/|\.json$/g, '');

it('every submit that names a bill, a line, an item or a unit together with another is tried', () => {
  const found = routes.flatMap(({ call }) => (call.writes && isOfBills(call) ? [pathOf(call)] : []));
  expect([...Object.keys(apart), ...free].toSorted()).toEqual(found.toSorted());
});

describe.each(Object.entries(apart))('%s', (_, make) => {
  it('refuses what does not belong together, and writes nothing', async () => {
    for (const [code, asked] of await make()) await expectRefused(testApp, code, asked);
  });
});
