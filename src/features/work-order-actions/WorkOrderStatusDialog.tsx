import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { editBillStatus, type OrderModule } from './contract.ts';

/** The status of the selected work order. Spec 1 §2; design section 13: semiconductor work orders alone. */
export default function WorkOrderStatusDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const options = useOptions('icopBillStatus');
  const { submit, sending, problem } = useSubmit(editBillStatus(module as OrderModule));
  const [row] = rows;
  const [billStatus, setBillStatus] = useState(String(row?.['billStatus'] ?? ''));
  if (!row) return null;

  const confirm = async () => {
    if (!(await submit({ id: String(row.id), billStatus }))) return;
    notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['workOrderNo'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <Choice
        required
        label={translate('shell.packageStatus.status')}
        value={billStatus}
        options={options}
        onChange={setBillStatus}
      />
    </ActionModal>
  );
}
