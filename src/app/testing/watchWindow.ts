/** Objects of the page in which tests put functions of their own. */
const shared = () => [
  URL,
  ...[Document, Element, HTMLElement, HTMLAnchorElement, HTMLInputElement].map((it) => it.prototype),
  ...[HTMLCanvasElement, HTMLMediaElement, HTMLVideoElement].map((it) => it.prototype),
];

/** Remembers the functions that the window and its elements have by now; what is returned puts them back. */
export function watchWindow(): () => void {
  const window = globalThis as unknown as Record<string, unknown>;
  const functions = Object.getOwnPropertyNames(window)
    .map((name) => [name, window[name]] as const)
    .filter(([, value]) => typeof value === 'function');
  const found = shared().map((it) => [it, Object.getOwnPropertyDescriptors(it)] as const);
  return () => {
    for (const [name, value] of functions) if (window[name] !== value) window[name] = value;
    for (const [object, before] of found) putBack(object, before);
  };
}

function putBack(object: object, before: Record<string, PropertyDescriptor>): void {
  for (const name of Object.getOwnPropertyNames(object))
    if (!Object.hasOwn(before, name)) Reflect.deleteProperty(object, name);
  for (const [name, was] of Object.entries(before)) {
    const now = Object.getOwnPropertyDescriptor(object, name);
    if (now?.value !== was.value || now?.get !== was.get || now?.set !== was.set)
      Object.defineProperty(object, name, was);
  }
}
