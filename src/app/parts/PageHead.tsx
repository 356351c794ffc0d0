import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import { EMPTY } from '#app/fields/format.ts';
import type { Tone } from '#domain/definition/grammar.ts';
import { BackToList } from '#app/parts/BackToList.tsx';
import type { Fact } from '#app/parts/Facts.tsx';
import { codeSx, tabularSx } from '#app/theme.ts';

export interface HeadAction {
  /** A verb. */
  label: string;
  onPress: () => void;
  /** One of them is what the page is opened for. */
  tone?: 'primary' | 'plain' | 'danger';
  disabled?: boolean;
  isBusy?: boolean;
  /** Why it cannot be pressed, or its keys. */
  hint?: string;
}

interface Props {
  /** The record is not yet read. */
  isReading?: boolean;
  status?: { label: string; tone?: Tone | undefined } | undefined;
  /** What matters of it, six at most; what is empty is left out. */
  facts?: readonly Fact[];
  actions?: readonly HeadAction[];
  /** The list that it stands in. */
  menuNo?: string;
  /** More controls beside the actions, such as a menu. */
  children?: ReactNode;
}

/** Of facts on one line, no more are read at once. */
const MOST_FACTS = 6;

/**
 * The head of a record's page: its status, what matters of it and what can be done with it. Its name is the heading in the
 * bar above. Rule: screens#shell.
 */
export function PageHead({ isReading = false, status, facts = [], actions = [], menuNo, children }: Props) {
  const shown = facts.filter(({ value }) => value !== null && value !== undefined && value !== '' && value !== EMPTY);
  return (
    <Box component="header" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px' }}>
      {menuNo !== undefined && <BackToList menuNo={menuNo} />}
      <Box sx={{ flex: '1 1 120px', minWidth: 0, minHeight: 32, display: 'flex', alignItems: 'center' }}>
        {isReading && <Skeleton width={160} />}
        {status && (
          <Values>
            <span className={`chip ${status.tone ?? 'closed'}`}>{status.label}</span>
          </Values>
        )}
      </Box>
      {shown.length > 0 && (
        <Box sx={{ order: 1, flex: '1 0 100%', minWidth: 0 }}>
          <FactLine facts={shown.slice(0, MOST_FACTS)} />
        </Box>
      )}
      <Box sx={actionsSx}>
        {ordered(actions).map((it) => (
          <HeadButton key={it.label} {...it} />
        ))}
        {children}
      </Box>
    </Box>
  );
}

/** On a phone in a line of their own. */
const actionsSx = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 2,
  order: { xs: 2, sm: 0 },
  flex: { xs: '1 0 100%', sm: 'none' },
  '&:empty': { display: 'none' },
} as const;

/** Where values look as in a table. */
const Values = styled('span')(({ theme }) => valueStyles(theme));

/** Label and value one after the other; on a phone they wrap between two facts, never within one's name. */
const FactLine = ({ facts }: { facts: readonly Fact[] }) => (
  <Box
    component="dl"
    sx={{
      m: 0,
      display: 'flex',
      flexWrap: 'wrap',
      columnGap: 5,
      fontSize: 13,
      lineHeight: '24px',
      '& > div': { display: 'flex', gap: 1.5, minWidth: 0 },
      '& dt': { color: 'text.secondary', whiteSpace: 'nowrap' },
      '& dd': { m: 0, minWidth: 0, overflowWrap: 'anywhere', ...tabularSx },
      '& dd.code': { ...codeSx, alignSelf: 'center' },
    }}
  >
    {facts.map(({ label, value, code = false }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className={code ? 'code' : undefined}>{value}</dd>
      </div>
    ))}
  </Box>
);

const HeadButton = ({ label, onPress, tone = 'plain', disabled = false, isBusy = false, hint }: HeadAction) => (
  <Button
    variant={tone === 'primary' ? 'contained' : 'outlined'}
    color={tone === 'danger' ? 'error' : 'primary'}
    disabled={disabled}
    loading={isBusy}
    title={hint}
    onClick={onPress}
    sx={{ ml: tone === 'danger' ? { sm: 4 } : 0 }}
  >
    {label}
  </Button>
);

const places = { primary: 0, plain: 1, danger: 2 } as const;

/** The one that matters first; what cannot be taken back last. */
const ordered = (actions: readonly HeadAction[]): readonly HeadAction[] =>
  [...actions].sort((a, b) => places[a.tone ?? 'plain'] - places[b.tone ?? 'plain']);
