import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Close from '@mui/icons-material/Close';

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
  const shown = (it: number) => it.toLocaleString('en-US');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 13, whiteSpace: 'nowrap', minWidth: 0 }}>
      <IconButton
        size="small"
        aria-label={translate('shell.list.unselect')}
        title={translate('shell.list.unselect')}
        onClick={onClear}
      >
        <Close sx={{ fontSize: 16 }} />
      </IconButton>
      <Box role="status" sx={{ fontWeight: 600, color: 'primary.main', fontVariantNumeric: 'tabular-nums' }}>
        {isForAll
          ? translate('lists.bulk.allSelected', { total: shown(total) })
          : translate('shell.list.selected', { count: shown(count) })}
      </Box>
      {offersAll && (
        <Button variant="text" onClick={() => onAll(!isForAll)} sx={{ minWidth: 0, px: 2 }}>
          {isForAll
            ? translate('lists.bulk.onlyPage', { count: shown(count) })
            : translate('lists.bulk.selectAll', { total: shown(total) })}
        </Button>
      )}
    </Box>
  );
}
