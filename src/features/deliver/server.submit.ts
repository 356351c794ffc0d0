import type { DataOf, InputOf } from '#domain/call.ts';
import { SubmitType } from '#domain/enums.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { finishBills, recountLines } from '#server/workflow/bills.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import { moveToStock } from '#server/workflow/placing.ts';
import { recountStockup } from '#server/workflow/stockup.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { readSns, type Unit } from '#server/workflow/units.ts';
import type { submitDeliverBill } from './contract.ts';
import {
  linesFor,
  mismatch,
  validateCounted,
  validateCounts,
  validateDelivery,
  validateWaitingLines,
  validateOwnLine,
  validateNotEmpty,
  validateNumber,
  validateStockup,
  validateNamedLine,
  validateSubmitType,
  validateNoDuplicates,
  findWaiting,
  type CountedLine,
} from './rules.ts';
import {
  findExchangeBills,
  readLines,
  noteDelivery,
  readDestinations,
  recordDelivery,
  stockupById,
  talliedSns,
  type Delivery,
  type Stockup,
} from './queries.ts';

type Input = InputOf<typeof submitDeliverBill>;

/** What leaves, with the lines of the stock-up bill that each unit ships on. */
interface Leaving {
  stockup: Stockup;
  deliveries: Delivery[];
}

/**
 * Units leave the workshop on their stock-up bill, each by its SN for its own item, or all boards of a line by
 * their count; all of them or none. Rule: events#e25, events#e26.
 */
export async function deliver(input: Input, ctx: Context): Promise<DataOf<typeof submitDeliverBill>> {
  const skbId = normaliseNo(input.skbId);
  refuseIfAny(validateNumber(skbId, 'skbId'));
  refuseIfAny(validateSubmitType(input.submitType));
  const isCounted = input.submitType === SubmitType.WithoutSn;
  // Bills are locked before units and units before the stock-up bill, as by everybody who works on a bill.
  const bills = await findExchangeBills(ctx, skbId);
  const leaving = isCounted ? counted : scanned;
  const { stockup, deliveries } = await leaving(input, skbId, bills, ctx);
  const exchanges = deliveries.filter(({ unit }) => unit.itemRowId === null).map(({ line }) => line);
  if (exchanges.some((it) => !bills.includes(it.mtbId))) throw new Refusal({ key: 'stale' });

  const dvbId = await ctx.numbers.next('DVB');
  await recordDelivery(ctx, dvbId, input.submitType, stockup, deliveries);
  await moveUnits(
    ctx,
    deliveries.map(({ unit, line }) =>
      createMove({ ...unit, mtbId: line.mtbId, mtbliId: line.mtbliId }, 'deliver', isCounted ? 'counted' : 'done'),
    ),
    'deliver',
    dvbId,
  );
  const destinations = await readDestinations(ctx, deliveries);
  await noteDelivery(ctx, stockup, deliveries);
  await moveToStock(
    ctx,
    exchanges.map((it) => it.mtbliId),
  );
  await recountStockup(ctx, [skbId]);
  await recountLines(
    ctx.db,
    deliveries.map(({ line }) => line.mtblId),
  );
  const finished = await finishBills(
    ctx.db,
    deliveries.map(({ line }) => line.mtbId),
  );
  await recordInLedger(ctx, {
    what: 'deliver',
    module: 'rmaDeliverBill',
    recordId: dvbId,
    from: { stockupStatus: stockup.status, places: destinations },
    to: { skbId, sns: deliveries.map(({ unit }) => unit.sn), finished },
  });
  const after = await stockupById(ctx, skbId, false);
  return {
    dvbId,
    deliveredCount: deliveries.length,
    remainCount: (after?.allCount ?? 0) - (after?.deliveredCount ?? 0),
    stockupStatus: after?.status ?? '',
  };
}

