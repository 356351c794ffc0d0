import { useMemo } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { NoBill } from '#app/parts/NoBill.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { GoodsType } from '#domain/enums.ts';
import { isWaybill } from '#domain/waybill.ts';
import { type Loaded, openLines } from './useStockupBill.ts';

interface Scanned {
  sn: string;
  data?: { mtblId: string };
}

/** The bill, what of it is there with what is scanned, and the SNs that are still missing. */
export function DeliverFacts({ loaded, scanned }: { loaded: Loaded | null | undefined; scanned: readonly Scanned[] }) {
  const translate = useTranslate();
  if (!loaded)
    return (
      <NoBill
        title={translate('stations.deliver.bill')}
        loadFirst={translate('stations.deliver.shipNoMsg')}
        isUnread={loaded === undefined}
      />
    );
  return (
    <>
      <BillPanel bill={loaded.bill} />
      <ExpectedPanel loaded={loaded} scanned={scanned} />
      <RemainingPanel loaded={loaded} scanned={scanned} />
    </>
  );
}

function BillPanel({ bill }: { bill: Loaded['bill'] }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  return (
    <Panel title={translate('stations.deliver.bill')}>
      <FactGrid
        facts={[
          { label: translate('stations.field.skbId'), value: bill.skbId, code: true },
          { label: translate('stations.field.status'), value: labelOf('stockupStatus', bill.status) },
          { label: translate('stations.field.mtbId'), value: bill.mtbId, code: true },
          {
            label: translate('stations.field.deliverShipNo'),
            value: isWaybill(bill.deliverShipNo) && bill.deliverShipNo,
            code: true,
          },
          { label: translate('stations.field.userName'), value: bill.userName },
          { label: translate('stations.field.mobile'), value: bill.mobile },
        ]}
      />
      <Box sx={{ mt: 3 }}>
        <FactGrid isOneColumn facts={[{ label: translate('stations.field.address'), value: bill.address }]} />
      </Box>
    </Panel>
  );
}

function ExpectedPanel({ loaded, scanned }: { loaded: Loaded; scanned: readonly Scanned[] }) {
  const translate = useTranslate();
  const { bill, maintainBillLines } = loaded;
  const counts = useMemo(() => {
    const byLine = new Map<string, number>();
    for (const { data } of scanned) if (data) byLine.set(data.mtblId, (byLine.get(data.mtblId) ?? 0) + 1);
    return byLine;
  }, [scanned]);
  return (
    <Panel title={translate('stations.deliver.expected')}>
      <BigCount
        done={bill.deliveredCount + scanned.length}
        expected={bill.allCount}
        label={translate('stations.deliver.scannedOf')}
      />
      <LineProgress
        lines={maintainBillLines.map((it) => ({
          id: it.mtblId,
          code: it.salesCode,
          name: it.productName ?? '',
          done: it.deliverCount + (counts.get(it.mtblId) ?? 0),
          expected: it.shouldDeliverCount,
        }))}
      />
    </Panel>
  );
}

/** The SNs that are still to be scanned. */
function RemainingPanel({ loaded, scanned }: { loaded: Loaded; scanned: readonly Scanned[] }) {
  const translate = useTranslate();
  const open = useMemo(() => openLines(loaded, GoodsType.Device), [loaded]);
  const rest = useMemo(() => {
    const there = new Set(scanned.map((it) => it.sn));
    return open.filter((it) => !there.has(it.sn));
  }, [open, scanned]);
  if (rest.length === 0) return null;
  return (
    <Panel title={translate('stations.deliver.remaining', { smart_count: rest.length })}>
      <LineProgress
        lines={rest.map((it) => ({ id: it.skblId, code: it.sn, name: it.productName ?? '', done: 0, expected: 1 }))}
      />
    </Panel>
  );
}
