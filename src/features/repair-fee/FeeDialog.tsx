import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { RangeField } from '#app/parts/RangeField.tsx';
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

  const lateWords = ({ rfbId, lineCount }: { rfbId: string; lineCount: number }) =>
    translate('reports.late', { count: lineCount, bills: rfbId });
  const submit = async () => {
    const input = { recPeriod, ...dates };
    const found = validateFee(input);
    setProblems(found);
    if (found.length > 0) return;
    setBusy(true);
    try {
      const { late } = await send(generateFee, input);
      notices.success([translate('reports.generated'), ...late.map(lateWords)].join('; '));
      onDone();
      onClose();
    } catch (error) {
      notices.failed(button.btnName, error);
      setBusy(false);
    }
  };

  const errors = byField(problems);
  return (
    <ActionModal
      title={button.btnName}
      problem={problems[0] ? wordsOf(problems[0]) : ''}
      action={translate(busy ? 'reports.generating' : 'reports.generate')}
      sending={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Box sx={{ maxWidth: { sm: 'calc(50% - 8px)' } }}>
        <DateField
          kind="month"
          autoFocus
          required
          label={translate('reports.field.recPeriod')}
          value={recPeriod}
          problem={errors['recPeriod']}
          onChange={(it) => {
            setRecPeriod(it);
            setProblems([]);
          }}
        />
      </Box>
      <RangeField
        autoFocus={false}
        value={dates}
        errors={errors}
        onChange={(it) => {
          setDates(it);
          setProblems([]);
        }}
      />
    </ActionModal>
  );
}
