import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { voidPriceBill } from './contract.ts';

/** Asks before a price that was passed no longer holds. */
export default function VoidDialog({ module, button, rows: [row], onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { version, failed, notice } = useSeen(module, row);
  const { submit, sending, problem } = useSubmit(voidPriceBill, failed);
  if (!row) return null;

  const confirm = async () => {
    if (!(await submit({ id: row.id, version }))) return;
    notices.success(translate('bills.void.done'));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['prbId'] ?? row.id)}`}
      action={button.btnName}
      danger
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {notice}
      <div>{translate('bills.void.body')}</div>
    </ActionModal>
  );
}
