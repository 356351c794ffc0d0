import { useEffect, useMemo, useRef, useState } from 'react';
import { useForm, type FieldErrors } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { useCreate, useListContext, useTranslate, useUpdate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { configurePath, useMayConfigure } from '#app/engine/configure.ts';
import { DraftNotice } from '#app/engine/DraftNotice.tsx';
import { FieldGrid } from '#app/engine/FieldGrid.tsx';
import { findFormChanges } from '#app/engine/formChanges.ts';
import { FormChangesNotice } from '#app/engine/FormChangesNotice.tsx';
import type { Draft } from '#app/engine/formDrafts.ts';
import { knownOf } from '#app/engine/given.ts';
import { changesOf, type FormValues, toRequestValues, toInitialValues } from '#app/engine/formRules.ts';
import { moduleOf } from '#app/engine/module.ts';
import { StaleRecord } from '#app/engine/StaleRecord.tsx';
import { useFormChanges } from '#app/engine/useFormChanges.ts';
import type { FormAnswer, FormField, Row } from '#app/engine/wire.ts';
import { useNotices } from '#app/notify.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { CallError, isRefusal, newKey } from '#app/send.ts';

interface RecordFormProps {
  menuNo: string;
  form: FormAnswer;
  action: string;
  /** Reads the form anew, as it may have been published otherwise since. */
  readForm: () => Promise<FormAnswer | undefined>;
  /** What whoever led here knows of the record: the form begins with it. */
  given?: FormValues | undefined;
  /** What this user typed here before and did not save. */
  draft: Draft | null;
  saveDraft: (values: FormValues, version?: number) => void;
  discardDraft: () => void;
  onDirty: (isDirty: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

const versionOf = (row: Row | undefined): number | undefined => row?.['version'] as number | undefined;

/** The fields of a record: checked here as the server will check them, and once more by it. */
export function RecordForm(props: RecordFormProps) {
  const { menuNo, form, action, readForm, given, draft, saveDraft, discardDraft, onDirty, onCancel, onSaved } = props;
  const translate = useTranslate();
  const notices = useNotices();
  const mayConfigure = useMayConfigure();
  const fields = form.items;
  const [before, setBefore] = useState(form.item);
  const [restored, setRestored] = useState(draft);
  const [version, setVersion] = useState(draft?.version ?? versionOf(form.item));
  const [current, setCurrent] = useState<Row | null>(null);
  const key = useRef(newKey());
  const { refetch } = useListContext();
  const [create] = useCreate<Row>();
  const [update] = useUpdate<Row>();
  const start = useMemo(
    () => ({ ...toInitialValues(fields, before), ...knownOf(fields, given) }),
    [fields, before, given],
  );
  const [first] = useState(() => ({ ...start, ...draft?.values }));
  const { control, handleSubmit, formState, setError, setValue, watch, reset, getValues } = useForm<FormValues>({
    mode: 'onBlur',
    defaultValues: first,
  });
  const { isSubmitting } = formState;
  const values = watch();
  const { changes: published, forgetChanges } = useFormChanges(fields, values, { before, onAdded: setValue });
  const changes = changesOf(fields, start, values);
  const isDirty = Object.keys(changes).length > 0 || hasPassword(form, values);

  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const typed = JSON.stringify([changes, version]);
  const lastSaved = useRef(typed);
  useEffect(() => {
    // What was restored, or never touched, is not typed anew.
    if (typed === lastSaved.current) return;
    lastSaved.current = typed;
    const [entered, over] = JSON.parse(typed) as [FormValues, number | null];
    saveDraft(entered, over ?? undefined);
  }, [typed, saveDraft]);

  const save = async (entered: FormValues, over = version) => {
    const sent = toRequestValues(fields, entered, before);
    const meta = { key: key.current };
    const options = { returnPromise: true } as const;
    let saved: unknown;
    try {
      if (before) {
        const data = { ...sent, version: over };
        saved = await update(menuNo, { id: before.id, data, previousData: before, meta }, options);
      } else {
        saved = await create(menuNo, { data: sent, meta }, options);
      }
    } catch (error) {
      // A refusal leaves no trace on the server; with other content the same key would be refused as well.
      if (!isWithoutVerdict(error)) key.current = newKey();
      if (isRefusal(error, 'stale') && isRow(error.data)) return setCurrent(error.data);
      const problems = error instanceof CallError ? error.problems : [];
      const now = problems.some((it) => it.field) ? await readForm() : undefined;
      markFields(problems, now?.items ?? fields);
      if (now && findFormChanges(fields, now.items, start, entered))
        return notices.warning(translate('shell.form.changed.again'));
      return notices.failed(action, error);
    }
    // An answer without a record: nothing was saved, and the draft stays.
    if (!isRow(saved)) return;
    discardDraft();
    notices.success(translate(before ? 'shell.form.modified' : 'shell.form.created'));
    void refetch();
    onSaved();
  };
  const markFields = (problems: CallError['problems'], shown: readonly FormField[]) => {
    const marked = shown.flatMap(({ queryName }) => problems.find((it) => it.field === queryName) ?? []);
    marked.forEach((it, i) => setError(it.field ?? '', { message: it.msg }, { shouldFocus: i === 0 }));
  };
  const refuse = (errors: FieldErrors) => {
    if (Object.values(errors).some((it) => it?.type === 'required'))
      notices.warning(translate('shell.form.requiredAll'));
  };
  const discard = () => {
    setRestored(null);
    setVersion(versionOf(before));
    reset(start);
    discardDraft();
  };

  if (current) {
    const settle = (chosen: FormValues) => {
      setCurrent(null);
      setBefore(current);
      setVersion(versionOf(current));
      reset({ ...getValues(), ...chosen });
    };
    return (
      <StaleRecord
        module={moduleOf(menuNo)}
        fields={fields}
        base={start}
        mine={getValues()}
        theirs={current}
        onContinue={settle}
        onSave={(chosen) => {
          settle(chosen);
          void save(getValues(), versionOf(current));
        }}
      />
    );
  }
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void handleSubmit((it) => save(it), refuse)(event)}
      sx={{ display: 'contents' }}
    >
      <DialogContent>
        {restored && (
          <DraftNotice
            at={restored.at}
            isOlder={restored.version !== versionOf(before)}
            onDiscard={discard}
            onClose={() => setRestored(null)}
          />
        )}
        <FormChangesNotice changes={published} onClose={forgetChanges} />
        <FieldGrid menuNo={menuNo} form={form} row={before} control={control} values={values} />
      </DialogContent>
      <DialogActions>
        {mayConfigure && (
          <Button component={Link} to={configurePath(menuNo, { at: 'newField' })} variant="text" sx={{ mr: 'auto' }}>
            {translate('shell.form.addField')}
          </Button>
        )}
        <Button variant="outlined" size="medium" onClick={onCancel} disabled={isSubmitting}>
          {translate('ra.action.cancel')}
        </Button>
        <Button type="submit" variant="contained" size="medium" loading={isSubmitting}>
          {translate('shell.form.save')}
        </Button>
      </DialogActions>
    </Box>
  );
}

const hasPassword = ({ items }: FormAnswer, values: FormValues): boolean =>
  items.some((it) => it.type === 'password' && !!values[it.queryName]);

const isRow = (data: unknown): data is Row => typeof data === 'object' && data !== null && 'id' in data;
