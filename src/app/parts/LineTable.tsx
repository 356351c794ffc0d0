import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Column, Row } from '#app/engine/wire.ts';
import { EMPTY } from '#app/fields/format.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';

interface Props {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
}

/** The lines of a bill that is being judged, to read. */
export function LineTable({ label, columns, rows }: Props) {
  return (
    <SideScroll sx={{ maxHeight: 550 }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((it) => (
              <TableCell key={it.name} sx={{ whiteSpace: 'nowrap' }}>
                {it.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.id} sx={{ height: 36 }}>
              {columns.map((it) => (
                <TableCell key={it.name}>{cellOf(it, row) || EMPTY}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </SideScroll>
  );
}