/** Units that were scanned, each on the line that waits for it. */
async function scanned(input: Input, skbId: string, bills: readonly string[], ctx: Context): Promise<Leaving> {
  const sent = input.rmaDeliverBillLineList;
  refuseIfAny(validateCounts(sent.map((it) => it.submitCount)));
  const fieldOf = (i: number) => `rmaDeliverBillLineList.${i}.deliverSn`;
  const sns = readSns(
    sent.map((it) => it.deliverSn),
    fieldOf,
  );
  const units = await guardUnits(ctx, sns, 'deliver', { fieldOf, withBills: true, bills });
  const stockup = await stockupOrRefuse(ctx, skbId, true);
  const lines = await readLines(ctx, skbId);
  refuseIfAny(validateWaitingLines(lines));
  const onBills = await talliedSns(ctx, sns);
  refuseIfAny(units.flatMap((it, i) => validateDelivery(it, lines, onBills.has(it.sn), fieldOf(i))));
  const found = linesFor(units, lines);
  refuseIfAny(units.flatMap((it, i) => (found[i] ? [] : [mismatch(it, fieldOf(i))])));
  const deliveries = units.map((unit, i): Delivery => {
    const line = found[i] as Delivery['line'];
    return { unit, line, deliverSalesCode: unit.salesCode };
  });
  refuseIfAny(
    deliveries.flatMap(({ unit, line }, i) => {
      const names = {
        deliverItemId: sent[i]?.deliverItemId ?? null,
        sklId: normaliseNo(sent[i]?.sklId || sent[i]?.skblId),
      };
      // Any line of the bill that takes an exchange of this model is as good as another.
      if (unit.itemRowId === null) return validateNamedLine(lines, names, unit, fieldOf(i));
      return validateOwnLine(line, names, fieldOf(i));
    }),
  );
  return { stockup, deliveries };
}

/** All boards of the lines that were named, if they are as many as was said. */
async function counted(input: Input, skbId: string, bills: readonly string[], ctx: Context): Promise<Leaving> {
  const sent = input.rmaDeliverBillLineList.map((it, i): CountedLine => ({
    field: `rmaDeliverBillLineList.${i}`,
    deliverItemId: it.deliverItemId ?? null,
    sklId: normaliseNo(it.sklId || it.skblId),
    salesCode: normaliseNo(it.salesCode),
    submitCount: it.submitCount ?? 0,
  }));
  refuseIfAny(validateNotEmpty(sent));
  const boardsOn = async () => {
    const lines = await readLines(ctx, skbId);
    return { lines, groups: sent.map((it) => findWaiting(it, lines)) };
  };
  await stockupOrRefuse(ctx, skbId, false);
  // The units are locked before the stock-up bill, as by every submit; which they are is asked once more afterwards.
  const before = [...new Set((await boardsOn()).groups.flat())];
  const units = await guardUnits(
    ctx,
    before.map((it) => it.sn),
    'deliver',
    { fieldOf: () => 'rmaDeliverBillLineList', withBills: true, bills },
  );
  const stockup = await stockupOrRefuse(ctx, skbId, true);
  const { lines, groups } = await boardsOn();
  refuseIfAny(validateWaitingLines(lines));
  refuseIfAny(sent.flatMap((it, i) => validateCounted(it, groups[i] ?? [])));
  refuseIfAny(validateNoDuplicates(sent, groups));
  const leaving = groups.flat();
  const bySn = new Map(units.map((it) => [it.sn, it]));
  if (leaving.length !== before.length || leaving.some((it) => !bySn.has(it.sn))) throw new Refusal({ key: 'stale' });
  refuseIfAny(
    // Each unit goes on the line of its own SN: with 10,000 of them, looking at every line for each takes seconds.
    leaving.flatMap((it) => validateDelivery(bySn.get(it.sn) as Unit, [it], true, 'rmaDeliverBillLineList')),
  );
  const deliveries = leaving.map((line): Delivery => {
    const unit = bySn.get(line.sn) as Unit;
    return { unit, line, deliverSalesCode: unit.salesCode };
  });
  return { stockup, deliveries };
}

/**
 * The stock-up bill at the user's own site while it ships; another site's is as if it did not exist.
 * Rule: rights#other-sites.
 */
export async function stockupOrRefuse(ctx: Context, skbId: string, hold: boolean): Promise<Stockup> {
  const what = { module: 'rmaStockupBill', field: 'skbId' };
  const stockup = await stockupById(ctx, skbId, hold);
  if (!stockup) throw new Refusal({ key: 'notFound', field: 'skbId', args: { what, value: skbId } });
  refuseIfAny(validateStockup(skbId, stockup.status));
  return stockup;
}
