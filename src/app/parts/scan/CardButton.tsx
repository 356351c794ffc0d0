import { lazy, Suspense, useState } from 'react';
import IconButton from '@mui/material/IconButton';
import ViewWeek from '@mui/icons-material/ViewWeek';
import { useTranslate } from 'ra-core';
import type { CardContents } from '#app/parts/scan/CommandCard.tsx';

const CommandCard = lazy(() => import('#app/parts/scan/CommandCard.tsx'));

/** Opens the card of barcodes that work this station without a mouse. */
export function CardButton({ title, contents }: { title: string; contents: CardContents }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        size="small"
        aria-label={translate('stations.command.card')}
        title={translate('stations.command.card')}
        onClick={() => setOpen(true)}
      >
        <ViewWeek fontSize="small" />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandCard title={title} contents={contents} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
