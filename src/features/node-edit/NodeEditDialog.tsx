import { useState } from 'react';
import { useTranslate } from 'ra-core';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { UnitDialog } from '#app/parts/UnitDialog.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { modifyIvyId } from './contract.ts';

/** A node and an SN: sets where the unit stands. Rule: events#e36. */
export default function NodeEditDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const nodes = useOptions('nodes');
  const { submit, sending, problem } = useDialogSubmit(modifyIvyId, { button, onDone, onClose });
  const [ivyId, setIvyId] = useState('');

  return (
    <UnitDialog
      button={button}
      rows={rows}
      words={{
        body: translate('shell.nodeEdit.body'),
        sn: translate('shell.nodeEdit.sn'),
        remark: translate('shell.rollback.remark'),
        missing: translate('shell.form.requiredAll'),
      }}
      choice={{
        required: true,
        label: translate('shell.nodeEdit.node'),
        value: ivyId,
        options: nodes,
        onChange: setIvyId,
      }}
      sending={sending}
      problem={problem}
      onSubmit={(it) => void submit({ ...it, ivyId })}
      onClose={onClose}
    />
  );
}
