import { route } from '#server/route.ts';
import { dayFromSql, endOfDay } from '#domain/day.ts';
import { validateDays } from '#domain/period.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { banksOf, ftBins, FtType, GOOD_BIN, ProcessType, workOrderModules } from '#domain/wafer.ts';
import * as calls from './contract.ts';
import { createFt, createFromWafers, createOrder } from './server.create.ts';
import { modifyBins, modifyWafers, readHeld } from './server.modify.ts';
import {
  assemblySites,
  cpTestPrograms,
  deviceParts,
  readBank,
  readUsualYield,
  storesOf,
  waferParts,
  type BankLotRow,
} from './queries.ts';

/** Work orders of the chips, and the banks from which they take. Rule: wafer-bank#orders, wafer-bank#banks. */
export const workOrderRoutes = [
  route(calls.createWaferOrder, (input, ctx) => createOrder('icopWaferWorkOrder', input, {}, ctx)),
  route(calls.createBumpingCpOrder, ({ waferList, ...input }, ctx) =>
    createFromWafers('icopBumpingCpWorkOrder', input, waferList, ctx),
  ),
  route(calls.createAssemblyOrder, ({ waferList, ...input }, ctx) =>
    createFromWafers('icopAssemblyWorkOrder', input, waferList, ctx),
  ),
  route(calls.createFtOrder, ({ ftWorkOrderLineGroupList, ...input }, ctx) =>
    createFt(input, ftWorkOrderLineGroupList, ctx),
  ),

  ...workOrderModules.map((module) =>
    route(calls.toModifyLines(module), async ({ id }, ctx) => {
      const { lots, ...held } = await readHeld(ctx, module, id);
      return { ...held, lots: lots.map(toWire) };
    }),
  ),
  route(calls.modifyBumpingCpLines, (input, ctx) => modifyWafers('icopBumpingCpWorkOrder', input, ctx)),
  route(calls.modifyAssemblyLines, (input, ctx) => modifyWafers('icopAssemblyWorkOrder', input, ctx)),
  route(calls.modifyFtLines, modifyBins),

  route(calls.getWipWafer, async (input, ctx) => {
    const stages = banksOf('icopBumpingCpWorkOrder', { processType: ProcessType.Cp });
    return { items: (await readBank(ctx, { ...input, stages })).map(toWire) };
  }),
  route(calls.getWaferLot, async (input, ctx) => {
    const stages = banksOf('icopAssemblyWorkOrder', {});
    return { items: (await readBank(ctx, { ...input, stages })).map(toWire) };
  }),
  route(calls.getFtLot, async ({ startDate, endDate, ...input }, ctx) => {
    const stages = [
      ...banksOf('icopFtWorkOrder', { ftType: FtType.Ft1 }),
      ...banksOf('icopFtWorkOrder', { ftType: FtType.Ft2 }),
    ];
    refuseIfAny(validateDays({ startDate, endDate }));
    const { timeZone } = ctx.config;
    const from = startDate ? new Date(dayFromSql(startDate, timeZone)) : undefined;
    const until = endDate ? new Date(endOfDay(endDate, timeZone)) : undefined;
    const lots = await readBank(ctx, { ...input, stages, from, until });
    return {
      items: lots.map((it) => ({
        ...toWire(it),
        marking: it.marking,
        binG: it.bins[GOOD_BIN] ?? 0,
        ...Object.fromEntries(ftBins.map((bin) => [`bin${bin}`, it.bins[bin] ?? 0])),
      })),
    };
  }),
  ...workOrderModules.map((module) =>
    route(calls.usualYield(module), (input, ctx) => readUsualYield(ctx, module, input)),
  ),
  route(calls.getWaferPn, async (_, ctx) => ({ items: await waferParts(ctx) })),
  route(calls.getCpTestProgram, async ({ waferPn, supplierId }, ctx) => ({
    items: await cpTestPrograms(ctx, waferPn, supplierId),
  })),
  route(calls.getAssemblySiteList, async (_, ctx) => ({ items: await assemblySites(ctx) })),
  route(calls.queryStoresBySiteId, async ({ siteId }, ctx) => ({
    items: await storesOf(ctx, siteId?.trim() || ctx.currentUser.siteId),
  })),
  route(calls.queryAllDeviceParts, async ({ devicePn, pageStart = 0, pageCount = 100 }, ctx) => ({
    items: await deviceParts(ctx, { devicePn, pageStart, pageCount }),
  })),
];

const toWire = ({
  deviceErpCode: _erp,
  packageType: _package,
  ftTestProgram: _program,
  marking: _marking,
  dateCode: _date,
  siteId: _site,
  bins: _bins,
  ...it
}: BankLotRow) => it;
