import type { ReactNode } from 'react';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Column, Row } from '#app/engine/wire.ts';
import { EMPTY } from '#app/fields/format.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { cutSx } from '#app/theme.ts';

interface Props {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** What stands below the last row, such as a rate over all of them. */
  footer?: readonly Row[];
  /** How a value is shown, where it is more than its words. */
  cell?: (column: Column, row: Row) => ReactNode;
}

/** Lines to read: of a bill that is being judged, of a report. */
export function LineTable({ label, columns, rows, footer = [], cell = cellOf }: Props) {
  return (
    <SideScroll sx={{ maxHeight: 550 }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((it) => (
              <TableCell key={it.name} align={it.align} sx={{ whiteSpace: 'nowrap' }}>
                {it.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.id} sx={{ height: 36 }}>
              {columns.map((it) => {
                const shown = cell(it, row) || EMPTY;
                return (
                  <TableCell key={it.name} align={it.align} sx={oneLineSx} title={whole(shown)}>
                    {shown}
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </TableBody>
        {footer.length > 0 && (
          <TableFooter>
            {footer.map((row) => (
              <TableRow key={row.id} sx={{ height: 36 }}>
                {columns.map((it) => (
                  <TableCell
                    key={it.name}
                    align={it.align}
                    sx={{ ...oneLineSx, color: 'text.primary', fontWeight: 600 }}
                  >
                    {cell(it, row)}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableFooter>
        )}
      </Table>
    </SideScroll>
  );
}

/** A row is one line; what is longer than most is cut, and said whole under the mouse. */
const oneLineSx = { ...cutSx, maxWidth: 320 } as const;
const whole = (shown: ReactNode): string | undefined => (typeof shown === 'string' ? shown : undefined);
