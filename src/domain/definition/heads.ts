import type { Field } from '#domain/definition/grammar.ts';
import { cleanText } from '#domain/signs.ts';
import { labelWithUnit } from '#domain/definition/unit.ts';

/** As a head of a workbook is read: star, blanks, width and capitals make no difference. */
export const bareHead = (text: string): string =>
  cleanText(text)
    .normalize('NFKC')
    .replace(/[*＊\s]+/g, '')
    .toLowerCase();

/** The heads by which an import takes a column for this field, as they are read: its labels in both languages. */
export function headsOf(field: Pick<Field, 'label' | 'unit'>): ReadonlySet<string> {
  const { label } = field;
  const { zh, en } = labelWithUnit(field);
  return new Set([zh, en, label.zh, label.en].map(bareHead));
}
