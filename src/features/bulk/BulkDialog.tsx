import { useState } from 'react';
import { useListContext, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import type { Progress } from '#app/eventStream.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { isBlank } from '#domain/definition/fieldRules.ts';
import { groupedCount } from '#app/fields/format.ts';
import { useProblemOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useToolbar } from '#app/shell/pageNames.ts';
import { BulkFields } from './BulkFields.tsx';
import { BulkResults } from './BulkResults.tsx';
import { ReviewFields } from './ReviewFields.tsx';
import { reviewStep, validateDecision } from '#domain/review.ts';
import { previewBulk, createRun, step, type BulkAnswer, type Run, type Which } from './bulkAnswers.tsx';

/**
 * One action on many rows: choose it, see what would come of it, do it, read what came of each row. A run goes in parts;
 * one that was cut off is gone on with, and no row is done twice. Rule: lists#bulk.
 */
export default function BulkDialog({ menuNo, module, button, rows, matching, isForAll, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const problemOf = useProblemOf();
  const buttons = (useToolbar(menuNo).data ?? []).filter(isBulk);
  const [pressed, setPressed] = useState('');
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [preview, setPreview] = useState<BulkAnswer | null>(null);
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const [run, setRun] = useState<Run | null>(null);
  const [problem, setProblem] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [stopping, setStopping] = useState<AbortController | null>(null);

  const chosen = buttons.find((it) => it.btnNo === pressed) ?? (buttons.length === 1 ? buttons[0] : undefined);
  const script = chosen?.btnScript ?? '';
  const isReview = reviewStep(module, script) !== undefined;
  const bulkAction = { action: script, ...((script === 'modify' || isReview) && { values }) };
  const which: Which = isForAll
    ? {
        matching: {
          query: matching.query,
          // The list says in words which rows are meant, without a condition too.
          all: true,
          ...(matching.condition && { adminAdvancedSearchGroup: matching.condition }),
        },
      }
    : { ids: rows.map((it) => it.id) };
  const { data } = useListContext<Row>();
  const first = rows[0] ?? data?.[0];
  const wanted = (preview?.results ?? []).filter((it) => it.done && !leftOut.has(it.id));
  const isOver = run !== null && run.left.length === 0;
  const sending = stopping !== null;
  const textIn = (name: string) => String(values[name] ?? '').trim();
  const needsValues = isReview
    ? validateDecision(textIn('result'), textIn('remark') || null).length > 0
    : script === 'modify' && Object.keys(values).length === 0;

  // Chosen to be set, and not yet said to what; null is "empty".
  const isUnfilled = script === 'modify' && Object.values(values).some((it) => it !== null && isBlank(it));

  const runCall = async (work: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController();
    setStopping(controller);
    setProblem('');
    setProgress(null);
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemOf(error));
    } finally {
      setStopping(null);
    }
  };
  const ask = () => {
    setAsked(true);
    if (isUnfilled) return;
    void runCall(async (signal) => {
      const answer = await previewBulk(module, bulkAction, which, { onProgress: setProgress, signal });
      if (!signal.aborted) setPreview(answer);
    });
  };
  const go = () =>
    runCall(async (signal) => {
      let now = run ?? createRun(wanted, preview?.labels);
      try {
        // A part that is on its way comes to its end.
        while (now.left.length > 0 && !signal.aborted) {
          setRun(now);
          now = await step(module, bulkAction, now);
        }
      } finally {
        setRun(now);
      }
    });
  const close = () => {
    if (run && run.done.length > 0) onDone();
    onClose();
  };

  const count = isForAll ? matching.total : rows.length;
  const name = chosen?.btnName ?? '';
  const verb = !preview ? 'shell.bulk.foresee' : run ? 'shell.bulk.goOn' : 'shell.bulk.go';
  return (
    <ActionModal
      title={translate('shell.bulk.title', {
        action: button.btnName,
        smart_count: count,
        count: groupedCount(count),
      })}
      action={isOver ? translate('shell.bulk.close') : translate(verb, { action: name, count: wanted.length })}
      {...(isOver && { leave: null })}
      {...(sending && { leave: translate('shell.bulk.stop'), onStop: () => stopping?.abort() })}
      danger={preview !== null && !isOver && chosen?.tone === 'danger'}
      sending={sending}
      disabled={!chosen || needsValues || (preview !== null && wanted.length === 0 && !isOver)}
      problem={problem}
      onSubmit={() => void (isOver ? close() : preview ? go() : ask())}
      onClose={close}
    >
      {!preview && (
        // What is being previewed is what will be done: nothing of it changes meanwhile.
        <Box inert={sending} sx={{ display: 'contents' }}>
          <Choice
            required
            label={translate('shell.bulk.action')}
            value={chosen?.btnNo ?? ''}
            options={buttons.map((it) => ({ value: it.btnNo, label: it.btnName }))}
            onChange={(it) => {
              setPressed(it);
              setValues({});
              setAsked(false);
            }}
          />
          {isReview && <ReviewFields values={values} onChange={setValues} />}
          {script === 'modify' && first && (
            <BulkFields
              menuNo={menuNo}
              module={module}
              rowId={first.id}
              values={values}
              isAsked={isAsked}
              onChange={setValues}
            />
          )}
        </Box>
      )}
      {!preview && progress && sending && (
        <ProgressLine {...progress} label={translate('shell.bulk.previewProgress')} />
      )}
      {preview && !run && (
        <>
          <Alert severity={preview.refusedCount > 0 ? 'warning' : 'info'} role="status">
            {translate(preview.refusedCount > 0 ? 'shell.bulk.foreseen' : 'shell.bulk.foreseenAll', {
              action: name,
              smart_count: preview.doneCount,
              done: preview.doneCount,
              refused: preview.refusedCount,
            })}
            {preview.unchangedCount > 0 && (
              <div>
                {translate('shell.bulk.foreseenUnchanged', {
                  smart_count: preview.unchangedCount,
                  count: groupedCount(preview.unchangedCount),
                })}
              </div>
            )}
          </Alert>
          <BulkResults results={preview.results} leftOut={leftOut} onLeaveOut={setLeftOut} />
        </>
      )}
      {run && preview && <RunProgress run={run} preview={preview} isOver={isOver} />}
    </ActionModal>
  );
}

