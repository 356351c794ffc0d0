import type { Problem } from '#domain/refusal.ts';
import { ftBins } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';

interface Placed {
  siteId: string | null;
  btmSiteId: string | null;
  inventoryOrg: string | null;
}
interface Made {
  devicePn?: string | null;
  waferPn?: string | null;
}
const siteOf = ({ btmSiteId, siteId }: Placed, { currentUser }: Context) => btmSiteId ?? siteId ?? currentUser.siteId;

/**
 * The store of an order is one of the site that it says, else of its own; an order that names both as before is not asked
 * again. Rule: wafer-bank#stores.
 */
async function checkStore(row: Placed, before: Placed | undefined, ctx: Context): Promise<Problem[]> {
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

/** A device is made of the wafers that its line in the master data says. Rule: wafer-bank#devices. */
export async function checkDevice({ devicePn, waferPn }: Made, { db }: Context): Promise<Problem[]> {
  if (!devicePn || !waferPn) return [];
  const line = await db
    .selectFrom('icop_part_number_line')
    .select('waferPn')
    .where('devicePn', '=', devicePn)
    .executeTakeFirst();
  if (!line?.waferPn || line.waferPn === waferPn) return [];
  return [{ key: 'otherWafers', field: 'waferPn', args: { device: devicePn, of: line.waferPn, given: waferPn } }];
}

async function check(row: Placed & Made, before: (Placed & Made) | undefined, ctx: Context): Promise<Problem[]> {
  const isSame = before?.devicePn === row.devicePn && before?.waferPn === row.waferPn;
  return [...(await checkStore(row, before, ctx)), ...(before && isSame ? [] : await checkDevice(row, ctx))];
}

/** What a work order is asked beyond its fields' own rules. */
export const workOrderHooks = { check };

/** The good bins of a device part are bins, each said once. Rule: wafer-bank#yield. */
function checkBins({ goodBins }: { goodBins?: string | null }): Promise<Problem[]> {
  const said = (goodBins ?? '').split(',').filter(Boolean);
  const isSound = new Set(said).size === said.length && said.every((it) => ftBins.some((bin) => bin === it));
  const field = { module: 'icopPartNumberLine', field: 'goodBins' };
  return Promise.resolve(isSound ? [] : [{ key: 'binList', field: 'goodBins', args: { field } }]);
}

/** What a device part is asked beyond its fields' own rules. */
export const devicePartHooks = { check: checkBins };
