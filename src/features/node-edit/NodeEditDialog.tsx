import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { SnField } from '#app/parts/SnField.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { normaliseSn } from '#domain/sn.ts';
import { modifyIvyId } from './contract.ts';

/** A node and an SN: sets where the unit stands. The selected row's SN stands in it already. Rule: events#e36. */
export default function NodeEditDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const nodes = useOptions('nodes');
  const { submit, sending, problem } = useDialogSubmit(modifyIvyId, { button, onDone, onClose });
  const [sn, setSn] = useState(String(rows[0]?.['sn'] ?? ''));
  const [ivyId, setIvyId] = useState('');
  const [remark, setRemark] = useState('');
  const [asked, setAsked] = useState(false);
  const required = translate('shell.form.requiredAll');

  const confirm = () => {
    setAsked(true);
    if (sn.trim() === '' || ivyId === '') return;
    void submit({ sn: normaliseSn(sn), ivyId, remark: remark.trim() });
  };
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={confirm}
      onClose={onClose}
    >
      <div>{translate('shell.nodeEdit.body')}</div>
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
        <SnField
          autoFocus={sn === ''}
          label={translate('shell.nodeEdit.sn')}
          value={sn}
          onChange={setSn}
          problem={asked && sn.trim() === '' ? required : undefined}
        />
        <Choice
          required
          hasRoom
          label={translate('shell.nodeEdit.node')}
          value={ivyId}
          options={nodes}
          error={asked && ivyId === '' ? required : undefined}
          onChange={setIvyId}
        />
      </Box>
      <TextField
        multiline
        minRows={2}
        label={translate('shell.rollback.remark')}
        value={remark}
        onChange={(it) => setRemark(it.target.value)}
        slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
      />
    </ActionModal>
  );
}
