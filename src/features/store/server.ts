import type { DataOf, InputOf } from '#domain/call.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { PACKAGE_COUNT, Warehouse } from '#domain/enums.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { isOwnBill } from '#domain/maintainBill.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { issueCodesOf } from '#server/workflow/issueCodes.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import { settle, takeIntoStock } from '#server/workflow/placing.ts';
import { goesOnStockup } from '#server/workflow/stockup.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { readSns, scanUnit } from '#server/workflow/units.ts';
import { activateInventory, checkStorage, storeStart, submitStoreBill, validateInventorySn } from './contract.ts';
import { isStockedUp, validatePackage, validateScans, validateGoodsWarehouse } from './rules.ts';
import { activate, readActivation } from './server.activate.ts';
import { putOnShelf, recordStore, releaseItems } from './queries.ts';

/**
 * The store station: what passed QC comes on the shelf, and on the stock-up bill of its customer. Rule: events#e22,
 * stock-up#tally.
 */
export const storeRoutes = [
  route(checkStorage, async (input, ctx) => {
    const { sn, salesCode, itemName, mtbId } = await scanUnit(ctx, input.sn, 'store');
    return { sn, salesCode, name: itemName, mtbId };
  }),

  route(submitStoreBill, submitStorage),
  route(storeStart, activate),
  route(activateInventory, activate),
  route(validateInventorySn, readActivation),
];

/**
 * Units of one package go on the shelf and may be shipped; a customer's units go on his open stock-up bill, which
 * is made where there is none. A paused unit is stored and stays back; own goods become stock. Refuses more SNs than the package holds; all or
 * nothing. Rule: events#e22, stock-up#tally, bills#own-goods.
 */
async function submitStorage(
  input: InputOf<typeof submitStoreBill>,
  ctx: Context,
): Promise<DataOf<typeof submitStoreBill>> {
  const lines = input.rmaStoreBillLineList;
  refuseIfAny(validateScans(lines.length));
  const sns = readSns(
    lines.map((it) => it.sn),
    fieldOf,
  );
  const units = await guardUnits(ctx, sns, 'store', { fieldOf, withBills: true });
  const packageCount = input.packageCount ?? PACKAGE_COUNT;
  refuseIfAny(validatePackage(units.length, packageCount));
  const subinventoryCode = normaliseNo(input.subinventoryCode) || Warehouse.Goods;
  refuseIfAny(
    validateGoodsWarehouse(
      subinventoryCode,
      offeredOptions(ctx.model.options, 'subinventory').map((it) => it.value),
    ),
  );
  const codes = await findCodes(ctx, lines);

  const stbId = await ctx.numbers.next('STB');
  await recordStore(
    ctx,
    { stbId, packageCount, subinventoryCode },
    units.map((unit, i) => ({ unit, code: codes[i] ?? null })),
  );
  await moveUnits(
    ctx,
    units.map((it) => createMove(it, 'store')),
    'store',
    stbId,
  );
  await putOnShelf(ctx, units, subinventoryCode);
  const own = units.filter((it) => isOwnBill(it.billType));
  await releaseItems(
    ctx,
    units.filter((it) => !own.includes(it)),
  );
  await takeIntoStock(ctx, own);
  for (const unit of own) await settle(ctx, unit);
  const skbIdList = await goesOnStockup(ctx, units.filter(isStockedUp));
  await recordInLedger(ctx, {
    what: 'store',
    module: 'rmaStoreBill',
    recordId: stbId,
    ...(own.length > 0 && { from: { stocked: Object.fromEntries(own.map((it) => [it.sn, it.mtbliId])) } }),
    to: { sns, packageCount, subinventoryCode, skbIdList },
  });
  return { stbId, storedCount: units.length, skbIdList };
}

const fieldOf = (i: number): string => `rmaStoreBillLineList.${i}.sn`;

type Line = InputOf<typeof submitStoreBill>['rmaStoreBillLineList'][number];

/** The code of each line, where one was given. */
async function findCodes(ctx: Context, lines: readonly Line[]): Promise<(string | undefined)[]> {
  const ids = lines.map(({ icdId }) => String(icdId ?? ''));
  const given = ids.filter((id) => id !== '');
  const known = await issueCodesOf(ctx, given, IssueCategory.Store, 'icdId');
  const codes = new Map(known.map((it) => [String(it.codeId), it.code]));
  return ids.map((id) => codes.get(id));
}
