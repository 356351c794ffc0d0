import { lacksParts } from '#domain/assembly.ts';
import { flag, Flag, StockupStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { normaliseWaybill } from '#domain/waybill.ts';
import type { Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { readItem } from '#server/workflow/items.ts';
import { partsBoundTo } from '#server/workflow/parts.ts';
import { scanUnit } from '#server/workflow/units.ts';
import { checkDelivery, loadStockupBill, rebindSn, submitDeliverBill, validateSn } from './contract.ts';
import {
  findLine,
  validateDelivery,
  validateItem,
  validateWaitingLines,
  validateNumber,
  validateStockup,
} from './rules.ts';
import { makeUp } from './server.rebind.ts';
import { deliver, stockupOrRefuse } from './server.submit.ts';
import { readCustomers, linesAbout, readLines, promiseFor, stockupByNo, talliedSns, type Stockup } from './queries.ts';

/** The deliver station: what is stocked up for a customer leaves the workshop. Rule: events#e25, stock-up#states. */
export const deliverRoutes = [
  /** The tally of a shipment, by the waybill or the stock-up bill's own number. */
  route(loadStockupBill, async (input, ctx) => {
    const no = normaliseWaybill(input.deliverShipNo);
    refuseIfAny(validateNumber(no, 'deliverShipNo'));
    const stockup = await stockupByNo(ctx, [no, input.deliverShipNo.trim()]);
    if (!stockup) throw new Refusal({ key: 'billNotFound', field: 'deliverShipNo', args: { no } });
    const skbId = stockup.skbId;
    if (stockup.status === StockupStatus.Finished)
      throw new Refusal({ key: 'completeDelivery', field: 'deliverShipNo' });
    refuseIfAny(validateStockup(skbId, stockup.status));
    const lines = await readLines(ctx, skbId);
    refuseIfAny(validateWaitingLines(lines));
    return { bill: await readBill(ctx, stockup, lines), maintainBillLines: await maintainLines(ctx, lines) };
  }),

  /** Whether a unit may leave on this stock-up bill, and on which of its lines. Rule: guard#attempts. */
  route(checkDelivery, async (input, ctx) => {
    const { line, unit } = await tallied(ctx, input.sn, normaliseNo(input.skbId));
    return {
      sn: unit.sn,
      deliverItemId: line.itemId,
      sklId: line.skblId,
      mtblId: line.mtblId,
      salesCode: unit.salesCode,
      name: unit.itemName,
      needRebind: flag(lacksParts(unit.type, (await partsBoundTo(ctx, [unit.sn])).length)),
    };
  }),

  /** Whether a unit is the one that this item waits for. */
  route(validateSn, async (input, ctx) => {
    const unit = await scanUnit(ctx, input.sn, 'deliver');
    const hasTally = (await talliedSns(ctx, [unit.sn])).has(unit.sn);
    const promise = await promiseFor(ctx, input.deliverItemId);
    refuseIfAny(validateItem(unit, { deliverItemId: input.deliverItemId, promise }, hasTally));
    const { item } = await readItem(ctx, unit);
    return { sn: unit.sn, item };
  }),

  route(submitDeliverBill, deliver),
  route(rebindSn, makeUp),
];

async function tallied(ctx: Context, scanned: string, skbId: string) {
  refuseIfAny(validateNumber(skbId, 'skbId'));
  const unit = await scanUnit(ctx, scanned, 'deliver');
  await stockupOrRefuse(ctx, skbId, false);
  const lines = await linesAbout(ctx, skbId, unit, unit.itemRowId === null);
  refuseIfAny(validateWaitingLines(lines));
  const hasTally = (await talliedSns(ctx, [unit.sn])).has(unit.sn);
  refuseIfAny(validateDelivery(unit, lines, hasTally));
  return { unit, line: findLine(unit, lines) as Lines[number] };
}

type Lines = Awaited<ReturnType<typeof readLines>>;

async function readBill(ctx: Context, stockup: Stockup, lines: Lines) {
  const customer = (await readCustomers(ctx, [stockup.mtbId])).get(stockup.mtbId);
  const { deliverSiteId: _, ...bill } = stockup;
  return {
    ...bill,
    skbId: bill.skbId,
    status: bill.status,
    allCount: bill.allCount ?? lines.length,
    deliveredCount: bill.deliveredCount ?? 0,
    userName: customer?.userName ?? null,
    mobile: customer?.mobile ?? null,
    address: customer?.address ?? null,
    rmaStockupBillLineList: lines.map(
      ({ mtbId: _mtbId, mtbliId: _mtbliId, type: _type, exchangeCode, promisedProduct, ...it }) => ({
        ...it,
        // What is to be packed: not the model that came, where another one was promised.
        salesCode: exchangeCode ?? it.salesCode,
        productName: promisedProduct ?? it.productName,
      }),
    ),
  };
}

/** The maintain bills' lines of which units stand on the bill: how many should go, how many have gone. */
async function maintainLines(ctx: Context, lines: Lines) {
  const groups = [...groupBy(lines, (it) => it.mtblId).values()];
  const customers = await readCustomers(ctx, [...new Set(lines.map((it) => it.mtbId))]);
  return groups.map((group) => {
    const { mtbId, mtblId, type, salesCode, productName } = group[0] as Lines[number];
    return {
      mtbId,
      mtblId,
      type,
      salesCode,
      productName,
      userName: customers.get(mtbId)?.userName ?? null,
      deliverCount: group.filter((it) => it.delivered === Flag.Yes).length,
      shouldDeliverCount: group.length,
    };
  });
}
