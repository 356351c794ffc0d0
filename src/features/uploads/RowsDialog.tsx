import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { Type } from 'typebox';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { lookup } from '#domain/call.ts';
import { endingOf, sizeInWords } from '#domain/uploads.ts';
import { listed } from '#app/fields/format.ts';
import { useNotices, useProblemOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { download } from '#app/parts/download.ts';
import { ChosenFile, FileChoice } from '#app/parts/FileChoice.tsx';
import { importRows, checkRows, fetchRowsForm, type RowsForm, type RowsFound } from '#app/parts/importRows.ts';
import { toOptions } from '#app/parts/toOptions.ts';
import { isCancelled } from '#app/parts/uploadFile.ts';
import { CallError, newKey } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { RowsReport } from './RowsReport.tsx';

/** How far it is: a share of the upload, or rows of the job. */
type Way = { share: number } | { rows: number };

/**
 * Rows out of a workbook: it is looked at first, then imported as a whole or not at all. `upload` and
 * `uploadSignForTime`. Rule: exports-and-jobs#imports.
 */
export default function RowsDialog({ module, button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const problemOf = useProblemOf();
  const lang = useLanguage();
  const script = button.btnScript;
  const path = `/api/${module}/${script}.json`;
  const { data: form, error } = useQuery({
    queryKey: [module, script, 'form', lang],
    queryFn: () => fetchRowsForm(module, script),
    staleTime: Infinity,
  });
  const [file, setFile] = useState<File | null>(null);
  const [given, setGiven] = useState<Record<string, string>>({});
  const [found, setFound] = useState<RowsFound | null>(null);
  /** It was fine when it was looked at, and is no more. */
  const [isOvertaken, setOvertaken] = useState(false);
  const [problem, setProblem] = useState('');
  const [way, setWay] = useState<Way | null>(null);
  const work = useRef<AbortController | null>(null);
  const key = useRef(newKey());
  useEffect(() => () => work.current?.abort(), []);
  if (!form) return error ? <Failed error={error} action={button.btnName} onClose={onClose} /> : null;

  const asks = form.items.filter((it) => it.queryName !== 'file');
  const values = { ...suggestedIn(asks), ...given };
  const max = sizeInWords(form.maxBytes);
  const isReady = found !== null && found.bad === 0;

  const choose = (files: File[]) => {
    const [chosen] = files;
    setFound(null);
    if (!chosen) return setProblem(translate('shell.upload.none'));
    if (!form.accept.includes(endingOf(chosen.name))) {
      return setProblem(translate('shell.upload.format', { formats: listed(form.accept) }));
    }
    if (chosen.size > form.maxBytes) return setProblem(translate('shell.upload.tooLarge', { max }));
    setProblem('');
    key.current = newKey();
    setFile(chosen);
  };

  /** Runs until it is done, stopped, or the dialog is closed. What was refused is looked at again. */
  const run = async (task: (signal: AbortSignal) => Promise<void>) => {
    const abort = new AbortController();
    work.current = abort;
    setProblem('');
    try {
      await task(abort.signal);
    } catch (failure) {
      if (isCancelled(failure)) return;
      setProblem(problemOf(failure));
      if (failure instanceof CallError && failure.status === 200) {
        setFound(null);
        key.current = newKey();
      }
    } finally {
      setWay(null);
      work.current = null;
    }
  };
  const check = () => {
    if (!file) return setProblem(translate('shell.upload.none'));
    if (asks.some((it) => it.required && !values[it.queryName])) return setProblem(translate('shell.form.requiredAll'));
    setWay({ share: 0 });
    void run(async (signal) => {
      const onRows = (rows: number) => setWay({ rows });
      setFound(await checkRows(path, file, values, (share) => setWay({ share }), { signal, onRows }));
      setOvertaken(false);
    });
  };
  const startImport = (ready: RowsFound) => {
    setWay({ rows: 0 });
    void run(async (signal) => {
      const done = await importRows(path, ready.url, values, key.current, {
        signal,
        onRows: (rows) => setWay({ rows }),
      });
      if (done.bad > 0) {
        setFound(done);
        setOvertaken(true);
        key.current = newKey();
        return;
      }
      notices.success(translate('shell.upload.done', { smart_count: done.imported }));
      onDone();
      onClose();
    });
  };
  const close = () => {
    if (way && isReady) notices.warning(translate('shell.upload.goesOn'));
    onClose();
  };

  return (
    <ActionModal
      title={button.btnName}
      action={isReady ? translate('shell.upload.import', { smart_count: found.rows }) : translate('shell.upload.check')}
      disabled={way !== null || (found !== null && !isReady && !isOvertaken)}
      problem={problem}
      onSubmit={() => (isReady ? startImport(found) : check())}
      onClose={close}
    >
      {asks.map((it) => {
        const { queryName, name: label, required } = it;
        const field = { label, required, disabled: way !== null, value: values[queryName] ?? '' };
        const give = (value: string) => {
          setFound(null);
          setGiven({ ...given, [queryName]: value });
        };
        return (
          <Box key={queryName} sx={{ maxWidth: 240 }}>
            {it.type === 'Month' ? (
              <DateField {...field} isBare kind="month" onChange={give} />
            ) : it.options ? (
              <Choice
                {...field}
                options={toOptions(it.options)}
                none={translate(required ? 'shell.form.choose' : 'shell.form.none')}
                onChange={give}
              />
            ) : (
              <TextField {...field} fullWidth onChange={(event) => give(event.target.value)} />
            )}
          </Box>
        );
      })}
      <FileChoice
        label={translate(found && !isReady ? 'shell.upload.another' : 'shell.upload.choose')}
        accept={form.accept}
        disabled={way !== null}
        onFiles={choose}
        hint={translate('shell.upload.rowsHint', { formats: listed(form.accept), max, rows: form.maxRows })}
      >
        <ChosenFile file={file} />
        <Progress way={way} isImporting={isReady} onStop={() => work.current?.abort()} />
      </FileChoice>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {translate('shell.upload.columns', {
          columns: listed(form.columns.map((it) => it.label + (it.required ? ' *' : ''))),
        })}{' '}
        <Link
          component="button"
          type="button"
          sx={{ verticalAlign: 'baseline' }}
          onClick={() =>
            void download(templateCall(module, button), {}).catch((failure: unknown) => setProblem(problemOf(failure)))
          }
        >
          {translate('shell.upload.template')}
        </Link>
      </Box>
      {found && <RowsReport found={found} />}
    </ActionModal>
  );
}

/** What the server takes to be meant, until somebody says otherwise. */
const suggestedIn = (asks: RowsForm['items']): Record<string, string> =>
  Object.fromEntries(asks.flatMap((it) => (it.value == null ? [] : [[it.queryName, String(it.value)]])));

const templateCall = (module: string, { btnNo, btnScript }: DialogProps['button']) =>
  lookup({
    path: `/api/${module}/${btnScript}Template.json`,
    right: `${module}:${btnNo}`,
    input: Type.Object({}),
    data: Type.Unknown(),
  });

function Failed({ error, action, onClose }: { error: unknown; action: string; onClose: () => void }) {
  const notices = useNotices();
  useEffect(() => {
    notices.failed(action, error);
    onClose();
  }, [notices, action, error, onClose]);
  return null;
}

function Progress({ way, isImporting, onStop }: { way: Way | null; isImporting: boolean; onStop: () => void }) {
  const translate = useTranslate();
  if (!way) return <Box sx={{ height: 32 }} />;
  const isSending = 'share' in way && way.share < 1;
  const words = isSending
    ? translate('shell.upload.sending', { percent: Math.round(way.share * 100) })
    : 'rows' in way && way.rows > 0
      ? translate('shell.upload.rowsChecked', { rows: way.rows })
      : translate(isImporting ? 'shell.upload.importing' : 'shell.upload.checking');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, height: 32 }}>
      <LinearProgress
        variant={isSending ? 'determinate' : 'indeterminate'}
        value={isSending ? way.share * 100 : undefined}
        aria-label={words}
        sx={{ flex: 1 }}
      />
      <Box role="status" sx={{ fontSize: 12, minWidth: 96 }}>
        {words}
      </Box>
      {!isImporting && (
        <Button size="small" onClick={onStop}>
          {translate('shell.upload.cancel')}
        </Button>
      )}
    </Box>
  );
}
