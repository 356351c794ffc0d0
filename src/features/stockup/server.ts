import { StockupStatus } from '#domain/enums.ts';
import { orRefusal, refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { holdRows } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { recordAllInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, routeOfMany } from '#server/route.ts';
import { recountStockup, stockUpAtSites } from '#server/workflow/stockup.ts';
import { lockBills } from '#server/workflow/unitLocks.ts';
import { readUnits } from '#server/workflow/units.ts';
import { cancelStockupBill, exportDirectNew, finishBill, resetStockupBill, stopStockupBill } from './contract.ts';
import { validateAction, type StockupAction } from './rules.ts';
import { exportPackingList } from './server.export.ts';
import {
  billsOn,
  bringItemsBack,
  holdStockups,
  letItemsGo,
  moveRest,
  setStatus,
  waitingItems,
  type HeldStockup,
  type WaitingItem,
} from './queries.ts';

/**
 * The dispatcher's actions on stock-up bills; units stay on the shelf in each of them. Rule: stock-up#actions,
 * events#e24.
 */
export const stockupRoutes = [
  /** An open bill is stopped: nothing is delivered on it until it is reset. */
  routeOfMany(stopStockupBill, (inputs, ctx) =>
    act(ctx, 'stop', inputs, async (bills) => {
      await setStatus(ctx, numbersOf(bills), StockupStatus.Stopped);
      return new Map();
    }),
  ),

  /**
   * A stopped bill ships again; a cancelled one gets those of its items back that nobody has taken since. What goes elsewhere
   * by now is stocked up there; where that is all, the bill stays cancelled.
   */
  routeOfMany(resetStockupBill, (inputs, ctx) =>
    act(ctx, 'reset', inputs, (bills, locked) => reset(ctx, bills, locked)),
  ),

  /** A bill of which nothing has left is given up; its items wait for another one. */
  routeOfMany(cancelStockupBill, (inputs, ctx) =>
    act(ctx, 'cancel', inputs, async (bills) => {
      await letItemsGo(ctx, numbersOf(bills));
      await setStatus(ctx, numbersOf(bills), StockupStatus.Cancelled);
      return new Map();
    }),
  ),

  /** A partly delivered bill is finished as it is; the rest goes on a new one. */
  routeOfMany(finishBill, (inputs, ctx) =>
    act(ctx, 'finish', inputs, async (bills) => {
      const done = new Map<string, Done>();
      for (const it of bills) done.set(it.skbId, { newSkbId: await moveRest(ctx, it) });
      return done;
    }),
  ),

  route(exportDirectNew, exportPackingList),
];

/** What an action has done besides, or why it could not be done after all. */
type Done = { newSkbId: string } | Refusal;
type Work = (bills: readonly HeldStockup[], locked: ReadonlySet<string>) => Promise<ReadonlyMap<string, Done>>;

const numbersOf = (bills: readonly HeldStockup[]): string[] => bills.map((it) => it.skbId);

/** One action on many bills: what is refused stays as it is, and stops no other. */
async function act(ctx: Context, action: StockupAction, asked: readonly { id: string; version: number }[], work: Work) {
  const what = { module: 'rmaStockupBill', field: 'skbId' };
  const definition = requireDefinition(ctx.model, what.module);
  const wanted = asked.map((it) => ({ ...it, id: normaliseNo(it.id) }));
  const ids = wanted.map((it) => it.id).filter((it) => it !== '');
  const locked = await lockBills(ctx.db, await billsOn(ctx, ids));
  const held = await holdStockups(ctx, ids);
  const rows = await holdRows(
    definition,
    [...held.values()].map((it) => it.id),
    ctx,
  );
  const judge = (id: string, version: number): HeldStockup => {
    if (id === '') throw new Refusal({ key: 'required', field: 'id', args: { fields: [what] } });
    const bill = held.get(id);
    const row = bill && rows.get(bill.id);
    if (!row) throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: id } });
    refuseIfAny(validateAction(action, bill));
    refuseUnseen(definition, row, version);
    return bill;
  };
  const judged: (HeldStockup | Refusal)[] = [];
  for (const { id, version } of wanted) judged.push(await orRefusal(() => judge(id, version)));
  const sound = judged.flatMap((it) => (it instanceof Refusal ? [] : it));
  if (sound.length === 0) return judged as Refusal[];

  const done = await work(sound, locked);
  const after = await holdStockups(ctx, numbersOf(sound));
  const outcomes = judged.map((bill) => {
    if (bill instanceof Refusal) return bill;
    const more = done.get(bill.skbId);
    if (more instanceof Refusal) return more;
    return { id: bill.id, skbId: bill.skbId, status: after.get(bill.skbId)?.status ?? '', ...more };
  });
  const entries = outcomes.flatMap((it, i) => {
    if (it instanceof Refusal) return [];
    const { id: _, skbId, ...to } = it;
    const from = { status: (judged[i] as HeldStockup).status };
    return [{ what: `${action}StockupBill`, module: what.module, recordId: skbId, from, to }];
  });
  if (entries.length > 0) await recordAllInLedger(ctx, entries);
  return outcomes;
}

/** Of bills that shared an item the first has it back; one to which nothing comes back, and from which nothing goes on, is refused. */
async function reset(ctx: Context, bills: readonly HeldStockup[], locked: ReadonlySet<string>) {
  const refused = new Map<string, Refusal>();
  const cancelled = numbersOf(bills.filter((it) => it.status === StockupStatus.Cancelled));
  const waiting = cancelled.length > 0 ? await waitingItems(ctx, cancelled) : new Map<string, WaitingItem[]>();
  const taken = new Map<string, WaitingItem>();
  for (const skbId of cancelled) {
    const own = (waiting.get(skbId) ?? []).filter((it) => !taken.has(it.mtbliId));
    // One that was moved while its bill was waited for.
    if (own.some((it) => !locked.has(it.shipsWith))) refused.set(skbId, new Refusal({ key: 'stale' }));
    else if (own.length === 0) refused.set(skbId, new Refusal({ key: 'completeDelivery', field: 'id' }));
    else for (const it of own) taken.set(it.mtbliId, it);
  }
  const free = (skbIds: readonly string[]) => skbIds.filter((it) => !refused.has(it));
  const items = [...taken.values()];
  if (items.length > 0) await bringItemsBack(ctx, free(cancelled), items);
  await setStatus(ctx, free(numbersOf(bills)), StockupStatus.Open);
  await recountStockup(ctx, free(numbersOf(bills)));
  const elsewhere = items.filter((it) => !it.belongs).map((it) => it.sn);
  await stockUpAtSites(ctx, [...(await readUnits(ctx.db, elsewhere)).values()]);
  return refused;
}
