import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import type { Tally } from '#server/workflow/stockup.ts';

/** An item as it was when its unit was bought. */
interface ItemBought {
  mtbliId: string;
  deliverStatus: string;
  stockup: string | null;
  /** Its row on the stock-up bill on which it waited. */
  tally?: Tally | null;
}

/** Writes down which units of a bill were bought, and how their items would have shipped. Rule: events#e28. */
export async function noteBuyOut(
  ctx: Context,
  mtbId: string,
  bought: ReadonlyMap<string, ItemBought>,
  to: { remarks: string[]; finished: boolean },
): Promise<void> {
  const items = Object.fromEntries(bought);
  await recordInLedger(ctx, { what: 'buyOut', module: 'rmaMaintainBill', recordId: mtbId, from: { items }, to });
}

/** The item for which the unit stood when it was last bought, as it was then. Rule: events#e37. */
export async function itemBought({ db }: Context, mtbId: string | null, sn: string): Promise<ItemBought | undefined> {
  const row = await db
    .selectFrom('ledger')
    .select(sql<ItemBought>`before->'items'->${sn}::text`.as('was'))
    .where('module', '=', 'rmaMaintainBill')
    .where('recordId', '=', mtbId)
    .where('what', '=', 'buyOut')
    .where(sql<boolean>`before->'items' ? ${sn}::text`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.was;
}
