import { useState } from 'react';
import { useStore, useTranslate } from 'ra-core';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { workshopZone } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { ExportFrame } from '#app/parts/ExportFrame.tsx';
import { RangeField } from '#app/parts/RangeField.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { download, useExportNotices } from '#app/parts/download.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import type { Problem } from '#domain/refusal.ts';
import { formOf, isKind, validateReport, type Kind, type ReportInput } from '#domain/reports.ts';
import { previewCalls, reportCalls } from './contract.ts';
import { ReportInputs, type InputValues } from './ReportInputs.tsx';
import { ReportPreview } from './ReportPreview.tsx';

type ReportDialogProps = Pick<DialogProps, 'button' | 'onClose'>;

/** The dialog of one report: its range, its further inputs, its first rows, and the file. Rule: reports#dialogs. */
export default function ReportDialog({ button, onClose }: ReportDialogProps) {
  return isKind(button.btnNo) ? <OfKind kind={button.btnNo} title={button.btnName} onClose={onClose} /> : null;
}

function OfKind({ kind, title, onClose }: { kind: Kind; title: string; onClose: () => void }) {
  const translate = useTranslate();
  const notifyExport = useExportNotices();
  const { wordsOf, byField } = useProblemWords();
  const { range, inputs } = formOf(kind);
  // A figure of the preview leads away: whoever comes back, or asks again tomorrow, finds what was entered.
  const [last, setLast] = useStore(`reports.${kind}`, nothingEntered);
  const [{ dates, values }, setEntered] = useState(last);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const input = inputOf(range === 'months' ? monthStarts(dates) : dates, values);
  const preview = usePreview(kind, input);

  const enter = (it: typeof last) => {
    setEntered(it);
    setLast(it);
    setProblems([]);
  };
  const isRight = () => {
    const found = validateReport(kind, input, workshopZone());
    setProblems(found);
    return found.length === 0;
  };
  const submit = async () => {
    if (!isRight()) return;
    setBusy(true);
    const isGiven = await notifyExport(download(reportCalls[kind], input));
    setBusy(false);
    if (isGiven) onClose();
  };

  const errors = byField(problems);
  return (
    <ExportFrame
      title={title}
      about={translate(range === 'now' ? 'reports.now' : `reports.about.${kind}`)}
      problem={problems[0] ? wordsOf(problems[0]) : preview.problem}
      action={translate(busy ? 'reports.exporting' : 'reports.export')}
      busy={busy}
      // As wide as charts need it, as soon as there is something wide to show.
      width={preview.isShown ? 'charts' : 'normal'}
      more={
        <Button variant="outlined" loading={preview.isReading} onClick={() => isRight() && preview.ask()}>
          {translate('reports.preview.show')}
        </Button>
      }
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <RangeField
        value={dates}
        byMonth={range === 'months'}
        required={range !== 'now'}
        errors={errors}
        onChange={(it) => enter({ dates: it, values })}
      />
      <ReportInputs
        inputs={inputs}
        values={values}
        errors={errors}
        onChange={(part) => enter({ dates, values: { ...values, ...part } })}
      />
      {preview.isReading && !preview.data && (
        <Skeleton variant="rounded" height={320} role="status" aria-label={translate('reports.preview.reading')} />
      )}
      {preview.data && <ReportPreview preview={preview.data} />}
    </ExportFrame>
  );
}

const nothingEntered: { dates: { startDate: string; endDate: string }; values: InputValues } = {
  dates: { startDate: '', endDate: '' },
  values: {},
};

/** The preview of what is entered: only as long as it is what was asked for. */
function usePreview(kind: Kind, input: ReportInput) {
  const reasonOf = useReasonOf();
  const [asked, setAsked] = useState<ReportInput | null>(null);
  const { data, error, isFetching, refetch } = useLookup(previewCalls[kind], asked ?? {}, {
    enabled: asked !== null,
    staleTime: 0,
  });
  const isCurrent = asked !== null && JSON.stringify(asked) === JSON.stringify(input);
  return {
    ask: () => (isCurrent ? void refetch() : setAsked(input)),
    data: isCurrent ? data : undefined,
    problem: isCurrent && error && !isFetching ? reasonOf(error) : '',
    isReading: isCurrent && isFetching,
    isShown: isCurrent && !error,
  };
}

/** Months are sent as their first days. Rule: reports#range. */
const monthStarts = ({ startDate, endDate }: { startDate: string; endDate: string }) => ({
  startDate: startDate && `${startDate}-01`,
  endDate: endDate && `${endDate}-01`,
});

/** What is left empty is not sent. */
const inputOf = (dates: { startDate: string; endDate: string }, values: InputValues): ReportInput =>
  Object.fromEntries(
    Object.entries({ ...dates, ...values })
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value !== ''),
  );
