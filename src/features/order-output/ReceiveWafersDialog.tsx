import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import { countIn } from '#domain/numberText.ts';
import type { Problem } from '#domain/refusal.ts';
import { parseWaferIds } from '#domain/wafer.ts';
import { useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { NumberField } from '#app/parts/NumberField.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { receiveWafers, toReceiveWafers } from './contract.ts';
import { validateDelivery } from './rules.ts';

/** A lot comes from the foundry; how many wafers will not come is told here as well. Rule: wafer-bank#entry. */
export default function ReceiveWafersDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { wordsOf, byField } = useProblemWords();
  const id = String(rows[0]?.id ?? '');
  const { data, error, refetch } = useLookup(toReceiveWafers, { id }, { staleTime: 0 });
  const shown = data && rows[0] && { ...rows[0], ...data };
  const { version, failed, notice } = useSeen('icopWaferWorkOrder', shown, () => void refetch());
  const { submit, sending, problem } = useDialogSubmit(receiveWafers, { button, onDone, onClose }, failed);
  const [waferLotId, setLot] = useState('');
  const [waferIds, setWafers] = useState('');
  const [dies, setDies] = useState<string>();
  const [missing, setMissing] = useState<string>();
  const [remark, setRemark] = useState('');
  const [found, setFound] = useState<readonly Problem[]>([]);
  const words = (name: string, args?: object) => translate(`bills.output.${name}`, args);
  const grossDie = data?.grossDie ? String(data.grossDie) : '';
  const told = byField(found);
  const count = parseWaferIds(waferIds).length;

  const press = () => {
    if (!data) return;
    const delivery = {
      ...{ waferLotId: waferLotId.trim(), waferIds: waferIds.trim() },
      ...{ dies: countIn(dies ?? grossDie), missing: countIn(missing ?? String(data.lossQty ?? '')) },
    };
    const problems = validateDelivery(data, delivery);
    setFound(problems);
    if (problems.length === 0) void submit({ id, version, ...delivery, remark: remark.trim() || null });
  };
  const [first] = found;
  return (
    <ActionModal
      title={`${button.btnName} · ${String(rows[0]?.['workOrderNo'] ?? '')}`}
      action={button.btnName}
      sending={sending}
      disabled={!data}
      problem={first ? wordsOf(first) : error ? reasonOf(error) : problem}
      onSubmit={press}
      onClose={onClose}
    >
      {notice}
      <Box sx={{ color: 'text.secondary' }}>
        {data
          ? words('toCome', {
              ordered: data.waferQty,
              come: data.outputQty,
              left: data.waferQty - data.outputQty - data.lossQty,
            })
          : !error && <Skeleton width="60%" />}
      </Box>
      <Box sx={{ display: 'grid', gap: '12px 12px', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <TextField
          autoFocus
          label={translate('bills.order.lot')}
          value={waferLotId}
          error={Boolean(told['waferLotId'])}
          helperText=" "
          onChange={(it) => setLot(it.target.value)}
          slotProps={{ htmlInput: { maxLength: 50 } }}
        />
        <TextField
          label={translate('bills.order.waferIds')}
          value={waferIds}
          placeholder="01-25"
          error={Boolean(told['waferIds'])}
          helperText={count > 0 ? words('wafers', { count }) : ' '}
          onChange={(it) => setWafers(it.target.value)}
          slotProps={{ htmlInput: { maxLength: 100 } }}
        />
        <NumberField label={words('dies')} value={dies ?? grossDie} onChange={setDies} />
        <NumberField
          label={words('missing')}
          value={missing ?? String(data?.lossQty ?? '')}
          hint={words('missingHint')}
          onChange={setMissing}
        />
      </Box>
      <RemarkField minRows={1} label={translate('stations.field.remark')} value={remark} onChange={setRemark} />
    </ActionModal>
  );
}
