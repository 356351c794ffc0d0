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
  /** What stands below the last row and stays in sight, such as the sum of them or a rate over all. */
  footer?: readonly Row[];
  /** How a value is shown, where it is more than its words. */
  cell?: (column: Column, row: Row) => ReactNode;
}

/** Lines to read: of a bill that is being judged, what they add up to, of a report. */
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
          <TableFooter sx={footerSx}>
            {footer.map((row) => (
              <TableRow key={row.id} sx={{ height: 36 }}>
                {columns.map((it) => (
                  <TableCell key={it.name} align={it.align} sx={{ ...oneLineSx, ...footerCellSx }}>
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

const footerSx = { position: 'sticky', bottom: 0, bgcolor: 'background.paper' } as const;
const footerCellSx = { color: 'text.primary', fontSize: 13, fontWeight: 600 } as const;
