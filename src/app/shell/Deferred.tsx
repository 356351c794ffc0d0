import { useDeferredValue, type ReactNode } from 'react';

/**
 * Drawn in a turn of its own after what stands around it, so that a page's first drawing is no one long task and the
 * browser can answer a key in between.
 */
export function Deferred({ children, fallback = null }: { children: ReactNode; fallback?: ReactNode }) {
  return useDeferredValue(true, false) ? children : fallback;
}
