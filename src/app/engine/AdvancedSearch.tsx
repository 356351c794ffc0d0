import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import IconButton from '@mui/material/IconButton';
import { isSessionLost } from '#app/session.ts';
import AccountTreeOutlined from '@mui/icons-material/AccountTreeOutlined';

const AdvancedSearchDialog = lazy(() => import('#app/engine/AdvancedSearchDialog.tsx'));

/** The way into the nested search; its builder is loaded when it is first opened. */
export function AdvancedSearch({ menuNo }: { menuNo: string }) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  // Another tab in front empties the builder, a lost session does not. Rule: lists#advanced-search.
  useEffect(
    () => () => {
      if (!isSessionLost()) setIsOpen(false);
    },
    [],
  );
  return (
    <>
      <IconButton
        size="small"
        aria-haspopup="dialog"
        aria-label={translate('shell.search.advanced')}
        title={translate('shell.search.advanced')}
        onClick={() => setIsOpen(true)}
      >
        <AccountTreeOutlined sx={{ fontSize: 19 }} />
      </IconButton>
      <Suspense fallback={null}>
        {isOpen && <AdvancedSearchDialog menuNo={menuNo} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  );
}
