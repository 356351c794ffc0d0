import type { Field, FieldType } from '#domain/definition/grammar.ts';

/** What an expression works with: a decimal of any size, a text, a calendar day, yes or no. */
export type Kind = 'number' | 'text' | 'day' | 'truth';

/** What a computed field may be, and what its expression has to give. */
export const computedTypes: Partial<Record<FieldType, Kind>> = {
  Integer: 'number',
  BigDecimal: 'number',
  String: 'text',
};

/** All that a computed field may say. */
export const computedParts: ReadonlySet<string> = new Set(['type', 'label', 'computed', 'readOnly', 'unit', 'format']);

const kinds: Partial<Record<FieldType, Exclude<Kind, 'truth'>>> = {
  ...{ Integer: 'number', Long: 'number', BigDecimal: 'number' },
  ...{ String: 'text', LongString: 'text', select: 'text', Month: 'text' },
  date: 'day',
};

/**
 * What an expression takes a field for; undefined where it may not name it: a moment and a floating point are not exact on
 * both sides, and what is computed is not computed further.
 */
export const kindInExpression = ({ type, computed }: Pick<Field, 'type' | 'computed'>) =>
  computed === undefined ? kinds[type] : undefined;
