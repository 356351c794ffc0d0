import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { stepsFrom } from './rules.ts';
import { editBillStatus, type OrderModule } from './contract.ts';

/** The status of the selected work order, of semiconductor orders alone. Rule: wafer-bank#states. */
export default function WorkOrderStatusDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const all = useOptions('icopBillStatus');
  const call = editBillStatus(module as OrderModule);
  const [row] = rows;
  const { version, failed, notice } = useSeen(module, row);
  const { submit, sending, problem } = useDialogSubmit(call, { button, onDone, onClose }, failed);
  const now = String(row?.['billStatus'] ?? '');
  const [billStatus, setBillStatus] = useState('');
  if (!row) return null;
  const steps: readonly string[] = stepsFrom(now);
  const options = all.filter((it) => steps.includes(it.value));

  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['workOrderNo'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      disabled={billStatus === ''}
      problem={problem}
      onSubmit={() => void submit({ id: String(row.id), version, billStatus })}
      onClose={onClose}
    >
      {notice}
      <Choice
        required
        label={translate('bills.packageStatus.status')}
        value={billStatus}
        options={options}
        onChange={setBillStatus}
      />
    </ActionModal>
  );
}
