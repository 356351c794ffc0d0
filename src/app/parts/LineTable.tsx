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

interface Props {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** What the rows add up to, as the server says it: it stands below them and stays in sight. */
  total?: Row | undefined;
}

/** The lines of a bill that is being judged, or what they add up to, to read. */
export function LineTable({ label, columns, rows, total }: Props) {
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
              {columns.map((it) => (
                <TableCell key={it.name} align={it.align}>
                  {cellOf(it, row) || EMPTY}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
        {total && (
          <TableFooter>
            <TableRow>
              {columns.map((it) => (
                <TableCell key={it.name} align={it.align} sx={totalSx}>
                  {cellOf(it, total)}
                </TableCell>
              ))}
            </TableRow>
          </TableFooter>
        )}
      </Table>
    </SideScroll>
  );
}

const totalSx = {
  position: 'sticky',
  bottom: 0,
  height: 36,
  bgcolor: 'background.paper',
  color: 'text.primary',
  fontSize: 13,
  fontWeight: 600,
} as const;
