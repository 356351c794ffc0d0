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
import { codeSx, wholeSx } from '#app/theme.ts';
import { Sentence } from '#app/parts/scan/Sentence.tsx';
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
  // On a phone the sentence has four lines.
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
  '& .sn': { ...codeSx, fontSize: { xs: 13, sm: 18 }, fontWeight: 600, lineHeight: 1 },
  '& .text': {
    ...wholeSx,
    fontSize: { xs: 12, sm: 16 },
    fontWeight: 600,
    lineHeight: 1.375,
    pb: '2px',
    overflow: 'hidden',
    display: '-webkit-box',
    WebkitLineClamp: { xs: '4', sm: '2' },
    WebkitBoxOrient: 'vertical',
  },
  '&[data-verdict=none] .text': { fontSize: 14, fontWeight: 400, lineHeight: 1.4 },
} as const;

/**
 * As wide as the window: three lines of it have room for every sentence. On a phone six lines have, below the sign; there
 * the longest SN decides how large they are, as it is never broken over two.
 */
const LARGE = 'clamp(28px, 3.6vw, 48px)';
const SIGN = '28px';
const largeSx = {
  ...lineSx,
  px: { xs: 3, sm: 4 },
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  alignContent: 'center',
  justifyContent: 'space-between',
  gap: { xs: 1, sm: 3 },
  height: { xs: `calc(${LARGE} * 7.5 + ${SIGN} + 20px)`, sm: `calc(${LARGE} * 3.75 + 16px)` },
  '& > svg': { fontSize: { xs: SIGN, sm: LARGE }, flex: 'none' },
  '& > button': { p: { xs: 0, sm: 1 } },
  '& .words': { ...lineSx['& .words'], order: { xs: 1, sm: 0 }, flex: { xs: '1 0 100%', sm: 1 } },
  '& .sn': { ...codeSx, fontSize: '0.95em', fontWeight: 600, lineHeight: 1 },
  '& .text': {
    ...lineSx['& .text'],
    fontSize: LARGE,
    lineHeight: 1.25,
    pb: '0.1em',
    WebkitLineClamp: { xs: '6', sm: '3' },
  },
  '&[data-verdict=none] .text': { fontSize: LARGE, fontWeight: 400, lineHeight: 1.25 },
} as const;

interface Props {
  verdict: Verdict | null;
  onClose: () => void;
  /** What to do next, while there is nothing to tell. */
  idle: string;
  /** To be read from two metres. */
  isLarge?: boolean;
}

/** What came of the last scan, in one line that changes its colour and never its height. */
export function VerdictLine({ verdict, onClose, idle, isLarge = false }: Props) {
  const translate = useTranslate();
  const hasVerdict = verdict !== null;
  return (
    <Box
      role="status"
      aria-live="assertive"
      data-verdict={verdict?.kind ?? 'none'}
      data-warning={verdict?.isWarning}
      sx={isLarge ? largeSx : lineSx}
    >
      {verdict && (verdict.isWarning ? <WarningAmber /> : signs[verdict.kind])}
      <div className="words">
        <span className="text" title={verdict?.text}>
          {verdict ? <Sentence text={verdict.text} sn={verdict.sn} /> : idle}
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
