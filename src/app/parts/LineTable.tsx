import type { ReactNode } from 'react';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Column } from '#app/engine/wire.ts';
import { EMPTY } from '#app/fields/format.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { cutSx } from '#app/theme.ts';

interface Props<C, R> {
  label: string;
  columns: readonly C[];
  rows: readonly R[];
  /** What stands below the last row and stays in sight, such as the sum of them or a rate over all. */
  footer?: readonly R[];
  cell: (column: C, row: R) => ReactNode;
}

/** Lines to read: of a bill that is being judged, what they add up to, of a report, what a query answers. */
export function LineTable<C extends Pick<Column, 'name' | 'label' | 'align'>, R extends { id: number }>({
  label,
  columns,
  rows,
  footer = [],
  cell,
}: Props<C, R>) {
  return (
    <SideScroll tabIndex={0} role="group" aria-label={label} sx={{ maxHeight: 550 }}>
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
                  <TableCell
                    key={it.name}
                    align={it.align}
                    {...(typeof shown === 'string' ? { sx: cutTextSx, title: shown } : { sx: oneLineSx })}
                  >
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
                  <TableCell key={it.name} align={it.align} sx={{ ...cutTextSx, ...footerCellSx }}>
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

/** A row is one line; a text that is longer than most is cut, and said whole under the mouse. */
const oneLineSx = { whiteSpace: 'nowrap' } as const;
const cutTextSx = { ...cutSx, maxWidth: 320 } as const;

const footerSx = { position: 'sticky', bottom: 0, bgcolor: 'background.paper' } as const;
const footerCellSx = { color: 'text.primary', fontSize: 13, fontWeight: 600 } as const;
