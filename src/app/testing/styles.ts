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
  page.withheld = page.withheld.filter((it) => !it.dataset['emotion']?.endsWith('-global'));
}

/** How an element is drawn, by the rules of its parts too. */
export function styleOf(element: Element): CSSStyleDeclaration {
  document.head.append(...page.withheld.splice(0));
  return computedStyle.call(window, element);
}
