import { GoodsType, Origin } from '#domain/enums.ts';
import { validateNotHeld, validateNotOnBill } from '#domain/hold.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { isSn } from '#domain/sn.ts';
import type { GuardedUnit } from '#domain/workflow.ts';
import { isUnseen } from '#domain/signs.ts';
import { isLabelKind, LabelKind } from '#domain/labelPrint.ts';

/** Why an SN is changed, where none of the causes that have a name fits: then the remark says it. */
export const OTHER_CAUSE = '9';

/** The company's own SNs are as long as those that it gives. Rule: labels#numbers. */
const OWN_LENGTH = 17;

/** A change as it was entered. */
interface SnChange {
  cause: string;
  oldSn: string;
  newSn: string;
  remark: string;
}

const labelOf = (field: string) => ({ module: 'ubsSnChangeLog', field });
const missing = (field: string): Problem => ({ key: 'required', field, args: { fields: [labelOf(field)] } });
const wrong = (field: string): Problem => ({ key: 'format', field, args: { field: labelOf(field) } });

/**
 * What is wrong with a change before anything is known of the unit: what is missing, a cause that is none, an SN that
 * can be none, twice the same. Rule: labels#changing.
 */
export function validateChange({ cause, oldSn, newSn, remark }: SnChange, causes: readonly string[]): Problem[] {
  const formOf = (field: 'oldSn' | 'newSn', sn: string): Problem[] => {
    if (sn === '') return [missing(field)];
    return isSn(sn) ? [] : [wrong(field)];
  };
  return [
    ...(cause === '' ? [missing('cause')] : causes.includes(cause) ? [] : [wrong('cause')]),
    ...formOf('oldSn', oldSn),
    ...formOf('newSn', newSn),
    ...(newSn !== '' && newSn === oldSn ? [{ key: 'sameSn' as const, field: 'newSn', args: { sn: newSn } }] : []),
    ...(cause === OTHER_CAUSE && isUnseen(remark) ? [missing('remark')] : []),
  ];
}

/** What is the company's own keeps an SN of the company's form. Rule: labels#changing. */
export const validateNewForm = (newSn: string, origin: string | null): Problem[] =>
  origin === Origin.NotOurs || newSn.length === OWN_LENGTH
    ? []
    : [{ key: 'snLength', field: 'newSn', args: { sn: newSn, length: OWN_LENGTH } }];

/**
 * What forbids to change the SN of a unit, in the order of the general guard: of another site, spoken for by a
 * bill, shipped, scrapped, held for a confirmation.
 * `carrier`: the device inside of which it is, whose place is its own. Rule: labels#changing, guard#order.
 */
export function validateChangeable(
  sn: string,
  { unit, carrier }: { unit: GuardedUnit | undefined; carrier: GuardedUnit | undefined },
  isSeen: (siteId: string | null) => boolean,
  field: string,
): Problem[] {
  const place = unit?.ivyId ? unit : (carrier ?? unit);
  if (!place) return [];
  if (!isSeen(place.siteId)) return [{ key: 'otherSite', field, args: { sn } }];
  const spokenFor = validateNotOnBill({ sn, held: place.held }, field);
  if (spokenFor.length > 0) return spokenFor;
  if (place.ivyId === Node.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (place.ivyId === Node.Scrapped) return [{ key: 'scrapped', field, args: { sn } }];
  return validateNotHeld({ sn, held: place.held }, field);
}

/** An SN that is or was anybody else's is not given again; the unit's own may come back. Rule: labels#changing. */
export const validateFree = (newSn: string, isTaken: boolean): Problem[] =>
  isTaken ? [{ key: 'snTaken', field: 'newSn', args: { sn: newSn } }] : [];

/** What an archived thing is: by its label, else by its type. Rule: labels#kinds. */
export function shapeOf({ barcodeType, type }: { barcodeType: string | null; type: string | null }): LabelKind {
  if (isLabelKind(barcodeType)) return barcodeType;
  return type === GoodsType.Board ? LabelKind.Veneer : LabelKind.Device;
}
