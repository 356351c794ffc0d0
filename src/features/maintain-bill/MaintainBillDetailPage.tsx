import { Fragment, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import IconButton from '@mui/material/IconButton';
import KeyboardArrowDown from '@mui/icons-material/KeyboardArrowDown';
import KeyboardArrowRight from '@mui/icons-material/KeyboardArrowRight';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { RowActions } from '#app/engine/RowActions.tsx';
import type { Detail, Row } from '#app/engine/wire.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { useRecord } from '#app/parts/useRecord.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { BillActions } from './BillActions.tsx';
import { LineItems, pager } from './LineItems.tsx';

type Bill = Detail & { mtbId: string; rmaMaintainBillLineList?: Row[] };

/** One customer's bill: who, what was declared, how far each line has come, and its units. Rule: bills#detail. */
export default function MaintainBillDetailPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const { data: bill, error, reload } = useRecord<Bill>('rmaMaintainBill', id);
  const [selected, setSelected] = useState<ReadonlyMap<number, Row>>(new Map());
  useTabName(bill?.mtbId);
  const select = (rows: readonly Row[], to: boolean) => {
    const next = new Map(selected);
    for (const row of rows)
      if (to) next.set(row.id, row);
      else next.delete(row.id);
    setSelected(next);
  };
  const clear = () => setSelected(new Map());
  const readAgain = () => {
    clear();
    reload();
    void queries.invalidateQueries({ queryKey: [pager.path] });
  };
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      <StationTitle menuNo={menuNo} title={bill?.mtbId ?? ''} />
      <Box sx={{ px: 4, pb: 4, display: 'flex', flexDirection: 'column', gap: 4 }}>
        {error && <Alert severity="error">{error}</Alert>}
        {bill && (
          <>
            <Panel title={translate('stations.bill')}>
              <FactGrid
                facts={bill.view.fields.map((column) => ({
                  label: column.label,
                  value: cellOf(column, bill, bill.view.labels),
                }))}
              />
            </Panel>
            <Lines bill={bill} selected={selected} onSelect={select} />
          </>
        )}
      </Box>
      {bill && <BillActions bill={bill} rows={[...selected.values()]} onClear={clear} onDone={readAgain} />}
    </Box>
  );
}

/** What is done to a line here changes nothing that is shown of it. */
const nothing = () => undefined;

interface LinesProps {
  bill: Bill;
  selected: ReadonlyMap<number, Row>;
  onSelect: (rows: readonly Row[], to: boolean) => void;
}

/** The lines with their counts; a click shows and hides the units of one. */
function Lines({ bill, selected, onSelect }: LinesProps) {
  const translate = useTranslate();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { label: title, columns } = bill.view.lines?.['rmaMaintainBillLineList'] ?? { label: '', columns: [] };
  const lines = bill.rmaMaintainBillLineList ?? [];
  const toggle = ({ id }: Row) =>
    setOpen(open.has(id) ? new Set([...open].filter((it) => it !== id)) : new Set([...open, id]));
  return (
    <Panel title={title}>
      <TableContainer>
        <Table size="small" aria-label={title}>
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
                <TableCell
                  colSpan={columns.length + 1}
                  sx={{ height: 64, textAlign: 'center', color: 'text.secondary' }}
                >
                  {translate('stations.maintainBill.noLines')}
                </TableCell>
              </TableRow>
            )}
            {lines.map((line) => (
              <Fragment key={line.id}>
                <TableRow
                  hover
                  selected={open.has(line.id)}
                  onClick={() => toggle(line)}
                  sx={{ height: 36, cursor: 'pointer' }}
                >
                  <TableCell sx={{ p: 0 }}>
                    <IconButton
                      size="small"
                      aria-expanded={open.has(line.id)}
                      aria-label={translate('stations.maintainBill.items', { code: String(line['salesCode']) })}
                      onClick={(event) => {
                        event.stopPropagation();
                        toggle(line);
                      }}
                    >
                      {open.has(line.id) ? <KeyboardArrowDown /> : <KeyboardArrowRight />}
                    </IconButton>
                  </TableCell>
                  {columns.map((column) => (
                    <TableCell key={column.name} align={column.align} sx={{ whiteSpace: 'nowrap' }}>
                      {cellOf(column, line, bill.view.labels)}
                    </TableCell>
                  ))}
                </TableRow>
                {open.has(line.id) && (
                  <TableRow>
                    <TableCell colSpan={columns.length + 1} sx={{ p: 3, maxWidth: 0, bgcolor: 'background.default' }}>
                      <RowActions menuNo="rmaMaintainBillLineList" rows={[line]} onDone={nothing} />
                      <LineItems line={line} selected={selected} onSelect={onSelect} />
                    </TableCell>
                  </TableRow>
                )}
              </Fragment>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Panel>
  );
}
