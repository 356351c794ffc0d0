import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { workshopZone } from '#app/fields/format.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { RangeField } from '#app/parts/RangeField.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf } from '#domain/call.ts';
import { dayFromSql, dayOf } from '#domain/day.ts';
import type { Problem } from '#domain/refusal.ts';
import { generateFee, unpricedUnits } from './contract.ts';
import { validateFee } from './rules.ts';
import { UnpricedUnits } from './UnpricedUnits.tsx';

const words = ({ count, from, sns }: NonNullable<DataOf<typeof generateFee>['unbilled']>) => ({
  smart_count: count,
  from,
  // Some are named.
  sns: sns.length < count ? `${sns.join(', ')}, …` : sns.join(', '),
});

/** Settles a month: which one, and the days whose work it settles. Rule: reports#dialogs. */
export default function FeeDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { wordsOf, byField } = useProblemWords();
  const [recPeriod, setRecPeriod] = useState('');
  const [dates, setDates] = useState({ startDate: '', endDate: '' });
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);

  // What was looked through is shown only as long as it is what is entered.
  const input = { recPeriod, ...dates };
  const [asked, setAsked] = useState<typeof input | null>(null);
  const isAsked = asked !== null && JSON.stringify(asked) === JSON.stringify(input);
  const missing = useLookup(unpricedUnits, asked ?? {}, { enabled: asked !== null, staleTime: 0 });
  const reasonOf = useReasonOf();
  const found = isAsked ? missing.data : undefined;
  const isReading = isAsked && missing.isFetching;

  const today = dayOf(Date.now(), workshopZone());
  const yesterday = dayOf(dayFromSql(today, workshopZone()) - 1, workshopZone());
  // The range ends in its month, no earlier than it begins.
  const endsEarlier = dates.endDate === today && yesterday.startsWith(recPeriod) && dates.startDate <= yesterday;
  const isRight = () => {
    const wrong = validateFee(input, today.slice(0, 7));
    setProblems(wrong);
    return wrong.length === 0;
  };
  const look = () => {
    if (!isRight()) return;
    if (isAsked) void missing.refetch();
    else setAsked(input);
  };
  const lateWords = ({ rfbId, lineCount }: { rfbId: string; lineCount: number }) =>
    translate('reports.late', { count: lineCount, bills: rfbId });
  const submit = async () => {
    if (!isRight()) return;
    setBusy(true);
    try {
      const { late, unbilled } = await send(generateFee, input);
      const left = unbilled ? [translate('reports.unbilled', words(unbilled))] : [];
      notices.success([translate('reports.generated'), ...late.map(lateWords), ...left].join('; '));
      onDone();
      onClose();
    } catch (error) {
      notices.failed(button.btnName, error);
      setBusy(false);
    }
  };

  const errors = byField(problems);
  const unread = isAsked && missing.error && !isReading ? reasonOf(missing.error) : '';
  const refusal = problems[0] ? wordsOf(problems[0]) : unread;
  return (
    <ActionModal
      title={button.btnName}
      problem={refusal}
      width={found && found.total > 0 ? 'charts' : 'normal'}
      more={
        <Button variant="outlined" loading={isReading} onClick={look}>
          {translate('bills.missing.look')}
        </Button>
      }
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
      {dates.endDate >= today && validateFee(input, today.slice(0, 7)).length === 0 && (
        <Alert severity="warning" role="status">
          {translate(endsEarlier ? 'reports.openDayOrEarlier' : 'reports.openDay', {
            ...{ day: dates.endDate, today, yesterday },
          })}
        </Alert>
      )}
      {found?.unbilled && (
        <Alert severity="warning" role="status">
          {translate('reports.unbilled', words(found.unbilled))}
        </Alert>
      )}
      {found && <UnpricedUnits found={found} />}
    </ActionModal>
  );
}
