import { announcesElements, hasSeparator, parseElements, parseDigitalLink, parsePrinted } from '#domain/gs1.ts';
import { cleanText, withoutUnseen } from '#domain/signs.ts';
import { LABEL_LENGTH, type LabelRule, snByRule, takesPlainText } from '#domain/labelRule.ts';

/** Stands for "no part here" wherever a part's SN is asked for; it may repeat. Rule: guard#sns. */
export const NO_PART = 'XXXX';

/** Whether a field holds an SN: by its name, as all definitions name theirs. */
export const holdsSn = (field: string): boolean => /^sn$|Sn$/.test(field);

const pattern = /^[A-Z0-9_-]{1,64}$/;

/** What a scanner may be set to send before each code: its kind, such as `]C1`. ISO/IEC 15424. */
const IDENTIFIER = /^(?:\s*\][A-Za-z]\d)+/;

/** A scanned text by itself: full-width letters made plain, trimmed, without a symbology identifier and what nobody sees. */
export const plainText = (text: string): string => plainOf(cleanText(text));

function plainOf(text: string): string {
  const plain = text.normalize('NFKC').trim();
  return plain.replace(IDENTIFIER, '').trim() || plain;
}

/** What was found on a label, and how: by what every label may have, or by a rule of the site. */
export interface Reading<Rule extends LabelRule = LabelRule> {
  sn: string;
  by: readonly ('identifier' | 'elements' | 'printed' | 'link' | Rule)[];
}

/**
 * The SN of a label. What is an SN stays one, unless a rule of the site says by its length that it is more than that;
 * what fits nothing stays as it is. Nothing is left to find in what was found.
 */
export function readLabel<Rule extends LabelRule>(label: string, rules: readonly Rule[] = []): Reading<Rule> {
  const text = withoutUnseen(label);
  const identifier = IDENTIFIER.exec(text.normalize('NFKC').trim())?.[0].slice(-3) ?? '';
  const plain = normaliseNo(text);
  const isIdentified = identifier !== '' && plain !== identifier;
  const first: Reading<Rule> = { sn: plain, by: isIdentified ? ['identifier'] : [] };
  // Commands are no labels, and what is so long is none either.
  if (plain.startsWith('%') || plain.length > LABEL_LENGTH) return first;
  // Its separators say that a text is elements, also where they stand at its end.
  const isKnown = isSn(plain) && !announcesElements(identifier) && !hasSeparator(text);
  const known = isKnown ? first : (readGs1({ ...first, sn: upperCased(plainOf(text)) }, identifier) ?? first);
  return readByRules(known, rules);
}

function readGs1<Rule extends LabelRule>(
  { sn: text, by }: Reading<Rule>,
  identifier: string,
): Reading<Rule> | undefined {
  const isElements = announcesElements(identifier) || hasSeparator(text);
  const found = [
    ['elements', isElements ? parseElements(text) : undefined],
    ['printed', parsePrinted(text)],
    ['link', parseDigitalLink(text)],
  ] as const;
  for (const [way, serial] of found) {
    const sn = normaliseNo(serial);
    if (isSn(sn)) return { sn, by: [...by, way] };
  }
  return undefined;
}

/** Each rule makes the text shorter, so this ends; and it ends where no rule fits any more. */
function readByRules<Rule extends LabelRule>(reading: Reading<Rule>, rules: readonly Rule[]): Reading<Rule> {
  for (const rule of rules) {
    if (isSn(reading.sn) && !takesPlainText(rule)) continue;
    const sn = snByRule(reading.sn, rule);
    if (sn !== undefined && isSn(sn)) return readByRules({ sn, by: [...reading.by, rule] }, rules);
  }
  return reading;
}

/** An SN as every station writes it: read from its label, trimmed, upper-cased. Rule: units#sn. */
export const normaliseSn = (text: string): string => readLabel(text).sn;

/** Whether a normalised text can be an SN at all. */
export const isSn = (sn: string): boolean => pattern.test(sn);

/** The SNs that stand more than once in a list, each named once; XXXX may repeat. */
export function repeatedSns(sns: readonly string[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const sn of sns) {
    if (seen.has(sn) && sn !== NO_PART) repeated.add(sn);
    seen.add(sn);
  }
  return [...repeated];
}

/** A ship or bill number as it is kept and looked up: written as an SN is, whatever a label of units would mean by it. */
export const normaliseNo = (text: string | null | undefined): string => upperCased(plainText(text ?? ''));

const upperCased = (text: string): string => text.toUpperCase().normalize('NFKC').trim();
