import { useEffect } from 'react';

/** Work that is not submitted comes back with the page, but whoever closes it may not mean to leave it there. */
export function useAskBeforeLeaving(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsent]);
}
