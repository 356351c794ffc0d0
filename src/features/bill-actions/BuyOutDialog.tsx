import { useState } from 'react';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { isUnseen } from '#domain/signs.ts';
import { ActedRows } from './ActedRows.tsx';
import { buyOut } from './contract.ts';

/** The company buys the selected items from their customer, for a reason that is kept. Rule: events#e28. */
export default function BuyOutDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useDialogSubmit(buyOut, { button, onDone, onClose });
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(false);
  const remark = text.trim();
  const isMissing = asked && isUnseen(remark);

  const confirm = () => {
    setAsked(true);
    if (isUnseen(remark)) return;
    const lines = groupBy(rows, (it) => String(it['mtblId']));
    void submit(
      [...lines].map(([mtblId, items]) => ({
        mtblId,
        mtbliIdList: items.map((it) => String(it['mtbliId'])),
        remark,
      })),
    );
  };
  return (
    <ActionModal
      danger
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={confirm}
      onClose={onClose}
    >
      <ActedRows rows={rows} />
      <div>{translate('stations.billAction.buyOutHint')}</div>
      <TextField
        required
        autoFocus
        multiline
        minRows={2}
        label={translate('stations.field.remark')}
        value={text}
        error={isMissing}
        helperText={isMissing ? translate('stations.emptyMsg') : ' '}
        onChange={(it) => setText(it.target.value)}
        slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
      />
    </ActionModal>
  );
}
