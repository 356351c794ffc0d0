import { route } from '#server/route.ts';
import { banksOf, FtType, ProcessType } from '#domain/wafer.ts';
import * as calls from './contract.ts';
import { createFt, createFromWafers, createOrder } from './server.create.ts';
import { readBank, type BankLotRow } from './queries.ts';

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

  route(calls.getWipWafer, async (input, ctx) => {
    const stages = banksOf('icopBumpingCpWorkOrder', { processType: ProcessType.Cp });
    return { items: (await readBank(ctx, { ...input, stages })).map(toWire) };
  }),
  route(calls.getWaferLot, async (input, ctx) => {
    const stages = banksOf('icopAssemblyWorkOrder', {});
    return { items: (await readBank(ctx, { ...input, stages })).map(toWire) };
  }),
  route(calls.getFtLot, async (input, ctx) => {
    const stages = [
      ...banksOf('icopFtWorkOrder', { ftType: FtType.Ft1 }),
      ...banksOf('icopFtWorkOrder', { ftType: FtType.Ft2 }),
    ];
    return { items: (await readBank(ctx, { ...input, stages })).map(toWire) };
  }),
];

const toWire = ({
  deviceErpCode: _erp,
  packageType: _package,
  ftTestProgram: _program,
  marking: _marking,
  dateCode: _date,
  siteId: _site,
  ...it
}: BankLotRow) => it;
