import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';

interface Placed {
  siteId: string | null;
  btmSiteId: string | null;
  inventoryOrg: string | null;
}
const siteOf = ({ btmSiteId, siteId }: Placed, { currentUser }: Context) => btmSiteId ?? siteId ?? currentUser.siteId;

/**
 * The store of an order is one of the site that it says, else of its own; an order that names both as before is not asked
 * again. Rule: wafer-bank#stores.
 */
async function check(row: Placed, before: Placed | undefined, ctx: Context): Promise<Problem[]> {
  const { inventoryOrg } = row;
  const site = siteOf(row, ctx);
  if (!inventoryOrg || (before?.inventoryOrg === inventoryOrg && siteOf(before, ctx) === site)) return [];
  const store = await ctx.db
    .selectFrom('icop_store')
    .select('siteId')
    .where('btmId', '=', inventoryOrg)
    .executeTakeFirst();
  if (!store || store.siteId === site) return [];
  return [{ key: 'otherStore', field: 'inventoryOrg', args: { store: inventoryOrg, site } }];
}

/** What a work order is asked beyond its fields' own rules. */
export const workOrderHooks = { check };
