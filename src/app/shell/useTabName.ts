import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { nameTab, useTabs } from '#app/shell/tabs.ts';

/** For a page of one record: its tab and the breadcrumb then say the record's own number instead of the row's id. */
export function useTabName(name: string | undefined): void {
  const { pathname } = useLocation();
  const isOpen = useTabs().length;
  useEffect(() => {
    if (name) nameTab(pathname, name);
  }, [name, pathname, isOpen]);
}
