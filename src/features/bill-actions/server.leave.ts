import type { DataOf, InputOf } from '#domain/call.ts';
import { BillStatus, DeliverStatus, Flag } from '#domain/enums.ts';
import { validateNotOnBill } from '#domain/hold.ts';
import { ownSite, validateItem, validateBelonging, validateReceived, validateItemSite } from '#domain/itemActions.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { recordInLedger } from '#server/ledger.ts';
import { closeRest, finishBills, openItemsOf, recountLines } from '#server/workflow/bills.ts';
import { noteBuyOut } from '#server/workflow/buyOuts.ts';
import { itemsBefore } from '#server/workflow/itemsBefore.ts';
import { itemsOnLines } from '#server/workflow/lineChanges.ts';
import { createMove } from '#server/workflow/moves.ts';
import { moveToStock, dropProposals, shelve } from '#server/workflow/placing.ts';
import { leavesStockup } from '#server/workflow/stockup.ts';
import { lockUnitsOn } from '#server/workflow/unitLocks.ts';
import type { buyOut, terminate } from './contract.ts';
import { validateBuyOut, validateClosing, validateFlag } from './rules.ts';
import { moveAtSites, recordAtSites } from './server.sites.ts';
import { readBillStatus, holdItems, setItems } from './queries.ts';

/**
 * The company buys units from their customer: each becomes stock at its node, its item is settled, and the bill is
 * finished with its last one. Refuses what was not received, has left, or waits for a supervisor. Rule: events#e28.
 */
export async function buyOutItems(input: InputOf<typeof buyOut>, ctx: Context): Promise<DataOf<typeof buyOut>> {
  const groups = (Array.isArray(input) ? input : input.list).map((it) => ({
    mtblId: normaliseNo(it.mtblId),
    mtbliIdList: it.mtbliIdList.map(normaliseNo),
    remark: it.remark?.trim() ?? '',
  }));
  refuseIfAny(validateBuyOut(groups));
  const rows = groups.flatMap(({ mtblId, remark, mtbliIdList }, g) =>
    mtbliIdList.map((ref, i) => ({ ref, mtblId, remark, field: `${g}.mtbliIdList.${i}` })),
  );
  const fieldOf = (i: number) => rows[i]?.field ?? '';
  const items = await holdItems(
    ctx,
    rows.map((it) => it.ref),
    fieldOf,
  );
  refuseIfAny(
    items.flatMap((item, i) => [
      ...validateBelonging(item.mtbliId, { is: item.mtblId, said: rows[i]?.mtblId ?? '' }, fieldOf(i)),
      ...validateItem(item, ownSite(ctx.currentUser), fieldOf(i)),
      ...validateReceived(item, fieldOf(i)),
    ]),
  );

  const mtbliIds = items.map((it) => it.mtbliId);
  const mtbIds = [...new Set(items.map((it) => it.mtbId))];
  const before = new Map((await itemsOnLines(ctx, mtbliIds)).map((it) => [it.mtbliId, it.tally]));
  await leavesStockup(ctx, mtbliIds);
  await setItems(ctx, mtbliIds, { deliverStatus: DeliverStatus.BoughtOut });
  await recordAtSites(
    ctx,
    items.flatMap(({ unit }, i) => (unit ? [{ unit, to: unit.ivyId, note: rows[i]?.remark ?? '' }] : [])),
    'buyOut',
  );
  await moveToStock(ctx, mtbliIds);
  await recountLines(
    ctx.db,
    items.map((it) => it.mtblId),
  );
  const finished = await finishBills(ctx.db, mtbIds);
  for (const mtbId of mtbIds) {
    const bought = items.flatMap(({ unit, mtbliId, deliverStatus, stockup, ...it }) =>
      unit && it.mtbId === mtbId
        ? [[unit.sn, { mtbliId, deliverStatus, stockup, tally: before.get(mtbliId) ?? null }] as const]
        : [],
    );
    const remarks = [...new Set(groups.map((it) => it.remark))];
    await noteBuyOut(ctx, mtbId, new Map(bought), { remarks, finished: finished.includes(mtbId) });
  }
  return { buyOutCount: items.length, billStatus: await readBillStatus(ctx, mtbIds[0] as string) };
}

