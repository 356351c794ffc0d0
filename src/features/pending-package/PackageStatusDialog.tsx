import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { editInSiteStatus } from './contract.ts';

/** A package that belongs to a maintain bill. */
const MATCHED = '1';

/** What became of the selected package. Spec 1 §2. */
export default function PackageStatusDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const options = useOptions('packageStatus');
  const { submit, sending, problem } = useSubmit(editInSiteStatus);
  const [row] = rows;
  const [status, setStatus] = useState(String(row?.['status'] ?? ''));
  const [mtbId, setMtbId] = useState(String(row?.['mtbId'] ?? ''));
  if (!row) return null;

  const confirm = async () => {
    const input = { id: String(row.id), status, ...(status === MATCHED && { mtbId: mtbId.trim() }) };
    if (!(await submit(input))) return;
    notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['upbId'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <Choice
        required
        label={translate('shell.packageStatus.status')}
        value={status}
        options={options}
        onChange={setStatus}
      />
      {status === MATCHED && (
        <TextField
          label={translate('shell.packageStatus.mtbId')}
          value={mtbId}
          helperText={translate('shell.packageStatus.mtbIdHint')}
          onChange={(it) => setMtbId(it.target.value)}
          slotProps={{ htmlInput: { maxLength: 64, autoComplete: 'off' } }}
        />
      )}
    </ActionModal>
  );
}
