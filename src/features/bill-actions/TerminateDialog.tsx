import { useState } from 'react';
import Alert from '@mui/material/Alert';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { isRefusal, newKey, send } from '#app/send.ts';
import { useNotices, useProblemOf } from '#app/notify.ts';
import { Flag } from '#domain/enums.ts';
import { terminate } from './contract.ts';

/**
 * Closes a bill as it is. When units of it are still in the workshop the server names them, and only a second, explicit
 * yes gives them up. Rule: events#e29.
 */
export default function TerminateDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const problemOf = useProblemOf();
  const [keys] = useState(() => [newKey(), newKey()]);
  const [sending, setSending] = useState(false);
  const [inHouse, setInHouse] = useState('');
  const [problem, setProblem] = useState('');
  const [row] = rows;
  if (!row) return null;
  const mtbId = String(row['mtbId'] ?? '');

  const close = async () => {
    setSending(true);
    setProblem('');
    try {
      const discardInHouse = inHouse ? Flag.Yes : Flag.No;
      await send(terminate, { mtbId, discardInHouse }, { key: keys[inHouse ? 1 : 0] });
      notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
      onDone();
      onClose();
    } catch (error) {
      if (isRefusal(error, 'unitsInHouse') && !inHouse) setInHouse(error.msg);
      else setProblem(problemOf(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <ActionModal
      danger
      title={`${button.btnName} · ${mtbId}`}
      action={inHouse ? translate('stations.billAction.discard') : button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void close()}
      onClose={onClose}
    >
      {inHouse ? (
        <>
          <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
            {inHouse}
          </Alert>
          <div>{translate('stations.billAction.discardHint')}</div>
        </>
      ) : (
        <div>{translate('stations.billAction.terminateHint')}</div>
      )}
    </ActionModal>
  );
}
