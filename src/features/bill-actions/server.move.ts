import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, ReceiveStatus } from '#domain/enums.ts';
import { ownSite, validateItem, validateBelonging } from '#domain/itemActions.ts';
import { isReceived, mayReceive } from '#domain/maintainBill.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { recordInLedger } from '#server/ledger.ts';
import { touchSql } from '#server/touch.ts';
import { hasReceived, recountLines, settleLeft } from '#server/workflow/bills.ts';
import { itemsOnLines, ledgerItems } from '#server/workflow/lineChanges.ts';
import { moveCounts, moveToLine } from '#server/workflow/lines.ts';
import { customersMeet, selectItemShips } from '#server/workflow/oneCustomer.ts';
import { stockupShips } from '#server/workflow/states.ts';
import { leavesStockup, stockUpAtSites } from '#server/workflow/stockup.ts';
import type { moveBill } from './contract.ts';
import {
  isTallied,
  validateMove,
  validateMovedItem,
  validateRefs,
  validateTarget,
  type BillMove,
  type Target,
} from './rules.ts';
import { recordAtSites } from './server.sites.ts';
import { holdItems, unitsNow, type HeldItem } from './queries.ts';

type HeldTarget = Target & { productName: string | null };

/**
 * Items go to another bill's line, ship with that bill's goods, or ship apart on a stock-up bill of their own. An
 * item that only moves ships as it would have before. Rule: events#e32.
 */
export async function moveItems(input: InputOf<typeof moveBill>, ctx: Context): Promise<DataOf<typeof moveBill>> {
  const refs = input.ids.map(normaliseNo);
  refuseIfAny(validateRefs(refs, 'ids'));
  const move: BillMove = {
    mtbId: normaliseNo(input.mtbId),
    mtblId: normaliseNo(input.mtblId),
    moveBillFlag: input.moveBillFlag?.trim() ?? '',
    deliverFlag: input.deliverFlag?.trim() ?? '',
    splitDeliverFlag: input.splitDeliverFlag?.trim() ?? '',
  };
  refuseIfAny(validateMove(move));
  const fieldOf = (i: number) => `ids.${i}`;
  const items = await holdItems(ctx, refs, fieldOf, [move.mtbId]);
  const target = await findTarget(ctx, move);
  refuseIfAny(validateTarget(target));
  refuseIfAny(
    items.flatMap((item, i) => {
      const problems = validateItem(item, ownSite(ctx.currentUser), fieldOf(i));
      return problems.length > 0 ? problems : validateMovedItem(item, target, move, fieldOf(i));
    }),
  );

  const moves = move.moveBillFlag === Flag.Yes;
  const delivers = move.deliverFlag === Flag.Yes || move.splitDeliverFlag === Flag.Yes;
  const before = await itemsOnLines(
    ctx,
    items.map((it) => it.mtbliId),
  );
  const tallied = items.filter(isTallied);
  if (delivers) {
    await leavesStockup(
      ctx,
      tallied.map((it) => it.mtbliId),
    );
  }
  const counted = moves ? await toBill(ctx, items, target) : new Set<string>();
  const destination = await setShipping(ctx, items, target, move);
  const mtbliIds = items.map((it) => it.mtbliId);
  if ((await customersMeet(ctx.db, selectItemShips(mtbliIds))).length > 0) {
    throw new Refusal({ key: 'billOtherCustomer', field: 'mtbId', args: { id: target.mtbId } });
  }
  if (delivers)
    await stockUpAtSites(
      ctx,
      await unitsNow(
        ctx,
        tallied.flatMap((it) => it.unit ?? []),
      ),
    );
  const note = `${move.mtbId} ${move.mtblId}`;
  await recordAtSites(
    ctx,
    items.flatMap(({ unit }) =>
      unit ? [{ unit: { ...unit, mtbId: moves ? target.mtbId : unit.mtbId }, to: unit.ivyId, note }] : [],
    ),
    'moveBill',
  );
  await recountLines(ctx.db, [...items.map((it) => it.mtblId), target.mtblId]);
  await settleLeft(
    ctx,
    items.map((it) => it.mtbId),
  );
  await recordInLedger(ctx, {
    what: 'moveBill',
    module: 'rmaMaintainBillLineItem',
    recordId: target.mtbId,
    from: { items: ledgerItems(before, counted), billStatus: target.billStatus },
    to: { ...move, ...destination },
  });
  return { movedCount: items.length, mtbId: target.mtbId, mtblId: target.mtblId };
}

