const withheld: HTMLStyleElement[] = [];
/** What jsdom works out itself. */
export const computedStyle = globalThis.getComputedStyle;

/** Keeps a part's rules of style out of the page until a test asks for them. */
export function withhold(node: Node): boolean {
  const isOfPart = node instanceof HTMLStyleElement && node.dataset['emotion'] !== undefined;
  if (isOfPart) withheld.push(node);
  return isOfPart;
}

/** How an element is drawn, by the rules of its parts too. */
export function styleOf(element: Element): CSSStyleDeclaration {
  document.head.append(...withheld.splice(0));
  return computedStyle.call(window, element);
}
