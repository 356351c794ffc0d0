import { DeliverPriority, PACKAGE_COUNT } from '#domain/enums.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { ledger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { issueCodesOf } from '#server/workflow/issueCodes.ts';
import { moveOf, moveUnits } from '#server/workflow/moves.ts';
import { goesOnStockup } from '#server/workflow/stockup.ts';
import { guardUnits, readSns, scanUnit } from '#server/workflow/units.ts';
import { attemptStore, submitStoreBill } from './contract.ts';
import { problemsOfStore } from './rules.ts';
import { makeShippable, recordStore, shelve, warehouseOf } from './store.ts';

export const storeRoutes = [
  route(attemptStore, async (input, ctx) => {
    const { sn, salesCode, itemName, mtbId } = await scanUnit(ctx, input.sn, 'store');
    return { sn, salesCode, name: itemName, mtbId };
  }),

  /** E22: units go on the shelf; a customer's can ship and go on a stock-up bill, unless paused. Decisions 2, 1.7, 1.9. */
  route(submitStoreBill, async (input, ctx) => {
    const lines = input.rmaStoreBillLineList;
    const packageCount = input.packageCount ?? PACKAGE_COUNT;
    const fieldOf = (i: number) => `rmaStoreBillLineList.${i}.sn`;
    refuseIfAny(
      problemsOfStore(
        lines.map((it) => it.sn),
        packageCount,
      ),
    );
    const sns = readSns(
      lines.map((it) => it.sn),
      fieldOf,
    );
    const units = await guardUnits(ctx, sns, 'store', { fieldOf, withBills: true });
    const subinventoryCode = await warehouseOf(ctx, normaliseNo(input.subinventoryCode));
    const codeIds = lines.map((it) => it.icdId || null);
    const codes = await issueCodesOf(
      ctx,
      codeIds.filter((it) => it !== null),
      IssueCategory.Store,
      'rmaStoreBillLineList',
    );
    const codeOf = new Map(codes.map((it) => [String(it.codeId), it]));

    const stbId = await ctx.numbers.next('STB');
    await recordStore(
      ctx,
      { stbId, packageCount, subinventoryCode },
      units.map((unit, i) => ({ unit, code: codeOf.get(String(codeIds[i])) ?? null })),
    );
    const moves = units.map((it) => moveOf(it, 'store'));
    await moveUnits(ctx, moves, 'store', stbId);
    await shelve(ctx, sns, subinventoryCode);
    const shippable = units.filter((it) => it.mtbliId && it.deliverPriority !== DeliverPriority.Paused);
    await makeShippable(
      ctx,
      shippable.map((it) => it.mtbliId as string),
    );
    const skbIdList = await goesOnStockup(ctx, shippable);
    await ledger(ctx, { what: 'store', module: 'rmaStoreBill', recordId: stbId, to: { sns, skbIdList } });
    return { stbId, storedCount: sns.length, skbIdList };
  }),
];
