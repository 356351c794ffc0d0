import { useState, type ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import { statusOf } from '#app/engine/factsOf.tsx';
import { FirstLines, listsOf } from '#app/engine/Lines.tsx';
import { moduleOf } from '#app/engine/module.ts';
import type { DataOf } from '#domain/call.ts';
import type { Detail, LinesView, Row } from '#app/engine/wire.ts';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { useFurtherLines } from '#app/parts/useFurtherLines.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { LogisticsCostsStatus, RepairFeeStatus } from '#domain/review.ts';
import { correct, leftOfLines, type SettledModule } from './contract.ts';
import { currencyOf, othersOf, textOf, type SettledLine } from './rules.ts';
import { Entries } from './Entries.tsx';
import { NotHere } from './NotHere.tsx';

/** Of each bill that settles: when it is settled, and what its lines are called by. */
const settled: Record<SettledModule, Kind> = {
  rmaRepairFeeBill: { number: 'rfbId', status: RepairFeeStatus.Settled, gross: 'includingTaxAmount', found: 'sn' },
  rmaLogisticsCostsBill: {
    number: 'lcbId',
    status: LogisticsCostsStatus.Passed,
    gross: 'amount',
    found: 'deliverShipNo',
  },
};
interface Kind {
  number: string;
  status: string;
  gross: string;
  found: SettledLine['field'];
}

/** A settled bill, whose lines are corrected by a bill of their own. Rule: money#correction-bills. */
export default function CorrectPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const module = moduleOf(menuNo) as SettledModule;
  const { data: bill, error, reload } = useRecord<Detail>(module, id);
  const { data: left, error: unread, refetch } = useLookup(leftOfLines(module), { id: Number(id) }, { staleTime: 0 });
  useTabName(textOf(bill?.[settled[module].number]) || undefined);
  const isReading = (!bill && error === '') || (!left && !unread);
  const head = <PageHead menuNo={menuNo} isReading={isReading} status={bill && statusOf(bill.view, bill)} />;
  const again = () => {
    reload();
    void refetch();
  };
  const isSettled = bill?.['billStatus'] === settled[module].status;
  if (!bill || !left || !isSettled)
    return (
      <NotHere
        head={head}
        isReading={isReading}
        reason={error || unread}
        told={bill && !isSettled ? translate('bills.corrections.notSettled') : undefined}
        onAgain={again}
      />
    );
  return <Settled key={bill.id} {...{ module, bill, head, left }} reload={again} />;
}

interface SettledProps {
  module: SettledModule;
  bill: Detail;
  head: ReactNode;
  left: DataOf<ReturnType<typeof leftOfLines>>;
  reload: () => void;
}

function Settled({ module, bill, head, left, reload }: SettledProps) {
  const [sought, setSought] = useState('');
  const labelOf = useLabelOf();
  const [lines] = listsOf(bill);
  const view = lines?.view ?? noView;
  const rows = lines?.rows ?? [];
  const { gross, found: field } = settled[module];
  const further = useFurtherLines({ module: `${module}Line`, view, rows, field, sought, most: 50 });
  const leftOf = new Map(left.lines.map((it) => [it.lineId, it.left]));
  const othersOfLine = othersOf(left.others);
  const toLine = (row: Row): SettledLine => {
    const amount = textOf(row[gross]) || '0';
    const product = textOf(row['salesName']) || textOf(row['productName']) || textOf(row['modelAbbreviation']);
    const charge = textOf(row['chargeItems']);
    const what = [product, charge && labelOf('chargeItems', charge)].filter(Boolean).join(' · ');
    const no = textOf(row[field]) || textOf(row['remark']);
    return {
      lineId: row.id,
      no,
      field,
      what,
      settled: amount,
      left: leftOf.get(row.id) ?? amount,
      others: othersOfLine(row.id),
    };
  };
  return (
    <Entries
      {...{ head, module, bill, left, reload }}
      // What is older of the two was seen.
      seen={(version) => ({ version: Math.min(version, left.settled.version) })}
      call={correct(module)}
      currency={currencyOf(bill, rows)}
      label={view.label}
      lines={[...rows, ...further].map(toLine)}
      count={view.total ?? rows.length}
      told={view.total !== undefined && <FirstLines module={`${module}Line`} view={view} rows={rows} />}
      onSought={setSought}
    />
  );
}

const noView: LinesView = { label: '', columns: [] };
