import { useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, GoodsType, SubmitType } from '#domain/enums.ts';
import { checkDelivery, submitDeliverBill } from './contract.ts';
import { DeliverBoards } from './DeliverBoards.tsx';
import { DeliverFacts } from './DeliverFacts.tsx';
import { RebindDialog } from './RebindDialog.tsx';
import { openLines, useStockupBill } from './useStockupBill.ts';

type Unit = DataOf<typeof checkDelivery> & { warning?: string };

/** Units leave the workshop on their stock-up bill, SN by SN or boards by their number. Rule: delivering#station. */
export default function DeliverPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const { scope, loaded, shipNo, isLoading, isNamed, load, refresh } = useStockupBill();
  const skbId = loaded?.bill.skbId ?? '';
  const [tab, setTab] = useState<string>(GoodsType.Device);
  /** Devices whose parts were asked for already. */
  /** The scan whose parts have just been entered. */
  const bound = useRef('');
  const askedOf = usePersistedState<readonly string[]>(scope, 'askedOf', []);

  const station = useStation<Unit, InputOf<typeof submitDeliverBill>, DataOf<typeof submitDeliverBill>>({
    name: 'deliver',
    bill: skbId,
    isBillUnread: loaded === undefined,
    blockedBy: () => {
      if (!loaded) return translate('stations.deliver.shipNoMsg');
      return openLines(loaded, GoodsType.Device).length === 0 ? translate('stations.completeDelivery') : undefined;
    },
    check: async (sn) => {
      const unit = await send(checkDelivery, { sn, skbId });
      return unit.needRebind === Flag.Yes ? { ...unit, warning: translate('stations.deliver.noParts') } : unit;
    },
    // The device that is asked about, scanned again: what comes next are its parts.
    onText: (text): boolean => {
      const isAgain = unbound !== undefined && unbound.sn === readSn(text) && unbound.key !== bound.current;
      const part = isAgain ? findVisible<HTMLInputElement>('[role=dialog] input[data-scan=part]') : undefined;
      part?.focus();
      return part !== undefined;
    },
    submit: (input, key) => send(submitDeliverBill, input, { key }),
    onSubmitted: () => {
      askedOf.set([]);
      void load(shipNo);
    },
    refresh,
    successText: ({ deliveredCount, remainCount }) =>
      translate('stations.deliver.told', { smart_count: deliveredCount, remain: remainCount }),
  });
  const { accepted, actions } = station;

  const press = () => {
    if (!loaded) return actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.deliver.shipNoMsg') });
    if (accepted.length === 0)
      return actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.emptyMsg') });
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

  const unbound = accepted.find(({ sn, data }) => data?.needRebind === Flag.Yes && !askedOf.value.includes(sn));
  const tabs = { value: tab, onChange: setTab };
  const before = (
    <>
      <BillLoader
        label={translate('stations.deliver.shipNo')}
        initial={shipNo}
        isLoaded={Boolean(loaded)}
        isLoading={isLoading}
        isUnread={loaded === undefined}
        onLoad={load}
      />
    </>
  );
  const facts = <DeliverFacts loaded={loaded} scanned={accepted} />;
  const tally = loaded
    ? [
        {
          label: translate('stations.deliver.scannedOf'),
          value: `${loaded.bill.deliveredCount + accepted.length} / ${loaded.bill.allCount}`,
        },
      ]
    : [];
  if (tab === GoodsType.Board) {
    return (
      <DeliverBoards
        key={skbId}
        menuNo={menuNo}
        loaded={loaded}
        tabs={tabs}
        before={before}
        facts={facts}
        onDelivered={() => void load(shipNo)}
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
        isHeld={isLoading || loaded === undefined}
        isClosed={isNamed || !loaded}
        commands={{ tabs }}
        idle={loaded === null ? translate('stations.deliver.shipNoMsg') : undefined}
        before={before}
        describe={({ data }) => data && `${data.name} · ${data.salesCode}`}
        tally={tally}
        facts={facts}
      />
      {unbound && (
        <RebindDialog
          key={unbound.sn}
          sn={unbound.sn}
          onWrong={(text) => actions.showVerdict({ kind: 'wrong', sn: unbound.sn, text })}
          onClose={() => askedOf.set((now) => [...now, unbound.sn])}
          // What is known of it is no longer true: it is asked about as if it had been scanned now.
          onBound={() => {
            bound.current = unbound.key;
            actions.remove([unbound.key]);
            actions.scan(unbound.sn);
          }}
        />
      )}
    </>
  );
}
