import { groupBy } from '#domain/group.ts';
import { lessMoney, sumMoney, withoutTax } from '#domain/money.ts';
import { DAY_MS, dayOf } from '#domain/day.ts';
import { Confirmation, DeliverStatus, Flag, flag, OperateStatus, RepairType, Warranty } from '#domain/enums.ts';
import { ChargeItem } from '#domain/freight.ts';
import { Node } from '#domain/nodes.ts';
import { daysBetween } from '#domain/period.ts';
import { limits } from '#domain/reports.ts';
import {
  BusinessType,
  CorrectionStatus,
  ExpenseStatus,
  FeeType,
  LogisticsCostsStatus,
  PriceBillStatus,
  PriceReason,
  RepairFeeStatus,
  RepairProject,
} from '#domain/review.ts';
import { newFileId } from '#server/uploads/fileStore.ts';
import { families, familyOf, modelFamilies, models } from './items.ts';
import type { Paper } from './papers.ts';
import { repairSupplierOf, repairSuppliers } from './sites.ts';
import type { Row } from './rows.ts';
import { stamp, type Site, type World } from './world.ts';

const TAX = '13';
const REVIEWERS = { aftersales: 'aftersales', finance: 'finance', audit: 'auditor' };

/** Who makes the money bills of a site. */
const makerOf = ({ siteId, crew }: Site) => (siteId === 'SZ' ? 'office' : crew.supervisor);
/** As it stands on its papers. */
const abroad = (name: string) => repairSuppliers.find((it) => it.supplierName === name)?.supplierNameEn ?? name;
const currencyOf = ({ siteId }: Site) => (siteId === 'US' ? 'USD' : 'CNY');

const projects: [project: string, cny: number][] = [
  [RepairProject.Device, 320],
  [RepairProject.Board, 185],
  [RepairProject.Power, 96],
  [RepairProject.Controls, 64],
];

/** Prices, and the bills of the last months: fees, freight, expenses, each in every state. */
export function addFinance(world: World): void {
  for (const site of Object.values(world.sites)) {
    addPrices(world, site);
    addUsualPrices(world, site);
    addFees(world, site);
    addFreight(world, site);
  }
  addExpenses(world);
}

function addPrices(world: World, site: Site): void {
  const { rows, random, now } = world;
  const { AwaitingReview, NotPassed, Passed, Voided } = PriceBillStatus;
  const year = yearOf(world);
  const openOnes = [AwaitingReview, AwaitingReview, NotPassed, Voided, AwaitingReview];
  modelFamilies.forEach((machineType, f) =>
    projects.forEach(([repairProject, price], p) => {
      if (site.siteId !== 'SZ' && p > 1) return;
      const isOpen = (f + p) % 4 === 3;
      const status = isOpen ? (openOnes[f] as string) : Passed;
      const at = now - (isOpen ? 2 + f * 3 : 120 - f * 4) * DAY_MS + p * 3_600_000;
      const unitPriceWithTax = ((price + f * 22 + random.int(0, 9)) * (site.siteId === 'US' ? 0.16 : 1)).toFixed(2);
      const isReviewed = status !== AwaitingReview;
      const bill = {
        billStatus: status,
        siteId: site.siteId,
        settleCompany: site.siteId === 'US' ? 'Reflow Services Inc.' : '瑞服科技（深圳）有限公司',
        supplierName: repairSupplierOf(site.siteId),
        repairProject,
        warranty: p % 2 === 0 ? Warranty.In : Warranty.Out,
        machineType,
        repairType: f % 3 === 0 ? RepairType.SecondHand : RepairType.Defective,
        currency: currencyOf(site),
        unitPriceWithTax,
        taxRate: TAX,
        unitPriceWithoutTax: withoutTax(unitPriceWithTax, TAX, 4),
        effectiveDate: `${isOpen ? year + 1 : year - 1}-01-01`,
        expirationDate: `${isOpen ? year + 1 : year}-12-31`,
        financialReviewer: isReviewed ? REVIEWERS.finance : null,
        financialReviewTime: isReviewed ? new Date(at + DAY_MS) : null,
        reviewRemark: status === NotPassed ? '单价高于上一年度，请附成本说明' : null,
        ...stamp(at, makerOf(site)),
        ...(status === Voided && { updateBy: REVIEWERS.finance, updateTime: new Date(at + 2 * DAY_MS) }),
      };
      rows.add('rma_price_bill', { prbId: world.numberAt('PRB', at), ...bill });
      if (isOpen) addPriceBefore(world, site, bill);
    }),
  );
}

