import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import CheckCircle from '@mui/icons-material/CheckCircle';
import Close from '@mui/icons-material/Close';
import ContentCopy from '@mui/icons-material/ContentCopy';
import HelpOutline from '@mui/icons-material/HelpOutline';
import Block from '@mui/icons-material/Block';
import HourglassTop from '@mui/icons-material/HourglassTop';
import WarningAmber from '@mui/icons-material/WarningAmber';
import { useTranslate } from 'ra-core';
import { codeSx } from '#app/theme.ts';
import { withoutSn } from '#app/parts/scan/words.ts';
import type { Verdict } from '#app/parts/scan/stationContract.ts';

const signs: Record<Verdict['kind'], ReactNode> = {
  ok: <CheckCircle />,
  duplicate: <ContentCopy />,
  wrong: <HelpOutline />,
  refused: <Block />,
  kept: <HourglassTop />,
};

const verdictSx = (colour: 'success' | 'warning' | 'error' | 'info') => ({
  borderColor: `${colour}.main`,
  bgcolor: `${colour}.main`,
  color: `${colour}.contrastText`,
});

const lineSx = {
  // On a phone the SN stands above three lines of words.
  height: { xs: 72, sm: 56 },
  flex: 'none',
  px: 4,
  display: 'flex',
  alignItems: 'center',
  gap: 3,
  borderRadius: 1,
  border: 1,
  borderColor: 'divider',
  bgcolor: 'background.paper',
  color: 'text.secondary',
  '&[data-verdict=ok]': verdictSx('success'),
  '&[data-verdict=duplicate], &[data-warning]': verdictSx('warning'),
  '&[data-verdict=kept]': verdictSx('info'),
  '&[data-verdict=wrong], &[data-verdict=refused]': verdictSx('error'),
  '& .words': {
    flex: 1,
    minWidth: 0,
    display: 'flex',
    flexDirection: { xs: 'column', sm: 'row' },
    alignItems: { sm: 'center' },
    columnGap: 3,
  },
  '& .sn': { ...codeSx, fontSize: { xs: 13, sm: 20 }, fontWeight: 600, lineHeight: 1.35 },
  '& .text': {
    fontSize: { xs: 12, sm: 16 },
    fontWeight: 600,
    lineHeight: 1.375,
    overflow: 'hidden',
    display: '-webkit-box',
    WebkitLineClamp: { xs: '3', sm: '2' },
    WebkitBoxOrient: 'vertical',
  },
  '&[data-verdict=none] .text': { fontSize: 14, fontWeight: 400, lineHeight: 1.4 },
} as const;

interface Props {
  verdict: Verdict | null;
  onClose: () => void;
  /** What to do next, while there is nothing to tell. */
  idle: string;
}

/** What came of the last scan, in one line that changes its colour and never its height. */
export function VerdictLine({ verdict, onClose, idle }: Props) {
  const translate = useTranslate();
  const hasVerdict = verdict !== null;
  return (
    <Box
      role="status"
      aria-live="assertive"
      data-verdict={verdict?.kind ?? 'none'}
      data-warning={verdict?.isWarning}
      sx={lineSx}
    >
      {verdict && (verdict.isWarning ? <WarningAmber /> : signs[verdict.kind])}
      <div className="words">
        {verdict?.sn && <span className="sn">{verdict.sn}</span>}
        <span className="text" title={verdict?.text}>
          {verdict ? withoutSn(verdict.text, verdict.sn) : idle}
        </span>
      </div>
      {hasVerdict && (
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
