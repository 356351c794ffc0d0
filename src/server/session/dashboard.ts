import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';

/** How many units stand at each node, in the sites that the user may see; nothing to who may not see the inventory. */
export async function dashboardCards({ db, who }: Context): Promise<{ node: string; count: number }[]> {
  if (!mayDo(who.rights, 'rmaInventory:list')) return [];
  const { sites } = who;
  const rows = await db
    .selectFrom('rma_inventory')
    .select((eb) => ['ivyId', eb.fn.countAll<number>().as('count')])
    .where('ivyId', 'is not', null)
    .$if(sites !== 'all', (it) => it.where('siteId', 'in', sites as string[]))
    .groupBy('ivyId')
    .execute();
  return rows.map((it) => ({ node: it.ivyId ?? '', count: it.count })).sort((a, b) => Number(a.node) - Number(b.node));
}
