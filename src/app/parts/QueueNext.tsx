import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ArrowForward from '@mui/icons-material/ArrowForward';
import { useTranslate } from 'ra-core';
import { tabularSx } from '#app/theme.ts';
import { keysAsShown, shortcuts } from '#app/shell/shortcuts.ts';
import type { useQueuePlace } from './useQueuePlace.ts';

/** `3 of 7`, and the way to the next that waits. */
export function QueueNext({ place, hasNext, leadOn }: ReturnType<typeof useQueuePlace>) {
  const translate = useTranslate();
  if (!place || (place.position === null && !hasNext)) return null;
  const { position, count } = place;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 40, whiteSpace: 'nowrap' }}>
      <Box sx={{ ...tabularSx, fontSize: 13, color: 'text.secondary' }}>
        {position === null
          ? translate('bills.review.waiting', { smart_count: count })
          : translate('bills.review.place', { position, count })}
      </Box>
      {hasNext && (
        <Button
          color="inherit"
          endIcon={<ArrowForward />}
          title={keysAsShown(shortcuts.nextReview.keys).join('+')}
          onClick={leadOn}
        >
          {translate('bills.review.next')}
        </Button>
      )}
    </Box>
  );
}
