import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import FirstPage from '@mui/icons-material/FirstPage';
import KeyboardArrowLeft from '@mui/icons-material/KeyboardArrowLeft';
import KeyboardArrowRight from '@mui/icons-material/KeyboardArrowRight';
import LastPage from '@mui/icons-material/LastPage';
import { pageSize, pageSizes } from '#app/engine/pageSize.ts';

/** The total, the pages, and how many rows one has. */
export function ListFooter() {
  const translate = useTranslate();
  const { page, perPage, total, error, setPage, setPerPage } = useListContext();
  const known = error ? 0 : (total ?? 0);
  const pages = Math.max(1, Math.ceil(known / perPage));
  const size = String(perPage);
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        fontSize: 13,
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box aria-live="polite" sx={{ mr: 'auto' }}>
        {total !== undefined && translate('shell.list.total', { total: known.toLocaleString('en-US') })}
      </Box>
      <Select
        value={size}
        onChange={(event) => {
          const chosen = pageSizes.find((it) => it === event.target.value);
          if (chosen) pageSize.set(chosen);
          setPerPage(Number(event.target.value));
        }}
        inputProps={{ 'aria-label': translate('shell.list.pageSize') }}
        sx={{ height: 32, fontSize: 13 }}
      >
        {[...new Set([...pageSizes, size])].map((it) => (
          <MenuItem key={it} value={it}>
            {translate('shell.list.perPage', { count: it })}
          </MenuItem>
        ))}
      </Select>
      <Box
        component="nav"
        aria-label={translate('shell.list.page', { page, pages })}
        sx={{ display: 'flex', alignItems: 'center' }}
      >
        <Turn label="ra.navigation.first" Icon={FirstPage} isOff={page <= 1} onClick={() => setPage(1)} />
        <Turn
          label="ra.navigation.previous"
          Icon={KeyboardArrowLeft}
          isOff={page <= 1}
          onClick={() => setPage(page - 1)}
        />
        <Box component="span" sx={{ px: 2 }}>
          {translate('shell.list.page', { page, pages })}
        </Box>
        <Turn
          label="ra.navigation.next"
          Icon={KeyboardArrowRight}
          isOff={page >= pages}
          onClick={() => setPage(page + 1)}
        />
        <Turn label="ra.navigation.last" Icon={LastPage} isOff={page >= pages} onClick={() => setPage(pages)} />
      </Box>
    </Box>
  );
}

interface TurnProps {
  label: string;
  Icon: typeof FirstPage;
  isOff: boolean;
  onClick: () => void;
}

function Turn({ label, Icon, isOff, onClick }: TurnProps) {
  const translate = useTranslate();
  return (
    <IconButton size="small" aria-label={translate(label)} title={translate(label)} disabled={isOff} onClick={onClick}>
      <Icon fontSize="small" />
    </IconButton>
  );
}