/** What the same work costs this year, while next year's price is judged: some of them far from it. */
function addPriceBefore(world: World, site: Site, next: Omit<Row<'rma_price_bill'>, 'prbId'>): void {
  const year = yearOf(world);
  const at = world.now - 130 * DAY_MS;
  const price = (Number(next.unitPriceWithTax) * (next.machineType === 'TX-7' ? 0.8 : 0.96)).toFixed(2);
  world.rows.add('rma_price_bill', {
    ...next,
    prbId: world.numberAt('PRB', at),
    billStatus: PriceBillStatus.Passed,
    unitPriceWithTax: price,
    unitPriceWithoutTax: withoutTax(price, TAX, 4),
    effectiveDate: `${year - 1}-01-01`,
    expirationDate: `${year}-12-31`,
    financialReviewer: REVIEWERS.finance,
    financialReviewTime: new Date(at + DAY_MS),
    reviewRemark: null,
    updateBy: null,
    updateTime: null,
    ...stamp(at, makerOf(site)),
  });
}

type Price = Row<'rma_price_bill'>;
const keyOf = (it: Pick<Price, 'siteId' | 'repairProject' | 'warranty' | 'machineType' | 'repairType'>) =>
  [it.siteId, it.repairProject, it.warranty, it.machineType, it.repairType].join();
const passedPrices = ({ rows }: World): Map<string, Price> =>
  new Map(
    rows
      .of('rma_price_bill')
      .filter((it) => it.billStatus === PriceBillStatus.Passed)
      .map((it) => [keyOf(it), it]),
  );

/** What is done most is priced for each family, warranty and kind of repair. */
function addUsualPrices(world: World, site: Site): void {
  const pattern = world.rows.of('rma_price_bill').find((it) => it.siteId === site.siteId) as Price;
  const there = passedPrices(world);
  const year = yearOf(world);
  const at = world.now - 125 * DAY_MS;
  const usual = [...projects.slice(0, 2), [RepairProject.CheckOnly, 30], [RepairProject.ScrapCheck, 45]] as const;
  for (const [f, machineType] of families.entries())
    for (const [repairProject, cny] of usual)
      for (const warranty of Object.values(Warranty))
        for (const repairType of [RepairType.SecondHand, RepairType.Defective]) {
          const work = { siteId: site.siteId, repairProject, warranty, machineType, repairType };
          if (there.has(keyOf(work))) continue;
          const unitPriceWithTax = ((cny + f * 22) * (site.siteId === 'US' ? 0.16 : 1)).toFixed(2);
          world.rows.add('rma_price_bill', {
            ...pattern,
            ...work,
            prbId: world.numberAt('PRB', at),
            billStatus: PriceBillStatus.Passed,
            unitPriceWithTax,
            unitPriceWithoutTax: withoutTax(unitPriceWithTax, TAX, 4),
            effectiveDate: `${year - 1}-01-01`,
            expirationDate: `${year}-12-31`,
            financialReviewer: REVIEWERS.finance,
            financialReviewTime: new Date(at + DAY_MS),
            reviewRemark: null,
            updateBy: null,
            updateTime: null,
            ...stamp(at, makerOf(site)),
          });
        }
}

