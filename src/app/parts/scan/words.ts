/** A sentence beside its SN need not name it again: `SN X is at …` becomes `is at …`. */
export const withoutSn = (text: string, sn: string): string =>
  sn === ''
    ? text
    : text
        .replaceAll(`SN ${sn} `, ' · ')
        .replace(/^[\s·]+/, '')
        .replace(/\s+·/g, ' ·');
