const withheld: HTMLStyleElement[] = [];
const shown: HTMLStyleElement[] = [];
const computed = globalThis.getComputedStyle;

/** Keeps a part's rules of style out of the page until a test asks for them. */
export function withhold(node: Node): boolean {
  const isOfPart = node instanceof HTMLStyleElement && node.dataset['emotion'] !== undefined;
  if (isOfPart) withheld.push(node);
  return isOfPart;
}

/** How an element is drawn, by the rules of its parts too. */
export function styleOf(element: Element): CSSStyleDeclaration {
  const styles = withheld.splice(0);
  document.head.append(...styles);
  shown.push(...styles);
  return computed.call(window, element);
}

/** Takes out of the page what a test asked for. */
export function withholdAgain(): void {
  for (const it of shown) it.remove();
  withheld.push(...shown.splice(0));
}
