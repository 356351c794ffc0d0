type Place = 'digit' | 'letter' | 'either' | { is: string };
const places: Partial<Record<string, Place>> = { 9: 'digit', A: 'letter', X: 'either' };
const classes = { digit: '0-9', letter: 'A-Za-z', either: 'A-Za-z0-9' } as const;

function read(mask: string): { places: Place[]; isOpen: boolean } {
  const found: Place[] = [];
  for (let i = 0; i < mask.length; i++) {
    const sign = mask.charAt(i);
    if (sign === '\\' && i + 1 < mask.length) found.push({ is: mask.charAt(++i) });
    else if (sign === '*' && i === mask.length - 1) return { places: found, isOpen: true };
    else found.push(places[sign] ?? { is: sign });
  }
  return { places: found, isOpen: false };
}

/**
 * How a text has to look, as a mask that anybody can read: `9` is a digit, `A` a letter, `X` either, `*` at the end whatever
 * follows, anything else is itself; a `\` before a sign means the sign. Given as a regular expression that a database knows
 * as well: classes and signs in a row, nothing that tries again, so that it takes as long as the text is long. Rule:
 * definitions#patterns.
 */
export function regexOf(mask: string): string {
  const { places: all, isOpen } = read(mask);
  const signs = all.map((it) => (typeof it === 'string' ? `[${classes[it]}]` : escaped(it.is)));
  return `^${signs.join('')}${isOpen ? '' : '$'}`;
}

const escaped = (sign: string): string => (/[A-Za-z0-9\u0080-\uffff ]/.test(sign) ? sign : `\\${sign}`);

export const matches = (mask: string, text: string): boolean => new RegExp(regexOf(mask)).test(text);
