import type { Field } from '#domain/definition/grammar.ts';
import type { Words } from '#domain/words.ts';

/** What a field is called where its values are seen: with the unit that they are in, as people write it in brackets. */
export const labelWithUnit = ({ label, unit }: Pick<Field, 'label' | 'unit'>): Words =>
  unit ? { zh: `${label.zh}（${unit.zh}）`, en: `${label.en} (${unit.en})` } : label;
