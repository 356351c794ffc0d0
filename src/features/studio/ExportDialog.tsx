import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { saveAs } from '#app/parts/download.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { exportPublished } from './contract.ts';

/** All that is published, as a file for another installation. Rule: definitions#between-installations. */
export default function ExportDialog({ button, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useSubmit(exportPublished);
  const confirm = async () => {
    const content = await submit({});
    if (!content) return;
    saveAs(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), 'reflow-definitions.json');
    onClose();
  };
  return (
    <ActionModal
      width="question"
      title={button.btnName}
      action={translate('studio.export.action')}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {translate('studio.export.hint')}
    </ActionModal>
  );
}
