import { MAX_TEXT, type Field, type FieldType } from '#domain/definition/grammar.ts';

const MAX_DECIMAL = 1_000_000;
const MAX_PERCENT = 100;
const MAX_SN = 64;

/** What a column of the type keeps to the last digit, on the wire as well. */
export const typeLimits: { readonly [Type in FieldType]?: { min: number; max: number } } = {
  Number: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
  Long: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
  Integer: { min: -2_147_483_648, max: 2_147_483_647 },
  BigDecimal: { min: -999_999_999_999, max: 999_999_999_999 },
};

/** What bounds a value; the wire says it in the same words. */
export type Bounds = Pick<Field, 'min' | 'max' | 'minLength' | 'maxLength' | 'sn'>;

/** The bounds of a field: what its definition says, else what goes for its type. Rule: definitions#bounds. */
export function boundsOf(field: Pick<Field, 'type' | 'format'> & Bounds): Bounds {
  const { type, minLength, sn } = field;
  switch (type) {
    case 'Number':
    case 'Long':
    case 'Integer':
      return within(type, field.min ?? 0, field.max);
    case 'BigDecimal':
      return within(type, field.min ?? 0, field.max ?? (isPercent(field) ? MAX_PERCENT : MAX_DECIMAL));
    case 'String':
      return { minLength, maxLength: field.maxLength ?? (sn ? MAX_SN : MAX_TEXT), ...(sn && { sn }) };
    case 'LongString':
    case 'password':
    case 'select':
      return { minLength, maxLength: field.maxLength ?? MAX_TEXT };
    default:
      return {};
  }
}

/** Bounds that were published beyond what the type holds end where it does. */
function within(type: FieldType, min: number, max = Infinity): Bounds {
  const { min: least = min, max: most = max } = typeLimits[type] ?? {};
  return { min: Math.max(min, least), max: Math.min(max, most) };
}

/** A rate is shown with %. */
export const isPercent = ({ format }: Pick<Field, 'format'>): boolean => format === 'percent';

/** Of a number that has a unit, or is said to be one and nothing more. */
export const isMeasured = ({ format, unit }: Pick<Field, 'format' | 'unit'>): boolean =>
  unit !== undefined || format === 'number';

/** A field as its definition says it, or as a form is told of it. */
type Decimal = Pick<Field, 'type' | 'format' | 'unit'> & { isMeasured?: boolean };

/** Any other decimal is an amount of money: in the currency of its row, else in dollars. Rule: wire#money. */
export const isAmount = (field: Decimal): boolean =>
  field.type === 'BigDecimal' && !isPercent(field) && !(field.isMeasured ?? isMeasured(field));
