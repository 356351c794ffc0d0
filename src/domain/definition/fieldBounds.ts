import type { Field } from '#domain/definition/grammar.ts';

/** The longest text that any field takes where nothing else is said. */
export const MAX_TEXT = 4000;
const BIG_DECIMAL_MAX = 1_000_000;
const PERCENT_MAX = 100;

/** What bounds a value; the wire says it in the same words. */
export interface Bounds {
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  /** An SN: 1 to 64 of `A-Z 0-9 _ -` once it is normalised. */
  sn?: boolean;
}

/** The house's lengths by what a field is called; the first that fits rules. Rule: definitions#bounds. */
const lengths: readonly [RegExp, number][] = [
  [/remark$/i, 500],
  [/^slots?(List)?$/i, 200],
  [/shipNo$/i, 64],
  [/(phone|mobile)$/i, 30],
  [/e?mail$/i, 100],
  [/(postcode|zipCode)$/i, 20],
  [/street$/i, 200],
  [/address$/i, 255],
  [/^(btmMtbId|productOrder)$|(po|order|contract)(No|Number)$/i, 50],
  [/name(En)?$/i, 100],
];
const SN_LENGTH = 64;
const isSnField = (name: string, type: Field['type']) => type === 'String' && /^(sn|[a-zA-Z]+Sn)$/.test(name);

/**
 * The bounds of a field, wherever they come from: its definition, else the house's rule for what it is called, else for
 * its type. Numbers start at 0; money ends at 1,000,000, a tax rate at 100. Rule: definitions#bounds.
 */
export function boundsOf(name: string, field: Pick<Field, 'type' | 'format'> & Bounds): Bounds {
  const { type, minLength } = field;
  switch (type) {
    case 'Number':
    case 'Long':
      return { min: field.min ?? 0, max: field.max ?? Number.MAX_SAFE_INTEGER };
    case 'Integer':
      return { min: field.min ?? 0, max: field.max ?? 2_147_483_647 };
    case 'BigDecimal':
      return { min: field.min ?? 0, max: field.max ?? (isPercent(name, field) ? PERCENT_MAX : BIG_DECIMAL_MAX) };
    case 'String':
    case 'LongString': {
      const sn = field.sn ?? isSnField(name, type);
      return { minLength, maxLength: field.maxLength ?? houseLength(name, type) ?? MAX_TEXT, ...(sn && { sn }) };
    }
    case 'password':
    case 'select':
      return { minLength, maxLength: field.maxLength ?? MAX_TEXT };
    default:
      return {};
  }
}

/** The length that the house gives to a text of this name; undefined where it has no rule for it. */
export function houseLength(name: string, type: Field['type']): number | undefined {
  if (type !== 'String' && type !== 'LongString') return undefined;
  return isSnField(name, type) ? SN_LENGTH : lengths.find(([it]) => it.test(name))?.[1];
}

/** A tax rate is shown with %, every other decimal with $. Rule: wire#money. */
export const isPercent = (name: string, { format }: Pick<Field, 'format'>): boolean =>
  format === 'percent' || name === 'taxRate';
