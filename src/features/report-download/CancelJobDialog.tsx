import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useJobActions } from '#app/jobs/useJobs.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { Confirm } from '#app/parts/Confirm.tsx';

/** Asks, and then cancels the selected job. */
export default function CancelJobDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { cancel } = useJobActions();
  const [busy, setBusy] = useState(false);
  const [row] = rows;
  const confirm = async () => {
    setBusy(true);
    await cancel(Number(row?.id));
    onDone();
    onClose();
  };
  return (
    <Confirm
      open
      danger
      busy={busy}
      title={`${button.btnName} · ${String(row?.['reportName'] ?? '')}`}
      action={button.btnName}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {translate('shell.jobs.cancelBody')}
    </Confirm>
  );
}
