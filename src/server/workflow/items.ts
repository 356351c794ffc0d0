import type { Context } from '#server/context.ts';
import type { Unit } from '#server/workflow/units.ts';

/** The model of a unit as a station shows it; where the base data do not know it, what the unit itself says. */
export async function readItem({ db }: Context, { salesCode, itemName, type }: Unit) {
  const known = await db
    .selectFrom('ubs_item')
    .select(['itemId', 'deviceType', 'bomId', 'boardCount'])
    .where('salesCode', '=', salesCode)
    .executeTakeFirst();
  const { itemId = null, deviceType, bomId = null, boardCount = null } = known ?? {};
  return { item: { itemId, salesCode, name: itemName, deviceType: deviceType ?? type }, bomId, boardCount };
}
