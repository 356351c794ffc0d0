import { useEffect, useMemo, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { useKept } from '#app/parts/scan/useKept.ts';
import { useWordOfAddress } from '#app/parts/scan/useScanOfAddress.ts';
import { usePlace, useStation } from '#app/parts/scan/useStation.ts';
import { shown } from '#app/parts/shown.ts';
import { StationTabs } from '#app/parts/StationTabs.tsx';
import { CallError, send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, GoodsType, StockupStatus, SubmitType } from '#domain/enums.ts';
import { refusals } from '#domain/refusal.ts';
import { attemptDeliver, loadStockupBill, submitDeliverBill } from './contract.ts';
import { DeliverBoards } from './DeliverBoards.tsx';
import { RebindDialog } from './RebindDialog.tsx';

type Unit = DataOf<typeof attemptDeliver> & { warning?: string };
type Loaded = DataOf<typeof loadStockupBill>;

/** Units leave the house on their stock-up bill, SN by SN or boards by their number. Spec 2 §4 Deliver. */
export default function DeliverPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const place = usePlace('deliver-setting', '');
  const shipNo = useKept(place, 'shipNo', '');
  const kept = useKept<Loaded | undefined>(place, 'bill', undefined);
  const loaded = kept.value ?? null;
  const [isLoading, setLoading] = useState(false);
  const skbId = loaded?.bill.skbId ?? '';
  const [tab, setTab] = useState<string>(GoodsType.Device);
  /** Devices whose parts were asked for already. */
  const [askedOf, setAskedOf] = useState<readonly string[]>([]);

  const station = useStation<Unit, InputOf<typeof submitDeliverBill>, DataOf<typeof submitDeliverBill>>({
    name: 'deliver',
    bill: skbId,
    closed: () => {
      if (!loaded) return translate('stations.shipNoMsg');
      return openLines(loaded, GoodsType.Device).length === 0 ? translate('stations.completeDelivery') : undefined;
    },
    check: async (sn) => {
      const unit = await send(attemptDeliver, { sn, skbId });
      return unit.needRebind === Flag.Yes ? { ...unit, warning: translate('stations.deliver.noParts') } : unit;
    },
    submit: (input, key) => send(submitDeliverBill, input, { key }),
    submitted: () => void load(shipNo.value),
    refresh: () => void load(shipNo.value, { quiet: true }),
    told: ({ deliveredCount, remainCount }) =>
      translate('stations.deliver.told', { smart_count: deliveredCount, remain: remainCount }),
  });
  const { accepted, actions } = station;

  const isAsked = useRef(false);
  async function load(no: string, { quiet = false } = {}): Promise<string> {
    if (no === '') return translate('stations.shipNoMsg');
    isAsked.current = true;
    if (quiet) return bring(no);
    setLoading(true);
    const problem = await bring(no);
    setLoading(false);
    return problem;
  }
  /** Gives why there is nothing to deliver on it, or nothing. */
  async function bring(no: string): Promise<string> {
    try {
      const answer = await send(loadStockupBill, { deliverShipNo: no });
      kept.set(answer);
      shipNo.set(no);
      return openLines(answer).length === 0 ? translate('stations.completeDelivery') : '';
    } catch (error) {
      if (isComplete(error) && no === shipNo.value && loaded) kept.set(wholly(loaded));
      return error instanceof CallError && error.msg ? error.msg : translate('shell.call.network');
    }
  }
  const isNamed = useWordOfAddress('shipNo', (no) => {
    void load(no);
    // As after the number was entered: what is scanned next is an SN.
    shown<HTMLInputElement>('input[data-scan=field]')?.focus();
  });
  useEffect(() => {
    if (!isAsked.current && !isNamed && shipNo.loaded && kept.loaded && shipNo.value !== '') void load(shipNo.value);
    // Once, when what is kept has arrived, unless a bill was asked for meanwhile, by hand or by the address.
  }, [shipNo.loaded, kept.loaded]);

  const scanned = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { data } of accepted) if (data) counts.set(data.mtblId, (counts.get(data.mtblId) ?? 0) + 1);
    return counts;
  }, [accepted]);

  const press = () => {
    if (!loaded) return actions.tell({ kind: 'wrong', sn: '', text: translate('stations.shipNoMsg') });
    if (accepted.length === 0) return actions.tell({ kind: 'wrong', sn: '', text: translate('stations.emptyMsg') });
    const rmaDeliverBillLineList = accepted.flatMap(({ sn, data }) =>
      data
        ? [
            {
              deliverItemId: data.deliverItemId,
              deliverSn: sn,
              sklId: data.sklId,
              submitCount: 1,
              salesCode: data.salesCode,
            },
          ]
        : [],
    );
    actions.submit(
      { skbId, submitType: SubmitType.WithSn, rmaDeliverBillLineList },
      accepted.map((it) => it.key),
    );
  };

  const bill = loaded?.bill;
  const unbound = accepted.find(({ sn, data }) => data?.needRebind === Flag.Yes && !askedOf.includes(sn));
  const tabs = { value: tab, onChange: setTab };
  const before = (
    <>
      <StationTabs {...tabs} />
      <BillLoader
        label={translate('stations.deliver.shipNo')}
        initial={shipNo.value}
        isLoaded={bill !== undefined}
        isLoading={isLoading}
        onLoad={load}
      />
    </>
  );
  const facts = bill ? (
    <>
      <Panel title={translate('stations.deliver.bill')}>
        <FactGrid
          facts={[
            { label: translate('stations.field.skbId'), value: bill.skbId, code: true },
            { label: translate('stations.field.status'), value: labelOf('stockupStatus', bill.status) },
            { label: translate('stations.field.mtbId'), value: bill.mtbId, code: true },
            { label: translate('stations.field.deliverShipNo'), value: bill.deliverShipNo, code: true },
            { label: translate('stations.field.userName'), value: bill.userName },
            { label: translate('stations.field.mobile'), value: bill.mobile },
          ]}
        />
        <Box sx={{ mt: 3 }}>
          <FactGrid isOneColumn facts={[{ label: translate('stations.field.address'), value: bill.address }]} />
        </Box>
      </Panel>
      <Panel title={translate('stations.deliver.expected')}>
        <BigCount
          done={bill.deliveredCount + accepted.length}
          expected={bill.allCount}
          label={translate('stations.deliver.scannedOf')}
        />
        <LineProgress
          lines={loaded.maintainBillLines.map((it) => ({
            id: it.mtblId,
            code: it.salesCode,
            name: it.productName ?? '',
            done: it.deliverCount + (scanned.get(it.mtblId) ?? 0),
            expected: it.shouldDeliverCount,
          }))}
        />
      </Panel>
      <Remaining loaded={loaded} scanned={accepted} />
    </>
  ) : (
    <Panel title={translate('stations.deliver.bill')}>{translate('stations.shipNoMsg')}</Panel>
  );
  if (tab === GoodsType.Board) {
    return (
      <DeliverBoards
        key={skbId}
        menuNo={menuNo}
        loaded={loaded}
        tabs={tabs}
        before={before}
        facts={facts}
        onDelivered={() => void load(shipNo.value)}
      />
    );
  }
  return (
    <>
      <ScanStation
        menuNo={menuNo}
        title={translate('stations.deliver.title')}
        station={station}
        primary={{ label: translate('stations.deliver.do', { smart_count: accepted.length }), press }}
        isHeld={isLoading}
        isClosed={isNamed || !loaded}
        commands={{ tabs }}
        idle={bill ? undefined : translate('stations.shipNoMsg')}
        before={before}
        describe={({ data }) => data && `${data.name} · ${data.salesCode}`}
        facts={facts}
      />
      {unbound && (
        <RebindDialog key={unbound.sn} sn={unbound.sn} onClose={() => setAskedOf([...askedOf, unbound.sn])} />
      )}
    </>
  );
}

