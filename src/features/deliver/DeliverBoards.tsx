import { type ReactNode, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Radio from '@mui/material/Radio';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'ra-core';
import { EMPTY } from '#app/fields/format.ts';
import { useNotices } from '#app/notify.ts';
import { Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import type { TabsProps } from '#app/parts/StationTabs.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useStationKiosk } from '#app/shell/useStationKiosk.ts';
import { besideLabelSx, codeSx } from '#app/theme.ts';
import { Flag, GoodsType, SubmitType } from '#domain/enums.ts';
import { submitDeliverBill } from './contract.ts';
import type { Loaded } from './useStockupBill.ts';

type Line = Loaded['maintainBillLines'][number];

interface Props {
  menuNo: string;
  loaded: Loaded | null | undefined;
  tabs: TabsProps;
  before: ReactNode;
  facts: ReactNode;
  onDelivered: () => void;
}

const openOf = (it: Line) => it.shouldDeliverCount - it.deliverCount;

/** Boards leave by their number: all of a line, as soon as somebody has counted them. Rule: events#e26. */
export function DeliverBoards({ menuNo, loaded, tabs, before, facts, onDelivered }: Props) {
  const translate = useTranslate();
  const kiosk = useStationKiosk();
  const notices = useNotices();
  const { submit, sending, problem } = useSubmit(submitDeliverBill);
  const [selected, setSelected] = useState('');
  const [count, setCount] = useState('');
  /** What was counted, by line. */
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const [message, setMessage] = useState('');
  const lines = (loaded?.maintainBillLines ?? []).filter((it) => it.type === GoodsType.Board && openOf(it) > 0);
  const only = lines.length === 1 ? lines[0] : undefined;
  const row = only ?? lines.find((it) => it.mtblId === selected);
  const leaving = lines.filter((it) => counts[it.mtblId] === openOf(it));
  const total = leaving.reduce((sum, it) => sum + openOf(it), 0);
  const first = useRef<HTMLInputElement>(null);
  const counted = useRef<HTMLInputElement>(null);
  const hasLines = lines.length > 0;
  const hasOnly = only !== undefined;
  useEffect(() => {
    if (hasLines) (hasOnly ? counted : first).current?.focus();
  }, [hasLines, hasOnly]);

  const set = () => {
    if (!loaded) return setMessage(translate('stations.deliver.shipNoMsg'));
    if (lines.length === 0) return setMessage(translate('stations.completeDelivery'));
    if (!row) return setMessage(translate('stations.selectMsg'));
    if (Number(count) !== openOf(row)) return setMessage(translate('stations.confirmCountMsg'));
    setMessage('');
    setCounts({ ...counts, [row.mtblId]: openOf(row) });
    setSelected('');
    setCount('');
  };
  const press = async () => {
    if (!loaded) return setMessage(translate('stations.deliver.shipNoMsg'));
    if (leaving.length === 0) return setMessage(translate('stations.emptyMsg'));
    const waiting = loaded.bill.rmaStockupBillLineList.filter((it) => it.delivered !== Flag.Yes);
    const rmaDeliverBillLineList = leaving.map((it) => ({
      sklId: waiting.find(({ mtblId }) => mtblId === it.mtblId)?.skblId ?? '',
      salesCode: it.salesCode,
      submitCount: openOf(it),
    }));
    const done = await submit({ skbId: loaded.bill.skbId, submitType: SubmitType.WithoutSn, rmaDeliverBillLineList });
    if (!done) return;
    setCounts({});
    const { deliveredCount, remainCount } = done;
    notices.success(translate('stations.deliver.told', { smart_count: deliveredCount, remain: remainCount }));
    onDelivered();
  };

  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={translate('stations.deliver.title')}
      problem={message || problem}
      primary={{
        label: translate('stations.deliverBoards.do', { smart_count: total }),
        press: () => void press(),
        disabled: sending,
      }}
      tabs={tabs}
      kiosk={kiosk}
      before={before}
      aside={facts}
    >
      <Panel title={translate('stations.deliverBoards.lines')}>
        {lines.length === 0 ? (
          <Box sx={{ color: 'text.secondary' }}>{loaded && translate('stations.deliverBoards.none')}</Box>
        ) : (
          <SideScroll sx={{ maxHeight: 500 }}>
            <Table size="small" stickyHeader aria-label={translate('stations.deliverBoards.lines')}>
              <TableHead>
                <TableRow>
                  <TableCell sx={{ width: 44, p: 0 }} />
                  <TableCell>{translate('stations.field.salesCode')}</TableCell>
                  <TableCell>{translate('stations.field.itemName')}</TableCell>
                  <TableCell align="right">{translate('stations.deliverBoards.open')}</TableCell>
                  <TableCell align="right">{translate('stations.deliverBoards.count')}</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {lines.map((it, i) => (
                  <TableRow key={it.mtblId} sx={{ height: 36 }} selected={it === row}>
                    <TableCell sx={{ p: 0 }}>
                      <Radio
                        size="small"
                        checked={it === row}
                        onChange={() => setSelected(it.mtblId)}
                        slotProps={{
                          input: {
                            ref: i === 0 ? first : undefined,
                            'aria-label': translate('stations.deliverBoards.choose', { code: it.salesCode }),
                          },
                        }}
                      />
                    </TableCell>
                    <TableCell sx={codeSx}>{it.salesCode}</TableCell>
                    <TableCell>{it.productName}</TableCell>
                    <TableCell align="right">{openOf(it)}</TableCell>
                    <TableCell align="right">{counts[it.mtblId] ?? EMPTY}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </SideScroll>
        )}
      </Panel>
      <Box sx={{ display: hasLines ? 'flex' : 'none', gap: 2, alignItems: 'flex-start' }}>
        <NumberField
          isBare
          inputRef={counted}
          label={translate('stations.deliverBoards.count')}
          value={count}
          width={160}
          onChange={(it) => {
            setCount(it);
            setMessage('');
          }}
          onKeyDown={(event) => {
            if (!isPlainEnter(event)) return;
            event.preventDefault();
            set();
          }}
        />
        <Button variant="outlined" size="medium" onClick={set} sx={besideLabelSx}>
          {translate('stations.deliverBoards.set')}
        </Button>
      </Box>
    </FormFrame>
  );
}