/** What is handed in with a bill; gives its address. */
function addPaper(
  world: World,
  site: Site,
  { at, ...paper }: Pick<Paper, 'title' | 'no' | 'lines' | 'total'> & { at: number },
): string {
  const id = newFileId();
  world.papers.push({
    ...paper,
    id,
    siteId: site.siteId,
    by: makerOf(site),
    day: dayOf(at, world.timeZone),
    from: paper.title === 'INVOICE' ? abroad(repairSupplierOf(site.siteId)) : 'Carriers of the month',
    to: site.siteId === 'US' ? 'Reflow Services Inc.' : 'Reflow Technology (Shenzhen) Co., Ltd.',
    currency: currencyOf(site),
  });
  return `/file/${id}`;
}

type Item = Row<'rma_maintain_bill_line_item'>;

/** An item that was delivered, or whose scrap was confirmed, and when. */
interface Ended {
  item: Item;
  at: Date;
  isScrap: boolean;
}

/** What of a site has come to its end. Rule: money#repair-fees. */
function endedAt({ rows }: World, { siteId }: Site): Ended[] {
  const items = rows.of('rma_maintain_bill_line_item').filter((it) => it.siteId === siteId && it.receiveSn);
  const scrapped = new Map(
    rows
      .of('rma_transaction')
      .filter((it) => it.step === 'scrapConfirm' && it.toNode === Node.Scrapped)
      .filter((it) => it.operateStatus === OperateStatus.Normal)
      .map((it) => [it.mtbliId, it.eventTime as Date]),
  );
  return items.flatMap((item): Ended[] => {
    if (item.deliverTime) return [{ item, at: item.deliverTime as Date, isScrap: false }];
    const at = item.deliverStatus === DeliverStatus.Scrapped ? scrapped.get(item.mtbliId) : undefined;
    if (!at) return [];
    // Whoever confirms scrap knows by whom it is paid.
    item.warranty ??= Warranty.Out;
    return [{ item, at, isScrap: true }];
  });
}

/** Items that were judged and not repaired since, by their last first test that stands: no fault, or scrap, as was confirmed. */
function judged({ rows }: World): ReadonlyMap<string, string> {
  const returned = new Set(
    rows
      .of('rma_transaction')
      .filter((it) => it.operateStatus === OperateStatus.Rollbacked)
      .map((it) => it.billId),
  );
  const repairs = rows.of('rma_repair_bill').filter((it) => !returned.has(it.rpbId));
  const repairedAt = new Map(repairs.map((it) => [it.mtbliId, (it.createTime as Date).getTime()]));
  const last = new Map(
    rows
      .of('rma_check_bill_line')
      .filter((it) => it.disposition && !returned.has(it.ckbId))
      .map((it) => [it.mtbliId, it]),
  );
  return new Map(
    [...last].flatMap(([mtbliId, it]): [string, string][] => {
      if (!mtbliId || (repairedAt.get(mtbliId) ?? 0) >= (it.billTime as Date).getTime()) return [];
      if (it.nofaultConfirmStatus === Confirmation.Confirmed) return [[mtbliId, RepairProject.CheckOnly]];
      return it.scrapStatus === Confirmation.Confirmed ? [[mtbliId, RepairProject.ScrapCheck]] : [];
    }),
  );
}

/** The unit of this item left the site at most 90 days before it came. Rule: reports#limits. */
function isSecondRepair({ timeZone }: World, item: Item, ended: readonly Ended[]): boolean {
  const came = item.receiveTime as Date | null;
  return ended.some(
    ({ item: other, at, isScrap }) =>
      !isScrap &&
      came !== null &&
      other !== item &&
      other.deliverSn === item.receiveSn &&
      at < came &&
      daysBetween(dayOf(at.getTime(), timeZone), dayOf(came.getTime(), timeZone)) <= limits.secondRepairDays,
  );
}

