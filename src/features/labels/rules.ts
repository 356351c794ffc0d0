import { LabelKind, type LabelRule } from '#domain/labelRule.ts';
import { countIn } from '#domain/numberText.ts';

/** Control characters and spaces as pictures of themselves, for nobody could see them otherwise. */
export const visible = (text: string): string =>
  text
    .replace(/[\u0000-\u0020]/g, (it) => String.fromCharCode(0x2400 + it.charCodeAt(0)))
    .replaceAll('\u007f', '\u2421');

/** A rule as it is typed, not saved yet. */
export interface DraftRule {
  kind: string;
  template: string;
  snLength: string;
}

export const freshDraft: DraftRule = { kind: LabelKind.Template, template: '', snLength: '' };

/** Whether anything was typed that could be tried. */
export const isBegun = ({ kind, template, snLength }: DraftRule): boolean =>
  kind === LabelKind.Template ? template.trim() !== '' : snLength !== '';

export const ruleOf = ({ kind, template, snLength }: DraftRule): Required<LabelRule> => ({
  kind,
  template: kind === LabelKind.Template ? template.trim() : null,
  // What is no number is not nothing: its field tells it, and it is not saved.
  snLength: snLength === '' ? null : countIn(snLength),
});
