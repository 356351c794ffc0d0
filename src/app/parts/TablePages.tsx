import TablePagination, { type TablePaginationProps } from '@mui/material/TablePagination';
import { useTranslate } from 'ra-core';

type Props = Pick<
  TablePaginationProps,
  'count' | 'page' | 'rowsPerPage' | 'rowsPerPageOptions' | 'onRowsPerPageChange' | 'sx'
> & { onPage: (page: number) => void };

/** The pages of a table within a page; without a choice of sizes each has as many rows. */
export function TablePages({ onPage, rowsPerPageOptions, ...props }: Props) {
  const translate = useTranslate();
  return (
    <TablePagination
      component="div"
      rowsPerPageOptions={rowsPerPageOptions ?? [props.rowsPerPage]}
      labelRowsPerPage={translate('stations.maintainBill.perPage')}
      labelDisplayedRows={({ from, to, count }) => translate('stations.maintainBill.range', { from, to, total: count })}
      getItemAriaLabel={(it) => translate(`stations.maintainBill.${it}`)}
      onPageChange={(_, next) => onPage(next)}
      {...props}
    />
  );
}
