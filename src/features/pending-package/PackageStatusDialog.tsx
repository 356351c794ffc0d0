import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { PackageStatus } from '#domain/enums.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { BillProposals } from './BillProposals.tsx';
import { editInSiteStatus } from './contract.ts';

/** What became of the selected package. Rule: parcels#pending. */
export default function PackageStatusDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const options = useOptions('packageStatus');
  const { submit, sending, problem } = useDialogSubmit(editInSiteStatus, { button, onDone, onClose });
  const [row] = rows;
  const [status, setStatus] = useState(String(row?.['status'] ?? ''));
  const [mtbId, setMtbId] = useState(String(row?.['mtbId'] ?? ''));
  if (!row) return null;

  const confirm = () =>
    submit({ id: String(row.id), status, ...(status === PackageStatus.Matched && { mtbId: mtbId.trim() }) });
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
        label={translate('bills.packageStatus.status')}
        value={status}
        options={options}
        onChange={setStatus}
      />
      {status === PackageStatus.Matched && (
        <>
          <BillProposals id={String(row.id)} value={mtbId} onChange={setMtbId} />
          <TextField
            label={translate('bills.packageStatus.mtbId')}
            value={mtbId}
            helperText={translate('bills.packageStatus.mtbIdHint')}
            onChange={(it) => setMtbId(it.target.value)}
            slotProps={{ htmlInput: { maxLength: 64, autoComplete: 'off' } }}
          />
        </>
      )}
    </ActionModal>
  );
}