/** One bill a site and month over what has really ended; the older the month, the further it has come. */
function addFees(world: World, site: Site): void {
  const { AwaitingAfterSales, Rejected, AwaitingFinance, AwaitingInvoice, AwaitingAudit, Settled } = RepairFeeStatus;
  const order: Record<string, string[]> = {
    SZ: [AwaitingAfterSales, AwaitingFinance, AwaitingInvoice, AwaitingAudit, Settled],
    NB: [AwaitingFinance, AwaitingAudit, Settled, Settled, Settled],
    US: [Rejected, AwaitingInvoice, Settled, Settled, Settled],
  };
  const prices = passedPrices(world);
  const ended = endedAt(world, site);
  const verdicts = judged(world);
  const months = lastMonths(world).map((it) => ({
    ...it,
    those: ended.filter(({ at }) => periodOf(world, at) === it.recPeriod),
  }));
  // Nothing is settled of a month in which nothing ended.
  const settled = months.filter((it) => it.those.length > 0);
  settled.forEach(({ recPeriod, startDate, endDate, closedAt, those }, i) => {
    const status = order[site.siteId]?.[i] ?? Settled;
    const at = Math.min(closedAt + (2 + i) * DAY_MS, world.now - (3 - Math.min(i, 2)) * DAY_MS);
    const rfbId = world.numberAt('RFB', at);
    const lines = those.map((it) => addFeeLine(world, site, rfbId, it, { at, prices, ended, verdicts }));
    const has = (states: string[]) => states.includes(status);
    const afterSales = !has([AwaitingAfterSales]);
    const finance = has([AwaitingInvoice, AwaitingAudit, Settled]);
    const invoice = has([AwaitingAudit, Settled]);
    const bill: Row<'rma_repair_fee_bill'> = world.rows.add('rma_repair_fee_bill', {
      rfbId,
      billStatus: status,
      siteId: site.siteId,
      supplierName: repairSupplierOf(site.siteId),
      recPeriod,
      startDate,
      endDate,
      currency: currencyOf(site),
      lineCount: lines.length,
      excludingTaxAmount: sumMoney(
        lines.map((it) => it.excludingTaxAmount as string),
        2,
      ),
      taxAmount: sumMoney(
        lines.map((it) => it.taxAmount as string),
        2,
      ),
      includingTaxAmount: sumMoney(
        lines.map((it) => it.includingTaxAmount as string),
        2,
      ),
      afterSalesReviewBy: afterSales ? REVIEWERS.aftersales : null,
      afterSalesReviewTime: afterSales ? new Date(at + 0.5 * DAY_MS) : null,
      financialReviewBy: finance ? REVIEWERS.finance : null,
      financialReviewTime: finance ? new Date(at + DAY_MS) : null,
      uploadInvoiceBy: invoice ? makerOf(site) : null,
      uploadInvoiceTime: invoice ? new Date(at + 1.5 * DAY_MS) : null,
      invoiceUrls: null,
      financialAuditBy: status === Settled ? REVIEWERS.audit : null,
      financialAuditTime: status === Settled ? new Date(at + 2 * DAY_MS) : null,
      reviewRemark: status === Rejected ? '有两台二次维修未标记，请核对后重新提交' : null,
      ...stamp(at, makerOf(site)),
    });
    const corrected = site.siteId !== 'SZ' && i === 2 && lines.find((it) => Number(it.includingTaxAmount) > 0);
    if (corrected) {
      const { sn, salesName: settledFor, includingTaxAmount: settledAmount, taxRate } = corrected;
      const howFar = site.siteId === 'NB' ? CorrectionStatus.Settled : CorrectionStatus.AwaitingAudit;
      addCorrection(world, site, bill, { sn, settledFor, settledAmount, taxRate }, howFar);
    }
    if (!invoice) return;
    bill.invoiceUrls = addPaper(world, site, {
      ...{ title: 'INVOICE', no: rfbId, at: at + 1.5 * DAY_MS },
      lines: [
        [`Repair services ${recPeriod}`, lines.length, bill.excludingTaxAmount as string],
        [`Tax ${TAX} %`, null, bill.taxAmount as string],
      ],
      total: bill.includingTaxAmount as string,
    });
  });
}

interface FeeFacts {
  at: number;
  prices: ReadonlyMap<string, Price>;
  ended: readonly Ended[];
  verdicts: ReadonlyMap<string, string>;
}

