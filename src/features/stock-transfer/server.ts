import type { DataOf, InputOf } from '#domain/call.ts';
import { groupBy } from '#domain/group.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import { route } from '#server/route.ts';
import type { Context } from '#server/context.ts';
import { readUnits, validateSnText } from '#server/workflow/units.ts';
import {
  attemptReceiverAccept,
  cancelTransfer,
  deliverAccept,
  getSaleCodeList,
  getSiteList,
  initiate,
  loadTransfer,
  querySnInfo,
  receiverAccept,
  returnTransfer,
} from './contract.ts';
import { itemsBeginning, readItems, readLines, readSites, readStock } from './queries.ts';
import { type Goods, itemToSign, validateArrived, validateInBill, validateStep, validateStock } from './rules.ts';
import { transferOf } from './server.bill.ts';
import { cancel, giveBack } from './server.end.ts';
import { makeTransfer } from './server.initiate.ts';
import { signFor } from './server.receive.ts';
import { sendOff } from './server.deliver.ts';

/** Stock goes from one site to another: made, delivered by the one, signed for by the other. Rule: transfers#states. */
export const stockTransferRoutes = [
  route(getSiteList, async (_, ctx) => ({ ubsSiteList: await readSites(ctx) })),
  route(getSaleCodeList, async ({ saleCode }, ctx) => ({
    saleCodeList: await itemsBeginning(ctx, normaliseNo(saleCode)),
  })),
  route(initiate, makeTransfer),
  route(loadTransfer, load),
  route(querySnInfo, findStock),
  route(deliverAccept, sendOff),

  /** Whether an SN is still to be signed for at the user's site. Rule: transfers#receiving. */
  route(attemptReceiverAccept, async (input, ctx) => {
    refuseIfAny(validateSnText(normaliseSn(input.sn), 'sn'));
    const transfer = await transferOf(ctx, input.sktbId);
    refuseIfAny(validateStep(transfer, 'receiverAccept', ctx.currentUser.siteId));
    const items = await readItems(ctx, transfer.sktbId, normaliseSn(input.sn));
    refuseIfAny(validateArrived(items, input.sn));
    const { id, sn, sktblId, salesCode, name } = itemToSign(items, input.sn) as (typeof items)[number];
    return { id, sn: sn ?? '', sktblId, salesCode: salesCode ?? '', name: name ?? '' };
  }),

  route(receiverAccept, signFor),
  route(cancelTransfer, cancel),
  route(returnTransfer, giveBack),
];

/** A transfer with its lines and their SNs. Rule: transfers#stations. */
async function load(input: InputOf<typeof loadTransfer>, ctx: Context): Promise<DataOf<typeof loadTransfer>> {
  const no = normaliseNo(input.sktbId);
  if (no === '') {
    const fields = [{ module: 'rmaStockTransferBill', field: 'sktbId' }];
    throw new Refusal({ key: 'required', field: 'sktbId', args: { fields } });
  }
  const transfer = await transferOf(ctx, no);
  const names = new Map((await readSites(ctx)).map((it) => [it.siteId, it.name]));
  const lines = await readLines(ctx, transfer.sktbId);
  const items = groupBy(await readItems(ctx, transfer.sktbId), (it) => it.sktblId);
  return {
    id: transfer.id,
    sktbId: transfer.sktbId,
    billStatus: transfer.billStatus,
    deliverSiteId: transfer.deliverSiteId,
    deliverSiteName: names.get(transfer.deliverSiteId) ?? transfer.deliverSiteId,
    receiveSiteId: transfer.receiveSiteId,
    receiveSiteName: names.get(transfer.receiveSiteId) ?? transfer.receiveSiteId,
    count: transfer.count,
    remark: transfer.remark,
    rmaStockTransferBillLineList: lines.map((line) => ({
      ...line,
      stockTransferBillLineItemList: (items.get(line.sktblId) ?? []).map(({ id, sn, snStatus }) => ({
        id,
        sn,
        snStatus,
      })),
    })),
  };
}

/** A unit in stock of a site, if a transfer may take it. Rule: transfers#delivering. */
async function findStock(input: InputOf<typeof querySnInfo>, ctx: Context): Promise<DataOf<typeof querySnInfo>> {
  const sn = normaliseSn(input.sn);
  refuseIfAny(validateSnText(sn, 'sn'));
  const siteId = normaliseNo(input.siteId);
  const unit = (await readStock(ctx, await readUnits(ctx.db, [sn]))).get(sn);
  // Stations work on units of their own site alone.
  const scope = {
    siteId: ctx.currentUser.siteId === siteId ? siteId : '',
    elsewhere: 'notStore',
    field: 'sn',
  } as const;
  refuseIfAny(validateStock(sn, unit, scope));
  const { salesCode, name, itemType, storageType, subinventoryCode } = unit as NonNullable<typeof unit>;
  const lines = linesAsked(input);
  if (lines.length > 0) refuseIfAny(validateInBill(sn, { salesCode, itemType, storageType }, lines));
  return { sn, salesCode, name, itemType, storageType, subinventoryCode, siteId };
}

/** The lines that the question names; what it leaves out is as the unit has it nowhere. */
function linesAsked({ salesCode, itemType, storageType }: InputOf<typeof querySnInfo>): Goods[] {
  const listOf = (text: string | null | undefined) => (text ? text.split('|').map((it) => normaliseNo(it)) : []);
  const [types, storages] = [listOf(itemType), listOf(storageType)];
  return listOf(salesCode).map((code, i) => ({
    salesCode: code,
    itemType: types[i] ?? '',
    storageType: storages[i] ?? '',
  }));
}
