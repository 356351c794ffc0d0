import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import { statusOf } from '#app/engine/factsOf.tsx';
import { listsOf } from '#app/engine/Lines.tsx';
import type { Detail, Row } from '#app/engine/wire.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { CorrectionStatus } from '#domain/review.ts';
import { leftWithout, resubmitCorrection } from './contract.ts';
import { currencyOf, othersOf, textOf, toDraft, type SettledLine } from './rules.ts';
import { Entries } from './Entries.tsx';
import { NotHere } from './NotHere.tsx';

const MODULE = 'rmaCorrectionBill';

/** A correction that was rejected: its lines are changed or emptied, and it is handed in again. Rule: money#correction-bills. */
export default function ResubmitPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const { data: bill, error, reload } = useRecord<Detail>(MODULE, id);
  const { data: left, error: unread, refetch } = useLookup(leftWithout, { id: Number(id) }, { staleTime: 0 });
  const labelOf = useLabelOf();
  useTabName(textOf(bill?.['crbId']) || undefined);
  const isReading = (!bill && error === '') || (!left && !unread);
  const head = <PageHead menuNo={menuNo} isReading={isReading} status={bill && statusOf(bill.view, bill)} />;
  const again = () => {
    reload();
    void refetch();
  };
  const isRejected = bill?.['billStatus'] === CorrectionStatus.Rejected;
  if (!bill || !left || !isRejected)
    return (
      <NotHere
        head={head}
        isReading={isReading}
        reason={error || unread}
        told={bill && !isRejected ? translate('bills.corrections.notRejected') : undefined}
        onAgain={again}
      />
    );
  const leftOf = new Map(left.lines.map((it) => [it.lineId, it.left]));
  const othersOfLine = othersOf(left.others);
  const [lines] = listsOf(bill);
  const rows = lines?.rows ?? [];
  const remark = textOf(bill['reviewRemark']);
  const chargedFor = (what: string, charge: string) =>
    [what, charge && labelOf('chargeItems', charge)].filter(Boolean).join(' · ');
  const toLine = (row: Row): SettledLine => {
    const settled = textOf(row['settledAmount']) || '0';
    const lineId = Number(row['lineId']);
    const field = row['sn'] ? 'sn' : 'deliverShipNo';
    return {
      lineId,
      no: textOf(row[field]),
      field,
      what: chargedFor(textOf(row['settledFor']), textOf(row['chargeItems'])),
      settled,
      left: leftOf.get(lineId) ?? settled,
      others: othersOfLine(lineId),
    };
  };
  return (
    <Entries
      {...{ head, bill, left }}
      key={bill.id}
      module={MODULE}
      call={resubmitCorrection}
      seen={(version) => ({ version, settledVersion: left.settled.version })}
      currency={currencyOf(bill, rows)}
      label={lines?.view.label ?? ''}
      lines={rows.map(toLine)}
      count={lines?.view.total ?? rows.length}
      start={new Map(rows.map((it) => [Number(it['lineId']), toDraft(it)]))}
      told={remark && <Alert severity="warning">{remark}</Alert>}
      reload={again}
    />
  );
}
