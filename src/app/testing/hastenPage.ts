import { computedStyle, withhold } from '#app/testing/styles.ts';

/** What jsdom does by searching the whole page, again and again: half of a page test's time. */
export function hastenPage(): void {
  const { head } = document;
  // The parts' rules of style would be matched anew for each element that is looked for.
  const insert = head.insertBefore.bind(head);
  head.insertBefore = <T extends Node>(node: T, before: Node | null): T =>
    withhold(node) ? node : insert(node, before);
  // Each field would look for rules that a server has sent.
  const find = document.querySelector.bind(document);
  document.querySelector = (selector: string) => (selector.startsWith('style[data-emotion') ? null : find(selector));
  window.getComputedStyle = globalThis.getComputedStyle = ownStyle;
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement])
    Object.defineProperty(prototype, 'labels', { configurable: true, get: labelsOf });
}

/** What a browser gives to elements of a kind by itself. */
const displays = new Map<string, string>();

function displayOf(element: HTMLElement): string {
  if (element.style.display) return element.style.display;
  if (element.hasAttribute('hidden')) return 'none';
  const attributes = ['type', 'open'].map((name) => [name, element.getAttribute(name)] as const);
  const kind = [element.namespaceURI, element.localName, ...attributes.map(([, value]) => value)].join();
  let display = displays.get(kind);
  if (display === undefined) {
    const bare = document.createElementNS(element.namespaceURI, element.localName);
    for (const [name, value] of attributes) if (value !== null) bare.setAttribute(name, value);
    display = computedStyle.call(window, bare).display;
    displays.set(kind, display);
  }
  return display;
}

function visibilityOf(element: HTMLElement): string {
  for (let it: HTMLElement | null = element; it; it = it.parentElement)
    if (it.style.visibility) return it.style.visibility;
  return 'visible';
}

const asked: Record<string, (element: HTMLElement) => string> = { display: displayOf, visibility: visibilityOf };

/**
 * The style of an element by what it says itself and what a browser gives to its kind, as the rules of parts are withheld.
 * jsdom works out all properties, by all rules, for each element at each look for a role.
 */
function ownStyle(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  if (pseudo) return computedStyle.call(window, element, pseudo);
  const own = element as HTMLElement;
  const valueOf = (name: string) => asked[name]?.(own) ?? own.style.getPropertyValue(name);
  return new Proxy(own.style, {
    get: (style, name: string) =>
      name === 'getPropertyValue' ? valueOf : (asked[name]?.(own) ?? (Reflect.get(style, name) as unknown)),
  });
}

const LABELLED = 'button, input, meter, output, progress, select, textarea';

function labelsOf(this: HTMLElement): HTMLLabelElement[] {
  return [...this.ownerDocument.getElementsByTagName('label')].filter((label) =>
    label.htmlFor ? label.htmlFor === this.id : label.contains(this) && label.querySelector(LABELLED) === this,
  );
}
