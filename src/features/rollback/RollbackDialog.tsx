import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { OperateStatus, REMARK_LENGTH } from '#domain/enums.ts';
import { isUnseen } from '#domain/signs.ts';
import { rollbackSeen, rollbackTransaction } from './contract.ts';

type Rollback = typeof rollbackTransaction | typeof rollbackSeen;

/**
 * Undoes the selected transaction, with the reason; one that was rolled back is refused here already. Rule: events#e37.
 */
export default function RollbackDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const [remark, setRemark] = useState('');
  const [missing, setMissing] = useState(false);
  const isSeen = rollbackSeen.path.startsWith(`/api/${module}/`);
  const call = isSeen ? rollbackSeen : { ...rollbackTransaction, path: `/api/${module}/rollbackById.json` as const };
  const { row, version, failed, notice } = useSeen(module, rows[0]);
  const { submit, sending, problem } = useDialogSubmit<Rollback>(call, { button, onDone, onClose }, failed);
  const isRepeat = row?.['operateStatus'] === OperateStatus.Rollbacked;

  useEffect(() => {
    if (!isRepeat) return;
    notices.error(translate('shell.rollback.repeat'));
    onClose();
  }, [isRepeat, notices, translate, onClose]);
  if (!row || isRepeat) return null;

  const confirm = () => {
    setMissing(isUnseen(remark));
    if (!isUnseen(remark)) void submit({ id: String(row.id), ...(isSeen && { version }), remark: remark.trim() });
  };
  return (
    <ActionModal
      danger
      title={`${button.btnName} · ${String(row['sn'] ?? row['newSn'] ?? row['wipId'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={confirm}
      onClose={onClose}
    >
      {notice}
      <div>{translate('shell.rollback.body')}</div>
      <TextField
        required
        autoFocus
        multiline
        minRows={2}
        label={translate('shell.rollback.remark')}
        value={remark}
        error={missing}
        helperText={missing ? translate('shell.form.requiredAll') : ' '}
        onChange={(it) => setRemark(it.target.value)}
        slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
      />
    </ActionModal>
  );
}
