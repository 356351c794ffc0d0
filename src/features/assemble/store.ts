import { sql } from 'kysely';
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
  const createBy = ctx.who.userId;
  await ctx.db
    .insertInto('rma_assemble_bill')
    .values({ asbId, sn: unit.sn, userId: createBy, siteId: ctx.who.siteId, mtbId: unit.mtbId, createBy })
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

/** The unit's item on its bill knows the power that is in it now. */
export async function notePower({ db, who }: Context, mtbliId: string, powerSn: string | null): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ powerSn, version: sql`version + 1`, updateBy: who.userId, updateTime: sql`now()` })
    .where('mtbliId', '=', mtbliId)
    .execute();
}
