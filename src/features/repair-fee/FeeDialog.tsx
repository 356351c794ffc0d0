import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { useNotices } from '#app/notify.ts';
import { ExportFrame } from '#app/parts/ExportFrame.tsx';
import { RangeInputs } from '#app/parts/RangeInputs.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { Problem } from '#domain/refusal.ts';
import { generateFee } from './contract.ts';
import { validateFee } from './rules.ts';

/** Settles a month: which one, and the days whose work it settles. Rule: reports#dialogs. */
export default function FeeDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { wordsOf, byField } = useProblemWords();
  const [recPeriod, setRecPeriod] = useState('');
  const [dates, setDates] = useState({ startDate: '', endDate: '' });
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const input = { recPeriod, ...dates };
    const found = validateFee(input);
    setProblems(found);
    if (found.length > 0) return;
    setBusy(true);
    try {
      await send(generateFee, input);
      notices.success(translate('reports.generated'));
      onDone();
      onClose();
    } catch (error) {
      notices.failed(button.btnName, error);
      setBusy(false);
    }
  };

  const errors = byField(problems);
  return (
    <ExportFrame
      title={button.btnName}
      problem={problems[0] ? wordsOf(problems[0]) : ''}
      action={translate(busy ? 'reports.generating' : 'reports.generate')}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        type="month"
        autoFocus
        required
        label={translate('reports.field.recPeriod')}
        value={recPeriod}
        error={Boolean(errors['recPeriod'])}
        helperText={errors['recPeriod'] ?? ' '}
        onChange={(event) => {
          setRecPeriod(event.target.value);
          setProblems([]);
        }}
        sx={{ maxWidth: { sm: 'calc(50% - 8px)' } }}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { max: '9999-12' } }}
      />
      <RangeInputs
        autoFocus={false}
        value={dates}
        errors={errors}
        onChange={(it) => {
          setDates(it);
          setProblems([]);
        }}
      />
    </ExportFrame>
  );
}