/** Half of what a line of a settled bill cost is credited; how far that has come. */
function addCorrection(
  world: World,
  site: Site,
  bill: Row<'rma_repair_fee_bill'> | Row<'rma_logistics_costs_bill'>,
  line: Pick<
    Row<'rma_correction_bill_line'>,
    'sn' | 'deliverShipNo' | 'settledFor' | 'chargeItems' | 'settledAmount' | 'taxRate'
  >,
  billStatus: string,
): void {
  const isSettled = billStatus === CorrectionStatus.Settled;
  const isReviewed = billStatus !== CorrectionStatus.AwaitingReview;
  const at = world.now - (isSettled ? 9 : 2) * DAY_MS;
  const crbId = world.numberAt('CRB', at);
  const gross = (-Number(line.settledAmount) / 2).toFixed(2);
  const net = withoutTax(gross, String(line.taxRate), 2);
  const amounts = { includingTaxAmount: gross, excludingTaxAmount: net, taxAmount: lessMoney(gross, net, 2) };
  const currency = currencyOf(site);
  world.rows.add('rma_correction_bill', {
    ...('rfbId' in bill ? { rfbId: bill.rfbId, supplierName: bill.supplierName } : { lcbId: bill.lcbId }),
    ...{ crbId, currency, ...amounts, siteId: site.siteId, lineCount: 1 },
    billStatus,
    ...(isReviewed && { financialReviewBy: REVIEWERS.finance, financialReviewTime: new Date(at + DAY_MS / 2) }),
    reviewRemark: billStatus === CorrectionStatus.Rejected ? '请附承运方的退款确认' : null,
    ...(isSettled && {
      recPeriod: periodOf(world, at + DAY_MS),
      financialAuditBy: REVIEWERS.audit,
      financialAuditTime: new Date(at + DAY_MS),
    }),
    ...stamp(at, makerOf(site)),
  });
  world.rows.add('rma_correction_bill_line', {
    // Named once its line is written.
    ...{ crbId, lineId: 0, ...line, ...amounts, currency },
    reason: line.sn ? '质保期内返修，按协议减半结算' : '包裹破损，承运方同意退还一半运费',
    ...stamp(at, makerOf(site)),
  });
  if (isSettled) bill.correctionAmount = gross;
}

function addFeeLine(
  world: World,
  site: Site,
  rfbId: string,
  { item, at: endedOn, isScrap }: Ended,
  { at, prices, ended, verdicts }: FeeFacts,
) {
  const unit = world.units.get(item.receiveSn ?? '');
  const isDevice = unit?.machine.model !== null;
  const model = unit?.machine.item;
  const family = (model && familyOf(model)) ?? 'RX-19';
  const isSecond = isSecondRepair(world, item, ended);
  const repairProject = isDevice ? RepairProject.Device : RepairProject.Board;
  const work = {
    siteId: site.siteId,
    repairProject: isScrap ? RepairProject.ScrapCheck : (verdicts.get(item.mtbliId) ?? repairProject),
    warranty: item.warranty ?? Warranty.In,
    machineType: family,
    repairType: RepairType.Defective,
  };
  const price = prices.get(keyOf(work)) as Price;
  const unitPrice = isSecond ? '0.00' : String(price.unitPriceWithTax);
  const net = withoutTax(unitPrice, TAX, 2);
  return world.rows.add('rma_repair_fee_bill_line', {
    rfbId,
    mtbliId: item.mtbliId,
    mtbId: item.mtbId,
    sn: item.receiveSn ?? null,
    salesCode: model?.salesCode ?? null,
    salesName: model?.name ?? null,
    modelAbbreviation: family,
    businessType: item.warranty === Warranty.In ? BusinessType.InWarranty : BusinessType.OutOfWarranty,
    repairProject: work.repairProject,
    warranty: item.warranty ?? null,
    repairType: work.repairType,
    feeType: FeeType.Labour,
    correspondsWorkOrder: Flag.Yes,
    isSecondRepair: flag(isSecond),
    quantity: 1,
    unitPrice,
    totalPrice: unitPrice,
    currency: currencyOf(site),
    taxRate: TAX,
    excludingTaxAmount: net,
    taxAmount: lessMoney(unitPrice, net, 2),
    includingTaxAmount: unitPrice,
    isPriced: Flag.Yes,
    priceReason: isSecond ? PriceReason.SecondRepair : PriceReason.PriceBill,
    prbId: price.prbId,
    settledOn: dayOf(endedOn.getTime(), world.timeZone),
    repairTime: item.checkTime ?? null,
    deliverTime: item.deliverTime ?? null,
    ...stamp(at, makerOf(site)),
  });
}

