import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { styled } from '@mui/material/styles';
import { useTranslate } from 'ra-core';
import { valueStyles, wrappedChip } from '#app/engine/TableFrame.tsx';
import { EMPTY, isEmptyValue } from '#app/fields/format.ts';
import { tabularSx } from '#app/theme.ts';

interface PanelProps {
  title: string;
  action?: ReactNode;
  /** Where much has to be in sight at once. */
  isDense?: boolean;
  children: ReactNode;
}

/** A framed piece of a page with its name. */
export function Panel({ title, action, isDense = false, children }: PanelProps) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper', p: isDense ? 3 : 4 }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', mb: isDense ? 1 : 3, minHeight: 24 }}>
        <Box component="h2" sx={{ m: 0, flex: 1, fontSize: 14, fontWeight: 600 }}>
          {title}
        </Box>
        {action}
      </Box>
      {children}
    </Box>
  );
}

export interface Fact {
  label: string;
  value: ReactNode;
  /** An SN, a code or a number that is compared letter by letter. */
  code?: boolean;
  /** A long text: a line of its own, with its breaks. */
  wide?: boolean;
}

interface FactGridProps {
  facts: readonly Fact[];
  isOneColumn?: boolean;
  /** A frame of its own, where it stands in no panel. */
  isFramed?: boolean;
  /** What is empty is left out; else it shows a dash. */
  hidesEmpty?: boolean;
}

/** Label over value, four to six in a row of a page. */
export function FactGrid({ facts, isOneColumn = false, isFramed = false, hidesEmpty = false }: FactGridProps) {
  const shown = hidesEmpty ? facts.filter((it) => !isNothing(it.value)) : facts;
  return (
    <Grid className={`${isOneColumn ? 'oneColumn' : ''} ${isFramed ? 'framed' : ''}`}>
      {shown.map(({ label, value, code = false, wide = false }) => (
        <div key={label} className={wide ? 'wide' : undefined}>
          <dt>{label}</dt>
          <dd className={code ? 'code' : undefined}>{isNothing(value) ? EMPTY : value}</dd>
        </div>
      ))}
    </Grid>
  );
}

/** Of what React draws, that which leaves the place empty. */
const isNothing = (value: ReactNode): boolean => isEmptyValue(value) || value === false;

const Grid = styled('dl')(({ theme }) => ({
  margin: 0,
  display: 'grid',
  // Where there is little room, two codes beside each other have it.
  gap: '12px min(24px, 4.5%)',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(152px, 44%), 1fr))',
  '&.oneColumn': { gridTemplateColumns: '1fr' },
  '&.framed': {
    padding: 16,
    border: `1px solid ${theme.palette.divider}`,
    borderRadius: 6,
    backgroundColor: theme.palette.background.paper,
  },
  '& > div': { minWidth: 0 },
  '& > .wide': { gridColumn: '1 / -1' },
  '& > .wide dd': { whiteSpace: 'pre-wrap', textWrap: 'wrap' },
  '& dt': { fontSize: 12, lineHeight: '16px', color: theme.palette.text.secondary, marginBottom: 2 },
  '& dd': { margin: 0, minHeight: 20, lineHeight: '20px', overflowWrap: 'anywhere', textWrap: 'balance', ...tabularSx },
  ...valueStyles(theme),
  // A code is broken only where it would run into the value beside it.
  '& dd.code, & dd .code': { whiteSpace: 'normal' },
  '& dd .chip': wrappedChip,
}));

/** What is there against what is expected, to be read from two metres. */
export function BigCount({ done, expected, label }: { done: number; expected: number | null; label: string }) {
  const translate = useTranslate();
  // Where nothing is expected, nothing is done either.
  const isFull = done === expected && done > 0;
  const isMore = expected !== null && done > expected;
  const colour = isMore ? 'warning' : isFull ? 'success' : 'primary';
  const share = expected ? Math.min(100, (done / expected) * 100) : 0;
  return (
    <Box aria-label={label} role="group" sx={countSx}>
      <div className="label">{label}</div>
      <div className={`count ${colour}`}>
        {done}
        {expected !== null && <span>{` / ${expected}`}</span>}
      </div>
      {expected !== null && (
        <LinearProgress
          variant="determinate"
          value={share}
          color={colour}
          aria-label={translate('stations.share', { done, expected })}
          sx={progressSx}
        />
      )}
    </Box>
  );
}

const countSx = {
  '& .label': { fontSize: 12, color: 'text.secondary' },
  '& .count': { ...tabularSx, fontSize: 48, lineHeight: '56px', fontWeight: 600 },
  '& .count.success': { color: 'success.main' },
  '& .count.warning': { color: 'warning.main' },
  '& .count span': { color: 'text.secondary', fontWeight: 400 },
} as const;

// At a scanner's speed it would move all the time, and everything around it be painted with it.
const progressSx = { height: 8, borderRadius: 1, mt: 1, '& .MuiLinearProgress-bar': { transition: 'none' } } as const;
