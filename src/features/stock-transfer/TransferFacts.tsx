import { useTranslate } from 'ra-core';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { LineProgress } from '#app/parts/LineProgress.tsx';
import { NoBill } from '#app/parts/NoBill.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { Line, Loaded } from './useTransfer.ts';

interface Props {
  bill: Loaded | null | undefined;
  /** What the large count says. */
  label: string;
  doneOf: (line: Line) => number;
}

/** The transfer, and what of its lines is there. */
export function TransferFacts({ bill, label, doneOf }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  if (!bill)
    return (
      <NoBill
        title={translate('bills.transfer.bill')}
        loadFirst={translate('bills.transfer.loadFirst')}
        isUnread={bill === undefined}
      />
    );
  const lines = bill.rmaStockTransferBillLineList;
  return (
    <>
      <Panel title={translate('bills.transfer.bill')}>
        <FactGrid
          facts={[
            { label: translate('bills.transfer.no'), value: bill.sktbId, code: true },
            { label: translate('stations.field.status'), value: labelOf('transferStatus', bill.billStatus) },
            { label: translate('stations.field.deliverSiteId'), value: bill.deliverSiteName },
            { label: translate('stations.field.receiveSiteId'), value: bill.receiveSiteName },
            ...(bill.remark ? [{ label: translate('stations.field.remark'), value: bill.remark }] : []),
          ]}
        />
      </Panel>
      <Panel title={translate('bills.transfer.progress')}>
        <BigCount done={lines.reduce((sum, it) => sum + doneOf(it), 0)} expected={bill.count} label={label} />
        <LineProgress
          lines={lines.map((it) => ({
            id: it.sktblId,
            code: it.salesCode,
            name: [it.name, labelOf('itemTypes', it.itemType), labelOf('storageType', it.storageType)].join(' · '),
            done: doneOf(it),
            expected: it.count,
          }))}
        />
      </Panel>
    </>
  );
}

/** How many were scanned of each line. */
export function countsOf(scanned: readonly { data?: { sktblId: string } }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { data } of scanned) if (data) counts.set(data.sktblId, (counts.get(data.sktblId) ?? 0) + 1);
  return counts;
}
