/** Of a spreadsheet's number format, what it says besides digits. */

/** A bracket, a text in quotes, an escaped character, room for one or one that fills, any other. */
const TOKENS = /\[([^\]]*)\]|"([^"]*)"|\\(.)|[_*].|(.)/gsu;
const CURRENCY = /\p{Sc}|^元$|^(?:[A-Z]{3})$/u;
/** The regions whose currency these signs are; anywhere else they stand for that region's own. */
const REGIONS: Readonly<Record<string, readonly string[]>> = { $: ['409', 'en-US'], '¥': ['804', 'zh-CN'] };

/**
 * `%` where it shows a percentage, the currency that it shows by sign or code, else nothing. A sign of a region that has
 * another currency by that sign keeps its region, `[$$-1009]`, so that it is nobody else's.
 */
export function markOf(format: string): string {
  for (const [token, bracket, quoted = '', escaped = '', bare] of format.matchAll(TOKENS)) {
    // What follows is for numbers below nothing.
    if (bare === ';') break;
    if (bare === '%') return '%';
    const [, sign = '', region] = /^\$([^-]*)(?:-(.*))?$/.exec(bracket ?? '') ?? [];
    const mark = (sign || quoted || escaped || (bare ?? '')).trim().replace('￥', '¥');
    if (!CURRENCY.test(mark)) continue;
    return region && REGIONS[mark] && !REGIONS[mark].includes(region) ? token : mark;
  }
  return '';
}
