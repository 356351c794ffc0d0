import Box from '@mui/material/Box';
import Check from '@mui/icons-material/Check';
import Close from '@mui/icons-material/Close';
import { useTranslate } from 'ra-core';
import { Moment } from '#app/parts/cells.tsx';
import { cutSx } from '#app/theme.ts';

export interface ShownStep {
  name: string;
  state: 'done' | 'next' | 'refused' | 'later';
  /** What is said of it besides who and when. */
  standing?: string | undefined;
  /** Who did it, by name; nothing until that is known. */
  by?: string | null | undefined;
  at?: number | null;
  remark?: string | null;
}

const colours = { done: 'success.main', next: 'primary.main', refused: 'error.main', later: 'text.disabled' } as const;

/** The way of a record as a line of steps: who has said what, and what comes next. */
export function StepLine({ label, steps }: { label: string; steps: readonly ShownStep[] }) {
  return (
    <Box
      component="ol"
      aria-label={label}
      sx={{
        m: 0,
        p: 0,
        listStyle: 'none',
        display: 'grid',
        gridAutoFlow: { xs: 'row', sm: 'column' },
        gridAutoColumns: { sm: 'minmax(0, 1fr)' },
        gap: { xs: 2, sm: 0 },
      }}
    >
      {steps.map((it, i) => (
        <Step key={it.name} step={it} isLast={i === steps.length - 1} />
      ))}
    </Box>
  );
}

function Step({ step, isLast }: { step: ShownStep; isLast: boolean }) {
  const translate = useTranslate();
  const { name, state, standing, by, at, remark } = step;
  const colour = colours[state];
  const isNext = state === 'next';
  return (
    <Box component="li" aria-current={isNext ? 'step' : undefined} sx={{ display: 'flex', gap: 2, minWidth: 0, pr: 3 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', pt: '2px' }}>
        <Box
          aria-hidden
          sx={{
            width: 20,
            height: 20,
            borderRadius: '50%',
            display: 'grid',
            placeItems: 'center',
            border: 2,
            borderColor: colour,
            color: state === 'done' || state === 'refused' ? 'background.paper' : colour,
            bgcolor: state === 'done' || state === 'refused' ? colour : undefined,
            '& svg': { fontSize: 14 },
          }}
        >
          {state === 'done' && <Check />}
          {state === 'refused' && <Close />}
          {isNext && <Box sx={{ width: 8, height: 8, borderRadius: '50%', bgcolor: colour }} />}
        </Box>
      </Box>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 24 }}>
          <Box
            component="span"
            sx={{
              ...cutSx,
              flex: 'none',
              maxWidth: 1,
              fontWeight: isNext ? 600 : 400,
              color: isNext ? 'primary.main' : state === 'later' ? 'text.secondary' : undefined,
            }}
          >
            {name}
          </Box>
          {!isLast && (
            <Box
              aria-hidden
              sx={{ display: { xs: 'none', sm: 'block' }, flex: 1, borderTop: 1, borderColor: 'divider' }}
            />
          )}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            columnGap: 2,
            fontSize: 12,
            lineHeight: '16px',
            color: 'text.secondary',
          }}
        >
          {standing && (
            <Box
              component="span"
              sx={{ color: state === 'refused' ? 'error.main' : undefined, fontWeight: isNext ? 600 : 400 }}
            >
              {standing}
            </Box>
          )}
          {by && <span>{by}</span>}
          {at != null && <Moment at={at} />}
        </Box>
        {remark && (
          <Box sx={{ fontSize: 12, lineHeight: '16px', mt: 0.5, overflowWrap: 'anywhere' }}>
            {translate('bills.review.said', { remark })}
          </Box>
        )}
      </Box>
    </Box>
  );
}