/** The target line and its bill within the user's sites; the bill is held already. */
async function findTarget({ db, currentUser }: Context, { mtbId, mtblId }: BillMove): Promise<HeldTarget> {
  const query = db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'siteId', 'billStatus', 'billType', 'btmUserId'])
    .where('mtbId', '=', mtbId)
    .where(inSites('siteId', currentUser));
  const bill = await query.executeTakeFirst();
  const line = await db
    .selectFrom('rma_maintain_bill_line')
    .select(['mtbId', 'type', 'productName'])
    .where('mtblId', '=', mtblId)
    .executeTakeFirst();
  const none = (field: 'mtbId' | 'mtblId', value: string) =>
    new Refusal({ key: 'notFound', field, args: { what: { module: 'rmaMaintainBillLineItem', field }, value } });
  if (!bill) throw none('mtbId', mtbId);
  if (!line) throw none('mtblId', mtblId);
  refuseIfAny(validateBelonging(mtblId, { is: line.mtbId, said: mtbId }, 'mtblId'));
  return { ...bill, mtbId, mtblId, type: line.type, productName: line.productName };
}

/**
 * The items belong to the target; what has not come yet waits there for receipt, or was not received there either. Gives
 * those that the lines that they left count no more.
 */
async function toBill(ctx: Context, items: readonly HeldItem[], target: HeldTarget): Promise<Set<string>> {
  await moveToLine(ctx, items, target);
  const counted = await moveCounts(ctx, items, target.mtblId);
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ receiveStatus: mayReceive(target.billStatus) ? ReceiveStatus.Awaiting : ReceiveStatus.NotReceived })
    .where('mtbliId', '=', anyOf(items.filter((it) => !isReceived(it)).map((it) => it.mtbliId)))
    .execute();
  if (items.some(isReceived)) await hasReceived(ctx, target.mtbId);
  return counted;
}

/** With whose goods, where to and with whom apart from others the items ship from now on; gives the place if it is new. */
async function setShipping(
  ctx: Context,
  items: readonly HeldItem[],
  target: Target,
  { moveBillFlag, deliverFlag, splitDeliverFlag }: BillMove,
): Promise<Destination | null> {
  const moved = moveBillFlag === Flag.Yes;
  const group = splitDeliverFlag === Flag.Yes ? await ctx.numbers.next('SPG') : null;
  const destination = deliverFlag === Flag.Yes ? await findDestination(ctx, target) : null;
  const shipping = items.map(({ mtbliId, mtbId, deliverMtbId }) => {
    const own = moved ? target.mtbId : mtbId;
    const asBefore = group ? own : (deliverMtbId ?? mtbId);
    const withBill = destination ? target.mtbId : asBefore;
    return { mtbliId, deliverMtbId: withBill === own ? null : withBill };
  });
  await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "deliverMtbId" = s."deliverMtbId",
           "deliverGroup" = CASE WHEN ${destination !== null} THEN NULL ELSE coalesce(${group}::text, i."deliverGroup") END,
           "deliverSiteId" = coalesce(${destination?.deliverSiteId ?? null}::text, i."deliverSiteId"),
           "deliverShipId" = coalesce(${destination?.deliverShipId ?? null}::text, i."deliverShipId"),
           ${touchSql(ctx.currentUser, 'i')}
      FROM json_to_recordset(${JSON.stringify(shipping)}::json) AS s("mtbliId" text, "deliverMtbId" text)
     WHERE i."mtbliId" = s."mtbliId"`.execute(ctx.db);
  return destination;
}

interface Destination {
  deliverSiteId: string | null;
  deliverShipId: string | null;
}

/**
 * Where the target's goods go: to where its open stock-up bill goes, else to where the first item of its line does. What
 * stands here ships from where the goods here do: those that stand at another site ship from there, but to the same address.
 */
async function findDestination({ db }: Context, { mtbId, mtblId, siteId }: Target): Promise<Destination> {
  const columns = sql`CASE WHEN "siteId" = ${siteId} THEN "deliverSiteId" END AS "deliverSiteId", "deliverShipId"`;
  const hereFirst = sql`ORDER BY "siteId" IS NOT DISTINCT FROM ${siteId} DESC, id LIMIT 1`;
  const { rows } = await sql<Destination>`
    (SELECT ${columns} FROM rma_stockup_bill AS b
      WHERE "mtbId" = ${mtbId} AND ${stockupShips('b')} AND "deliverGroup" IS NULL ${hereFirst})
    UNION ALL
    (SELECT ${columns} FROM rma_maintain_bill_line_item WHERE "mtblId" = ${mtblId} ${hereFirst})
    LIMIT 1`.execute(db);
  return rows[0] ?? { deliverSiteId: null, deliverShipId: null };
}
