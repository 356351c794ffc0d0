import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useReasonOf } from '#app/notify.ts';
import { useDelay } from '#app/shell/useDelay.ts';

/** In place of rows: still loading (in the rows' own shape), failed, nothing there, nothing that matches. */
export function ListInstead({ rowHeight, isOpening }: { rowHeight: number; isOpening: boolean }) {
  const translate = useTranslate();
  const { error, isPending, refetch, filterValues, setFilters } = useListContext();
  const reasonOf = useReasonOf();
  const isFiltered = Object.keys(filterValues).length > 0;
  const clear = (
    <Button variant="outlined" onClick={() => setFilters({}, {})}>
      {translate('ra.navigation.clear_filters')}
    </Button>
  );
  if (isPending || (isOpening && !error)) return <Waiting rowHeight={rowHeight} />;
  if (error) {
    return (
      <ReadFailure text={translate('shell.list.failed')} reason={reasonOf(error)} onAgain={() => void refetch()}>
        {isFiltered && clear}
      </ReadFailure>
    );
  }
  return (
    <EmptyState
      text={translate('shell.list.empty')}
      more={isFiltered ? translate('shell.list.emptyFiltered') : undefined}
    >
      {isFiltered && clear}
    </EmptyState>
  );
}

function Waiting({ rowHeight }: { rowHeight: number }) {
  const isLate = useDelay(200);
  return (
    <Box aria-busy="true" sx={{ px: 3 }}>
      {Array.from({ length: 10 }, (_, i) => (
        <Box key={i} sx={{ height: rowHeight, display: 'flex', alignItems: 'center', gap: 6 }}>
          {[16, 22, 12, 18, 10].map((width, n) => (
            <Box
              key={n}
              sx={{
                width: `${width}%`,
                height: 10,
                borderRadius: 1,
                bgcolor: 'action.hover',
                visibility: isLate ? 'visible' : 'hidden',
              }}
            />
          ))}
        </Box>
      ))}
    </Box>
  );
}
