import { CURRENCY_MARKS } from '#domain/money.ts';

/** Of a spreadsheet's number format, what it says besides digits. */
interface SaidByFormat {
  /**
   * `%` where it shows a percentage, the currency that it shows by sign, code or word, else nothing. A sign of a region that
   * has another currency by that sign keeps its region, `[$$-1009]`, so that it is nobody else's.
   */
  mark: string;
  /** What is seen is another number than the cell's, or depends on the cell's. */
  isOther: boolean;
  /** Digits of it are not seen, or only of some numbers: what is seen does not say which number it is. */
  isLess: boolean;
  /** It is shown as a power of ten: what was typed may have been no number, `12E01`. */
  isScientific: boolean;
}

/** A bracket, a text in quotes, an escaped character, room for one or one that fills, any other. */
const TOKENS = /\[([^\]]*)\]|"([^"]*)"|[\\!](.)|[_*].|(General|.)/gisu;
/** The regions whose currency these signs are; anywhere else they stand for that region's own. */
const REGIONS: Readonly<Record<string, readonly string[]>> = { $: ['409', 'en-US'], '¥': ['804', 'zh-CN'] };

/** Codes of currencies that are units as well, kilograms and rolls. */
const UNITS = ['KGS', 'ROL'];
const CODES = new Set(Intl.supportedValuesOf('currency').filter((it) => !UNITS.includes(it)));
const MARKS = new Set(Object.values(CURRENCY_MARKS).flat());
/** What else a currency is called, `US dollars` and `港元`; a 单元 is a unit. */
const WORDS =
  /^(?:[a-z]+ )?(?:dollar|euro|yuan|renminbi|yen|sterling|franc|kron[ae]|krone[rn]|kronor|koruna|zloty|rupee|rupiah|rou?ble|peso|baht|won|ringgit|dong|lira|dirham|riyal|forint)s?$|^(?:s?fr|kr|rp|rs|руб|р|zł|kč)\.?$|(?<!单)[元圆円]$|币$|英镑|法郎|卢[布比]|泰铢/iu;
/** Thousands and more by whatever name, `K`, `KPCS`, `万元`; and a share of a thousand. */
const MULTIPLES =
  /^(?:[kKMB]|[kKM] ?[A-Z]{3}|bn|mn|mio|mrd|tsd|thousands?|[mb]illions?)\.?$|[万萬亿億‰]|^[十百千](?:元|$)/u;
/** Written beside the digits, these are read with them: `"1"0`, `0"00"`, `0\.00`. */
const BESIDE = /\d ?#|# ?\d|#[.,]#/;
const MINUS = /(?<![\p{L}\d])[-−] ?#/u;

/** Shows the number as it is. */
export const GENERAL = /^(?:General|@)?$/i;

/** Whether a format shows a day, not a time alone; one that is not known does. */
export function showsDay(format: string): boolean {
  return format === '' || [...format.matchAll(TOKENS)].some(([, , , , bare = '']) => /[yde]/i.test(bare));
}

/** What a format says of a number besides its digits. Rule: exports-and-jobs#imports. */
export function readFormat(format: string, number: number): SaidByFormat {
  if (GENERAL.test(format)) return { mark: '', isOther: false, isLess: false, isScientific: false };
  const sections = sectionsOf(format);
  const own = number < 0 ? sections[1] : undefined;
  const { seen, sign, percents } = own ?? sections[0] ?? freshSection();
  const literals = seen.split('#').map((it) => it.trim());
  const isLess =
    sections.some((it) => it.isConditional || /[0#?],+(?![0#?,])/.test(it.digits)) ||
    percents > 1 ||
    !isWhole(sections, number);
  const isOther =
    isLess || literals.some((it) => MULTIPLES.test(it)) || BESIDE.test(seen) || (!own && MINUS.test(seen));
  return {
    mark: percents > 0 ? '%' : sign || (literals.map(currencyIn).find((it) => it !== '') ?? ''),
    isOther,
    isLess,
    isScientific: (own ?? sections[0])?.isScientific ?? false,
  };
}

/** Whether the section for the number shows all digits of it: `0` those of 12 and not of 12.6, `;;;` and `mm` none. */
function isWhole(sections: readonly Section[], number: number): boolean {
  const section = (number < 0 ? sections[1] : number === 0 ? sections[2] : undefined) ?? sections[0] ?? freshSection();
  // Nothing may be said in words: `"-"`.
  if (!section.digits.includes('0')) return number === 0 && section === sections[2] && section.seen.trim() !== '';
  if (section.isGeneral) return true;
  // As many digits as a spreadsheet has of a number.
  const kept = Number((section.percents > 0 ? number * 100 : number).toPrecision(15));
  const places = Math.min(/\.(0*)/.exec(section.digits)?.[1]?.length ?? 0, 100);
  return kept === Number(section.isScientific ? kept.toExponential(places) : kept.toFixed(places));
}

interface Section {
  /** Its literals in their places, and a `#` for each digit. */
  seen: string;
  /** Its digits with their separators in their places, and a blank for anything else. */
  digits: string;
  /** The currency of a bracket. */
  sign: string;
  percents: number;
  isConditional: boolean;
  /** Shows as many digits as there are. */
  isGeneral: boolean;
  isScientific: boolean;
}

const freshSection = (): Section => ({
  ...{ seen: '', digits: '', sign: '', percents: 0 },
  ...{ isConditional: false, isGeneral: false, isScientific: false },
});

/** For numbers from nothing, for those below, and for others. */
function sectionsOf(format: string): Section[] {
  const sections = [freshSection()];
  for (const [token, bracket, quoted, escaped, bare] of format.matchAll(TOKENS)) {
    const section = sections.at(-1) as Section;
    const isDigit = bare !== undefined && /[0#?]|General/i.test(bare);
    if (bare?.toLowerCase() === 'general') section.isGeneral = true;
    if (bare?.toLowerCase() === 'e' && section.digits.includes('0')) section.isScientific = true;
    section.digits += isDigit ? '0' : bare === ',' || bare === '.' ? bare : ' ';
    if (isDigit) section.seen += '#';
    else if (bare === ';') sections.push(freshSection());
    else if (bare === '%') section.percents += 1;
    else if (bracket !== undefined) readBracket(section, token, bracket);
    else if (bare !== ',' && bare !== '.') section.seen += (quoted ?? escaped ?? bare ?? ' ').replaceAll('#', ' ');
  }
  return sections;
}

function readBracket(section: Section, token: string, bracket: string): void {
  if (/^[<>=]/.test(bracket)) section.isConditional = true;
  const [, text = '', region] = /^\$([^-]*)(?:-(.*))?$/.exec(bracket) ?? [];
  const sign = text.trim().replace('￥', '¥');
  section.sign ||= region && REGIONS[sign] && !REGIONS[sign].includes(region) ? token : sign;
}

/** The currency that a literal says: `元` of `元/件`. */
function currencyIn(literal: string): string {
  const text = (literal.split('/')[0] ?? '')
    .replace(/^[-−(（ ]+|[-−)）:： ]+$/g, '')
    .trim()
    .replace('￥', '¥');
  const code = text.toUpperCase();
  if (CODES.has(code) || MARKS.has(code)) return code;
  return /\p{Sc}/u.test(text) || WORDS.test(text) ? text : '';
}
