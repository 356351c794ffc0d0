import { useEffect, useMemo, useRef, useState } from 'react';
import { Controller, useForm, type FieldErrors } from 'react-hook-form';
import { useCreate, useListContext, useTranslate, useUpdate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { FieldInput } from '#app/engine/FieldInput.tsx';
import { faultOf, type FormValues, isRequired, sentOf, startOf } from '#app/engine/formRules.ts';
import { StaleRecord } from '#app/engine/StaleRecord.tsx';
import type { FormAnswer, FormField, Row } from '#app/engine/wire.ts';
import { useNotices } from '#app/notify.ts';
import { CallError, newKey } from '#app/send.ts';

interface RecordFormProps {
  menuNo: string;
  form: FormAnswer;
  action: string;
  onDirty: (isDirty: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

const STALE = '100025';

/** The fields of a record: checked here as the server will check them, and once more by it. */
export function RecordForm({ menuNo, form, action, onDirty, onCancel, onSaved }: RecordFormProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const fields = form.items;
  const [before, setBefore] = useState(form.item);
  const byName = useMemo(() => new Map(fields.map((it) => [it.queryName, it])), [fields]);
  const key = useRef(newKey());
  const [current, setCurrent] = useState<Row | null>(null);
  const { refetch } = useListContext();
  const [create] = useCreate<Row>();
  const [update] = useUpdate<Row>();
  const { control, handleSubmit, formState, setError, watch, reset, getValues } = useForm<FormValues>({
    mode: 'onBlur',
    defaultValues: startOf(fields, before),
  });
  const firstOpen = fields.find((it) => !it.readOnly);
  const values = watch();
  const { isDirty, isSubmitting } = formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);

  const save = async (entered: FormValues, version = before?.['version']) => {
    const sent = sentOf(fields, entered);
    const meta = { key: key.current };
    try {
      if (before) {
        const data = { ...sent, version };
        await update(menuNo, { id: before.id, data, previousData: before, meta }, { returnPromise: true });
      } else {
        await create(menuNo, { data: sent, meta }, { returnPromise: true });
      }
    } catch (error) {
      // A refusal leaves no trace on the server; with other content the same key would be refused as well.
      if (!(error instanceof CallError && error.network)) key.current = newKey();
      if (error instanceof CallError && error.code === STALE && isRow(error.data)) return setCurrent(error.data);
      markFields(error);
      return notices.failed(action, error);
    }
    notices.success(translate(before ? 'shell.form.modified' : 'shell.form.created'));
    void refetch();
    onSaved();
  };
  const markFields = (error: unknown) => {
    const told = error instanceof CallError ? error.problems.filter((it) => it.field && byName.has(it.field)) : [];
    told.forEach((it, i) => setError(it.field ?? '', { message: it.msg }, { shouldFocus: i === 0 }));
  };
  const refuse = (errors: FieldErrors) => {
    if (Object.values(errors).some((it) => it?.type === 'required'))
      notices.warning(translate('shell.form.requiredAll'));
  };

  if (current) {
    return (
      <StaleRecord
        fields={fields}
        mine={getValues()}
        theirs={current}
        onTakeTheirs={() => {
          setCurrent(null);
          setBefore(current);
          reset(startOf(fields, current));
        }}
        onKeepMine={() => {
          setCurrent(null);
          void save(getValues(), current['version']);
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
        {rowsOf(form).map((row) => (
          <Box
            key={row.map((it) => it.queryName).join()}
            sx={{
              display: 'grid',
              columnGap: 4,
              gridTemplateColumns: { xs: '1fr', sm: `repeat(${Math.min(row.length, 3)}, minmax(0, 1fr))` },
            }}
          >
            {row.map((field) => (
              <Controller
                key={field.queryName}
                name={field.queryName}
                control={control}
                rules={{ validate: rulesOf(field, translate) }}
                render={({ field: { ref, value, onChange, onBlur }, fieldState }) => (
                  <FieldInput
                    field={field}
                    value={value}
                    required={isRequired(field, values)}
                    error={fieldState.error?.message}
                    inputRef={ref}
                    autoFocus={field === firstOpen}
                    onChange={onChange}
                    onBlur={onBlur}
                  />
                )}
              />
            ))}
          </Box>
        ))}
      </DialogContent>
      <DialogActions>
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

type Translate = ReturnType<typeof useTranslate>;

/** Named by kind, so that an empty required field can be told from a wrong one. */
function rulesOf(field: FormField, translate: Translate) {
  const told = (isKind: (key: string) => boolean) => (_: unknown, values: FormValues) => {
    const fault = faultOf(field, values);
    return fault === null || !isKind(fault.key) || translate(`shell.form.${fault.key}`, fault.args);
  };
  return { required: told((it) => it === 'required'), bounds: told((it) => it !== 'required') };
}

/** Fields of one row of the definition stand side by side; what no row names follows, one by one. */
function rowsOf({ items, rows }: FormAnswer): FormField[][] {
  const byName = new Map(items.map((it) => [it.queryName, it]));
  const named = (rows ?? []).map((row) => row.flatMap((it) => byName.get(it) ?? [])).filter((it) => it.length > 0);
  const placed = new Set(named.flat());
  return [...named, ...items.filter((it) => !placed.has(it)).map((it) => [it])];
}

const isRow = (data: unknown): data is Row => typeof data === 'object' && data !== null && 'id' in data;