/**
 * A bill is closed as it is. Units that are still in the workshop are named and refuse it, unless it is said that they
 * are given up: then they are scrapped, held or not, and discarded on their lines. Rule: events#e29.
 */
export async function closeBill(input: InputOf<typeof terminate>, ctx: Context): Promise<DataOf<typeof terminate>> {
  const sent = normaliseNo(input.mtbId);
  const discard = input.discardInHouse?.trim() ?? '';
  const what = { module: 'rmaMaintainBill', field: 'mtbId' };
  if (sent === '') throw new Refusal({ key: 'required', field: 'mtbId', args: { fields: [what] } });
  refuseIfAny(validateFlag(discard, 'discardInHouse', { zh: '报废在站设备', en: 'Discard what is in house' }));
  const bill = await heldBill(ctx, sent);
  if (bill.billStatus === BillStatus.Finished) {
    throw new Refusal({ key: 'billFinished', field: 'mtbId', args: { id: bill.mtbId } });
  }
  const { mtbId } = bill;
  const open = await openItemsOf(ctx, mtbId);
  const mtbliIds = open.map((it) => it.mtbliId);
  const isOpen = new Set(mtbliIds);
  // A station that has one of them in hand is waited for, and finds the bill closed after.
  const units = await lockUnitsOn(ctx.db, 'mtbId', [mtbId]);
  const given = units.filter((it) => isOpen.has(it.mtbliId ?? ''));
  refuseIfAny(
    validateClosing(
      mtbId,
      open.map((it) => it.sn),
      discard === Flag.Yes,
    ),
  );
  refuseIfAny(given.flatMap((it) => validateItemSite(it, ownSite(ctx.currentUser), 'mtbId')));
  refuseIfAny(given.flatMap((it) => validateNotOnBill(it, 'mtbId')));

  // Scrap for which another machine was to go lies where it lies.
  const discarded = given.filter((it) => it.ivyId !== Node.Scrapped);
  const before = await itemsBefore(ctx, mtbliIds);
  await leavesStockup(ctx, mtbliIds);
  await dropProposals(ctx, given);
  await moveAtSites(
    ctx,
    discarded.map((it) => createMove(it, 'terminate')),
    'terminate',
  );
  const discardedSnList = discarded.map((it) => it.sn);
  await shelve(ctx, discardedSnList, Node.Scrapped);
  await setItems(ctx, mtbliIds, { deliverStatus: DeliverStatus.Scrapped });
  const notReceivedCount = await closeRest(ctx, mtbId);
  await recountLines(ctx.db, await readLineIds(ctx, mtbId));
  await recordInLedger(ctx, {
    what: 'terminate',
    module: 'rmaMaintainBill',
    recordId: mtbId,
    from: {
      billStatus: bill.billStatus,
      nodes: Object.fromEntries(given.map((it) => [it.sn, it.ivyId])),
      items: Object.fromEntries(given.map((it) => [it.sn, before.get(it.mtbliId ?? '')])),
    },
    to: { billStatus: BillStatus.Finished, notReceivedCount, discardedSnList },
  });
  return { mtbId, billStatus: BillStatus.Finished, notReceivedCount, discardedSnList };
}

/** The bill by its number within the user's sites, held. */
async function heldBill({ db, currentUser }: Context, mtbId: string) {
  const query = db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus'])
    .where('mtbId', '=', mtbId)
    .forNoKeyUpdate()
    .where(inSites('siteId', currentUser));
  const row = await query.executeTakeFirst();
  const what = { module: 'rmaMaintainBill', field: 'mtbId' };
  if (!row) throw new Refusal({ key: 'notFound', field: 'mtbId', args: { what, value: mtbId } });
  return row;
}

async function readLineIds({ db }: Context, mtbId: string): Promise<string[]> {
  const rows = await db.selectFrom('rma_maintain_bill_line').select('mtblId').where('mtbId', '=', mtbId).execute();
  return rows.map((it) => it.mtblId);
}
