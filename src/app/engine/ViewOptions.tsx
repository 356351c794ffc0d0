import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'ra-core';
import IconButton from '@mui/material/IconButton';
import ViewColumnOutlined from '@mui/icons-material/ViewColumnOutlined';

const ColumnsPanel = lazy(() => import('#app/engine/list/ColumnsPanel.tsx'));

/** Which columns a list shows, in which order, and how high its rows are. */
export function ViewOptions() {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const label = translate('lists.columns.title');
  return (
    <>
      <IconButton
        size="small"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <ViewColumnOutlined sx={{ fontSize: 20 }} />
      </IconButton>
      <Suspense fallback={null}>{anchor && <ColumnsPanel anchor={anchor} onClose={() => setAnchor(null)} />}</Suspense>
    </>
  );
}
