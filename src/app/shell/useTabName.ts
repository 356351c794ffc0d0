import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { closeTabs, nameTab, useTabs } from '#app/shell/tabs.ts';

/**
 * For a page of one record: its tab and the breadcrumb then say the record's own number instead of the row's id. Where a
 * tab shows the record already, under another of its ids, that one comes to the front. What is called as others are says
 * by what else it is known. Rule: screens#shell.
 */
export function useTabName(name: string | undefined, record = name): void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isOpen = useTabs().length;
  useEffect(() => {
    const twin = name && record && nameTab(pathname, name, record);
    if (!twin) return;
    void navigate(twin.address, { replace: true });
    closeTabs([parsePageAddress(pathname).key]);
  }, [name, record, pathname, navigate, isOpen]);
}
