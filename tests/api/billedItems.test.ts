import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { ReportType } from '#domain/reports.ts';
import { moveBill, rollbackToPreliminaryTest } from '#features/bill-actions/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import {
  changedPrices,
  confirmPrices,
  generateFee,
  makeWorkbook,
  resubmitFee,
  whyPrice,
} from '#features/repair-fee/contract.ts';
import { reviewCall } from '#features/reviews/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { renameUnit } from '#server/workflow/rename.ts';
import { endsAnew } from '#server/workflow/work.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, repairSuppliers, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { at, checked, delivered, happened, repaired } from '#tests/support/history.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { readRows } from '#tests/support/reports.ts';

/**
 * What was done to a unit belongs to the item for which it was done, on whichever bill that stands: figures are compared with
 * SQL of the test's own, which knows each unit by its item.
 */
let testApp: TestApp;
const october = { startDate: '2026-10-01', endDate: '2026-10-31' };

beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
  const { db } = testApp;
  await repairSuppliers(db, 'S');
  await db.insertInto('ubs_model_family').values({ family: 'RX19' }).execute();
  await db.updateTable('ubs_item').set({ family: 'RX19' }).where('salesCode', '=', 'RX19').execute();
  const price = {
    ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', warranty: '1' },
    ...{ machineType: 'RX19', taxRate: '13', effectiveDate: '2026-01-01', expirationDate: '2999-12-31' },
  };
  await db
    .insertInto('rma_price_bill')
    .values([
      { ...price, prbId: 'P1', repairProject: '1', repairType: '2', unitPriceWithTax: '400' },
      { ...price, prbId: 'P2', repairProject: '1', repairType: '1', unitPriceWithTax: '320' },
      { ...price, prbId: 'P3', repairProject: '5', repairType: '2', unitPriceWithTax: '30' },
      { ...price, prbId: 'P4', repairProject: '6', repairType: '2', unitPriceWithTax: '22.6' },
    ])
    .execute();
});
afterAll(() => testApp.close());

const onBill = (node: Node, more: Partial<Parameters<typeof unitOnBill>[1]> = {}) =>
  unitOnBill(testApp.db, { node, ...more, item: { receiveTime: at('2026-09-20'), warranty: '1', ...more.item } });

/** Brings a unit to another bill, as the office does; gives the number of that. */
async function moveAway(unit: UnitOnBill): Promise<string> {
  const target = await onBill(Node.AwaitingRepair);
  const { mtbId, mtblId } = target;
  const flags = { moveBillFlag: '1', deliverFlag: '0', splitDeliverFlag: '0' };
  const answer = await testApp.send(moveBill, { ids: [unit.mtbliId], mtbId, mtblId, ...flags }, { as: 'aftersales' });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return mtbId;
}

const generate = async (recPeriod: string, startDate: string, endDate: string) => {
  const answer = await testApp.send(generateFee, { recPeriod, startDate, endDate }, { as: 'office' });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
};

