import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { useTranslate } from 'ra-core';
import { codeSx, tabularSx } from '#app/theme.ts';

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
}

/** Label over value, as many in a row as there is room for. What is empty shows a dash. */
export function FactGrid({ facts, isOneColumn = false }: { facts: readonly Fact[]; isOneColumn?: boolean }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 3,
        gridTemplateColumns: isOneColumn ? '1fr' : 'repeat(auto-fill, minmax(144px, 1fr))',
      }}
    >
      {facts.map(({ label, value, code }) => (
        <Box key={label} sx={{ minWidth: 0 }}>
          <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere', ...(code ? codeSx : {}) }}>
            {value === null || value === undefined || value === '' ? '–' : value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

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
