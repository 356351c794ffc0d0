import type { Context } from '#server/context.ts';
import { hasPassed, type Tested } from '#server/workflow/testing.ts';
import { flag } from '#domain/enums.ts';

/** The burn-in bill and its lines. */
export async function recordAging(
  { db, currentUser }: Context,
  bnbId: string,
  results: readonly (Tested & { urls: string })[],
): Promise<void> {
  const createBy = currentUser.userId;
  await db
    .insertInto('rma_burnin_bill')
    .values({ bnbId, userId: createBy, siteId: currentUser.siteId, createBy })
    .execute();
  await db
    .insertInto('rma_burnin_bill_line')
    .values(
      results.map((it) => ({
        bnbId,
        sn: it.unit.sn,
        salesCode: it.unit.salesCode,
        name: it.unit.itemName,
        icdId: it.code.code,
        passFlag: flag(hasPassed(it)),
        burninUrls: it.urls,
        mtbId: it.unit.mtbId,
        createBy,
      })),
    )
    .execute();
}
