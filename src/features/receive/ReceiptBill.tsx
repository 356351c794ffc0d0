import { memo, useCallback, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { GroupCheckbox } from '#app/parts/GroupCheckbox.tsx';
import { NoBill } from '#app/parts/NoBill.tsx';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { codeSx } from '#app/theme.ts';
import { groupBy } from '#domain/group.ts';
import { deleteReceived } from './contract.ts';
import { type Bill, type FormLine, totalOf } from './receiveLines.tsx';

interface Props {
  /** Undefined until it has been read whether there is one. */
  bill: Bill | null | undefined;
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
  if (!bill)
    return (
      <NoBill
        title={translate('stations.bill')}
        loadFirst={translate('stations.shipNoMsg')}
        isUnread={bill === undefined}
      />
    );
  return (
    <>
      <BillPanel bill={bill} />
      <Panel title={translate('stations.receive.expected')}>
        <BigCount {...totalOf(lines, scanned)} label={translate('stations.receive.receivedOf')} />
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

/** Units that are on the bill already, line by line; those not yet checked can be taken off again. Rule: events#e06. */
const ReceivedBefore = memo(function ReceivedBefore({ bill, onDeleted }: { bill: Bill; onDeleted: () => void }) {
  const translate = useTranslate();
  const notices = useNotices();
  const [rows, setRows] = useState(ROWS);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const { submit, sending, problem } = useSubmit(deleteReceived);
  const lines = groupBy(bill.itemsReceived, (it) => it.mtblId);
  const chosen = bill.itemsReceived.filter((it) => it.deletable && selected.has(it.mtbliId));
  if (bill.itemsReceived.length === 0) return null;

  const choose = (items: readonly Received[], isChosen: boolean) => {
    const next = new Set(selected);
    for (const { mtbliId } of items)
      if (isChosen) next.add(mtbliId);
      else next.delete(mtbliId);
    setSelected(next);
  };
  const remove = async () => {
    setAsking(false);
    const rmaReceiveBillLineRequestList = [...groupBy(chosen, (it) => it.mtblId)].map(([mtblId, items]) => ({
      mtblId,
      count: items.length,
      snList: items.map((it) => it.receiveSn),
    }));
    const done = await submit({ mtbId: bill.mtbId, rmaReceiveBillLineRequestList });
    if (!done) return;
    setSelected(new Set());
    notices.success(translate('stations.deleteMsg'));
    onDeleted();
  };
  const press = () => {
    if (chosen.length === 0) notices.warning(translate('stations.selectMsg'));
    else if (chosen.length === 1) void remove();
    else setAsking(true);
  };

  let left = rows;
  return (
    <Panel
      title={translate('stations.receive.before', { smart_count: bill.itemsReceived.length })}
      action={
        <Button color="error" disabled={sending} onClick={press}>
          {translate('stations.delete')}
        </Button>
      }
    >
      {problem && <Box sx={{ color: 'error.main', mb: 2 }}>{problem}</Box>}
      <SideScroll sx={{ maxHeight: 500 }}>
        <Table size="small">
          {[...lines].map(([mtblId, items]) => {
            const shown = items.slice(0, Math.max(0, left));
            left -= shown.length;
            return shown.length === 0 ? null : (
              <ReceivedLine key={mtblId} items={items} shown={shown} selected={selected} onChoose={choose} />
            );
          })}
        </Table>
      </SideScroll>
      {bill.itemsReceived.length > rows && (
        <Button onClick={() => setRows(rows + ROWS)}>{translate('stations.showMore')}</Button>
      )}
      <Confirm
        thenScan
        danger
        open={asking}
        title={translate('stations.receive.takeOff')}
        action={translate('stations.delete')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void remove()}
      >
        {translate('stations.receive.takeOffText', { smart_count: chosen.length })}
      </Confirm>
    </Panel>
  );
});

type Received = Bill['itemsReceived'][number];

interface LineProps {
  items: readonly Received[];
  /** Those of them that are drawn. */
  shown: readonly Received[];
  selected: ReadonlySet<string>;
  onChoose: (items: readonly Received[], isChosen: boolean) => void;
}

/** One line of the bill: all of its units, or each by itself. */
function ReceivedLine({ items, shown, selected, onChoose }: LineProps) {
  const translate = useTranslate();
  const free = items.filter((it) => it.deletable);
  const count = free.filter((it) => selected.has(it.mtbliId)).length;
  const { salesCode = '' } = items[0] ?? {};
  return (
    <TableBody>
      <TableRow sx={{ height: 36 }}>
        <TableCell sx={{ width: 36, p: 0 }}>
          <GroupCheckbox
            label={translate('stations.receive.allOf', { code: salesCode })}
            disabled={free.length === 0}
            count={count}
            of={free.length}
            onChange={(_, isChosen) => onChoose(free, isChosen)}
          />
        </TableCell>
        <TableCell colSpan={2} sx={{ fontWeight: 600 }}>
          {salesCode} · {items.length}
        </TableCell>
      </TableRow>
      {shown.map((it) => (
        <TableRow key={it.mtbliId} sx={{ height: 36 }}>
          <TableCell sx={{ width: 36, p: 0 }}>
            <Checkbox
              size="small"
              disabled={!it.deletable}
              checked={selected.has(it.mtbliId)}
              onChange={(_, isChosen) => onChoose([it], isChosen)}
              slotProps={{ input: { 'aria-label': it.receiveSn } }}
            />
          </TableCell>
          <TableCell sx={codeSx}>{it.receiveSn}</TableCell>
          <TableCell sx={{ color: 'text.secondary' }}>{it.itemName}</TableCell>
        </TableRow>
      ))}
    </TableBody>
  );
}
