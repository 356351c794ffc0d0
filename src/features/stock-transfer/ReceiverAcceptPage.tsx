import { useMemo } from 'react';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { useStation } from '#app/parts/scan/useStation.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { TransferSnStatus } from '#domain/enums.ts';
import { attemptReceiverAccept, receiverAccept } from './contract.ts';
import { isToSign } from './rules.ts';
import { countsOf, TransferFacts } from './TransferFacts.tsx';
import type { Line, Loaded } from './useTransfer.ts';
import { useTransferPage } from './useTransferPage.tsx';

/** What has arrived of a transfer is signed for at its receiving site, all of it or a part. Rule: transfers#receiving. */
export default function ReceiverAcceptPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const { bill, sktbId, problem, ofStation, ofPage } = useTransferPage('receiverAccept', id);
  const station = useStation<
    DataOf<typeof attemptReceiverAccept>,
    InputOf<typeof receiverAccept>,
    DataOf<typeof receiverAccept>
  >({
    name: 'transferIn',
    ...ofStation,
    check: (sn) => send(attemptReceiverAccept, { sn, sktbId }),
    submit: (input, key) => send(receiverAccept, input, { key }),
    successText: ({ receivedCount, remainCount }) =>
      translate('bills.transfer.received', { smart_count: receivedCount, remain: remainCount }),
  });
  const { accepted, actions } = station;
  const counts = countsOf(accepted);

  const no = (text: string) => actions.showVerdict({ kind: 'wrong', sn: '', text });
  const press = () => {
    if (!bill || problem) return no(problem);
    if (accepted.length === 0) return no(translate('stations.emptyMsg'));
    actions.submit(
      { sktbId, receiveSiteId: bill.receiveSiteId, idList: accepted.flatMap(({ data }) => data?.id ?? []) },
      accepted.map((it) => it.key),
    );
  };
  const doneOf = (line: Line) => received(line) + (counts.get(line.sktblId) ?? 0);
  const label = translate('bills.transfer.receivedOf');
  const done = (bill?.rmaStockTransferBillLineList ?? []).reduce((sum, it) => sum + doneOf(it), 0);
  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('bills.transfer.receive')}
      station={station}
      primary={{ label: translate('bills.transfer.receiveDo', { smart_count: accepted.length }), press }}
      {...ofPage}
      describe={({ data }) => data && `${data.name} · ${data.salesCode}`}
      tally={bill ? [{ label, value: `${done} / ${bill.count}` }] : []}
      facts={
        <>
          <TransferFacts bill={bill} label={label} doneOf={doneOf} />
          {bill && !problem && <Remaining bill={bill} scanned={accepted} />}
        </>
      }
    />
  );
}

const received = (line: Line): number =>
  line.stockTransferBillLineItemList.filter((it) => it.snStatus === TransferSnStatus.Received).length;

/** The SNs that are still to be scanned. */
function Remaining({ bill, scanned }: { bill: Loaded; scanned: readonly { sn: string }[] }) {
  const translate = useTranslate();
  const rest = useMemo(() => {
    const there = new Set(scanned.map((it) => it.sn));
    return bill.rmaStockTransferBillLineList.flatMap((line) =>
      line.stockTransferBillLineItemList
        .filter((it) => isToSign(it) && !there.has(it.sn ?? ''))
        .map((it) => ({ id: String(it.id), code: it.sn ?? '', name: line.name ?? '', done: 0, expected: 1 })),
    );
  }, [bill, scanned]);
  if (rest.length === 0) return null;
  return (
    <Panel title={translate('bills.transfer.remaining', { smart_count: rest.length })}>
      <LineProgress lines={rest} />
    </Panel>
  );
}
