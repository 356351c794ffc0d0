import type { NotNull } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag } from '#domain/enums.ts';
import { ownSite, validateItem, validateBelonging } from '#domain/itemActions.ts';
import { isReceived } from '#domain/maintainBill.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { atSite, type Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { recordInLedger } from '#server/ledger.ts';
import { touch } from '#server/touch.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { itemsOnLines, ledgerItems } from '#server/workflow/lineChanges.ts';
import { moveCounts, moveToLine, recode, recodeArchive } from '#server/workflow/lines.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import { goesOnStockup, leavesStockup } from '#server/workflow/stockup.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { changeSite, replaceSaleCode } from './contract.ts';
import { isTallied, validateCodeChange, validateCode, validateRefs, validateNewSite } from './rules.ts';
import { recordAtSites } from './server.sites.ts';
import { holdItems, setItems, unitsNow, type HeldItem } from './queries.ts';
import { exchangesApart, lineForCode, findStockups } from './queries.lines.ts';

const LIST = 'rmaMaintainBillLineItemList';
const fieldOf = (i: number) => `${LIST}.${i}`;

type Ref = InputOf<typeof changeSite>['rmaMaintainBillLineItemList'][number];
const refOf = ({ mtbliId, id }: Ref): string => normaliseNo(mtbliId) || normaliseNo(id);

/** A row's id and its number, where both are sent, are of one item. */
const refuseTorn = (refs: readonly Ref[], items: readonly HeldItem[]): void =>
  refuseIfAny(
    items.flatMap((item, i) => {
      const id = normaliseNo(refs[i]?.id);
      return id === ''
        ? []
        : validateBelonging(
            id,
            { is: [String(item.id), item.mtbliId].includes(id) ? item.mtbliId : id, said: item.mtbliId },
            fieldOf(i),
          );
    }),
  );

/**
 * Items go to another site, with effect at once: units stand there from now on, and what waits on the shelf is
 * stocked up there. What has not come yet is only to be sent from there. Rule: events#e33.
 */
export async function changeItemSite(
  input: InputOf<typeof changeSite>,
  ctx: Context,
): Promise<DataOf<typeof changeSite>> {
  const refs = input[LIST].map(refOf);
  refuseIfAny(validateRefs(refs, LIST));
  const siteId = normaliseNo(input.updateSiteId);
  const field = { module: 'rmaMaintainBillLineItem', field: 'deliverSiteId' };
  if (siteId === '') throw new Refusal({ key: 'required', field: 'updateSiteId', args: { fields: [field] } });
  const site = await ctx.db
    .selectFrom('ubs_site')
    .select(nameIn(ctx.lang, 'siteName').as('siteName'))
    .where('siteId', '=', siteId)
    .executeTakeFirst();
  if (!site) throw new Refusal({ key: 'notFound', field: 'updateSiteId', args: { what: field, value: siteId } });
  const items = await holdItems(ctx, refs, fieldOf);
  refuseTorn(input[LIST], items);
  refuseIfAny(
    items.flatMap((item, i) => {
      const problems = validateItem(item, ownSite(ctx.currentUser), fieldOf(i));
      return problems.length > 0 ? problems : validateNewSite(item, siteId, site.siteName, 'updateSiteId');
    }),
  );

  const here = items.filter(isReceived);
  const units = here.flatMap((it) => it.unit ?? []);
  const there = atSite(ctx, siteId);
  const before = await itemsOnLines(
    ctx,
    items.map((it) => it.mtbliId),
  );
  await leavesStockup(
    ctx,
    items.map((it) => it.mtbliId),
  );
  await setItems(
    ctx,
    items.map((it) => it.mtbliId),
    { deliverSiteId: siteId },
  );
  await setItems(
    ctx,
    here.map((it) => it.mtbliId),
    { siteId },
  );
  await setSite(ctx, units, siteId);
  await recordEvents(
    there,
    units.map((unit) => ({
      unit,
      to: unit.ivyId,
      fromSiteId: unit.siteId,
      note: `${unit.siteId ?? ''} → ${siteId}`,
    })),
    'updateSiteId',
    null,
  );
  await goesOnStockup(
    there,
    await unitsNow(
      ctx,
      here.filter(isTallied).flatMap((it) => it.unit ?? []),
    ),
  );
  await recordInLedger(there, {
    what: 'updateSiteId',
    module: 'rmaMaintainBillLineItem',
    recordId: items[0]?.mtbId ?? '',
    from: { items: ledgerItems(before, new Set()) },
    to: { siteId, sns: units.map((it) => it.sn) },
  });
  return { updatedCount: items.length };
}

async function setSite({ db, currentUser }: Context, units: readonly Unit[], siteId: string): Promise<void> {
  await db
    .updateTable('rma_inventory')
    .set({ siteId, ...touch(currentUser) })
    .where('sn', '=', anyOf(units.map((it) => it.sn)))
    .execute();
}

