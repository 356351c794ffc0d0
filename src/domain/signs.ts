/** Controls, what turns the direction of reading, halves of characters, and what nobody sees. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** What joins or shapes the signs beside it belongs to them: in emoji and in several scripts, of which ours are none. */
const JOINING =
  /(?<=(?!\p{sc=Latin}|\p{sc=Han})[\p{L}\p{M}\p{S}])[\u200c\u200d](?=(?!\p{sc=Latin}|\p{sc=Han})[\p{L}\p{M}\p{S}])|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|\ufe0f(?=\u20e3)|(?<=\p{L})[\u180b-\u180f\u{e0100}-\u{e01ef}]|(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007f}]/gu;

/** The first sign of a text that nobody can see in it, as `U+200B`; undefined where there is none. */
export function hiddenSignOf(text: string): string | undefined {
  const [sign] = text.replace(JOINING, '').match(HIDDEN) ?? [];
  return sign && `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A sign that is seen. NUL and a half of a character are none either, but are told as what no text may hold. */
const SEEN = /[^\s\u0001-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nobody sees anything of a text: what is required may not be such. Rule: definitions#field-rules. */
export const isUnseen = (text: string): boolean => !SEEN.test(text);

/** The text with a blank for each of them. */
export function withoutHiddenSigns(text: string): string {
  const joining = new Set([...text.matchAll(JOINING)].map((it) => it.index));
  return text.replace(HIDDEN, (sign: string, at: number) => (joining.has(at) ? sign : ' '));
}

const signs = new Intl.Segmenter();

/** The beginning of a text, of so many UTF-16 units at most, with no sign cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = signs.segment(text).containing(most);
  return text.slice(0, cut?.index ?? most);
}

/** What separates the parts of a label from each other (FS, GS, RS, US): between two signs it could mean something. */
const SEPARATOR = /[\u001c-\u001f]/;
/** Blanks that look like the plain one, and one that is no letter; that of Chinese is seen to be wider. */
const BLANKS = /(?!\u3000)\p{Zs}|\u2800/gu;
/** Ends of lines other than a line feed; the two signs of one end are one. */
const LINES = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** What is refused wherever it stands, separates something, or is seen. */
const KEPT = /[\0\t\n\u001c-\u001f\p{Cs}]/u;

/** A label without what nobody sees in it; its separators are left for who reads it. Rule: wire#texts. */
export function withoutUnseen(text: string): string {
  const plain = text.replace(BLANKS, ' ').replace(LINES, '\n');
  const joining = new Set([...plain.matchAll(JOINING)].map((it) => it.index));
  return plain.replace(HIDDEN, (sign: string, at: number) => (joining.has(at) || KEPT.test(sign) ? sign : ''));
}

/** Any other text, typed, pasted, imported or called: at its ends a separator means nothing either. Rule: wire#texts. */
export function cleanText(text: string): string {
  const clean = withoutUnseen(text);
  if (!SEPARATOR.test(clean)) return clean;
  const isOuter = (sign = '') => SEPARATOR.test(sign) || /\s/.test(sign);
  let [from, to] = [0, clean.length];
  while (from < to && isOuter(clean[from])) from += 1;
  while (to > from && isOuter(clean[to - 1])) to -= 1;
  const outer = (it: string) => it.replaceAll(/[\u001c-\u001f]/g, '');
  return outer(clean.slice(0, from)) + clean.slice(from, to) + outer(clean.slice(to));
}

/** The first separator that still stands in a text, by its name; undefined where there is none. */
export function separatorIn(text: string): string | undefined {
  const sign = SEPARATOR.exec(text)?.[0];
  return sign && `${['FS', 'GS', 'RS', 'US'][sign.charCodeAt(0) - 28]} (${hiddenSignOf(sign) ?? ''})`;
}
