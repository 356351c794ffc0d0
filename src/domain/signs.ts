/** Controls, what turns the direction of reading, halves of characters, and what nobody sees. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** What joins or shapes the signs beside it belongs to them: in emoji and in several scripts. */
const JOINING = /(?<=[\p{L}\p{M}\p{S}])[\u200c\u200d](?=[\p{L}\p{M}\p{S}])|(?<=[\p{L}\p{N}\p{S}])[\ufe0e\ufe0f]/gu;

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
