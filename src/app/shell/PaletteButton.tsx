import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import Search from '@mui/icons-material/Search';
import { openPalette } from '#app/shell/Overlays.tsx';
import { keysAsShown, shortcuts } from '#app/shell/shortcuts.ts';

/** The way to the palette for a hand on the mouse; it teaches the keys. */
export function PaletteButton() {
  const translate = useTranslate();
  const isRoomy = useMediaQuery('(min-width: 1000px)', { noSsr: true });
  const label = translate('shell.palette.label');
  if (!isRoomy) {
    return (
      <IconButton aria-label={label} aria-haspopup="dialog" title={label} size="small" onClick={openPalette}>
        <Search fontSize="small" />
      </IconButton>
    );
  }
  return (
    <Button
      variant="outlined"
      color="inherit"
      aria-haspopup="dialog"
      startIcon={<Search />}
      onClick={openPalette}
      sx={{
        fontWeight: 400,
        color: 'text.secondary',
        borderColor: 'divider',
        minWidth: 200,
        justifyContent: 'flex-start',
      }}
    >
      {label}
      <Box component="span" aria-hidden sx={{ ml: 'auto', pl: 4, fontSize: 12 }}>
        {keysAsShown(shortcuts.palette.keys).join(' ')}
      </Box>
    </Button>
  );
}
