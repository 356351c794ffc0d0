import { parseElements } from '#domain/gs1.ts';
import type { Problem } from '#domain/refusal.ts';

/** How a site's rule finds the SN on a label: by a template, or as GS1 elements that nothing announces. */
export const LabelKind = { Template: '1', Elements: '2' } as const;

/** One rule of a site; `ubsLabelRule` holds them. */
export interface LabelRule {
  kind: string;
  /** Fixed text around `{sn}`, such as `https://qr.example.com/d/{sn}`; `*` stands for any text. */
  template?: string | null;
  /** How many characters the SN has; empty, as many as an SN may have. */
  snLength?: number | null;
}

/** Nothing longer is a label; it stays as it is. */
export const LABEL_LENGTH = 512;
export const TEMPLATE_LENGTH = 200;
const SN = '{SN}';
/** What an SN is written with: a text of these alone may be one. */
const LETTERS = /^[A-Z0-9_-]*$/;

/** The fixed texts around the SN: before and behind it, each parted by `*` at most once. */
interface Template {
  before: readonly string[];
  behind: readonly string[];
}

const parseTemplate = (text: string): Template => {
  const [before = '', behind = ''] = text.normalize('NFKC').trim().toUpperCase().split(SN);
  return { before: before.split('*'), behind: behind.split('*') };
};

/** Whether a rule could take a plain SN for a label; only the length of its SN keeps them apart then. */
export const takesPlainText = ({ kind, template }: LabelRule): boolean => {
  if (kind === LabelKind.Elements) return true;
  const { before, behind } = parseTemplate(template ?? '');
  return LETTERS.test([...before, ...behind].join(''));
};

/**
 * The SN that a rule finds in a text written in capitals; nothing where it does not fit. The rightmost match counts, so
 * that a star leads to the last part of a path.
 */
export function snByRule(text: string, rule: LabelRule): string | undefined {
  if (text.length > LABEL_LENGTH) return undefined;
  if (takesPlainText(rule) && !rule.snLength) return undefined;
  if (rule.kind === LabelKind.Elements) {
    const serial = parseElements(text);
    return serial?.length === rule.snLength ? serial : undefined;
  }
  if (validateTemplate(rule.template).length > 0) return undefined;
  return createPattern(rule).exec(text)?.[1];
}

/** Two stars at most, so that a text is read in a bounded number of steps. */
const createPattern = ({ template, snLength }: LabelRule): RegExp => {
  const { before, behind } = parseTemplate(template ?? '');
  const plain = (parts: readonly string[]) => parts.map((it) => it.replace(/[^A-Z0-9]/g, '\\$&')).join('.*');
  const letters = `([A-Z0-9_-]{${snLength || '1,64'}})`;
  // Where no length says the end of an SN, a star behind it does not begin with a letter of an SN.
  const end = behind.length > 1 && behind[0] === '' && !snLength ? '(?![A-Z0-9_-])' : '';
  return new RegExp(`^${plain(before)}${letters}${end}${plain(behind)}$`, 's');
};

/** What is wrong with a site's rule, before it is saved. */
export function validateLabelRule(rule: LabelRule): Problem[] {
  const { kind, template, snLength } = rule;
  const wrong = kind === LabelKind.Template ? validateTemplate(template) : [];
  if (wrong.length > 0) return wrong;
  return takesPlainText(rule) && !snLength ? [{ key: 'labelLength', field: 'snLength' }] : [];
}

function validateTemplate(template: string | null | undefined): Problem[] {
  const text = (template ?? '').normalize('NFKC').trim().toUpperCase();
  const problem = (key: Problem['key']): Problem[] => [{ key, field: 'template' }];
  if (text.split(SN).length !== 2) return problem('labelSn');
  const { before, behind } = parseTemplate(text);
  const isStarBeside = before.length > 1 && before.at(-1) === '';
  if (before.length > 2 || behind.length > 2 || isStarBeside) return problem('labelStars');
  if ([...before, ...behind].join('') === '') return problem('labelText');
  // Commands begin so, and every station knows them itself.
  return text.startsWith('%') ? problem('labelCommand') : [];
}
