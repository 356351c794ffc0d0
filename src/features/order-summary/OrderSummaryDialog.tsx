import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { ExportFrame } from '#app/parts/ExportFrame.tsx';
import { RangeField } from '#app/parts/RangeField.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { download, useExportNotices } from '#app/parts/download.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import type { Problem } from '#domain/refusal.ts';
import { orderCalls } from './contract.ts';
import { FIRST_ORDER_KIND, orderKinds, orderTypes, validateOrders, type OrderKind, type OrderModule } from './rules.ts';

/** Exports the work orders of a kind. Rule: reports#dialogs. */
export default function OrderSummaryDialog({ module, button, onClose }: DialogProps) {
  const translate = useTranslate();
  const notifyExport = useExportNotices();
  const { wordsOf, byField } = useProblemWords();
  const [kind, setKind] = useState<OrderKind>(FIRST_ORDER_KIND);
  const [dates, setDates] = useState({ startDate: '', endDate: '' });
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const input = { orderType: orderTypes[kind], kind, ...dates };
    const found = validateOrders(input);
    setProblems(found);
    if (found.length > 0) return;
    setBusy(true);
    const isGiven = await notifyExport(download(orderCalls[module as OrderModule], input));
    setBusy(false);
    if (isGiven) onClose();
  };

  return (
    <ExportFrame
      title={button.btnName}
      problem={problems[0] ? wordsOf(problems[0]) : ''}
      action={translate(busy ? 'reports.exporting' : 'reports.export')}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Choice
        label={translate('reports.field.orderType')}
        value={kind}
        options={orderKinds.map((it) => ({ value: it, label: translate(`reports.orderTypes.${it}`) }))}
        required
        hasRoom
        onChange={(it) => setKind(it as OrderKind)}
      />
      <RangeField
        value={dates}
        errors={byField(problems)}
        onChange={(it) => {
          setDates(it);
          setProblems([]);
        }}
      />
    </ExportFrame>
  );
}
