import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { ActedRows } from './ActedRows.tsx';
import { rollbackToPreliminaryTest } from './contract.ts';

/** Asks, and lets the selected units be tested from the beginning again. Rule: events#e30. */
export default function ReturnToCheckDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { submit, sending, problem } = useSubmit(rollbackToPreliminaryTest);
  const confirm = async () => {
    const units = rows.map((it) => ({
      sn: String(it['receiveSn'] ?? ''),
      mtbliId: String(it['mtbliId'] ?? ''),
      mtbId: String(it['mtbId'] ?? ''),
    }));
    if (!(await submit(units))) return;
    notices.success(translate('stations.billAction.returned'));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      danger
      title={translate('stations.billAction.confirmReturn')}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <ActedRows rows={rows} />
      <div>{translate('stations.billAction.returnHint')}</div>
    </ActionModal>
  );
}
