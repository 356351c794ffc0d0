import type { DataOf } from '#domain/call.ts';
import { isProposal } from '#domain/hold.ts';
import { ownSite, validateItemAction, type ItemActionName } from '#domain/itemActions.ts';
import { itemNameIn } from '#domain/itemName.ts';
import { nextActions, type StandingUnit } from '#domain/nextActions.ts';
import { waitingStages } from '#domain/pipeline.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { stations } from '#domain/stations.ts';
import { toQuery } from '#domain/viewAddress.ts';
import type { Context } from '#server/context.ts';
import { columnInfos, readValueLabels } from '#server/engine/describe.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { readUnits, type Unit } from '#server/workflow/units.ts';
import { billProgress, billUnits } from './contract.ts';
import { findBill, readItemPage, readProgress, type FoundBill, type FoundItem } from './queries.pipeline.ts';

export const pipelineRoutes = [
  route(billProgress, async ({ mtbId }, ctx) => {
    await requireBill(ctx, mtbId);
    return readProgress(ctx, mtbId);
  }),

  route(billUnits, async ({ mtbId, mtblId, stage, pageStart = 0, pageCount = 10 }, ctx) => {
    const bill = await requireBill(ctx, mtbId);
    const definition = requireDefinition(ctx.model, 'rmaMaintainBillLineItem');
    const columns = columnInfos(definition, definition.list?.columns ?? [], ctx);
    const asked = { mtbId, mtblId: mtblId ?? '', stage: stage ?? '', pageStart, pageCount };
    const names = [...new Set([...besides, ...columns.map((it) => it.name)])];
    const { itemTotal, items } = await readItemPage(ctx, asked, names);
    const units = await readUnits(
      ctx.db,
      items.flatMap((it) => it.unitSn ?? []),
    );
    return {
      itemTotal,
      items: items.map((it) => toAnswer(it, units.get(it.unitSn ?? ''), bill, ctx)),
      columns,
      labels: await readValueLabels(definition, columns, items, ctx),
    };
  }),
];

/** What an answer needs of an item that its list does not show. */
const besides = ['id', 'mtbliId', 'mtblId', 'mtbId', 'siteId'];

async function requireBill(ctx: Context, mtbId: string): Promise<FoundBill> {
  const bill = await findBill(ctx, mtbId);
  const what = { module: 'rmaMaintainBill', field: 'mtbId' };
  if (!bill) throw new Refusal({ key: 'notFound', field: 'mtbId', args: { what, value: mtbId } });
  return bill;
}

type Answer = DataOf<typeof billUnits>['items'][number];

function toAnswer(found: FoundItem, unit: Unit | undefined, bill: FoundBill, ctx: Context): Answer {
  const { unitSn: _, productName, tally, ...item } = found;
  const inHand = { ...item, billStatus: bill.billStatus, unit: unit ?? null, tally };
  const siteId = ownSite(ctx.currentUser);
  const refused = (Object.keys(validateItemAction) as ItemActionName[]).flatMap((btnNo) => {
    const [problem] = validateItemAction[btnNo](inHand, siteId);
    return problem ? [[btnNo, problem.key] as const] : [];
  });
  return {
    ...item,
    itemName: itemNameIn(ctx.lang, item.itemName, productName),
    ivyId: unit?.ivyId ?? null,
    held: unit?.held?.kind ?? null,
    next: nextOf(found, unit, bill, ctx),
    refused: Object.fromEntries(refused),
  };
}

/** What comes next for an item that has not ended; with the page that does it, where this user may do it there. */
function nextOf(found: FoundItem, unit: Unit | undefined, bill: FoundBill, ctx: Context): Answer['next'] {
  const { stage } = found;
  if (!(waitingStages as readonly string[]).includes(stage)) return null;
  if (stage === 'signFor' || stage === 'receive') return { action: stage, address: receiptAddress(stage, bill, ctx) };
  if (!unit) return { action: stage, address: null };
  const standing: StandingUnit = {
    ...unit,
    tally: found.tally,
    item: null,
    partsCount: 0,
    inside: null,
    lastStep: null,
  };
  const open = nextActions(standing, ctx.currentUser).find((it) => it.address !== null);
  return open ?? { action: isProposal(unit.held) ? `${unit.held.kind}Confirm` : stage, address: null };
}

/** Goods are received at the site of their bill, by the number of their parcel. */
function receiptAddress(stage: 'signFor' | 'receive', bill: FoundBill, { currentUser }: Context): string | null {
  const { module, btnNo } = stage === 'signFor' ? { module: 'rmaArrivalBill', btnNo: 'signFor' } : stations.receive;
  const may = mayDo(currentUser.rights, `${module}:${btnNo}`) && bill.siteId === currentUser.siteId;
  if (!may) return null;
  const query = stage === 'signFor' ? '' : `?${toQuery({ shipNo: bill.receiveShipNo ?? bill.mtbId })}`;
  return `/${module}List/${btnNo}${query}`;
}
