import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { markUnsaved } from '#app/shell/tabs.ts';

/** Says that this page holds something that is not saved: its tab asks before it closes. */
export function useUnsaved(isDirty: boolean): void {
  const { pathname } = useLocation();
  useEffect(() => {
    markUnsaved(pathname, isDirty);
    return () => markUnsaved(pathname, false);
  }, [pathname, isDirty]);
}
