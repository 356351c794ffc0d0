import { useId, useState } from 'react';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { sendTo } from '#app/send.ts';
import { Flag } from '#domain/enums.ts';
import { normaliseNo } from '#domain/sn.ts';
import { ActedRows, itemsOf } from './ActedRows.tsx';
import { replaceSaleCode } from './contract.ts';

const saleCodes = { method: 'GET', path: '/api/rmaMaintainBill/getSaleCodeList.json', writes: false } as const;
interface SaleCodes {
  saleCodeList: { salesCode: string; name: string }[];
}

/** Another model goes out for the selected items, or they were registered under a wrong code. Rule: events#e31. */
export default function ChangeItemDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const listId = useId();
  const { submit, sending, problem } = useDialogSubmit(replaceSaleCode, { button, onDone, onClose });
  const [salesCode, setSalesCode] = useState('');
  const [replaceFlag, setReplaceFlag] = useState<string>(Flag.No);
  const [asked, setAsked] = useState(false);
  const { data } = useQuery({
    queryKey: [saleCodes.path, salesCode],
    queryFn: () => sendTo<SaleCodes>(saleCodes, { saleCode: salesCode }),
    placeholderData: keepPreviousData,
  });
  const found = data?.saleCodeList ?? [];
  const name = found.find((it) => it.salesCode === normaliseNo(salesCode))?.name;
  const isMissing = asked && salesCode.trim() === '';

  const confirm = () => {
    setAsked(true);
    if (salesCode.trim() === '') return;
    const rmaMaintainBillLineItemList = itemsOf(rows);
    const code = normaliseNo(salesCode);
    void submit({ rmaMaintainBillLineItemList, salesCode: code, replaceFlag, salesCodeCount: rows.length });
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
      <ActedRows rows={rows} />
      <TextField
        required
        autoFocus
        label={translate('stations.field.salesCode')}
        value={salesCode}
        error={isMissing}
        helperText={isMissing ? translate('stations.emptyMsg') : (name ?? ' ')}
        onChange={(it) => setSalesCode(it.target.value.toUpperCase())}
        slotProps={{ htmlInput: { list: listId, autoComplete: 'off', spellCheck: false } }}
      />
      <datalist id={listId}>
        {found.map((it) => (
          <option key={it.salesCode} value={it.salesCode}>
            {it.name}
          </option>
        ))}
      </datalist>
      <RadioGroup
        aria-label={translate('stations.billAction.replaceFlag')}
        value={replaceFlag}
        onChange={(_, value) => setReplaceFlag(value)}
      >
        {[Flag.No, Flag.Yes].map((value) => (
          <FormControlLabel
            key={value}
            value={value}
            control={<Radio size="small" />}
            label={translate(`stations.billAction.replace.${value}`)}
          />
        ))}
      </RadioGroup>
    </ActionModal>
  );
}
