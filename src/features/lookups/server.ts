import { normaliseCode } from '#domain/issueCode.ts';
import { Refusal } from '#domain/refusal.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import type { Language } from '#domain/words.ts';
import { seesSite, type Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { issueCodesIn } from '#server/workflow/issueCodes.ts';
import { namesOfOne } from '#server/workflow/names.ts';
import { readUnits } from '#server/workflow/units.ts';
import {
  allComponentTypes,
  allDepreciations,
  allPartsTypes,
  allRepairMethods,
  allSites,
  componentQuery,
  issueCodeBills,
  issueCodesOfBill,
  labelRulesOfSite,
  loadIssueCodeList,
  queryBomByName,
  queryBomItemByBomId,
  queryByCode,
  queryCityByStateId,
  queryStateByCountryId,
  queryBySalesCode,
  queryComponentBySn,
  queryComponentSnByAssemblySn,
  loadUserSites,
} from './contract.ts';
import {
  bomItems,
  bomsNamed,
  citiesOf,
  enumeration,
  itemsBeginning,
  labelRules,
  listAssemblyRecords,
  listBoundParts,
  sitesFor,
  statesOf,
} from './queries.ts';

/** The stations of aging and QC answer one of theirs themselves, and this one is asked above. */
const answeredElsewhere = ['GET ubsIssueCode', 'POST rmaBurninBill', 'POST rmaExamineBill'];

export const lookupRoutes = [
  route(allPartsTypes, (_, ctx) => all(ctx, 'ubs_enum_parts_type')),
  route(allRepairMethods, (_, ctx) => all(ctx, 'rma_enum_repair_method')),
  route(allComponentTypes, (_, ctx) => all(ctx, 'ubs_enum_component_type')),
  route(allDepreciations, (_, ctx) => all(ctx, 'rma_enum_depreciation')),

  route(loadIssueCodeList, async ({ billType }, ctx) => ({ issueCodeList: await issueCodesIn(ctx, billType) })),
  ...issueCodeBills
    .flatMap(([module, category]) => (['GET', 'POST'] as const).map((method) => ({ module, category, method })))
    .filter(({ module, method }) => !answeredElsewhere.includes(`${method} ${module}`))
    .map(({ module, category, method }) =>
      route(issueCodesOfBill(module, method), async ({ billType }, ctx) => ({
        issueCodeList: await issueCodesIn(ctx, billType || category),
      })),
    ),
  route(queryByCode, async ({ code, billType }, ctx) => ({
    items: await issueCodesIn(ctx, billType, normaliseCode(code)),
  })),

  route(labelRulesOfSite, async (_, ctx) => ({ items: await labelRules(ctx) })),

  route(queryBomByName, async ({ bomName }, ctx) => ({ items: await bomsNamed(ctx, bomName?.trim() ?? '') })),
  route(queryBomItemByBomId, async ({ bomId }, ctx) => ({ items: await bomItems(ctx, normaliseNo(bomId)) })),
  route(queryBySalesCode, async ({ salesCode }, ctx) => ({
    items: await itemsBeginning(ctx, normaliseNo(salesCode)),
  })),

  route(queryComponentSnByAssemblySn, ({ assemblySn }, ctx) => partsOf(assemblySn, 'assemblySn', ctx)),
  route(queryComponentBySn, ({ sn }, ctx) => partsOf(sn, 'sn', ctx)),
  route(componentQuery, async ({ componentSN }, ctx) => ({
    items: await listAssemblyRecords(ctx, (await namesOfOne(ctx.db, normaliseSn(componentSN ?? ''))).all),
  })),

  route(loadUserSites, async (_, ctx) => asPage(await sitesFor(ctx, ctx.currentUser.sites))),
  route(queryStateByCountryId, async ({ countryId }, ctx) => ({ items: await statesOf(ctx, countryId.trim()) })),
  route(queryCityByStateId, async ({ stateId }, ctx) => ({ items: await citiesOf(ctx, stateId.trim()) })),
  route(allSites, async (_, ctx) => asPage(await sitesFor(ctx, 'all'))),
];

async function partsOf(asked: string, field: string, ctx: Context) {
  const sn = normaliseSn(asked);
  const { now } = await namesOfOne(ctx.db, sn);
  const unit = (await readUnits(ctx.db, [now])).get(now);
  if (unit && !seesSite(ctx.currentUser, unit.siteId)) throw new Refusal({ key: 'otherSite', field, args: { sn } });
  return { items: await listBoundParts(ctx, now) };
}

type EnumTable = Parameters<typeof enumeration>[1];

const all = async (ctx: Context, table: EnumTable) => ({
  items: (await enumeration(ctx, table)).map((it) => ({ value: it.value, name: nameOf(it, ctx.lang) })),
});

const nameOf = (it: { name: string | null; nameEn: string | null }, lang: Language) =>
  (lang === 'en' ? it.nameEn : it.name) ?? it.name ?? '';

const asPage = <T>(items: T[]) => ({ items, itemTotal: items.length });
