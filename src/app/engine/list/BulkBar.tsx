import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Close from '@mui/icons-material/Close';
import { groupedCount } from '#app/fields/format.ts';
import { IconAction } from '#app/parts/IconAction.tsx';

interface BulkBarProps {
  count: number;
  total: number;
  /** Some button takes all that match, and there are more of them than are selected. */
  offersAll: boolean;
  isForAll: boolean;
  onAll: (to: boolean) => void;
  onClear: () => void;
}

/** Stands where the title stood: how many rows are selected, and whether all that match are meant. */
export function BulkBar({ count, total, offersAll, isForAll, onAll, onClear }: BulkBarProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 13, whiteSpace: 'nowrap', minWidth: 0 }}>
      <IconAction label={translate('shell.list.unselect')} Icon={Close} size={16} onClick={onClear} />
      <Box role="status" sx={{ fontWeight: 600, color: 'primary.main', fontVariantNumeric: 'tabular-nums' }}>
        {isForAll
          ? translate('lists.bulk.allSelected', { total: groupedCount(total) })
          : translate('shell.list.selected', { count: groupedCount(count) })}
      </Box>
      {offersAll && (
        <Button variant="text" onClick={() => onAll(!isForAll)} sx={{ minWidth: 0, px: 2 }}>
          {isForAll
            ? translate('lists.bulk.onlyPage', { count: groupedCount(count) })
            : translate('lists.bulk.selectAll', { total: groupedCount(total) })}
        </Button>
      )}
    </Box>
  );
}
