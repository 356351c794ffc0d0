import type { Field } from '#domain/definition/grammar.ts';

/** The fields of another module that a reference reads. */
export const refFields = ({ value, label, within, only }: NonNullable<Field['ref']>): string[] => [
  value,
  label,
  ...(within ? [within.field] : []),
  ...(only ? [only.field] : []),
];
