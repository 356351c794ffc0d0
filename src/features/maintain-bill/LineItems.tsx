import { useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TablePagination from '@mui/material/TablePagination';
import TableRow from '@mui/material/TableRow';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import type { Pager, Row } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** Rule: bills#detail. */
const pageSizes = [10, 50, 100, 150, 200];
export const pager = { method: 'GET', path: '/api/rmaMaintainBillLineItem/pager.json', writes: false } as const;

interface Props {
  line: Row;
  /** By their row ids, of whichever line. */
  selected: ReadonlyMap<number, Row>;
  onSelect: (rows: readonly Row[], to: boolean) => void;
}

/** The units of one line of a bill, by the page, to be selected for what is done below. */
export function LineItems({ line, selected, onSelect }: Props) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const lang = useLanguage();
  const [page, setPage] = useState(0);
  const [size, setSize] = useState(10);
  const mtblId = String(line['mtblId']);
  const { data, error } = useQuery({
    queryKey: [pager.path, mtblId, page, size, lang],
    queryFn: () => sendTo<Pager>(pager, { mtblId, pageStart: page * size, pageCount: size }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Alert severity="error">{reasonOf(error)}</Alert>;
  if (!data) return <Box sx={{ height: 96 }} />;
  const columns = data.columns ?? [];
  // What is done to an item names its line and bill, which its row does not show.
  const items = data.items.map((it): Row => ({ ...it, mtblId, mtbId: line['mtbId'] }));
  const chosen = items.filter((it) => selected.has(it.id));
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}>
      <TableContainer sx={{ maxHeight: data.maxHeight ?? 550 }}>
        <Table size="small" stickyHeader aria-label={translate('stations.maintainBill.units')}>
          <TableHead>
            <TableRow>
              <TableCell padding="checkbox">
                <Checkbox
                  size="small"
                  disabled={items.length === 0}
                  checked={items.length > 0 && chosen.length === items.length}
                  indeterminate={chosen.length > 0 && chosen.length < items.length}
                  onChange={(_, to) => onSelect(items, to)}
                  slotProps={{ input: { 'aria-label': translate('shell.list.selectAll') } }}
                />
              </TableCell>
              {columns.map((it) => (
                <TableCell key={it.name} align={it.align} sx={{ whiteSpace: 'nowrap' }}>
                  {it.label}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {items.length === 0 && (
              <TableRow>
                <TableCell colSpan={columns.length + 1} sx={{ height: 64, color: 'text.secondary' }}>
                  {translate('stations.maintainBill.noUnits')}
                </TableCell>
              </TableRow>
            )}
            {items.map((item) => (
              <TableRow
                key={item.id}
                hover
                selected={selected.has(item.id)}
                aria-selected={selected.has(item.id)}
                onClick={() => onSelect([item], !selected.has(item.id))}
                sx={{ height: 36, cursor: 'pointer' }}
              >
                <TableCell padding="checkbox">
                  <Checkbox
                    size="small"
                    checked={selected.has(item.id)}
                    onClick={(event) => event.stopPropagation()}
                    onChange={(_, to) => onSelect([item], to)}
                    slotProps={{
                      input: {
                        'aria-label': translate('shell.list.selectRow', {
                          row: String(item['receiveSn'] || item['mtbliId']),
                        }),
                      },
                    }}
                  />
                </TableCell>
                {columns.map((column) => (
                  <TableCell key={column.name} align={column.align} sx={{ whiteSpace: 'nowrap' }}>
                    {cellOf(column, item, data.labels)}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      <TablePagination
        component="div"
        // In a narrow window the table goes on to the right, out of sight.
        sx={{ '& .MuiTablePagination-spacer': { display: { xs: 'none', md: 'block' } } }}
        count={data.itemTotal}
        page={page}
        rowsPerPage={size}
        rowsPerPageOptions={pageSizes}
        labelDisplayedRows={({ from, to, count }) =>
          translate('stations.maintainBill.range', { from, to, total: count })
        }
        getItemAriaLabel={(it) => translate(`stations.maintainBill.${it}`)}
        labelRowsPerPage={translate('stations.maintainBill.perPage')}
        onPageChange={(_, next) => setPage(next)}
        onRowsPerPageChange={(event) => {
          setSize(Number(event.target.value));
          setPage(0);
        }}
      />
    </Box>
  );
}
