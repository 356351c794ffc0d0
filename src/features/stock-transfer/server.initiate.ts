import type { DataOf, InputOf } from '#domain/call.ts';
import { isOffered } from '#domain/definition/options.ts';
import { type Problem, Refusal, refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { type Context, seesSite } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import type { initiate } from './contract.ts';
import { itemsByCode, readSites, recordTransfer } from './queries.ts';
import { mergeLines, validateLine, validateLines, validateSites } from './rules.ts';

const LIST = 'rmaStockTransferLineRequestList';

/**
 * A transfer between two sites, one of which is the user's; each line takes so many of a sales code, item type and
 * storage type that exist. Its SNs come when it is delivered. Rule: transfers#initiating.
 */
export async function makeTransfer(input: InputOf<typeof initiate>, ctx: Context): Promise<DataOf<typeof initiate>> {
  const sites = { deliverSiteId: normaliseNo(input.deliverSiteId), receiveSiteId: normaliseNo(input.receiveSiteId) };
  refuseIfAny(validateSites(sites));
  const asked = (input[LIST] ?? []).map((it) => ({
    salesCode: normaliseNo(it.salesCode),
    itemType: it.itemType?.trim() ?? '',
    storageType: it.storageType?.trim() ?? '',
    count: it.count ?? 0,
    remark: it.remark?.trim() ?? '',
  }));
  refuseIfAny(asked.flatMap((it, i) => validateLine(it, `${LIST}.${i}.`)));
  refuseIfAny(validateLines(asked));
  await refuseUnknownSites(ctx, sites);
  if (!seesSite(ctx.currentUser, sites.deliverSiteId) && !seesSite(ctx.currentUser, sites.receiveSiteId)) {
    throw new Refusal({ key: 'neitherSite', field: 'deliverSiteId' });
  }
  const names = await refuseUnknownGoods(ctx, asked);

  const sktbId = await ctx.numbers.next('SKT');
  const merged = mergeLines(asked);
  const sktblIds = await ctx.numbers.many('SKL', merged.length);
  const lines = merged.map((it, i) => ({
    ...it,
    sktblId: sktblIds[i] ?? '',
    name: names.get(it.salesCode)?.name ?? '',
  }));
  const remark = input.remark?.trim() || null;
  const id = await recordTransfer(ctx, { sktbId, ...sites, remark }, lines);
  await recordInLedger(ctx, {
    what: 'initiate',
    module: 'rmaStockTransferBill',
    recordId: sktbId,
    to: {
      ...sites,
      lines: lines.map(({ sktblId, salesCode, itemType, storageType, count }) => ({
        sktblId,
        salesCode,
        itemType,
        storageType,
        count,
      })),
    },
  });
  return { id, sktbId, count: lines.reduce((sum, it) => sum + it.count, 0) };
}

async function refuseUnknownSites(ctx: Context, sites: Record<'deliverSiteId' | 'receiveSiteId', string>) {
  const known = new Set((await readSites(ctx)).map((it) => it.siteId));
  refuseIfAny(
    Object.entries(sites).flatMap(([field, value]) =>
      known.has(value)
        ? []
        : [{ key: 'notFound' as const, field, args: { what: { module: 'rmaStockTransferBill', field }, value } }],
    ),
  );
}

type Asked = Parameters<typeof mergeLines>[0];

/** Each line names goods of the catalogue by the item type that they have, and a storage type that exists. */
async function refuseUnknownGoods(ctx: Context, asked: Asked) {
  const items = await itemsByCode(
    ctx,
    asked.map((it) => it.salesCode),
  );
  refuseIfAny(
    asked.flatMap(({ salesCode, itemType, storageType }, i): Problem[] => {
      const at = (field: string) => ({ field: `${LIST}.${i}.${field}` });
      const label = (field: string) => ({ module: 'rmaStockTransferBillLine', field });
      const item = items.get(salesCode);
      if (!item) return [{ key: 'notFound', ...at('salesCode'), args: { what: label('salesCode'), value: salesCode } }];
      if (!isOffered(ctx.model.options, 'storageType', storageType)) {
        return [{ key: 'format', ...at('storageType'), args: { field: label('storageType') } }];
      }
      const is = { options: 'itemTypes', value: item.itemType };
      return item.itemType === itemType
        ? []
        : [{ key: 'otherItemType', ...at('itemType'), args: { code: salesCode, is } }];
    }),
  );
  return items;
}
