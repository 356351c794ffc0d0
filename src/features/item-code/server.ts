import { sql } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touchSql } from '#server/touch.ts';
import { syncCode } from './contract.ts';

export const itemCodeRoutes = [
  /**
   * The sales code, name and kind of a catalogue item are written to the archive records of its SNs, which keep a copy;
   * units in the workshop get the name, and keep the code of the bill line on which they stand. Refused without a code.
   */
  route(syncCode, async (input, ctx) => {
    const item = await holdRow(ctx, 'ubsItem', input.id);
    const { id, itemId, salesCode, name, type } = item as Record<string, string | number | null>;
    if (!salesCode) {
      const fields = [{ module: 'ubsItem', field: 'salesCode' }];
      throw new Refusal({ key: 'required', field: 'salesCode', args: { fields } });
    }
    const archive = await sql`
      UPDATE ubs_item_object AS o
         SET "salesCode" = ${salesCode}, "itemName" = ${name}, type = ${type}, ${touchSql(ctx.currentUser, 'o')}
       WHERE o."itemId" = ${itemId}
         AND (o."salesCode", o."itemName", o.type) IS DISTINCT FROM (${salesCode}, ${name}, ${type})`.execute(ctx.db);
    const stock = await sql`
      UPDATE rma_inventory AS u
         SET "itemName" = ${name}, ${touchSql(ctx.currentUser, 'u')}
       WHERE u."salesCode" = ${salesCode} AND u."itemName" IS DISTINCT FROM ${name}`.execute(ctx.db);
    const updatedCount = Number(archive.numAffectedRows ?? 0) + Number(stock.numAffectedRows ?? 0);
    await recordInLedger(ctx, {
      what: 'syncCode',
      module: 'ubsItem',
      recordId: String(id),
      to: { salesCode, name, type, updatedCount },
    });
    return { id: Number(id), salesCode: String(salesCode), updatedCount };
  }),
];
