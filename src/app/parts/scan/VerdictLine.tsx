import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import CheckCircle from '@mui/icons-material/CheckCircle';
import Close from '@mui/icons-material/Close';
import ContentCopy from '@mui/icons-material/ContentCopy';
import HelpOutline from '@mui/icons-material/HelpOutline';
import Block from '@mui/icons-material/Block';
import { useTranslate } from 'ra-core';
import { codeSx } from '#app/theme.ts';
import { withoutSn } from '#app/parts/scan/words.ts';
import type { Verdict } from '#app/parts/scan/station.ts';

const looks: Record<Verdict['kind'], { colour: 'success' | 'warning' | 'error'; sign: ReactNode }> = {
  ok: { colour: 'success', sign: <CheckCircle /> },
  duplicate: { colour: 'warning', sign: <ContentCopy /> },
  wrong: { colour: 'error', sign: <HelpOutline /> },
  refused: { colour: 'error', sign: <Block /> },
};

interface Props {
  verdict: Verdict | null;
  onClose: () => void;
  /** What to do next, while there is nothing to tell. */
  idle: string;
}

/** What came of the last scan, in one line that changes its colour and never its height. */
export function VerdictLine({ verdict, onClose, idle }: Props) {
  const translate = useTranslate();
  const look = verdict && looks[verdict.kind];
  return (
    <Box
      role="status"
      aria-live="assertive"
      data-verdict={verdict?.kind ?? 'none'}
      sx={{
        height: 56,
        flex: 'none',
        px: 4,
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        borderRadius: 1,
        border: 1,
        borderColor: look ? `${look.colour}.main` : 'divider',
        bgcolor: look ? `${look.colour}.main` : 'background.paper',
        color: look ? `${look.colour}.contrastText` : 'text.secondary',
      }}
    >
      {look?.sign}
      <Box
        sx={{
          flex: 1,
          minWidth: 0,
          display: 'flex',
          flexDirection: { xs: 'column', sm: 'row' },
          alignItems: { sm: 'center' },
          columnGap: 3,
        }}
      >
        {verdict?.sn && (
          <Box component="span" sx={{ ...codeSx, fontSize: { xs: 13, sm: 20 }, fontWeight: 600, lineHeight: 1.2 }}>
            {verdict.sn}
          </Box>
        )}
        <Box
          component="span"
          title={verdict?.text}
          sx={{
            fontSize: look ? { xs: 12, sm: 16 } : 14,
            fontWeight: look ? 600 : 400,
            lineHeight: { xs: '15px', sm: '20px' },
            overflow: 'hidden',
            display: '-webkit-box',
            WebkitLineClamp: 2,
            WebkitBoxOrient: 'vertical',
          }}
        >
          {verdict ? withoutSn(verdict.text, verdict.sn) : idle}
        </Box>
      </Box>
      {verdict && (
        <IconButton
          size="small"
          color="inherit"
          tabIndex={-1}
          aria-label={translate('stations.closeVerdict')}
          onClick={onClose}
        >
          <Close fontSize="small" />
        </IconButton>
      )}
    </Box>
  );
}
