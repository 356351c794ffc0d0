import type { Language } from '#domain/words.ts';

/** Letters, digits and signs that a reader of English knows. */
const isLatin = (text: string): boolean => /^[ -~]+$/.test(text);

/** What goods are called: in English by the name of their product, where the catalogue's own is Chinese and that is not. */
export function itemNameIn<Name extends string | null>(
  lang: Language,
  name: Name,
  productName: string | null,
): Name | string {
  if (lang !== 'en' || name === null || isLatin(name) || !productName || !isLatin(productName)) return name;
  return productName;
}
