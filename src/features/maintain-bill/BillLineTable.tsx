import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import IconButton from '@mui/material/IconButton';
import KeyboardArrowDown from '@mui/icons-material/KeyboardArrowDown';
import KeyboardArrowRight from '@mui/icons-material/KeyboardArrowRight';
import { useTranslate } from 'ra-core';
import type { Labels, LinesView, Row } from '#app/engine/wire.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { useLanguage } from '#app/session.ts';
import { itemNameIn } from '#domain/itemName.ts';
import type { Language } from '#domain/words.ts';

interface Props {
  view: LinesView;
  labels: Labels | undefined;
  lines: readonly Row[];
  /** The number of the line whose units alone are shown. */
  opened: string;
  onOpen: (mtblId: string) => void;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A line with what its goods are called in the reader's language. */
const named = (line: Row, lang: Language): Row => ({
  ...line,
  itemName: itemNameIn(lang, textOrNull(line['itemName']), textOrNull(line['productName'])),
});

/** The lines with their counts; a click shows the units of one alone, the next those of all. Rule: bills#detail. */
export function BillLineTable({ view: { label, columns }, labels, lines, opened, onOpen }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  return (
    <SideScroll sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}>
      <Table size="small" aria-label={label} sx={{ '& tbody tr:last-of-type td': { borderBottom: 0 } }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ width: 40, p: 0 }} />
            {columns.map((it) => (
              <TableCell key={it.name} align={it.align} sx={{ whiteSpace: 'nowrap' }}>
                {it.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {lines.length === 0 && (
            <TableRow>
              <TableCell colSpan={columns.length + 1} sx={{ height: 64, textAlign: 'center', color: 'text.secondary' }}>
                {translate('stations.maintainBill.noLines')}
              </TableCell>
            </TableRow>
          )}
          {lines.map((line) => {
            const mtblId = String(line['mtblId']);
            const isOpen = mtblId === opened;
            const toggle = () => onOpen(isOpen ? '' : mtblId);
            return (
              <TableRow key={line.id} hover selected={isOpen} onClick={toggle} sx={{ height: 36, cursor: 'pointer' }}>
                <TableCell sx={{ p: 0 }}>
                  <IconButton
                    size="small"
                    aria-pressed={isOpen}
                    aria-label={translate('stations.maintainBill.items', { code: String(line['salesCode']) })}
                    onClick={(event) => {
                      event.stopPropagation();
                      toggle();
                    }}
                  >
                    {isOpen ? <KeyboardArrowDown /> : <KeyboardArrowRight />}
                  </IconButton>
                </TableCell>
                {columns.map((column) => (
                  <TableCell key={column.name} align={column.align} sx={{ whiteSpace: 'nowrap' }}>
                    {cellOf(column, named(line, lang), labels)}
                  </TableCell>
                ))}
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </SideScroll>
  );
}
