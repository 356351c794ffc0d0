import type { Unit } from '#server/workflow/units.ts';

/** A unit of which the workshop knows nothing but its SN. */
export const unitOutside = (sn: string, { siteId, type }: Pick<Unit, 'siteId' | 'type'>): Unit => ({
  sn,
  siteId,
  type,
  ivyId: null,
  held: null,
  mtbId: null,
  mtblId: null,
  mtbliId: null,
  billStatus: null,
  billType: null,
  salesCode: '',
  itemName: '',
  itemRowId: null,
  receiveSn: null,
  checkTime: null,
  powerSn: null,
  deliverStatus: null,
  deliverPriority: null,
  deliverSiteId: null,
  deliverShipId: null,
  deliverMtbId: null,
  deliverGroup: null,
});
