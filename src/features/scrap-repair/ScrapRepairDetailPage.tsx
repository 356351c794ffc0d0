import { useTranslate } from 'ra-core';
import { factsOf, fieldsBelowHead, statusOf } from '#app/engine/factsOf.tsx';
import { Lines, listsOf } from '#app/engine/Lines.tsx';
import { useRecordActions } from '#app/engine/useRecordActions.tsx';
import type { Detail } from '#app/engine/wire.ts';
import { addressOfBill } from '#app/parts/billPage.ts';
import { DetailLayout, Section } from '#app/parts/DetailLayout.tsx';
import { FactGrid } from '#app/parts/Facts.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { ScrapRepairStatus } from '#domain/enums.ts';
import { AcceptedUnits } from './AcceptedUnits.tsx';
import { loadScrapRepair } from './contract.ts';

type Bill = Detail & { srbId: string; billStatus: string };

/** A bill with its SNs; of one that has ended each main SN opens to what was done for it. Rule: scrap-repair#detail. */
export default function ScrapRepairDetailPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const { data: bill, error, reload } = useRecord<Bill>('rmaScrapRepairBill', id);
  const isEnded = bill?.billStatus === ScrapRepairStatus.Ended;
  const units = useLookup(loadScrapRepair, { srbId: bill?.srbId ?? '' }, { enabled: isEnded, staleTime: 0 });
  const { actions, dialog } = useRecordActions(menuNo, bill, reload);
  useTabName(bill?.srbId);
  return (
    <DetailLayout
      head={
        <PageHead
          {...{ menuNo, actions }}
          isReading={!bill && error === ''}
          status={bill && statusOf(bill.view, bill)}
        />
      }
      isReading={!bill && error === ''}
    >
      {error && (
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={error}
          onAgain={reload}
        />
      )}
      {bill && (
        <>
          <FactGrid
            isFramed
            facts={factsOf({
              ...bill.view,
              columns: fieldsBelowHead(bill.view, bill),
              row: bill,
              own: addressOfBill(menuNo, bill.srbId),
            })}
          />
          {isEnded && units.data && (
            <Section title={translate('bills.scrapRepair.units', { smart_count: units.data.unitList.length })}>
              <AcceptedUnits units={units.data.unitList} />
            </Section>
          )}
          {listsOf(bill).map((it) => (
            <Section key={it.name} title={it.view.label}>
              <Lines list={it} maxHeight={bill.view.maxHeight ?? 550} />
            </Section>
          ))}
        </>
      )}
      {dialog}
    </DetailLayout>
  );
}
