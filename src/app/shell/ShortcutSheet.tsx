import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { keysAsShown, type ShortcutName, type ShortcutScope, shortcuts } from '#app/shell/shortcuts.ts';

const scopes: ShortcutScope[] = ['everywhere', 'list', 'form', 'review', 'station'];
const names = Object.keys(shortcuts) as ShortcutName[];

/** All shortcuts, by where they work. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const translate = useTranslate();
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={false}
      aria-labelledby="shortcuts-title"
      slotProps={{ paper: { sx: { width: 720 } } }}
    >
      <DialogTitle id="shortcuts-title">{translate('shell.shortcuts.title')}</DialogTitle>
      <DialogContent
        sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, columnGap: 8, rowGap: 4 }}
      >
        {scopes.map((scope) => (
          <Box component="section" key={scope} aria-label={translate(`shell.shortcuts.${scope}`)}>
            <Box component="h2" sx={{ m: 0, mb: 1, fontSize: 12, fontWeight: 600, color: 'text.secondary' }}>
              {translate(`shell.shortcuts.${scope}`)}
            </Box>
            <Box component="dl" sx={{ m: 0 }}>
              {names
                .filter((it) => shortcuts[it].scope === scope)
                .map((it) => (
                  <Box key={it} sx={{ display: 'flex', alignItems: 'center', minHeight: 32, gap: 4, fontSize: 13 }}>
                    <Box component="dt" sx={{ flex: 1 }}>
                      {translate(`shell.shortcuts.${it}`)}
                    </Box>
                    <Box component="dd" sx={{ m: 0, display: 'flex', gap: 1 }}>
                      {keysAsShown(shortcuts[it].keys).map((key) => (
                        <Box component="kbd" key={key} sx={keySx}>
                          {key}
                        </Box>
                      ))}
                    </Box>
                  </Box>
                ))}
            </Box>
          </Box>
        ))}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose} autoFocus>
          {translate('ra.action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const keySx = {
  fontFamily: 'inherit',
  fontSize: 12,
  px: 2,
  minWidth: 24,
  lineHeight: '22px',
  textAlign: 'center',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'action.hover',
} as const;
