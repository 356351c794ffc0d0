import type { DataOf, InputOf } from '#domain/call.ts';
import { ScrapSnRole } from '#domain/enums.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { issueCodesOfText } from '#server/workflow/issueCodes.ts';
import { readItem } from '#server/workflow/items.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { partsBoundTo } from '#server/workflow/parts.ts';
import { readSns, readUnits, type Unit } from '#server/workflow/units.ts';
import {
  attemptAccept,
  cancelScrapRepair,
  combineRepair,
  getSiteList,
  loadScrapRepair,
  outsourcingAccept,
  validateSnForAccept,
  validateSnForCombineRepair,
} from './contract.ts';
import { billOf, readAssemblies, readHead, readLines, readRepairs, readSites } from './queries.ts';
import { validateOnBill, validateOpen, validateScrap } from './rules.ts';
import { accept, attempt } from './server.accept.ts';
import { cancel } from './server.cancel.ts';
import { combine, siteOrRefuse } from './server.combine.ts';

/** Scrap goes out for repair, and comes back as fewer units that work. Rule: scrap-repair#states. */
export const scrapRepairRoutes = [
  route(getSiteList, async (_, ctx) => ({ ubsSiteList: await readSites(ctx) })),

  route(validateSnForCombineRepair, async (input, ctx) => {
    const siteId = siteOrRefuse(ctx, input.siteId);
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const unit = (await readUnits(ctx.db, [sn])).get(sn);
    if (!unit) await refuseFormer(ctx, [sn]);
    refuseIfAny(validateScrap(sn, unit, siteId));
    const { item } = await readItem(ctx, unit as Unit);
    return { sn, item: { salesCode: item.salesCode, name: item.name, itemId: item.itemId } };
  }),

  route(combineRepair, combine),
  route(loadScrapRepair, load),

  route(validateSnForAccept, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const bill = await billOf(ctx, input.srbId);
    refuseIfAny(validateOpen(bill, 'srbId'));
    const lines = await readLines(ctx, bill.srbId);
    refuseIfAny(validateOnBill(sn, lines, bill.srbId));
    const unit = (await readUnits(ctx.db, [sn])).get(sn);
    if (!unit) throw new Refusal({ key: 'stale' });
    const { item, bomId } = await readItem(ctx, unit);
    const components = (await partsBoundTo(ctx, [sn])).map(({ deviceSn: _, ...it }) => it);
    return { sn, type: unit.type, item: { ...item, bomId }, components };
  }),

  route(attemptAccept, attempt),
  route(outsourcingAccept, accept),
  route(cancelScrapRepair, cancel),
];

/** A bill with its SNs, and each unit that came back with what was done for it. Rule: scrap-repair#detail. */
async function load(input: InputOf<typeof loadScrapRepair>, ctx: Context): Promise<DataOf<typeof loadScrapRepair>> {
  const no = normaliseNo(input.srbId);
  if (no === '') {
    const fields = [{ module: 'rmaScrapRepairBill', field: 'srbId' }];
    throw new Refusal({ key: 'required', field: 'srbId', args: { fields } });
  }
  const bill = await billOf(ctx, no);
  const { billType, count, siteName, createTime, acceptTime, ...head } = await readHead(ctx, bill.id);
  const lines = await readLines(ctx, bill.srbId);
  const mains = lines.filter((it) => it.snRole === ScrapSnRole.Main);
  const repairs = await readRepairs(
    ctx,
    mains.flatMap((it) => it.rpbId ?? []),
  );
  const assemblies = await readAssemblies(
    ctx,
    mains.flatMap((it) => it.asbId ?? []),
  );
  const unitList = [];
  for (const { sn, salesCode, name, checkIcdIds, rpbId, asbId } of mains) {
    const codes = await issueCodesOfText(ctx, checkIcdIds, IssueCategory.Check);
    unitList.push({
      productSn: sn,
      salesCode,
      name,
      checkIssueCodes: codes.map(({ codeId, code, name: word }) => ({ codeId, code, name: word })),
      assistSnList: lines.flatMap((it) => (it.snRole === ScrapSnRole.Auxiliary && it.productSn === sn ? [it.sn] : [])),
      repairInfoList: (repairs.get(rpbId ?? '') ?? []).map(({ rpbId: _, ...it }) => it),
      assembleInfoList: (assemblies.get(asbId ?? '') ?? []).map(({ asbId: _, ...it }) => it),
    });
  }
  return {
    ...bill,
    ...head,
    billType: billType ?? '',
    count: count ?? lines.length,
    siteName: siteName ?? bill.siteId,
    createTime: createTime === null ? null : Number(createTime),
    acceptTime: acceptTime === null ? null : Number(acceptTime),
    rmaScrapRepairBillLineList: lines.map(({ sn, salesCode, name, snRole, productSn }) => ({
      sn,
      salesCode,
      name,
      snRole,
      productSn,
    })),
    unitList,
  };
}