const isComplete = (error: unknown) => error instanceof CallError && error.code === refusals.completeDelivery.code;

/** The loaded bill when nothing waits on it any more: the server then no longer answers it. */
const wholly = ({ bill, maintainBillLines }: Loaded): Loaded => ({
  bill: {
    ...bill,
    status: StockupStatus.Finished,
    deliveredCount: bill.allCount,
    rmaStockupBillLineList: bill.rmaStockupBillLineList.map((it) => ({ ...it, delivered: Flag.Yes })),
  },
  maintainBillLines: maintainBillLines.map((it) => ({ ...it, deliverCount: it.shouldDeliverCount })),
});

/** The SNs that are still to be scanned. */
function Remaining({ loaded, scanned }: { loaded: Loaded; scanned: readonly { sn: string }[] }) {
  const translate = useTranslate();
  const rest = useMemo(() => {
    const there = new Set(scanned.map((it) => it.sn));
    return openLines(loaded, GoodsType.Device).filter((it) => !there.has(it.sn));
  }, [loaded, scanned]);
  if (rest.length === 0) return null;
  return (
    <Panel title={translate('stations.deliver.remaining', { smart_count: rest.length })}>
      <LineProgress
        lines={rest.map((it) => ({ id: it.skblId, code: it.sn, name: it.productName ?? '', done: 0, expected: 1 }))}
      />
    </Panel>
  );
}

const openLines = ({ bill, maintainBillLines }: Loaded, type?: GoodsType) => {
  const alike = maintainBillLines.filter((it) => type === undefined || it.type === type).map((it) => it.mtblId);
  return bill.rmaStockupBillLineList.filter((it) => it.delivered !== Flag.Yes && alike.includes(it.mtblId));
};
