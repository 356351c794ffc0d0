import type { FieldType } from '#domain/definition/grammar.ts';

/** A number that counts or measures; one that only names something, such as an item's id, is read like a code. */
export const isQuantity = ({ name, type }: { name: string; type: FieldType }): boolean =>
  type === 'BigDecimal' || (['Number', 'Integer', 'Long'].includes(type) && !name.endsWith('Id'));
