import { GoodsType } from '#domain/enums.ts';
import { type Hold, isOfSite, validateNotHeld } from '#domain/hold.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';

/** What the workshop knows of a part. */
export interface KnownPart {
  type: string | null;
  siteId: string | null;
  /** Null where it is not in the workshop. */
  ivyId: Node | null;
  held: Hold | null;
  /** It is bound to the very device that is worked on. */
  isBound: boolean;
}

/**
 * What is put into a device, or takes a part's place, is a part of the site's own stock that waits for no supervisor,
 * one that is not in the workshop, or one that is in the device already. Rule: events#e15, events#e16.
 */
export function validateNewPart(sn: string, part: KnownPart | undefined, siteId: string, field: string): Problem[] {
  const gone = validatePart(sn, part, siteId, field);
  if (gone) return [gone];
  return part && !part.isBound ? validateNotHeld({ sn, held: part.held }, field) : [];
}

/**
 * What a device is made of, as it stands there: the same, and also a part that once left the workshop by itself and has
 * come back inside the device. Rule: events#e17, events#e27.
 */
export function validatePartInside(sn: string, part: KnownPart | undefined, siteId: string, field: string): Problem[] {
  const hasLeft = part?.ivyId === Node.Shipped;
  return validateNewPart(sn, hasLeft ? { ...part, ivyId: null } : part, siteId, field);
}

/**
 * What is taken out of a device as scrap is a part of this device, or one that is not in the workshop: then nobody has
 * written down where it is. Rule: events#e15.
 */
export function validateOldPart(
  sn: string,
  part: KnownPart | undefined,
  device: { sn: string; siteId: string },
  field: string,
): Problem[] {
  const gone = validatePart(sn, part, device.siteId, field);
  if (gone) return [gone];
  if (!part || part.isBound) return [];
  if (part.held) return validateNotHeld({ sn, held: part.held }, field);
  if (part.ivyId === null) return [];
  return [{ key: 'notTogether', field, args: { part: sn, whole: device.sn } }];
}

/** In the order of the general guard; of what is in this device already only its kind is asked. Rule: guard#order. */
function validatePart(sn: string, part: KnownPart | undefined, siteId: string, field: string): Problem | null {
  if (part?.type === GoodsType.Device) return { key: 'isDevice', field, args: { sn } };
  if (!part || part.isBound || (part.ivyId === null && part.held === null)) return null;
  if (!isOfSite(part, siteId)) return { key: 'otherSite', field, args: { sn } };
  if (part.ivyId === Node.Shipped) return { key: 'shipped', field, args: { sn } };
  return part.ivyId === Node.Scrapped ? { key: 'scrapped', field, args: { sn } } : null;
}
