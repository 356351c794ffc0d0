import { memo, useCallback, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { codeSx } from '#app/theme.ts';
import { deleteReceived } from './contract.ts';
import type { Bill, FormLine } from './receiveLines.tsx';

interface Props {
  bill: Bill | null;
  lines: readonly FormLine[];
  scanned: number;
  onDeleted: () => void;
}

/** The rows of what was received before that are shown at first, and how many more at a time. */
const ROWS = 100;

/** The bill: what it declares, what is here, what is missing, and what was received before. */
export function ReceiptBill({ bill, lines, scanned, onDeleted }: Props) {
  const translate = useTranslate();
  // A scan changes nothing of what was received before.
  const latest = useRef(onDeleted);
  useEffect(() => {
    latest.current = onDeleted;
  });
  const deleted = useCallback(() => latest.current(), []);
  if (!bill) return <Panel title={translate('stations.bill')}>{translate('stations.shipNoMsg')}</Panel>;
  const expected = lines.reduce((sum, it) => sum + it.count, 0);
  const before = lines.reduce((sum, it) => sum + it.receivedCount, 0);
  return (
    <>
      <BillPanel bill={bill} />
      <Panel title={translate('stations.receive.expected')}>
        <BigCount done={before + scanned} expected={expected} label={translate('stations.receive.receivedOf')} />
        <LineProgress
          lines={lines.map((it) => ({
            id: it.mtblId || it.salesCode,
            code: it.salesCode,
            name: it.mtblId ? it.name : `${it.name} (${translate('stations.receive.newLine')})`,
            done: it.receivedCount + it.scans.length,
            expected: it.count,
          }))}
        />
      </Panel>
      <ReceivedBefore bill={bill} onDeleted={deleted} />
    </>
  );
}

function BillPanel({ bill }: { bill: Bill }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  return (
    <Panel title={translate('stations.bill')}>
      <FactGrid
        facts={[
          { label: translate('stations.field.mtbId'), value: bill.mtbId, code: true },
          { label: translate('stations.field.billStatus'), value: labelOf('billStatus', bill.billStatus) },
          { label: translate('stations.field.userName'), value: bill.userName },
          { label: translate('stations.field.receiveShipNo'), value: bill.receiveShipNo, code: true },
        ]}
      />
    </Panel>
  );
}

/** Units that are on the bill already; those not yet checked can be taken off again. Decisions 2 E06. */
const ReceivedBefore = memo(function ReceivedBefore({ bill, onDeleted }: { bill: Bill; onDeleted: () => void }) {
  const translate = useTranslate();
  const notices = useNotices();
  const [rows, setRows] = useState(ROWS);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const { submit, sending, problem } = useSubmit(deleteReceived);
  const chosen = bill.itemsReceived.filter((it) => it.deletable && selected.includes(it.mtbliId));
  if (bill.itemsReceived.length === 0) return null;

  const toggle = (id: string) =>
    setSelected(selected.includes(id) ? selected.filter((it) => it !== id) : [...selected, id]);
  const remove = async () => {
    if (chosen.length === 0) return notices.warning(translate('stations.selectMsg'));
    const rmaReceiveBillLineRequestList = [...new Set(chosen.map((it) => it.mtblId))].map((mtblId) => {
      const snList = chosen.filter((it) => it.mtblId === mtblId).map((it) => it.receiveSn);
      return { mtblId, count: snList.length, snList };
    });
    const done = await submit({ mtbId: bill.mtbId, rmaReceiveBillLineRequestList });
    if (!done) return;
    setSelected([]);
    notices.success(translate('stations.deleteMsg'));
    onDeleted();
  };

  return (
    <Panel
      title={translate('stations.receive.before', { smart_count: bill.itemsReceived.length })}
      action={
        <Button color="error" disabled={sending} onClick={() => void remove()}>
          {translate('stations.delete')}
        </Button>
      }
    >
      {problem && <Box sx={{ color: 'error.main', mb: 2 }}>{problem}</Box>}
      <TableContainer sx={{ maxHeight: 500 }}>
        <Table size="small">
          <TableBody>
            {bill.itemsReceived.slice(0, rows).map((it) => (
              <TableRow key={it.mtbliId} sx={{ height: 36 }}>
                <TableCell sx={{ width: 36, p: 0 }}>
                  <Checkbox
                    size="small"
                    disabled={!it.deletable}
                    checked={selected.includes(it.mtbliId)}
                    onChange={() => toggle(it.mtbliId)}
                    slotProps={{ input: { 'aria-label': it.receiveSn } }}
                  />
                </TableCell>
                <TableCell sx={codeSx}>{it.receiveSn}</TableCell>
                <TableCell sx={{ color: 'text.secondary' }}>{it.itemName}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {bill.itemsReceived.length > rows && (
        <Button onClick={() => setRows(rows + ROWS)}>{translate('stations.showMore')}</Button>
      )}
    </Panel>
  );
});
