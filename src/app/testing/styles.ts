/** One for all files that are drawn in a window. */
const page = ((globalThis as { testStyles?: TestStyles }).testStyles ??= {
  withheld: [],
  computedStyle: globalThis.getComputedStyle,
});
interface TestStyles {
  withheld: HTMLStyleElement[];
  computedStyle: typeof getComputedStyle;
}

/** What jsdom works out itself. */
export const { computedStyle } = page;

/** Keeps a part's rules of style out of the page until a test asks for them. */
export function withhold(node: Node): boolean {
  const isOfPart = node instanceof HTMLStyleElement && node.dataset['emotion'] !== undefined;
  if (isOfPart) page.withheld.push(node);
  return isOfPart;
}

/** Those of whole pages that are gone; a part's own rules are written once and stay. */
export function forgetGlobalStyles(): void {
  page.withheld = page.withheld.filter((it) => !isOfPage(it));
}

/** How an element is drawn, by the rules of its parts too. */
export function styleOf(element: Element): CSSStyleDeclaration {
  const found = page.withheld.splice(0);
  const ofParts = found.filter((it) => !isOfPage(it));
  if (ofParts.length > 0) found.push(asOne(ofParts));
  document.head.append(...found.filter((it) => !ofParts.includes(it)));
  return computedStyle.call(window, element);
}

function isOfPage(style: HTMLStyleElement): boolean {
  return style.dataset['emotion']?.endsWith('-global') === true;
}

/** They stay in the page for all files that come after: an element for each rule would be passed by at each search of the page. */
function asOne(styles: HTMLStyleElement[]): HTMLStyleElement {
  const one = document.createElement('style');
  one.textContent = styles.map((it) => it.textContent).join('\n');
  return one;
}
