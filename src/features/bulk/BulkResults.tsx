import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { codeSx } from '#app/theme.ts';
import type { Verdict } from '#domain/bulk.ts';

/** So many rows are drawn; the counts above speak for all. */
const SHOWN = 500;

const withOrWithout = (ids: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> =>
  new Set(isIn ? [...ids, id] : [...ids].filter((it) => it !== id));

interface Props {
  results: readonly Verdict[];
  /** Nothing was done yet: the verdicts say what would be, and rows can be left out of it. */
  leftOut?: ReadonlySet<number>;
  onLeaveOut?: (ids: ReadonlySet<number>) => void;
}

/** What came of each row, the refused ones first. */
export function BulkResults({ results, leftOut, onLeaveOut }: Props) {
  const translate = useTranslate();
  const sorted = [...results.filter((it) => !it.done), ...results.filter((it) => it.done)];
  const done = translate(leftOut ? 'shell.bulk.wouldBeDone' : 'shell.bulk.isDone');
  return (
    <Box>
      <SideScroll sx={{ maxHeight: 320, border: 1, borderColor: 'divider', borderRadius: 1 }}>
        <Table size="small" stickyHeader aria-label={translate('shell.bulk.results')}>
          <TableHead>
            <TableRow>
              <TableCell>{translate('shell.bulk.row')}</TableCell>
              <TableCell>{translate('shell.bulk.verdict')}</TableCell>
              <TableCell>{translate('shell.bulk.message')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {sorted.slice(0, SHOWN).map((it) => (
              <TableRow key={it.id}>
                <TableCell sx={{ ...codeSx, whiteSpace: 'nowrap' }}>
                  {leftOut && it.done ? (
                    <FormControlLabel
                      label={it.name}
                      control={
                        <Checkbox
                          size="small"
                          checked={!leftOut.has(it.id)}
                          onChange={(event) => onLeaveOut?.(withOrWithout(leftOut, it.id, !event.target.checked))}
                        />
                      }
                      slotProps={{ typography: { sx: codeSx } }}
                    />
                  ) : (
                    it.name
                  )}
                </TableCell>
                <TableCell sx={{ color: it.done ? 'success.main' : 'error.main', whiteSpace: 'nowrap' }}>
                  {it.done ? done : translate('shell.bulk.isRefused')}
                </TableCell>
                <TableCell>{it.msg}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </SideScroll>
      {sorted.length > SHOWN && (
        <Box sx={{ mt: 1, fontSize: 13, color: 'text.secondary' }}>
          {translate('shell.bulk.more', { count: sorted.length - SHOWN })}
        </Box>
      )}
    </Box>
  );
}
