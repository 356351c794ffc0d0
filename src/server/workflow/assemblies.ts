import type { Context } from '#server/context.ts';
import type { ArchivedPart, Part } from '#server/workflow/parts.ts';
import type { Unit } from '#server/workflow/units.ts';

/** The assemble bill: every position, those without a part included. */
export async function recordAssembly(
  ctx: Context,
  asbId: string,
  unit: Unit,
  parts: readonly Part[],
  archive: ReadonlyMap<string, ArchivedPart>,
): Promise<void> {
  const createBy = ctx.currentUser.userId;
  await ctx.db
    .insertInto('rma_assemble_bill')
    .values({ asbId, sn: unit.sn, userId: createBy, siteId: ctx.currentUser.siteId, mtbId: unit.mtbId, createBy })
    .execute();
  await ctx.db
    .insertInto('rma_assemble_bill_line')
    .values(
      parts.map((it) => ({
        asbId,
        sn: it.sn,
        componentType: it.componentType,
        qrCodeNum: it.qrCodeNum,
        salesCode: archive.get(it.sn)?.salesCode ?? null,
        salesDescription: archive.get(it.sn)?.itemName ?? null,
        createBy,
      })),
    )
    .execute();
}
