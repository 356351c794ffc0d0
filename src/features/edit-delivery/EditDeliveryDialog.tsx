import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions, type OptionList } from '#app/parts/optionLabels.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { editDeliver } from './contract.ts';

const selects = ['deliverStatus', 'deliverPriority', 'deliverPayment', 'returness'] as const satisfies OptionList[];
type Select = (typeof selects)[number];

/**
 * How an item goes back: whether it can ship, how soon, who pays, whether unrepaired ones are returned.
 * Rule: events#e35.
 */
export default function EditDeliveryDialog({ button, rows, onDone, onClose }: DialogProps) {
  const { submit, sending, problem } = useDialogSubmit(editDeliver, { button, onDone, onClose });
  const [row] = rows;
  const [values, setValues] = useState<Record<Select, string>>(() => ({
    deliverStatus: String(row?.['deliverStatus'] ?? ''),
    deliverPriority: String(row?.['deliverPriority'] ?? ''),
    deliverPayment: String(row?.['deliverPayment'] ?? ''),
    returness: String(row?.['returness'] ?? ''),
  }));
  if (!row) return null;

  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['receiveSn'] ?? row['mtbliId'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void submit({ id: String(row.id), ...values })}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {selects.map((name) => (
          <DeliveryField
            key={name}
            list={name}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </Box>
    </ActionModal>
  );
}

function DeliveryField({ list, value, onChange }: { list: Select; value: string; onChange: (value: string) => void }) {
  const translate = useTranslate();
  const options = useOptions(list);
  return <Choice label={translate(`shell.delivery.${list}`)} value={value} options={options} onChange={onChange} />;
}
