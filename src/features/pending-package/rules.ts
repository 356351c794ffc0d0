import definition from '#definitions/satellite/rmaUnhandledPackageBill.json' with { type: 'json' };
import { isEmail, isPhone } from '#domain/contact.ts';
import type { Problem } from '#domain/refusal.ts';
import { isBlank } from '#domain/definition/fieldRules.ts';

const { module, fields } = definition;

/** A parcel as it is registered, texts trimmed. Rule: parcels#registering. */
export interface Parcel {
  /** `zh` is a domestic bill, `en` a foreign one. */
  languageType: string;
  receiveShipId: string;
  receiveShipNo: string;
  /** NaN for what is no number, null for none. */
  repairableCount: number | null;
  userName: string;
  mobile: string;
  phone: string;
  fax: string;
  countryCode: string;
  stateCode: string;
  stateName: string;
  cityName: string;
  street: string;
  zipcode: string;
}
type ParcelField = keyof Parcel;

/**
 * Courier, number, count, receiver, mobile, country and bill type are required, of a domestic bill the state as well; the
 * count is whole and may be 0, phones and the e-mail look like such, and nothing is longer than its column.
 * Rule: parcels#registering.
 */
export function validateParcel(it: Parcel): Problem[] {
  return [...validateRequired(it), ...validateCount(it.repairableCount), ...validateTexts(it)];
}

/** How much of a field the definition has room for. */
export const lengthOf = (field: ParcelField): number => {
  const { maxLength } = fields[field] as { maxLength?: number };
  return maxLength ?? CODE_LENGTH;
};
const CODE_LENGTH = 64;

const required = [
  'receiveShipId',
  'receiveShipNo',
  'repairableCount',
  'languageType',
  'userName',
  'mobile',
  'countryCode',
] as const;

function validateRequired(it: Parcel): Problem[] {
  const asked: readonly ParcelField[] = it.languageType === 'zh' ? [...required, 'stateCode'] : required;
  return asked
    .filter((field) => isBlank(it[field]))
    .map((field) => ({ key: 'required', field, args: { fields: [nameOf(field)] } }));
}

function validateCount(count: number | null): Problem[] {
  if (count === null) return [];
  const { min, max } = fields.repairableCount;
  const found = (key: 'wholeNumber' | 'atLeast' | 'atMost', args = {}): Problem[] => [
    { key, field: 'repairableCount', args: { field: nameOf('repairableCount'), ...args } },
  ];
  if (!Number.isInteger(count)) return found('wholeNumber');
  if (count < min) return found('atLeast', { min });
  return count > max ? found('atMost', { max }) : [];
}

function validateTexts(it: Parcel): Problem[] {
  const problems: Problem[] = [];
  for (const [field, text] of Object.entries(it) as [ParcelField, unknown][]) {
    if (typeof text !== 'string' || text === '') continue;
    const max = lengthOf(field);
    if (text.length > max) problems.push({ key: 'tooLong', field, args: { field: nameOf(field), max } });
    else if (!isWellFormed(field, text)) problems.push({ key: 'format', field, args: { field: nameOf(field) } });
  }
  return problems;
}

function isWellFormed(field: ParcelField, text: string): boolean {
  if (field === 'languageType') return text === 'zh' || text === 'en';
  if (field === 'mobile' || field === 'phone') return isPhone(text);
  return field !== 'fax' || isEmail(text);
}

const nameOf = (field: ParcelField) => ({ module, field });
