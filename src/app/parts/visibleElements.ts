/**
 * The elements of the page in front that fit: pages of other tabs are in the document as well, not displayed. What a
 * page shows over itself (a dialog, a menu) is hidden with it in the same way.
 */
export const findAllVisible = <Kind extends Element = HTMLElement>(selector: string): Kind[] =>
  [...document.querySelectorAll<Kind>(selector)].filter((it) => it.closest('[style*="display: none"]') === null);

export const findVisible = <Kind extends Element = HTMLElement>(selector: string): Kind | undefined =>
  findAllVisible<Kind>(selector)[0];