/** What the units of these SNs cost, and by what they were found, in the order in which they were settled. */
const readFees = async (...sns: string[]) => {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT l.sn, l."repairProject" AS project, l."repairType" AS type, l."includingTaxAmount"::text AS gross,
           l."repairTime" IS NOT NULL AS "isRepaired", h."recPeriod"
      FROM rma_repair_fee_bill_line AS l JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
     WHERE l.sn = ANY(${sns}::text[]) ORDER BY l.id`.execute(testApp.db);
  return rows;
};

describe('a unit that was moved to another bill', () => {
  it('costs what it costs on the bill on which it came', async () => {
    const make = async () => {
      const [nofault, secondHand, plain] = [
        await onBill(Node.CanShip),
        await onBill(Node.CanShip),
        await onBill(Node.CanShip),
      ];
      await checked(testApp.db, nofault, '2026-09-22', { disposition: 'nofault', nofaultConfirmStatus: '1' });
      for (const unit of [secondHand, plain]) await checked(testApp.db, unit, '2026-09-22');
      const rpbId = await repaired(testApp.db, secondHand, '2026-09-24');
      await testApp.db.updateTable('rma_repair_bill').set({ repairType: '1' }).where('rpbId', '=', rpbId).execute();
      await repaired(testApp.db, plain, '2026-09-24');
      return [nofault, secondHand, plain];
    };
    const [stayed, moved] = [await make(), await make()];
    const scrap = await onBill(Node.AwaitingCheck);
    const ckbId = await checked(testApp.db, scrap, '2026-09-22', { disposition: 'scrap', scrapStatus: '1' });
    for (const unit of moved) await moveAway(unit);
    const mtbId = await moveAway(scrap);
    for (const unit of [...stayed, ...moved]) await delivered(testApp.db, unit, '2026-10-05');
    const confirmed = { fromNode: '10', toNode: '40', billId: ckbId };
    await happened(testApp.db, { ...scrap, mtbId }, [['scrapConfirm', '2026-10-06', confirmed]]);
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ scrap: '1', deliverStatus: '3' })
      .where('mtbliId', '=', scrap.mtbliId)
      .execute();
    await generate('2026-10', '2026-10-01', '2026-10-31');
    const costs = async (units: readonly UnitOnBill[]) => {
      const fees = await readFees(...units.map((it) => it.sn));
      return units.map(({ sn }) => {
        const { project, type, gross, isRepaired } = fees.find((it) => it['sn'] === sn) ?? {};
        return { project, type, gross, isRepaired };
      });
    };
    const expected = [
      { project: '5', type: '2', gross: '30.00', isRepaired: false },
      { project: '1', type: '1', gross: '320.00', isRepaired: true },
      { project: '1', type: '2', gross: '400.00', isRepaired: true },
    ];
    const round = (it: Record<string, unknown>) => ({ ...it, gross: Number(it['gross']).toFixed(2) });
    expect((await costs(stayed)).map(round)).toEqual(expected);
    expect((await costs(moved)).map(round)).toEqual(expected);
    expect((await costs([scrap])).map(round)).toEqual([{ project: '6', type: '2', gross: '22.60', isRepaired: false }]);
  });

  it('stands in the reports of checks and repairs with its bill, customer and warranty', async () => {
    const unit = await onBill(Node.AwaitingRepair);
    await checked(testApp.db, unit, '2026-10-07');
    const rpbId = await repaired(testApp.db, unit, '2026-10-08');
    const returned = await repaired(testApp.db, unit, '2026-10-09', [{ slot: 'U3' }]);
    await happened(testApp.db, unit, [['repair', '2026-10-09', { billId: returned, operateStatus: 'Rollbacked' }]]);
    const mtbId = await moveAway(unit);
    const rowsOf = async (kind: 'exportSupplierStatistics' | 'exportRepairOrder', reportType: ReportType) =>
      (await readRows(testApp, kind, { ...october, reportType })).filter((it) => it['sn'] === unit.sn);
    const known = { mtbId, sn: unit.sn, warranty: '1', userName: '宁远矿业' };
    expect(await rowsOf('exportSupplierStatistics', ReportType.Check)).toMatchObject([known]);
    expect(await rowsOf('exportSupplierStatistics', ReportType.RepairAll)).toMatchObject([
      { ...known, isReturned: '0' },
      { ...known, isReturned: '1' },
    ]);
    expect(await rowsOf('exportSupplierStatistics', ReportType.RepairDz)).toMatchObject([
      { ...known, slot: 'U1' },
      { ...known, slot: 'U2' },
      { ...known, slot: 'U3', isReturned: '1' },
    ]);
    expect(await rowsOf('exportRepairOrder', ReportType.RepairAll)).toMatchObject([
      { ...known, rpbId, isReturned: '0' },
      { ...known, rpbId: returned, isReturned: '1' },
    ]);
  });

  it('has its receiver, its handover and its stored time, wherever it stands now', async () => {
    const unit = await onBill(Node.CanShip, { item: { receiveTime: at('2026-10-01'), deliverStatus: '1' } });
    await happened(testApp.db, unit, [
      ['receive', '2026-10-01', { userId: 'warehouse' }],
      ['check', '2026-10-02'],
      ['store', '2026-10-03'],
    ]);
    await moveAway(unit);
    await happened(testApp.db, { ...unit, mtbId: 'ELSEWHERE' }, [['deliver', '2026-10-04']]);
    const find = async (kind: Parameters<typeof readRows>[1], more = {}) =>
      (await readRows(testApp, kind, { ...october, ...more })).find((it) => it['sn'] === unit.sn);
    expect(await find('exportSupplierStatistics', { reportType: ReportType.Receive })).toMatchObject({
      operator: 'warehouse',
    });
    expect(await find('exportUndeliveredOvertime')).toMatchObject({ storeTime: expect.anything() as unknown });
    expect(await find('exportTatOvertime')).toMatchObject({ checkTime: expect.anything() as unknown });
    const handovers = await readRows(testApp, 'exportTatHandover', october);
    expect(handovers.find((it) => it['handover'] === 'Store → deliver')).toMatchObject({ number: 1, average: 24 });
  });

  it('is known to the second repair by who repaired it', async () => {
    const first = await onBill(Node.CanShip, { item: { receiveTime: at('2026-08-20') } });
    await repaired(testApp.db, first, '2026-08-22');
    await moveAway(first);
    await delivered(testApp.db, first, '2026-09-01');
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', first.sn).execute();
    await onBill(Node.AwaitingCheck, { sn: first.sn, item: { receiveTime: at('2026-10-02') } });
    const rows = await readRows(testApp, 'exportSecondRepair', october);
    expect(rows.find((it) => it['sn'] === first.sn)).toMatchObject({ previousRepairer: 'tech' });
  });
});

it('a second repair goes by days, whatever the hour', async () => {
  const visit = async (left: string, received: string, again: string) => {
    const first = await onBill(Node.Shipped, { item: { receiveTime: at('2026-05-20') } });
    await delivered(testApp.db, first, left);
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', first.sn).execute();
    const second = await onBill(Node.Shipped, { sn: first.sn, item: { receiveTime: at(received) } });
    await delivered(testApp.db, second, again);
    return first.sn;
  };
  const soon = await visit('2026-06-02 01:00', '2026-08-31 23:00', '2026-09-02');
  const late = await visit('2026-06-01 23:00', '2026-08-31 01:00', '2026-09-02');
  await generate('2026-09', '2026-09-01', '2026-09-03');
  expect((await readFees(soon, late)).map((it) => [it['sn'], Number(it['gross'])])).toEqual([
    [soon, 0],
    [late, 400],
  ]);
});

describe('what was done last for a unit says what is paid', () => {
  const costOf = async (unit: UnitOnBill, month: string) => {
    await delivered(testApp.db, unit, `${month}-05`);
    await generate(month, `${month}-01`, `${month}-28`);
    const [fee] = await readFees(unit.sn);
    return [fee?.['project'], Number(fee?.['gross'])];
  };

  it('a repair, of one that had no fault at first and then failed its test', async () => {
    const unit = await onBill(Node.CanShip);
    await checked(testApp.db, unit, '2026-09-22', { disposition: 'nofault', nofaultConfirmStatus: '1' });
    await repaired(testApp.db, unit, '2026-09-24');
    expect(await costOf(unit, '2026-04')).toEqual(['1', 400]);
  });

  it('the check alone, of one that had no fault after it was repaired', async () => {
    const unit = await onBill(Node.CanShip);
    await repaired(testApp.db, unit, '2026-09-21');
    await checked(testApp.db, unit, '2026-09-22', { disposition: 'nofault', nofaultConfirmStatus: '1' });
    expect(await costOf(unit, '2026-05')).toEqual(['5', 30]);
  });

  it('the check of scrap, of one that its customer has back unrepaired', async () => {
    const unit = await onBill(Node.CanShip, { item: { scrap: '1', returness: '1' } });
    await checked(testApp.db, unit, '2026-09-22', { disposition: 'scrap', scrapStatus: '1' });
    expect(await costOf(unit, '2026-06')).toEqual(['6', 22.6]);
  });

  it('a repair, of one that was called scrap and was repaired after all', async () => {
    const unit = await onBill(Node.CanShip);
    await checked(testApp.db, unit, '2026-09-22', { disposition: 'scrap', scrapStatus: '1' });
    await repaired(testApp.db, unit, '2026-09-24');
    expect(await costOf(unit, '2026-07')).toEqual(['1', 400]);
  });
});

describe('an SN that comes twice on one bill', () => {
  it('has each check and repair once, and both visits are settled', async () => {
    const bill = await maintainBill(testApp.db, { billStatus: '0' });
    const first = await onBill(Node.Shipped, { bill, item: { receiveTime: at('2026-10-09') } });
    await happened(testApp.db, first, [['repair', '2026-10-11']]);
    await checked(testApp.db, first, '2026-10-10');
    await repaired(testApp.db, first, '2026-10-11');
    await delivered(testApp.db, first, '2026-10-12');
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', first.sn).execute();
    const second = await onBill(Node.Shipped, { bill, sn: first.sn, item: { receiveTime: at('2026-10-20') } });
    await checked(testApp.db, second, '2026-10-21');
    await checked(testApp.db, second, '2026-10-22', { disposition: 'nofault', nofaultConfirmStatus: '1' });
    await delivered(testApp.db, second, '2026-11-05');

    const count = async (reportType: ReportType) =>
      (await readRows(testApp, 'exportSupplierStatistics', { ...october, reportType })).filter(
        (it) => it['sn'] === first.sn,
      ).length;
    expect(await count(ReportType.Receive)).toBe(2);
    expect(await count(ReportType.Check)).toBe(3);
    expect(await count(ReportType.RepairAll)).toBe(1);
    expect(await count(ReportType.RepairDz)).toBe(2);

    // The rejected bill of the month is made anew with it.
    await testApp.db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).execute();
    await generate('2026-10', '2026-10-01', '2026-10-31');
    await generate('2026-11', '2026-11-01', '2026-11-30');
    expect(await readFees(first.sn)).toMatchObject([
      { project: '1', recPeriod: '2026-10', isRepaired: true },
      { project: '5', recPeriod: '2026-11', isRepaired: false },
    ]);
  });
});

describe('a step that stands on a fee bill', () => {
  /** A bill of the month on which just this unit stands, in that state. */
  async function billed(unit: UnitOnBill, billStatus: string, repairProject = '1'): Promise<string> {
    const rfbId = `RFB-${unit.mtbliId}`;
    const { mtbliId, mtbId, sn } = unit;
    const { id } = await testApp.db
      .insertInto('rma_repair_fee_bill')
      .values({ rfbId, siteId: 'SZ', recPeriod: '2026-08', billStatus, createBy: 'office' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const line = { rfbId, mtbliId, mtbId, sn, repairProject, isPriced: '1', priceReason: '1' };
    await testApp.db.insertInto('rma_repair_fee_bill_line').values(line).execute();
    return String(id);
  }
  const latest = async ({ sn }: UnitOnBill) =>
    (
      await testApp.db
        .selectFrom('rma_transaction')
        .select('id')
        .where('sn', '=', sn)
        .where('operateStatus', '=', 'Normal')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).id;
  async function shipped() {
    const unit = await onBill(Node.CanShip, { item: { deliverStatus: '1' } });
    const dvbId = await delivered(testApp.db, unit, '2026-09-25');
    await testApp.db.updateTable('rma_inventory').set({ ivyId: '900' }).where('sn', '=', unit.sn).execute();
    await happened(testApp.db, unit, [['deliver', '2026-09-25', { billId: dvbId }]]);
    return unit;
  }
  async function scrapped() {
    const unit = await onBill(Node.Scrapped, { billStatus: '1' });
    const ckbId = await checked(testApp.db, unit, '2026-09-22', { disposition: 'scrap', scrapStatus: '1' });
    await happened(testApp.db, unit, [
      ['receive', '2026-09-20'],
      ['check', '2026-09-22', { toNode: '10', billId: ckbId }],
      ['scrapConfirm', '2026-09-23', { fromNode: '10', toNode: '40', billId: ckbId }],
    ]);
    return unit;
  }
  const roll = async (unit: UnitOnBill) =>
    testApp.send(rollbackTransaction, { id: String(await latest(unit)), remark: 'wrong' }, { as: 'admin' });
  const setNode = ({ sn }: UnitOnBill) =>
    testApp.send(modifyIvyId, { sn, ivyId: '50', remark: 'wrong' }, { as: 'admin' });
  const ways: [string, () => Promise<UnitOnBill>, (unit: UnitOnBill) => Promise<{ code: string }>][] = [
    ['the rollback of a delivery', shipped, roll],
    ['the rollback of a confirmed scrap', scrapped, roll],
    ['setting the node of a shipped unit', shipped, setNode],
    ['setting the node of scrap', scrapped, setNode],
    [
      'the return of scrap to its first test',
      scrapped,
      ({ sn, mtbId, mtbliId }) =>
        testApp.send(rollbackToPreliminaryTest, [{ sn, mtbId, mtbliId }], { as: 'aftersales' }),
    ],
  ];
  const rolledBack = async ({ mtbliId }: UnitOnBill) =>
    (
      await testApp.db
        .selectFrom('rma_repair_fee_bill_line')
        .select('rolledBack')
        .where('mtbliId', '=', mtbliId)
        .executeTakeFirstOrThrow()
    ).rolledBack;

  it.each(ways)('refuses %s once finance has passed the bill', async (_, make, undo) => {
    for (const billStatus of ['4', '5', '6']) {
      const unit = await make();
      await billed(unit, billStatus);
      const before = await latest(unit);
      expect(await undo(unit)).toMatchObject({
        code: '100025',
        msg: expect.stringContaining('which finance has passed') as string,
      });
      expect(await latest(unit)).toBe(before);
    }
  });

  it.each(ways)('marks the line at %s before that, and the bill does not pass', async (_, make, undo) => {
    for (const billStatus of ['0', '1', '3']) {
      const unit = await make();
      const id = await billed(unit, billStatus);
      expect(await undo(unit)).toMatchObject({ code: '000000' });
      expect(await rolledBack(unit)).toBe('1');
      if (billStatus === '1') continue;
      const pass = reviewCall('rmaRepairFeeBill', billStatus === '0' ? 'afterSalesReview' : 'financialReview', 'POST');
      const as = billStatus === '0' ? 'aftersales' : 'finance';
      const answer = await testApp.send(pass, { id: Number(id), result: '2' }, { as });
      expect(answer).toMatchObject({
        code: '100015',
        msg: expect.stringContaining('delivery or scrap was rolled back: 1') as string,
      });
    }
  });

  /** A unit that was repaired and delivered, on its bill; then all of that is rolled back. */
  async function undone(month: string) {
    const unit = await onBill(Node.CanShip, { item: { deliverStatus: '1' } });
    const rpbId = await repaired(testApp.db, unit, '2026-09-24');
    await happened(testApp.db, unit, [['repair', '2026-09-24', { billId: rpbId }]]);
    await delivered(testApp.db, unit, `${month}-20`);
    await testApp.db.updateTable('rma_inventory').set({ ivyId: '900' }).where('sn', '=', unit.sn).execute();
    await generate(month, `${month}-01`, `${month}-28`);
    expect(await setNode(unit)).toMatchObject({ code: '000000' });
    await testApp.db
      .updateTable('rma_transaction')
      .set({ operateStatus: 'Rollbacked' })
      .where('billId', '=', rpbId)
      .execute();
    return unit;
  }
  const endAgain = async ({ sn }: UnitOnBill) =>
    expect(await testApp.send(modifyIvyId, { sn, ivyId: '900', remark: 'gone' }, { as: 'admin' })).toMatchObject({
      code: '000000',
    });
  const lineOf = ({ mtbliId }: UnitOnBill) =>
    testApp.db
      .selectFrom('rma_repair_fee_bill_line as l')
      .innerJoin('rma_repair_fee_bill as h', 'h.rfbId', 'l.rfbId')
      .select(['h.id', 'h.version', 'l.id as lineId', 'l.repairProject', 'l.priceChanged', 'l.includingTaxAmount'])
      .select(['l.salesCode', sql<string>`l."settledOn"::text`.as('day')])
      .where('mtbliId', '=', mtbliId)
      .executeTakeFirstOrThrow();
  const pass = async (id: unknown) =>
    testApp.send(
      reviewCall('rmaRepairFeeBill', 'afterSalesReview', 'POST'),
      { id: Number(id), result: '2' },
      { as: 'aftersales' },
    );
  const why = async (id: unknown) => (await testApp.send(whyPrice, { id: Number(id) }, { as: 'office' })).data;

  /** A passed price of the same work, of other days, is voided: what its lines cost is looked at again. */
  async function priceGoes(prbId: string) {
    const other = { siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY' };
    const work = { machineType: 'RX19', warranty: '1', repairProject: '1', repairType: '2', createBy: 'office' };
    const { id } = await testApp.db
      .insertInto('rma_price_bill')
      .values({
        ...{ ...other, ...work, prbId, taxRate: '13', unitPriceWithTax: '1' },
        ...{ effectiveDate: '2025-01-01', expirationDate: '2025-01-31' },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const gone = await testApp.ask('POST', '/api/rmaPriceBill/void.json', { id }, { as: 'finance' });
    expect(gone).toMatchObject({ code: '000000' });
  }

  it('does not pass at the price of a repair that nobody has done any more, until the site says why', async () => {
    const unit = await undone('2026-01');
    await endAgain(unit);
    const { id, version, lineId, ...line } = await lineOf(unit);
    expect(line).toMatchObject({ repairProject: '1', priceChanged: '1', includingTaxAmount: '400.000000' });
    expect(await pass(id)).toMatchObject({
      code: '100015',
      msg: expect.stringContaining('whose work is another one since: 1') as string,
    });
    expect(await why(lineId)).toMatchObject({ isAnew: true });
    // A price of the same work that goes does not take the mark away.
    await priceGoes('P9');
    expect(await lineOf(unit)).toMatchObject({ priceChanged: '1' });

    const { data } = await testApp.send(changedPrices, { id: Number(id) }, { as: 'office' });
    const lines = data.lines.map((it) => ({ lineId: it.lineId, beside: it.beside, reason: 'repaired outside' }));
    expect(lines).toHaveLength(1);
    const kept = await testApp.send(confirmPrices, { id: Number(id), version, lines }, { as: 'office' });
    expect(kept).toMatchObject({ code: '000000' });
    expect(await pass(id)).toMatchObject({ code: '000000' });
  });

  it('says the work that was done anew, and costs that once it is handed in', async () => {
    const unit = await undone('2026-02');
    await checked(testApp.db, unit, '2026-09-25', { disposition: 'nofault', nofaultConfirmStatus: '1' });
    await endAgain(unit);
    const { id, lineId, ...line } = await lineOf(unit);
    expect(line).toMatchObject({ repairProject: '5', priceChanged: '1', includingTaxAmount: '400.000000' });
    expect(await pass(id)).toMatchObject({ code: '100015' });
    expect(await why(lineId)).toMatchObject({ isAnew: true, work: { repairProject: '5' }, now: { prbId: 'P3' } });
    await testApp.db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('id', '=', id).execute();
    const { version } = await lineOf(unit);
    const sent = { id: Number(id), version, remark: 'no fault', corrected: [], removed: [] };
    expect(await testApp.send(resubmitFee, sent, { as: 'office' })).toMatchObject({ code: '000000' });
    expect(await lineOf(unit)).toMatchObject({ priceChanged: '0', includingTaxAmount: '30.000000' });
    expect(await why(lineId)).toMatchObject({ isAnew: false });
    expect(await pass(id)).toMatchObject({ code: '000000' });
  });

  it('has no workbook of the work before, and finance passes it once that is made again', async () => {
    await testApp.db
      .insertInto('rma_price_bill')
      .values({
        ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', warranty: '1' },
        ...{ machineType: 'RX19', taxRate: '13', effectiveDate: '2024-02-01', expirationDate: '2024-02-29' },
        ...{ prbId: 'P6', repairProject: '1', repairType: '2', unitPriceWithTax: '400' },
      })
      .execute();
    const unit = await undone('2024-02');
    const { id } = await lineOf(unit);
    const url = async () =>
      (await testApp.db.selectFrom('rma_repair_fee_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
        .processingFeeReportUrl;
    await expect.poll(url).toMatch(/^\/file\//);
    const before = String(await url());
    const token = await testApp.openToken('finance');
    const statusOf = async (path: string) =>
      (await testApp.app.inject({ method: 'GET', url: path, headers: { token } })).statusCode;
    expect(await statusOf(before)).toBe(200);
    await checked(testApp.db, unit, '2026-09-25', { disposition: 'nofault', nofaultConfirmStatus: '1' });
    await endAgain(unit);
    expect([await url(), await statusOf(before)]).toEqual([null, 404]);

    const { data } = await testApp.send(changedPrices, { id: Number(id) }, { as: 'office' });
    const lines = data.lines.map((it) => ({ lineId: it.lineId, beside: it.beside, reason: 'as agreed' }));
    const { version } = await lineOf(unit);
    const kept = await testApp.send(confirmPrices, { id: Number(id), version, lines }, { as: 'office' });
    expect(kept).toMatchObject({ code: '000000' });
    expect(await pass(id)).toMatchObject({ code: '000000' });
    const finance = reviewCall('rmaRepairFeeBill', 'financialReview', 'POST');
    const decide = () => testApp.send(finance, { id: Number(id), result: '2' }, { as: 'finance' });
    expect(await decide()).toMatchObject({
      code: '100015',
      msg: expect.stringContaining('makes the workbook again') as string,
    });
    expect(await testApp.send(makeWorkbook, { id: Number(id) }, { as: 'office' })).toMatchObject({ code: '000000' });
    await expect.poll(url).toMatch(/^\/file\//);
    expect(await decide()).toMatchObject({ code: '000000' });
  });

  it('keeps its workbook, which says no time of a repair, where the same work was done again and delivered the same day', async () => {
    const unit = await onBill(Node.CanShip, { item: { deliverStatus: '1' } });
    await repaired(testApp.db, unit, '2026-09-24');
    await delivered(testApp.db, unit, '2024-03-20');
    await generate('2024-03', '2024-03-01', '2024-03-28');
    const { id } = await lineOf(unit);
    const url = async () => {
      const bills = testApp.db.selectFrom('rma_repair_fee_bill').selectAll().where('id', '=', id);
      return (await bills.executeTakeFirstOrThrow()).processingFeeReportUrl;
    };
    await expect.poll(url).toMatch(/^\/file\//);
    const before = await url();
    const repairTime = async () => {
      const lines = testApp.db.selectFrom('rma_repair_fee_bill_line').select('repairTime');
      return (await lines.where('mtbliId', '=', unit.mtbliId).executeTakeFirstOrThrow()).repairTime;
    };
    const first = await repairTime();
    const ctx = await contextFor(testApp, 'admin');
    await repaired(testApp.db, unit, '2026-09-25');
    await endsAnew(ctx, [unit.mtbliId]);
    expect(await repairTime()).not.toEqual(first);
    expect(await url()).toBe(before);
    await delivered(testApp.db, unit, '2024-03-21');
    await endsAnew(ctx, [unit.mtbliId]);
    expect(await url()).toBeNull();
  });

  it('says that it is scrap where it became that instead', async () => {
    const unit = await undone('2025-10');
    const scrap = { sn: unit.sn, ivyId: '40', remark: 'broken' };
    expect(await testApp.send(modifyIvyId, scrap, { as: 'admin' })).toMatchObject({ code: '000000' });
    // Its price was missing; so is that of the scrap on that day, or it is found when the bill is handed in.
    expect(await lineOf(unit)).toMatchObject({ repairProject: '6' });
    expect(await pass((await lineOf(unit)).id)).toMatchObject({ code: '100015' });
  });

  /** A unit, repaired or not, whose delivery of that day is on its bill, and was taken back. */
  async function takenBack(day: string, { made, isRepaired = true }: { made?: UnitOnBill; isRepaired?: boolean } = {}) {
    const unit = made ?? (await onBill(Node.CanShip, { item: { deliverStatus: '1' } }));
    if (isRepaired) await repaired(testApp.db, unit, '2026-09-24');
    await delivered(testApp.db, unit, day);
    await testApp.db.updateTable('rma_inventory').set({ ivyId: '900' }).where('sn', '=', unit.sn).execute();
    await generate(day.slice(0, 7), `${day.slice(0, 7)}-01`, `${day.slice(0, 7)}-28`);
    expect(await setNode(unit)).toMatchObject({ code: '000000' });
    return unit;
  }
  const deliveredOn = async ({ mtbliId }: UnitOnBill) => {
    const { rows } = await sql<{ day: string }>`
      SELECT ("deliverTime" AT TIME ZONE 'Asia/Shanghai')::date::text AS day
        FROM rma_maintain_bill_line_item WHERE "mtbliId" = ${mtbliId}`.execute(testApp.db);
    return rows[0]?.day;
  };

  it('says the repair order on which its unit stands, where that was moved before it was delivered anew', async () => {
    const day = '2024-04-20';
    const unit = await takenBack(day);
    const url = async () => {
      const bills = testApp.db.selectFrom('rma_repair_fee_bill as h').selectAll('h');
      const of = bills.innerJoin('rma_repair_fee_bill_line as l', 'l.rfbId', 'h.rfbId');
      return (await of.where('l.mtbliId', '=', unit.mtbliId).executeTakeFirstOrThrow()).processingFeeReportUrl;
    };
    await expect.poll(url).toMatch(/^\/file\//);
    const mtbId = await moveAway(unit);
    await testApp.db
      .updateTable('rma_maintain_bill')
      .set({ btmMtbId: 'WEB-MOVED' })
      .where('mtbId', '=', mtbId)
      .execute();
    await delivered(testApp.db, unit, day);
    await endsAnew(await contextFor(testApp, 'admin'), [unit.mtbliId]);
    const lines = testApp.db.selectFrom('rma_repair_fee_bill_line').select(['mtbId', 'btmMtbId', 'priceChanged']);
    const line = await lines.where('mtbliId', '=', unit.mtbliId).executeTakeFirstOrThrow();
    expect(line).toMatchObject({ mtbId, btmMtbId: 'WEB-MOVED' });
    expect(line.priceChanged, 'it costs the same').not.toBe('1');
    expect(await url(), 'its workbook says the repair order before').toBeNull();
  });

  it('says by what its unit is called, where that was changed before it was delivered anew', async () => {
    const day = '2024-05-20';
    const unit = await takenBack(day);
    const ctx = await contextFor(testApp, 'admin');
    const sn = `${unit.sn}X`;
    await renameUnit(ctx, unit.sn, sn);
    await delivered(testApp.db, { ...unit, sn }, day);
    await endsAnew(ctx, [unit.mtbliId]);
    const lines = testApp.db.selectFrom('rma_repair_fee_bill_line').select(['sn', 'priceChanged']);
    const line = await lines.where('mtbliId', '=', unit.mtbliId).executeTakeFirstOrThrow();
    expect(line.sn).toBe(sn);
    expect(line.priceChanged, 'it costs the same').not.toBe('1');
  });

  it('says the day of the delivery that stands, and passes where that costs the same', async () => {
    const unit = await takenBack('2026-03-20');
    await endAgain(unit);
    const { id, priceChanged, day } = await lineOf(unit);
    expect(priceChanged).not.toBe('1');
    expect(day).toBe(await deliveredOn(unit));
    expect(await pass(id)).toMatchObject({ code: '000000' });
  });

  it.each([
    ['nobody had repaired it', '2026-08-20', false],
    ['its only repair had been rolled back before the bill', '2026-07-20', true],
  ])('loses the mark of a price that says the same again, where %s', async (_, day, isUndoneBefore) => {
    const made = await onBill(Node.CanShip, { item: { deliverStatus: '1' } });
    if (isUndoneBefore) {
      await happened(testApp.db, made, [['repair', '2026-07-10']]);
      const undone = { operateStatus: 'Rollbacked', rolledBackTime: sql<string>`now() - interval '1 hour'` };
      const repair = testApp.db.updateTable('rma_transaction').where('step', '=', 'repair');
      await repair.where('sn', '=', made.sn).set(undone).execute();
    }
    const unit = await takenBack(day, { made, isRepaired: false });
    await endAgain(unit);
    // As if a price had been passed that said another one.
    await testApp.db
      .updateTable('rma_repair_fee_bill_line')
      .set({ priceChanged: '1' })
      .where('mtbliId', '=', unit.mtbliId)
      .execute();
    await priceGoes(`P10-${day}`);
    expect(await lineOf(unit)).toMatchObject({ priceChanged: '0' });
  });

  it('does not pass where another price holds on the day of the delivery that stands', async () => {
    await testApp.db
      .insertInto('rma_price_bill')
      .values({
        ...{ siteId: 'SZ', billStatus: '2', settleCompany: 'C', supplierName: 'S', currency: 'CNY', warranty: '1' },
        ...{ machineType: 'RX19', taxRate: '13', effectiveDate: '2025-04-01', expirationDate: '2025-04-30' },
        ...{ prbId: 'P5', repairProject: '1', repairType: '2', unitPriceWithTax: '390' },
      })
      .execute();
    const unit = await takenBack('2025-04-20');
    await endAgain(unit);
    const { id, ...line } = await lineOf(unit);
    expect(line).toMatchObject({ priceChanged: '1', includingTaxAmount: '390.000000' });
    expect(await pass(id)).toMatchObject({ code: '100015' });
  });

  it('keeps the mark of a repair that has gone when it is delivered once more on another day', async () => {
    const unit = await undone('2026-04');
    await endAgain(unit);
    expect(await lineOf(unit)).toMatchObject({ priceChanged: '1' });
    // As if that had been earlier.
    await testApp.db
      .updateTable('rma_repair_fee_bill_line')
      .set({ settledOn: '2026-04-21' })
      .where('mtbliId', '=', unit.mtbliId)
      .execute();
    expect(await setNode(unit)).toMatchObject({ code: '000000' });
    await endAgain(unit);
    expect(await lineOf(unit)).toMatchObject({ priceChanged: '1', day: await deliveredOn(unit) });
  });

  it('passes where a second repair costs nothing then and now, and has no price', async () => {
    const first = await onBill(Node.Shipped, { item: { receiveTime: at('2026-08-01') } });
    await delivered(testApp.db, first, '2026-08-15');
    await testApp.db.deleteFrom('rma_inventory').where('sn', '=', first.sn).execute();
    const again = await onBill(Node.CanShip, { sn: first.sn, item: { deliverStatus: '1', warranty: '0' } });
    const unit = await takenBack('2025-06-20', { made: again });
    await endAgain(unit);
    const { id, priceChanged } = await lineOf(unit);
    expect(priceChanged).not.toBe('1');
    expect(await pass(id)).toMatchObject({ code: '000000' });
  });

  it('says the model that it is by now', async () => {
    const unit = await takenBack('2026-05-20');
    await testApp.db
      .updateTable('rma_maintain_bill_line')
      .set({ salesCode: 'RX21' })
      .where('mtblId', '=', unit.mtblId)
      .execute();
    await endAgain(unit);
    expect(await lineOf(unit)).toMatchObject({ salesCode: 'RX21', priceChanged: '1' });
  });

  it('says the day of its scrap, also where what took that back is taken back itself', async () => {
    const unit = await scrapped();
    await billed(unit, '0', '6');
    expect(await setNode(unit)).toMatchObject({ code: '000000' });
    expect(await roll(unit)).toMatchObject({ code: '000000' });
    expect(await lineOf(unit)).toMatchObject({ repairProject: '6', day: '2026-09-23' });
  });

  it('is settled where an administrator has put it to shipped, and was delivered in the month statistics as well', async () => {
    const unit = await onBill(Node.CanShip, { item: { deliverStatus: '1' } });
    const sent = await testApp.send(modifyIvyId, { sn: unit.sn, ivyId: Node.Shipped, remark: 'sent' }, { as: 'admin' });
    expect(sent, sent.msg).toMatchObject({ code: '000000' });
    // As if it had been in a month of its own.
    const then = at('2025-09-05');
    const { numUpdatedRows } = await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverTime: then })
      .where('mtbliId', '=', unit.mtbliId)
      .where('deliverTime', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(Number(numUpdatedRows)).toBe(1);
    await testApp.db.updateTable('rma_transaction').set({ eventTime: then }).where('sn', '=', unit.sn).execute();
    await generate('2025-09', '2025-09-01', '2025-09-30');
    expect(await readFees(unit.sn)).toHaveLength(1);
    const month = { startDate: '2025-09-01', endDate: '2025-09-30' };
    const rows = await readRows(testApp, 'exportMonthStatistics', { ...month, sites: ['SZ'] });
    expect(rows).toMatchObject([{ delivered: 1, otherOut: 0 }]);
  });

  it('is settled once, also after it was rolled back, moved and delivered again', async () => {
    const unit = await onBill(Node.CanShip, { item: { deliverStatus: '1' } });
    await delivered(testApp.db, unit, '2025-11-05');
    await generate('2025-11', '2025-11-01', '2025-11-30');
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverStatus: '1', deliverTime: null, deliverSn: null })
      .where('mtbliId', '=', unit.mtbliId)
      .execute();
    await testApp.db.deleteFrom('rma_deliver_bill_line').where('mtbliId', '=', unit.mtbliId).execute();
    await moveAway(unit);
    await delivered(testApp.db, unit, '2025-12-05');
    const again = { recPeriod: '2025-12', startDate: '2025-12-01', endDate: '2025-12-31' };
    expect(await testApp.send(generateFee, again, { as: 'office' })).toMatchObject({ code: '100002' });
    expect(await readFees(unit.sn)).toHaveLength(1);
  });

  it('says what it cost before once its bill is made anew, as often as that is made', async () => {
    const { db } = testApp;
    const unit = await onBill(Node.Shipped);
    await delivered(db, unit, '2026-06-10');
    const make = () => generate('2026-06', '2026-06-01', '2026-06-30');
    const amounts = async () => {
      const lines = db.selectFrom('rma_repair_fee_bill_line').where('mtbliId', '=', unit.mtbliId);
      const { rfbId, ...it } = await lines
        .select(['rfbId', 'includingTaxAmount', 'previousAmount'])
        .executeTakeFirstOrThrow();
      return { rfbId, was: Number(it.previousAmount), is: Number(it.includingTaxAmount) };
    };
    await make();
    const { rfbId, ...first } = await amounts();
    expect(first).toEqual({ was: 0, is: 400 });
    const lines = db.updateTable('rma_repair_fee_bill_line').set({ includingTaxAmount: '777.77' });
    await lines.where('rfbId', '=', rfbId).execute();
    for (let n = 0; n < 2; n++) {
      await db.updateTable('rma_repair_fee_bill').set({ billStatus: '1' }).where('rfbId', '=', rfbId).execute();
      await make();
      expect(await amounts()).toEqual({ rfbId, was: 777.77, is: 400 });
    }
  });

  it('stands on one line only, by the database', async () => {
    const unit = await shipped();
    await billed(unit, '0');
    const { mtbliId, sn } = unit;
    const second = testApp.db.insertInto('rma_repair_fee_bill_line').values({ rfbId: 'RFB-2', mtbliId, sn }).execute();
    await expect(second).rejects.toMatchObject({ code: '23505' });
  });
});
