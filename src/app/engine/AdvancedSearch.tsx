import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import Button from '@mui/material/Button';

const AdvancedSearchDialog = lazy(() => import('#app/engine/AdvancedSearchDialog.tsx'));

/** The way into the nested search; its builder is loaded when it is first opened. */
export function AdvancedSearch({ menuNo }: { menuNo: string }) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  // Another tab in front empties the builder. Rule: lists#advanced-search.
  useEffect(() => () => setIsOpen(false), []);
  return (
    <>
      <Button variant="text" color="inherit" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {translate('shell.search.advanced')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <AdvancedSearchDialog menuNo={menuNo} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  );
}
