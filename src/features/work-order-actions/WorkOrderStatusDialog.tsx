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
  const { row, version, failed, notice } = useSeen(module, rows[0]);
  const { submit, sending, problem } = useDialogSubmit(call, { button, onDone, onClose }, failed);
  const now = String(row?.['billStatus'] ?? '');
  const [chosen, setChosen] = useState('');
  if (!row) return null;
  const steps: readonly string[] = stepsFrom(now);
  // What was chosen may be no step of the order as it stands by now.
  const billStatus = steps.includes(chosen) ? chosen : '';
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
        onChange={setChosen}
      />
    </ActionModal>
  );
}
