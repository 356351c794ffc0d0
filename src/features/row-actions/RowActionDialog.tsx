import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { newKey, sendTo } from '#app/send.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { isMissing, nameOfRow, rowScripts } from './rowScripts.tsx';

/**
 * Asks, and then makes the call of a single-row action; without what it needs of the row, nothing is sent.
 * Rule: lists#row-actions.
 */
export default function RowActionDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const [key] = useState(newKey);
  const [sending, setSending] = useState(false);
  const name = button.btnScript;
  const script = rowScripts[name];
  const [row] = rows;
  const isComplete = row !== undefined && !isMissing(row, script?.needs?.(module) ?? []);

  useEffect(() => {
    if (isComplete) return;
    notices.warning(translate('shell.form.requiredAll'));
    onClose();
  }, [isComplete, notices, translate, onClose]);
  if (!script || !isComplete) return null;

  const confirm = async () => {
    setSending(true);
    try {
      const call = { method: script.method, path: `/api/${module}/${name}.json`, writes: true } as const;
      await sendTo(call, script.inputOf?.(module, row) ?? { id: row.id }, { key });
      notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
      onDone();
    } catch (error) {
      notices.failed(button.btnName, error);
    }
    onClose();
  };
  return (
    <Confirm
      open
      danger={script.danger ?? button.tone === 'danger'}
      busy={sending}
      title={`${button.btnName} · ${nameOfRow(row)}`}
      action={button.btnName}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {translate(`shell.rowAction.${name}`)}
    </Confirm>
  );
}
