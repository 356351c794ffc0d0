/**
 * Whether two words read alike to whoever looks at them: without case, width, spaces and punctuation, where these are not all,
 * and letters of Cyrillic and Greek as the Latin ones that they look like; `O` is 0, and `I` and `l` are 1.
 */
export const readAlike = (a: string, b: string): boolean => bare(a) === bare(b);

const bare = (words: string): string => {
  const plain = [...words.normalize('NFKC').trim().toLowerCase()].map((it) => lookalikes.get(it) ?? it).join('');
  return plain.replace(/[\p{P}\p{Z}]/gu, '') || plain;
};

/**
 * Small letters and digits as people take them for each other; a capital is made small before, and taken for what it looks like then:
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
    ё: 'e',
    ғ: 'f',
    ɡ: 'g',
    н: 'h',
    һ: 'h',
    і: 'l',
    ї: 'l',
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
  }),
);
