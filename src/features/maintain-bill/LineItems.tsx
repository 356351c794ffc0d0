import { useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TablePagination from '@mui/material/TablePagination';
import TableRow from '@mui/material/TableRow';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { RowActions } from '#app/engine/RowActions.tsx';
import type { Pager } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** Spec 2 §9. */
const pageSizes = [10, 50, 100, 150, 200];
const pager = { method: 'GET', path: '/api/rmaMaintainBillLineItem/pager.json', writes: false } as const;

/** The units of one line of a bill, by the page. */
export function LineItems({ mtblId }: { mtblId: string }) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const lang = useLanguage();
  const [page, setPage] = useState(0);
  const [size, setSize] = useState(10);
  const [chosen, setChosen] = useState<number | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [pager.path, mtblId, page, size, lang],
    queryFn: () => sendTo<Pager>(pager, { mtblId, pageStart: page * size, pageCount: size }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Alert severity="error">{reasonOf(error)}</Alert>;
  if (!data) return <Box sx={{ height: 96 }} />;
  const columns = data.columns ?? [];
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}>
      <RowActions
        menuNo="rmaMaintainBillLineItemList"
        rows={data.items.filter((it) => it.id === chosen)}
        onDone={() => void refetch()}
      />
      <TableContainer sx={{ maxHeight: data.maxHeight ?? 550 }}>
        <Table size="small" stickyHeader aria-label={translate('stations.maintainBill.units')}>
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
            {data.items.length === 0 && (
              <TableRow>
                <TableCell colSpan={columns.length} sx={{ height: 64, color: 'text.secondary' }}>
                  {translate('stations.maintainBill.noUnits')}
                </TableCell>
              </TableRow>
            )}
            {data.items.map((item) => (
              <TableRow
                key={item.id}
                hover
                selected={item.id === chosen}
                aria-selected={item.id === chosen}
                tabIndex={0}
                onClick={() => setChosen(item.id === chosen ? null : item.id)}
                onKeyDown={(event) => {
                  if (event.key !== ' ') return;
                  event.preventDefault();
                  setChosen(item.id === chosen ? null : item.id);
                }}
                sx={{ height: 36, cursor: 'pointer' }}
              >
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