/** The freight of what left the site, with its waybills. */
function addFreight(world: World, site: Site): void {
  const { AwaitingCertificate, AwaitingAudit, Passed, NotPassed } = LogisticsCostsStatus;
  const order: Record<string, string[]> = {
    SZ: [AwaitingCertificate, AwaitingAudit, Passed, Passed],
    NB: [AwaitingAudit, NotPassed, Passed],
    US: [AwaitingAudit, Passed],
  };
  const delivers = world.rows.of('rma_deliver_bill').filter((it) => it.siteId === site.siteId && it.deliverShipNo);
  // Several deliver bills may go in one parcel, which is billed once.
  const parcels = [...groupBy(delivers, (it) => String(it.deliverShipNo)).values()];
  const months = lastMonths(world).map((it) => ({
    ...it,
    parcels: parcels.filter(([first]) => periodOf(world, first?.createTime as Date) === it.recPeriod),
  }));
  const sent = months.filter((it) => it.parcels.length > 0);
  (order[site.siteId] ?? []).forEach((status, i) => {
    const month = sent[i];
    if (!month) return;
    const { recPeriod, closedAt, parcels } = month;
    const at = Math.min(closedAt + (3 + i) * DAY_MS, world.now - 2 * DAY_MS);
    const lcbId = world.numberAt('LCB', at);
    const lines = parcels.map((it) => addFreightLine(world, site, lcbId, it, at));
    const isCertified = status !== AwaitingCertificate;
    const isJudged = status === Passed || status === NotPassed;
    const bill: Row<'rma_logistics_costs_bill'> = world.rows.add('rma_logistics_costs_bill', {
      lcbId,
      billStatus: status,
      siteId: site.siteId,
      recPeriod,
      totalCount: lines.reduce((sum, it) => sum + (it.count ?? 0), 0),
      totalAmount: sumMoney(
        lines.map((it) => it.amount as string),
        2,
      ),
      currency: currencyOf(site),
      uploadCertificateBy: isCertified ? makerOf(site) : null,
      uploadCertificateTime: isCertified ? new Date(at + DAY_MS / 2) : null,
      certificateUrls: null,
      financialReviewer: isJudged ? REVIEWERS.audit : null,
      financialReviewTime: isJudged ? new Date(at + DAY_MS) : null,
      reviewRemark: status === NotPassed ? '凭证与明细金额不一致' : null,
      ...stamp(at, makerOf(site)),
    });
    const [first] = lines;
    if (site.siteId !== 'US' && i === 2 && first) {
      const { deliverShipNo, productName: settledFor, chargeItems, amount: settledAmount } = first;
      const howFar = site.siteId === 'SZ' ? CorrectionStatus.AwaitingReview : CorrectionStatus.Rejected;
      const line = { deliverShipNo, settledFor, chargeItems, settledAmount, taxRate: '0' };
      addCorrection(world, site, bill, line, howFar);
    }
    if (!isCertified) return;
    bill.certificateUrls = addPaper(world, site, {
      ...{ title: 'FREIGHT STATEMENT', no: lcbId, at: at + DAY_MS / 2 },
      lines: [[`Freight and insurance ${recPeriod}`, lines.length, bill.totalAmount as string]],
      total: bill.totalAmount as string,
    });
  });
}