/** What takes many rows: deleting and changing where the list deletes many, and each button that says so. */
const isBulk = (button: ToolbarButton, _: number, all: readonly ToolbarButton[]): boolean =>
  button.bulk === true ||
  (['deleteAll', 'modify'].includes(button.btnScript) && all.some((it) => it.btnScript === 'deleteAll'));

function RunProgress({ run, preview, isOver }: { run: Run; preview: BulkAnswer; isOver: boolean }) {
  const translate = useTranslate();
  const foreseen = preview.results;
  const refused = foreseen.filter((it) => !it.done && !it.unchanged);
  const total = run.done.length + run.left.reduce((sum, it) => sum + it.ids.length, 0);
  const done = run.done.filter((it) => it.done).length;
  return (
    <>
      {!isOver && <ProgressLine done={run.done.length} total={total} label={translate('shell.bulk.progress')} />}
      {isOver && (
        <Alert severity={done === total ? 'success' : 'warning'} role="status">
          {translate('shell.bulk.finished', { done, refused: total - done + refused.length })}
        </Alert>
      )}
      <BulkResults results={[...run.done, ...refused]} preview={preview} labels={run.labels} />
    </>
  );
}

function ProgressLine({ done, total, label }: Progress & { label: string }) {
  const translate = useTranslate();
  return (
    <Box>
      <LinearProgress variant="determinate" value={total === 0 ? 0 : (done / total) * 100} aria-label={label} />
      <Box role="status" sx={{ mt: 1, fontSize: 13 }}>
        {translate('shell.bulk.running', { done: groupedCount(done), total: groupedCount(total) })}
      </Box>
    </Box>
  );
}
