import { useId, useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Radio from '@mui/material/Radio';
import { FieldsCompared } from '#app/engine/FieldsCompared.tsx';
import { type FormValues, isSame } from '#app/engine/formRules.ts';
import { lastChange } from '#app/engine/lastChange.ts';
import type { Detail, FormField, Row } from '#app/engine/wire.ts';
import { EMPTY, textOf } from '#app/fields/format.ts';
import { useRecord } from '#app/parts/useRecord.ts';

interface StaleRecordProps {
  module: string;
  fields: readonly FormField[];
  /** What the form began with: says who of the two changed a field. */
  base: FormValues;
  mine: FormValues;
  theirs: Row;
  /** Back to the form, today's record with what was chosen. */
  onContinue: (chosen: FormValues) => void;
  onSave: (chosen: FormValues) => void;
}

type Side = 'mine' | 'theirs';

/**
 * Somebody saved the record while it was open here: both versions, field by field, and the user says which one stays.
 * A field that only one of the two changed is chosen as that one left it.
 */
export function StaleRecord({ module, fields, base, mine, theirs, onContinue, onSave }: StaleRecordProps) {
  const translate = useTranslate();
  const id = useId();
  // The refusal has today's values; what these are called, people among them, comes with the record.
  const { data: today } = useRecord<Detail>(module, String(theirs.id));
  const labels = today?.view.labels;
  const differing = fields.filter(
    (it) => !it.readOnly && it.type !== 'password' && !isSame(it, mine[it.queryName], theirs[it.queryName]),
  );
  const [sides, setSides] = useState<Record<string, Side>>(() =>
    Object.fromEntries(
      differing.map((it) => [it.queryName, isSame(it, mine[it.queryName], base[it.queryName]) ? 'theirs' : 'mine']),
    ),
  );
  const chosen = (): FormValues => {
    const values: FormValues = Object.fromEntries(fields.map((it) => [it.queryName, theirs[it.queryName] ?? '']));
    for (const it of fields) {
      if (it.type === 'password' || sides[it.queryName] === 'mine') values[it.queryName] = mine[it.queryName];
    }
    return values;
  };
  const choose = (names: readonly string[], side: Side) =>
    setSides((it) => ({ ...it, ...Object.fromEntries(names.map((name) => [name, side])) }));
  const said = (field: FormField, row: FormValues) =>
    textOf(
      { name: field.queryName, label: field.name, type: field.type, format: field.format, options: field.options },
      row[field.queryName],
      labels,
      row['currency'] ?? theirs['currency'],
    ) || EMPTY;
  const names = differing.map((it) => it.queryName);
  const head = (side: Side) => (
    <>
      {translate(`shell.form.stale.${side}`)}
      <Button variant="text" size="small" onClick={() => choose(names, side)} sx={{ ml: 1, p: 0.5 }}>
        {translate('shell.form.stale.all')}
      </Button>
    </>
  );
  const cell = (it: FormField, side: Side) => (
    <Box component="label" sx={labelSx}>
      <Radio
        size="small"
        name={id + it.queryName}
        checked={sides[it.queryName] === side}
        onChange={() => choose([it.queryName], side)}
        slotProps={{ input: { 'aria-label': `${it.name}: ${translate(`shell.form.stale.${side}`)}` } }}
        sx={{ p: 1 }}
      />
      {said(it, side === 'mine' ? mine : theirs)}
    </Box>
  );

  return (
    <>
      <DialogContent>
        <Alert severity="warning" variant="outlined" sx={{ mb: 4 }}>
          <AlertTitle>{translate('shell.form.stale.title')}</AlertTitle>
          {translate('shell.form.stale.body', lastChange(theirs, labels, translate))}
        </Alert>
        {differing.length === 0 ? (
          translate('shell.form.stale.same')
        ) : (
          <FieldsCompared
            heads={[head('mine'), head('theirs')]}
            rows={differing.map((it) => ({
              name: it.queryName,
              label: it.name,
              cells: [cell(it, 'mine'), cell(it, 'theirs')],
            }))}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="medium" onClick={() => onContinue(chosen())}>
          {translate('shell.form.stale.continue')}
        </Button>
        <Button variant="contained" size="medium" autoFocus onClick={() => onSave(chosen())}>
          {translate('shell.form.stale.save')}
        </Button>
      </DialogActions>
    </>
  );
}

const labelSx = { display: 'inline-flex', alignItems: 'center', cursor: 'pointer', minHeight: 36 };
