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
import { storeStart } from './contract.ts';
import { ACTIVATION_SHELF } from './rules.ts';

/** Inventory activation: an SN, the warehouse that it comes from, and why. Rule: events#e23. */
export default function StoreStartDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const warehouses = useOptions('subinventory');
  const { submit, sending, problem } = useDialogSubmit(storeStart, { button, onDone, onClose });
  const [sn, setSn] = useState(String(rows[0]?.['sn'] ?? ''));
  const [subinventoryCode, setWarehouse] = useState(ACTIVATION_SHELF);
  const [remark, setRemark] = useState('');
  const [asked, setAsked] = useState(false);
  const isMissing = asked && sn.trim() === '';

  const confirm = () => {
    setAsked(true);
    if (sn.trim() === '') return;
    void submit({ sn: normaliseSn(sn), subinventoryCode, remark: remark.trim() });
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
      <div>{translate('stations.storeStart.body')}</div>
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
        <SnField
          autoFocus={sn === ''}
          label={translate('stations.storeStart.sn')}
          value={sn}
          onChange={setSn}
          problem={isMissing ? translate('stations.emptyMsg') : undefined}
        />
        <Choice
          hasRoom
          label={translate('stations.storeStart.warehouse')}
          value={subinventoryCode}
          options={warehouses.map(({ value, label }) => ({ value, label: `${value}  ${label}` }))}
          onChange={setWarehouse}
        />
      </Box>
      <TextField
        multiline
        minRows={2}
        label={translate('stations.field.remark')}
        value={remark}
        onChange={(it) => setRemark(it.target.value)}
        slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
      />
    </ActionModal>
  );
}
