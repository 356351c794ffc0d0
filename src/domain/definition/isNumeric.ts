import type { Field } from '#domain/definition/grammar.ts';

/** Whether its values are numbers. */
export const isNumeric = ({ type }: Pick<Field, 'type'>): boolean =>
  ['Number', 'Integer', 'Long', 'BigDecimal'].includes(type);
