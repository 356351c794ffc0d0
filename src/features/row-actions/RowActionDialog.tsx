import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import type { Row } from '#app/engine/wire.ts';
import { useNotices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { newKey, sendTo } from '#app/send.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { isMissing, nameOfRow, rowScripts } from './rowScripts.tsx';

/**
 * Asks, and then makes the call of a single-row action; without what it needs of the row, nothing is sent. One that decides
 * goes with what was seen of the row, and stays open where that has changed. Rule: lists#row-actions, writing#what-was-seen.
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
  const input = (row && script?.inputOf?.(module, row)) ?? { id: row?.id };
  const decides = script?.decides === true;
  // The page of an SN knows no more of a bill than its number.
  const isUnread = decides && row !== undefined && row['version'] === undefined;
  const { data: read, error: unread } = useRecord<Row>(module, isUnread ? String(input['id']) : '');
  const { version, failed, notice } = useSeen(module, isUnread ? read : row);

  useEffect(() => {
    if (isComplete) return;
    notices.warning(translate('shell.form.requiredAll'));
    onClose();
  }, [isComplete, notices, translate, onClose]);
  if (!script || !isComplete) return null;

  const confirm = async () => {
    if (unread !== '') {
      notices.warning(unread);
      return onClose();
    }
    setSending(true);
    try {
      const call = { method: script.method, path: `/api/${module}/${name}.json`, writes: true } as const;
      // What was looked at again is another decision.
      const own = decides ? `${key}-${version}` : key;
      await sendTo(call, { ...input, ...(decides && { version }) }, { key: own });
      notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
      onDone();
    } catch (error) {
      if (decides && (await failed(error))) return setSending(false);
      notices.failed(button.btnName, error);
    }
    onClose();
  };
  return (
    <Confirm
      open
      danger={script.danger ?? button.tone === 'danger'}
      busy={sending || (isUnread && !read && unread === '')}
      title={`${button.btnName} · ${nameOfRow(row)}`}
      action={button.btnName}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {notice ?? translate(`shell.rowAction.${name}`)}
    </Confirm>
  );
}
