import type { DataOf, InputOf } from '#domain/call.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { ledger } from '#server/ledger.ts';
import { finishBills, recountLines } from '#server/workflow/bills.ts';
import { moveOf, moveUnits } from '#server/workflow/moves.ts';
import { recountStockup } from '#server/workflow/stockup.ts';
import { guardUnits, readSns } from '#server/workflow/units.ts';
import type { submitDeliverBill } from './contract.ts';
import {
  linesFor,
  mismatch,
  problemsOfCounts,
  problemsOfDelivery,
  problemsOfLines,
  problemsOfNames,
  problemsOfNumber,
  problemsOfStockup,
  problemsOfSubmitType,
} from './rules.ts';
import {
  holdBills,
  keepExchanged,
  linesOf,
  noteDelivery,
  recordDelivery,
  stockupById,
  talliedSns,
  type Delivery,
  type Stockup,
} from './store.ts';

/** E25: units leave the house on their stock-up bill, each for its own item; all of them or none. Decisions 2, 1.9. */
export async function deliver(
  input: InputOf<typeof submitDeliverBill>,
  ctx: Context,
): Promise<DataOf<typeof submitDeliverBill>> {
  const sent = input.rmaDeliverBillLineList;
  const skbId = normaliseNo(input.skbId);
  refuseIfAny(problemsOfNumber(skbId, 'skbId'));
  refuseIfAny(problemsOfCounts(sent.map((it) => it.submitCount)));
  refuseIfAny(problemsOfSubmitType(input.submitType));
  const fieldOf = (i: number) => `rmaDeliverBillLineList.${i}.deliverSn`;
  const sns = readSns(
    sent.map((it) => it.deliverSn),
    fieldOf,
  );
  const units = await guardUnits(ctx, sns, 'deliver', { fieldOf, withBills: true });
  const stockup = await stockupOrRefuse(ctx, skbId, true);
  const lines = await linesOf(ctx, skbId);
  refuseIfAny(problemsOfLines(lines));
  const onBills = await talliedSns(ctx, sns);
  refuseIfAny(units.flatMap((it, i) => problemsOfDelivery(it, lines, onBills.has(it.sn), fieldOf(i))));
  const found = linesFor(units, lines);
  refuseIfAny(units.flatMap((it, i) => (found[i] ? [] : [mismatch(it, fieldOf(i))])));
  const deliveries = units.map((unit, i): Delivery => {
    const line = found[i] as Delivery['line'];
    return { unit, line, deliverSalesCode: unit.salesCode };
  });
  refuseIfAny(
    deliveries.flatMap(({ unit, line }, i) => {
      // Any line that takes an exchange of this model is as good as another.
      if (unit.itemRowId === null) return [];
      const names = {
        deliverItemId: sent[i]?.deliverItemId ?? null,
        sklId: normaliseNo(sent[i]?.sklId || sent[i]?.skblId),
      };
      return problemsOfNames(line, names, fieldOf(i));
    }),
  );
  const exchanges = deliveries.filter(({ unit }) => unit.itemRowId === null).map(({ line }) => line);
  await holdBills(
    ctx,
    exchanges.map((it) => it.mtbId),
  );

  const dvbId = await ctx.numbers.next('DVB');
  await recordDelivery(ctx, dvbId, input.submitType, stockup, deliveries);
  await moveUnits(
    ctx,
    deliveries.map(({ unit, line }) => moveOf({ ...unit, mtbId: line.mtbId }, 'deliver')),
    'deliver',
    dvbId,
  );
  await noteDelivery(ctx, stockup, deliveries);
  await keepExchanged(
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
  await ledger(ctx, {
    what: 'deliver',
    module: 'rmaDeliverBill',
    recordId: dvbId,
    from: { stockupStatus: stockup.status },
    to: { skbId, sns, finished },
  });
  const after = await stockupById(ctx, skbId, false);
  return {
    dvbId,
    deliveredCount: sns.length,
    remainCount: (after?.allCount ?? 0) - (after?.deliveredCount ?? 0),
    stockupStatus: after?.status ?? '',
  };
}

/** The stock-up bill at the user's own site while it ships; another site's is as if it did not exist. Design section 13. */
export async function stockupOrRefuse(ctx: Context, skbId: string, hold: boolean): Promise<Stockup> {
  const what = { module: 'rmaStockupBill', field: 'skbId' };
  const stockup = await stockupById(ctx, skbId, hold);
  if (!stockup) throw new Refusal({ key: 'notFound', field: 'skbId', args: { what, value: skbId } });
  refuseIfAny(problemsOfStockup(skbId, stockup.status));
  return stockup;
}
