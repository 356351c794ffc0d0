/** The parts of the client that are loaded when an address needs them; each is a file of its own. */
export type FirstPart = 'shell' | 'calls' | 'home' | 'moduleRoutes' | 'list' | 'detail' | 'form';
/** With the one that every address needs. */
export type Part = 'product' | FirstPart;

/**
 * What an address of somebody who is signed in needs first, besides what every page begins with. The page asks for it as
 * soon as it can, and the server names it in the page's head, so that it comes beside the first scripts and not after them.
 */
export function partsFor(pathname: string): FirstPart[] {
  if (pathname === '/' || pathname === '/home') return ['shell', 'calls', 'home'];
  if (pathname.includes('/detail/')) return ['shell', 'calls', 'moduleRoutes', 'detail'];
  const isForm = /^\/\w+\/(create|modify)\b/.test(pathname);
  return ['shell', 'calls', 'moduleRoutes', 'list', ...(isForm ? (['form'] as const) : [])];
}
