/** A sentence around its SN: what stands before it and after it; one that does not name the SN comes after it. */
export function aroundSn(text: string, sn: string): [before: string, after: string] {
  const at = sn === '' ? -1 : text.indexOf(sn);
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + sn.length)];
}

/** As it stands alone: with its SN before it where it does not name it. */
export const sentenceOf = (text: string, sn: string): string =>
  aroundSn(text, sn)[0] === '' && !text.startsWith(sn) ? `${sn} ${text}` : text;

/** A note beside its SN need not name it again: `SN X is at …` becomes `is at …`. */
export const withoutSn = (text: string, sn: string): string =>
  sn === ''
    ? text
    : text
        .replaceAll(`SN ${sn} `, ' · ')
        .replace(/^[\s·]+/, '')
        .replace(/\s+·/g, ' ·');
