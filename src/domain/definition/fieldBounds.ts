import { MAX_TEXT, type Field } from '#domain/definition/grammar.ts';

const MAX_DECIMAL = 1_000_000;
const MAX_PERCENT = 100;
const MAX_SN = 64;

/** What bounds a value; the wire says it in the same words. */
export type Bounds = Pick<Field, 'min' | 'max' | 'minLength' | 'maxLength' | 'sn'>;

/** The bounds of a field: what its definition says, else what goes for its type. Rule: definitions#bounds. */
export function boundsOf(field: Pick<Field, 'type' | 'format'> & Bounds): Bounds {
  const { type, minLength, sn } = field;
  switch (type) {
    case 'Number':
    case 'Long':
      return { min: field.min ?? 0, max: field.max ?? Number.MAX_SAFE_INTEGER };
    case 'Integer':
      return { min: field.min ?? 0, max: field.max ?? 2_147_483_647 };
    case 'BigDecimal':
      return { min: field.min ?? 0, max: field.max ?? (isPercent(field) ? MAX_PERCENT : MAX_DECIMAL) };
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

/** A rate is shown with %. */
export const isPercent = ({ format }: Pick<Field, 'format'>): boolean => format === 'percent';

/** Of a number that has a unit, or is said to be one and nothing more. */
export const isMeasured = ({ format, unit }: Pick<Field, 'format' | 'unit'>): boolean =>
  unit !== undefined || format === 'number';

/** Any other decimal is an amount of money: in the currency of its row, else in dollars. Rule: wire#money. */
export const isAmount = (field: Pick<Field, 'type' | 'format' | 'unit'>): boolean =>
  field.type === 'BigDecimal' && !isPercent(field) && !isMeasured(field);
