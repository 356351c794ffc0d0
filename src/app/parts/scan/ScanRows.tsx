import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Chip, { type ChipProps } from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { codeSx, tabularSx } from '#app/theme.ts';
import { withoutSn } from '#app/parts/scan/words.ts';
import { isLiving, type Scan, type ScanState } from '#app/parts/scan/scanQueue.ts';

/** More than fit any screen; the count tells how many there are. */
const SHOWN = 50;

const colours: Record<ScanState, ChipProps['color']> = {
  queued: 'default',
  checking: 'info',
  ok: 'success',
  duplicate: 'warning',
  wrong: 'error',
  refused: 'error',
  undone: 'default',
  submitted: 'default',
};

interface Props<Data> {
  scans: readonly Scan<Data>[];
  /** What the unit is, from the answer of its check. */
  describe?: (scan: Scan<Data>) => ReactNode;
  /** Those that a submit on its way holds. */
  locked: readonly string[];
  onRemove: (key: string) => void;
  empty: string;
}

/** What was scanned, newest first. Tables of a submit screen are at most 500 high (decisions 2, O-03). */
export function ScanRows<Data>({ scans, describe, locked, onRemove, empty }: Props<Data>) {
  const translate = useTranslate();
  const newest = scans.slice(-SHOWN).reverse();
  // Rows are drawn anew only when their scan changes, or hundreds of them would slow down the next verdict.
  const latest = useRef(describe);
  useLayoutEffect(() => {
    latest.current = describe;
  });
  const [describeScan] = useState(() => (scan: Scan) => latest.current?.(scan as Scan<Data>));
  return (
    <TableContainer
      sx={{ maxHeight: 500, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}
    >
      <Table size="small" stickyHeader sx={tableSx} aria-label={translate('stations.scanned')}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ width: { sm: 176 } }}>SN</TableCell>
            <TableCell className="offPhone">{translate('stations.column.what')}</TableCell>
            <TableCell sx={{ width: { xs: 104, sm: '34%' } }}>{translate('stations.column.state')}</TableCell>
            <TableCell className="time" sx={{ width: 88 }}>
              {translate('stations.column.time')}
            </TableCell>
            <TableCell sx={{ width: 44, p: 0 }} />
          </TableRow>
        </TableHead>
        <TableBody>
          {newest.map((it) => (
            <ScanRow
              key={it.key}
              scan={it}
              describe={describeScan}
              isFree={it.state !== 'submitted' && !locked.includes(it.key)}
              onRemove={onRemove}
            />
          ))}
        </TableBody>
      </Table>
      {newest.length === 0 && (
        <Box sx={{ height: 96, display: 'grid', placeItems: 'center', color: 'text.secondary' }}>{empty}</Box>
      )}
      {scans.length > SHOWN && (
        <Box sx={{ p: 2, typography: 'caption', color: 'text.secondary' }}>
          {translate('stations.newestOf', { shown: SHOWN, total: scans.length })}
        </Box>
      )}
    </TableContainer>
  );
}

const timeOf = (at: number): string => new Date(at).toLocaleTimeString([], { hour12: false });

/** Of the whole table: a style of its own for each part of each row is half of what a scan costs to draw. */
const tableSx = {
  tableLayout: 'fixed',
  '& tbody tr': { height: 36, opacity: 0.85 },
  '& tbody tr.living': { opacity: 1 },
  '& tbody td:first-of-type': { py: { xs: 1, sm: 0 } },
  '& tbody td.remove': { p: 0 },
  '& .sn': { ...codeSx, fontWeight: 600 },
  '& .what': { fontSize: 12, color: 'text.secondary' },
  '& .note': { fontSize: 12, color: 'warning.main' },
  '& .note.problem': { color: 'error.main' },
  '& span.note': { ml: 2 },
  '& td.time': { color: 'text.secondary' },
  '& .onPhone': { display: { xs: 'block', sm: 'none' } },
  '& .offPhone': { display: { xs: 'none', sm: 'revert' } },
  // Beside the facts on a small screen the model needs the room.
  '& .time': { ...tabularSx, display: { xs: 'none', sm: 'revert', md: 'none', lg: 'revert' } },
} as const;

interface RowProps {
  scan: Scan;
  describe: (scan: Scan) => ReactNode;
  /** May be removed. */
  isFree: boolean;
  onRemove: (key: string) => void;
}

const ScanRow = memo(function ScanRow({ scan, describe, isFree, onRemove }: RowProps) {
  const translate = useTranslate();
  const what = describe(scan);
  const note = withoutSn(scan.reason || scan.warning || '', scan.sn);
  const noteClass = scan.reason && !isLiving(scan) ? 'note problem' : 'note';
  const Sn = scan.state === 'undone' ? 's' : 'span';
  return (
    <TableRow className={isLiving(scan) ? 'living' : undefined} data-state={scan.state}>
      <TableCell>
        <Sn className="sn" title={scan.undoneAt === undefined ? undefined : timeOf(scan.undoneAt)}>
          {scan.sn}
        </Sn>
        <div className="what onPhone">{what}</div>
        <div className={`${noteClass} onPhone`}>{note}</div>
      </TableCell>
      <TableCell className="offPhone">{what}</TableCell>
      <TableCell>
        <Chip
          size="small"
          variant="outlined"
          color={colours[scan.state]}
          label={translate(`stations.state.${scan.state}`)}
        />
        {note && <span className={`${noteClass} offPhone`}>{note}</span>}
      </TableCell>
      <TableCell className="time">{timeOf(scan.at)}</TableCell>
      <TableCell className="remove">
        {isFree && (
          <IconButton
            size="small"
            aria-label={translate('stations.remove', { sn: scan.sn })}
            onClick={() => onRemove(scan.key)}
          >
            <DeleteOutline fontSize="small" />
          </IconButton>
        )}
      </TableCell>
    </TableRow>
  );
});
