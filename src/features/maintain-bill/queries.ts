import { sql, type NotNull } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag, ReceiveStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { CatalogueItem } from './rules.ts';

export async function itemsBySalesCode({ db }: Context, codes: readonly string[]): Promise<Map<string, CatalogueItem>> {
  const rows = await db
    .selectFrom('ubs_item')
    .select(['salesCode', 'name', 'productName', 'type'])
    .where('salesCode', '=', anyOf(codes))
    .$narrowType<{ salesCode: NotNull }>()
    .execute();
  return new Map(rows.map((it) => [it.salesCode, it]));
}

interface NewItem {
  mtbliId: string;
  mtblId: string;
}

/** The declared items of a bill, one for each unit that the customer says to have sent; all wait for receipt. */
export async function declareItems(ctx: Context, mtbId: string, items: readonly NewItem[]): Promise<void> {
  await sql`
    INSERT INTO rma_maintain_bill_line_item
      ("mtbliId", "mtblId", "mtbId", "siteId", "receiveStatus", maintains, "secondHand", continues, mixbound, scrap,
       returness, payed, exchange, "deliverPayment", stockup, "deliverStatus", "deliverPriority", "createBy")
    SELECT i."mtbliId", i."mtblId", ${mtbId}, ${ctx.currentUser.siteId}, ${ReceiveStatus.Awaiting}, 0, ${Flag.No}, ${Flag.No},
           ${Flag.No}, ${Flag.No}, ${Flag.No}, ${Flag.No}, ${Flag.No}, ${Flag.No}, ${Flag.No},
           ${DeliverStatus.CannotShip}, ${DeliverPriority.Normal}, ${ctx.currentUser.userId}
      FROM json_to_recordset(${JSON.stringify(items)}::json) AS i("mtbliId" text, "mtblId" text)`.execute(ctx.db);
}

/** Catalogue items whose code begins so. */
export async function itemsBeginning({ db }: Context, salesCode: string, type: string) {
  let query = db
    .selectFrom('ubs_item')
    .select(['salesCode', 'name', 'type'])
    .where(sql<boolean>`starts_with("salesCode", ${salesCode})`)
    .$narrowType<{ salesCode: NotNull }>()
    .orderBy('salesCode')
    .limit(100);
  if (type !== '') query = query.where('type', '=', type);
  return query.execute();
}
