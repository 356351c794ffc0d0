/**
 * Whether two words read alike to whoever looks at them: without case, width, accents, spaces and punctuation, where these are not
 * all, and letters of Cyrillic, Greek and others as the Latin ones that they look like; `O` is 0, and `I`, `l` and `|` are 1.
 */
export const readAlike = (a: string, b: string): boolean => readAs(a) === readAs(b);

/** The words as they read: those read alike of which this is the same. Of many it is asked once each. */
export const readAs = (words: string): string => {
  const letters = words.trim().normalize('NFKD').toLowerCase().replace(ACCENTS, '');
  const plain = [...letters.normalize('NFC')].map((it) => lookalikes.get(it) ?? it).join('');
  return plain.replace(/[\p{P}\p{Z}\p{Sk}]/gu, '') || plain;
};

/** What stands above, below or across a letter. Those of kana make others of them. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/g;

/**
 * Small letters and digits as people take them for each other; a capital is made small before, of whatever width or style, and taken for what it looks like then:
 * so is `i`, as `I` reads like `l`.
 */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    0: 'o',
    1: 'l',
    i: 'l',
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ғ: 'f',
    ɡ: 'g',
    н: 'h',
    һ: 'h',
    і: 'l',
    ı: 'l',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    ц: 'u',
    ѵ: 'v',
    ԝ: 'w',
    ѡ: 'w',
    х: 'x',
    у: 'y',
    ү: 'y',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'l',
    κ: 'k',
    μ: 'm',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    σ: 'o',
    τ: 't',
    υ: 'u',
    χ: 'x',
    γ: 'y',
    ω: 'w',
    ϲ: 'c',
    օ: 'o',
    ո: 'n',
    ս: 'u',
    ɑ: 'a',
    ᴀ: 'a',
    ʙ: 'b',
    ᴄ: 'c',
    ᴅ: 'd',
    ᴇ: 'e',
    ʜ: 'h',
    ɪ: 'l',
    ᴋ: 'k',
    ʟ: 'l',
    ᴍ: 'm',
    ɴ: 'n',
    ᴏ: 'o',
    ᴘ: 'p',
    ʀ: 'r',
    ꜱ: 's',
    ᴛ: 't',
    ᴜ: 'u',
    ᴠ: 'v',
    ᴡ: 'w',
    ʏ: 'y',
    ᴢ: 'z',
    ꜰ: 'f',
    ɢ: 'g',
    ᴊ: 'j',
    ø: 'o',
    ħ: 'h',
    ŧ: 't',
    ǥ: 'g',
    ƒ: 'f',
    є: 'e',
    ꮎ: 'o',
    ꮃ: 'w',
    ꮪ: 's',
    ꓢ: 's',
    ǀ: 'l',
    '|': 'l',
  }),
);
