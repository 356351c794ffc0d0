import { useState } from 'react';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import type { Row } from '#app/engine/wire.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { flag } from '#domain/enums.ts';
import { normaliseNo } from '#domain/sn.ts';
import { ActedRows } from './ActedRows.tsx';
import { moveBill } from './contract.ts';

type Bill = Row & { rmaMaintainBillLineList?: Row[] };

/** A whole bill number; less of one is not asked for. */
const isBillNo = (text: string): boolean => /^[A-Z]{3}\d{13,}$/.test(text);

const deliveries = ['before', 'target', 'apart'] as const;
type Delivery = (typeof deliveries)[number];

/** Moves the selected items to a line of another bill, or lets them ship with it or apart. Rule: events#e32. */
export default function MoveBillDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useDialogSubmit(moveBill, { button, onDone, onClose });
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const [moves, setMoves] = useState(true);
  const [delivery, setDelivery] = useState<Delivery>('before');
  const [asked, setAsked] = useState(false);
  const mtbId = normaliseNo(text);
  const bill = useRecord<Bill>('rmaMaintainBill', isBillNo(mtbId) ? mtbId : '');
  const lines = (bill.data?.rmaMaintainBillLineList ?? []).map((it) => ({
    value: String(it['mtblId']),
    label: [it['salesCode'], it['itemName'], it['mtblId']].filter(Boolean).join(' · '),
  }));
  const mtblId = lines.some((it) => it.value === chosen) ? chosen : lines.length === 1 ? (lines[0]?.value ?? '') : '';
  const required = translate('stations.emptyMsg');
  const changesNothing = !moves && delivery === 'before';

  const confirm = () => {
    setAsked(true);
    if (mtbId === '' || mtblId === '' || changesNothing) return;
    void submit({
      ids: rows.map((it) => String(it['mtbliId'] ?? it.id)),
      mtbId,
      mtblId,
      moveBillFlag: flag(moves),
      deliverFlag: flag(delivery === 'target'),
      splitDeliverFlag: flag(delivery === 'apart'),
    });
  };
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={problem || (asked && changesNothing ? translate('stations.billAction.chooseMove') : '')}
      onSubmit={confirm}
      onClose={onClose}
    >
      <ActedRows rows={rows} />
      <TextField
        required
        autoFocus
        label={translate('stations.billAction.targetBill')}
        value={text}
        error={(asked && mtbId === '') || bill.error !== ''}
        helperText={asked && mtbId === '' ? required : bill.error || String(bill.data?.['userName'] ?? ' ')}
        onChange={(it) => setText(it.target.value)}
        slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
      />
      <Choice
        required
        hasRoom
        label={translate('stations.billAction.targetLine')}
        value={mtblId}
        options={lines}
        error={asked && mtblId === '' ? required : undefined}
        onChange={setChosen}
      />
      <FormControlLabel
        control={<Checkbox size="small" checked={moves} onChange={(_, it) => setMoves(it)} />}
        label={translate('stations.billAction.moveFlag')}
      />
      <RadioGroup
        aria-label={translate('stations.billAction.delivery')}
        value={delivery}
        onChange={(_, value) => setDelivery(value as Delivery)}
      >
        {deliveries.map((it) => (
          <FormControlLabel
            key={it}
            value={it}
            control={<Radio size="small" />}
            label={translate(`stations.billAction.deliver.${it}`)}
          />
        ))}
      </RadioGroup>
    </ActionModal>
  );
}
