import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { returnCosts } from './contract.ts';

/** Asks why the costs go back to their site. */
export default function ReturnDialog({ module, button, rows: [row], onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { version, failed, notice } = useSeen(module, row);
  const { submit, sending, problem } = useSubmit(returnCosts, failed);
  const [remark, setRemark] = useState('');
  if (!row) return null;

  const confirm = async () => {
    if (!(await submit({ id: row.id, version, remark: remark.trim() || null }))) return;
    notices.success(translate('bills.return.done'));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['lcbId'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {notice}
      <div>{translate('bills.return.body')}</div>
      <RemarkField label={translate('bills.return.remark')} value={remark} onChange={setRemark} />
    </ActionModal>
  );
}