/**
 * Another model is sent for items (flag 0), or they were registered under a wrong code (flag 1) and go, with their
 * units, to the line of the right one, which is made where there is none. Rule: events#e31.
 */
export async function changeItem(
  input: InputOf<typeof replaceSaleCode>,
  ctx: Context,
): Promise<DataOf<typeof replaceSaleCode>> {
  const refs = input[LIST].map(refOf);
  const salesCode = normaliseNo(input.salesCode);
  const replaceFlag = input.replaceFlag?.trim() ?? '';
  const corrects = replaceFlag === Flag.Yes;
  refuseIfAny(validateRefs(refs, LIST));
  refuseIfAny(validateCodeChange({ salesCode, replaceFlag, count: input.salesCodeCount ?? null }, refs.length));
  const goods = await ctx.db
    .selectFrom('ubs_item')
    .select(['salesCode', 'name', 'productName', 'type'])
    .where('salesCode', '=', salesCode)
    .$narrowType<{ salesCode: NotNull }>()
    .executeTakeFirst();
  if (!goods) {
    const what = { module: 'rmaMaintainBillLine', field: 'salesCode' };
    throw new Refusal({ key: 'notFound', field: 'salesCode', args: { what, value: salesCode } });
  }
  const items = await holdItems(ctx, refs, fieldOf);
  refuseTorn(input[LIST], items);
  const stockups = await findStockups(
    ctx,
    items.map((it) => it.mtbliId),
  );
  refuseIfAny(
    items.flatMap((item, i) => {
      const problems = validateItem(item, ownSite(ctx.currentUser), fieldOf(i));
      if (problems.length > 0) return problems;
      const to = { salesCode, type: goods.type, corrects };
      return validateCode(item, to, stockups.get(item.mtbliId) ?? null, 'salesCode');
    }),
  );

  const before = await itemsOnLines(
    ctx,
    items.map((it) => it.mtbliId),
  );
  const { mtblIds, made, counted } = corrects
    ? await correct(ctx, items, goods)
    : await sendAnother(ctx, items, salesCode);
  await recordAtSites(
    ctx,
    items.flatMap(({ unit, salesCode: was }) =>
      unit ? [{ unit, to: unit.ivyId, note: `${was ?? ''} → ${salesCode}` }] : [],
    ),
    'replaceSaleCode',
  );
  await recordInLedger(ctx, {
    what: 'replaceSaleCode',
    module: 'rmaMaintainBillLineItem',
    recordId: items[0]?.mtbId ?? '',
    from: { items: ledgerItems(before, counted) },
    to: { salesCode, replaceFlag, mtblIds, made },
  });
  return { updatedCount: items.length, mtblId: mtblIds[0] ?? '' };
}

/** The lines of a code on which items stand now, those of them that are new, and the items that left another line. */
interface Changed {
  mtblIds: string[];
  made: string[];
  counted: Set<string>;
}

/**
 * Another model is promised; the model of an item's own line is no promise, but the end of one: then its own unit goes,
 * unless another part took its place or a machine goes out for it in advance. Rule: events#e31, events#e16,
 * stock-up#advance.
 */
async function sendAnother(ctx: Context, items: readonly HeldItem[], salesCode: string): Promise<Changed> {
  const idsOf = (some: readonly HeldItem[]) => some.map((it) => it.mtbliId);
  const isOwn = (it: HeldItem) => it.salesCode === salesCode;
  const own = idsOf(items.filter(isOwn));
  const stays = await exchangesApart(ctx, own);
  const promised = idsOf(items.filter((it) => !isOwn(it)));
  await setItems(ctx, promised, { deliverSalesCode: salesCode, exchange: Flag.Yes });
  await setItems(ctx, own, { deliverSalesCode: null });
  await setItems(
    ctx,
    own.filter((it) => !stays.has(it)),
    { exchange: Flag.No },
  );
  return { mtblIds: [...new Set(items.map((it) => it.mtblId))], made: [], counted: new Set() };
}

async function correct(
  ctx: Context,
  items: readonly HeldItem[],
  goods: { salesCode: string; name: string; productName: string | null; type: string },
): Promise<Changed> {
  const changed: Changed = { mtblIds: [], made: [], counted: new Set() };
  for (const mtbId of new Set(items.map((it) => it.mtbId))) {
    const moved = items.filter((it) => it.mtbId === mtbId);
    const { mtblId, isNew } = await lineForCode(ctx, mtbId, goods);
    await moveToLine(ctx, moved, { mtbId, mtblId, productName: goods.productName });
    for (const it of await moveCounts(ctx, moved, mtblId)) changed.counted.add(it);
    changed.mtblIds.push(mtblId);
    if (isNew) changed.made.push(mtblId);
  }
  await recode(ctx, items, goods);
  await recodeArchive(ctx, items, goods.salesCode);
  await recountLines(ctx.db, [...items.map((it) => it.mtblId), ...changed.mtblIds]);
  return changed;
}