function addFreightLine(world: World, site: Site, lcbId: string, delivers: Row<'rma_deliver_bill'>[], at: number) {
  const bills = new Set(delivers.map((it) => it.dvbId));
  const count = world.rows.of('rma_deliver_bill_line').filter((it) => bills.has(it.dvbId)).length;
  const [deliver] = delivers;
  const weight = count * 14.2;
  return world.rows.add('rma_logistics_costs_bill_line', {
    lcbId,
    deliverShipNo: deliver?.deliverShipNo ?? '',
    logisticsProviders: deliver?.deliverShipId ?? null,
    count,
    weight: Math.round(weight * 10) / 10,
    amount: ((28 + weight * 2.6) * (site.siteId === 'US' ? 0.4 : 1)).toFixed(2),
    currency: currencyOf(site),
    productName: models[count % models.length]?.productName ?? null,
    chargeItems: ChargeItem.FreightAndInsurance,
    isKnown: Flag.Yes,
    ...stamp(at, makerOf(site)),
  });
}

function addExpenses(world: World): void {
  const { rows, random, now } = world;
  const items = rows.of('rma_maintain_bill_line_item').filter((it) => it.receiveSn);
  const { AwaitingAudit, NotPassed, Passed } = ExpenseStatus;
  for (let i = 0; i < 20; i++) {
    const sites = Object.values(world.sites);
    const site = sites[i % 5 === 4 ? 2 : i % 2] as Site;
    const at = now - (70 - i * 3.4) * DAY_MS;
    const item = items.filter((it) => it.siteId === site.siteId)[i * 3];
    const unit = world.units.get(item?.receiveSn ?? '');
    const order = unit?.bill?.row.btmMtbId;
    const ofOrder = i % 3 !== 2 && unit !== undefined && !!order;
    const status = i < 12 ? Passed : ([AwaitingAudit, AwaitingAudit, NotPassed][i % 3] as string);
    const includingTaxAmount = (random.int(60, 1900) + random.int(0, 99) / 100).toFixed(2);
    const net = withoutTax(includingTaxAmount, TAX, 2);
    rows.add('rma_miscellaneous_expenses_bill', {
      mebId: world.numberAt('MEB', at),
      billStatus: status,
      siteId: site.siteId,
      correspondsWorkOrder: flag(ofOrder),
      btmMtbId: ofOrder ? order : null,
      salesCode: ofOrder ? unit.machine.item.salesCode : null,
      salesName: ofOrder ? unit.machine.item.name : null,
      modelAbbreviation: ofOrder ? (unit.machine.item.name.split(' ')[0] ?? null) : null,
      feeType: Object.values(FeeType)[i % 6] ?? FeeType.Other,
      orgDepart: ['维修部', '仓储部', '客服部'][i % 3] ?? '维修部',
      businessType: Object.values(BusinessType)[i % 3] ?? BusinessType.InWarranty,
      sn: ofOrder ? (item?.receiveSn ?? null) : null,
      currency: currencyOf(site),
      includingTaxAmount,
      taxRate: TAX,
      excludingTaxAmount: net,
      taxAmount: lessMoney(includingTaxAmount, net, 2),
      auditBy: status === AwaitingAudit ? null : REVIEWERS.audit,
      auditTime: status === AwaitingAudit ? null : new Date(at + DAY_MS),
      reviewRemark: status === NotPassed ? '缺少发票' : null,
      ...stamp(at, makerOf(site)),
    });
  }
}

interface Period {
  recPeriod: string;
  startDate: string;
  endDate: string;
  closedAt: number;
}

/** The months that are over, the latest first. */
function lastMonths(world: World): Period[] {
  const [year = 0, month = 0] = dayOf(world.now, world.timeZone).split('-').map(Number);
  return Array.from({ length: 5 }, (_, i) => {
    const first = new Date(Date.UTC(year, month - 2 - i, 1));
    const last = new Date(Date.UTC(year, month - 1 - i, 0));
    const recPeriod = first.toISOString().slice(0, 7);
    return {
      recPeriod,
      startDate: `${recPeriod}-01`,
      endDate: last.toISOString().slice(0, 10),
      closedAt: last.getTime() + DAY_MS,
    };
  });
}

const yearOf = ({ now, timeZone }: World): number => Number(dayOf(now, timeZone).slice(0, 4));

const periodOf = (world: World, at: Date | string | number): string =>
  dayOf(new Date(at).getTime(), world.timeZone).slice(0, 7);
