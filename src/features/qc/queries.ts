import type { Context } from '#server/context.ts';
import { hasPassed, type Tested } from '#server/workflow/testing.ts';
import { flag } from '#domain/enums.ts';

/** The QC bill and its lines. */
export async function recordQc({ db, currentUser }: Context, exbId: string, results: readonly Tested[]): Promise<void> {
  const createBy = currentUser.userId;
  await db
    .insertInto('rma_examine_bill')
    .values({ exbId, userId: createBy, siteId: currentUser.siteId, createBy })
    .execute();
  await db
    .insertInto('rma_examine_bill_line')
    .values(
      results.map((it) => ({
        exbId,
        sn: it.unit.sn,
        salesCode: it.unit.salesCode,
        name: it.unit.itemName,
        icdId: it.code.code,
        passFlag: flag(hasPassed(it)),
        mtbId: it.unit.mtbId,
        createBy,
      })),
    )
    .execute();
}
