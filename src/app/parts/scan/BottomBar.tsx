import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Undo from '@mui/icons-material/Undo';
import { useTranslate } from 'ra-core';
import { useOnline } from '#app/parts/scan/useOnline.ts';
import type { StationView } from '#app/parts/scan/useStation.ts';
import { WorkFooter } from '#app/parts/WorkFrame.tsx';
import { isLiving, isWaiting } from '#app/parts/scan/scanQueue.ts';
import { tabularSx } from '#app/theme.ts';

export interface Primary {
  /** A verb, with the count where there is one. */
  label: string;
  press: () => void;
  disabled?: boolean;
}

/** A number that is read from two metres. */
export interface Tally {
  label: string;
  value: string;
  /** What it means that there are any; none of them has no colour. */
  tone?: 'success' | 'error';
}

interface Props<Data, Input> {
  station: StationView<Data, Input>;
  primary: Primary;
  /** What the facts beside the work say large; here where they are below it and out of sight. */
  tally?: readonly Tally[];
  /** Other actions of this station, quieter. */
  more?: ReactNode;
}

/** The count, what has not arrived yet, and the one thing to press. */
export function BottomBar<Data, Input>({ station, primary, tally = [], more }: Props<Data, Input>) {
  const translate = useTranslate();
  const { accepted, scans, sending, actions } = station;
  const waiting = scans.filter(isWaiting).length;
  return (
    <WorkFooter>
      <Tallies tally={tally} />
      <Box sx={{ fontWeight: 600, whiteSpace: 'nowrap' }}>
        <Box component="span" sx={tally.length > 0 ? { display: besideOnly } : undefined}>
          {translate('stations.count', { smart_count: accepted.length })}
        </Box>
        {waiting > 0 && (
          <Box component="span" sx={{ ml: 2, fontWeight: 400, color: 'info.main' }}>
            {translate('stations.waiting', { smart_count: waiting })}
          </Box>
        )}
      </Box>
      <Unsent station={station} />
      <Box sx={{ flex: 1 }} />
      {more}
      <Button
        startIcon={<Undo />}
        onClick={actions.undo}
        disabled={!scans.some((it) => isLiving(it) && !sending?.scanKeys.includes(it.key))}
        title="Ctrl+Z"
      >
        {translate('stations.undo')}
      </Button>
      <Button
        variant="contained"
        size="medium"
        onClick={primary.press}
        disabled={primary.disabled === true || (sending ? sending.unsent === '' : accepted.length === 0)}
        title="Ctrl+Enter"
        sx={{ minWidth: 160, width: { xs: 1, sm: 'auto' } }}
      >
        {primary.label}
      </Button>
    </WorkFooter>
  );
}

/** Where the facts stand beside the work. */
const besideOnly = { xs: 'none', md: 'inline' };

const tallySx = {
  display: { xs: 'flex', md: 'none' },
  gap: 4,
  '& .value': { fontSize: 32, lineHeight: '36px', fontWeight: 600, ...tabularSx },
  '& [data-tone=success]': { color: 'success.main' },
  '& [data-tone=error]': { color: 'error.main' },
  '& .label': {
    maxWidth: { xs: 140, sm: 'none' },
    overflow: 'hidden',
    display: '-webkit-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    fontSize: 11,
    lineHeight: '14px',
    color: 'text.secondary',
  },
} as const;

function Tallies({ tally }: { tally: readonly Tally[] }) {
  return (
    <Box sx={tallySx}>
      {tally.map(({ label, value, tone }) => (
        <div key={label}>
          <div className="value" data-tone={Number(value) === 0 ? undefined : tone}>
            {value}
          </div>
          <div className="label">{label}</div>
        </div>
      ))}
    </Box>
  );
}

/** Offline and unsent, in words; empty when all is well. */
export function Unsent<Data, Input>({ station }: { station: StationView<Data, Input> }) {
  const translate = useTranslate();
  const online = useOnline();
  const { sending, actions, others, isUnreachable } = station;
  const lines = [
    ...(online && !isUnreachable ? [] : [translate('stations.offline')]),
    ...others.map((it) => translate('stations.othersWait', { smart_count: it.count, name: it.userName })),
  ];
  return (
    <Box
      role="status"
      sx={{ color: 'warning.main', fontSize: 13, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}
    >
      {lines.join(' · ')}
      {sending && !sending.unsent && (
        <Box component="span" sx={{ color: 'info.main' }}>
          {translate('stations.sending', { smart_count: sending.scanKeys.length })}
        </Box>
      )}
      {sending?.unsent && (
        <>
          <Box component="span">
            {translate('stations.unsent', { smart_count: sending.scanKeys.length, reason: sending.unsent })}
          </Box>
          <Button color="warning" onClick={actions.retry}>
            {translate('stations.retry')}
          </Button>
          <Button onClick={actions.takeBack}>{translate('stations.takeBack')}</Button>
        </>
      )}
    </Box>
  );
}
