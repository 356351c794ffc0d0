import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { type FormValues, isBlank, isNumeric } from '#app/engine/formRules.ts';
import { TableFrame } from '#app/engine/TableFrame.tsx';
import type { FormField, Row } from '#app/engine/wire.ts';
import { momentOf, textOf } from '#app/fields/format.ts';

interface StaleRecordProps {
  fields: readonly FormField[];
  mine: FormValues;
  theirs: Row;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Somebody saved the record while it was open here: both are shown, and the user says which one stays. */
export function StaleRecord({ fields, mine, theirs, onTakeTheirs, onKeepMine }: StaleRecordProps) {
  const translate = useTranslate();
  const differing = fields.filter((it) => !it.readOnly && isDifferent(it, mine[it.queryName], theirs[it.queryName]));
  const said = (field: FormField, value: unknown) =>
    textOf(
      { name: field.queryName, label: field.name, type: field.type, format: field.format, options: field.options },
      value,
    );
  return (
    <>
      <DialogContent>
        <Alert severity="warning" variant="outlined" sx={{ mb: 4 }}>
          <AlertTitle>{translate('shell.form.stale.title')}</AlertTitle>
          {translate('shell.form.stale.body', {
            who: String(theirs['updateBy'] ?? ''),
            when: momentOf(theirs['updateTime']),
          })}
        </Alert>
        {differing.length === 0 ? (
          translate('shell.form.stale.same')
        ) : (
          <TableFrame>
            <table>
              <thead>
                <tr>
                  <th scope="col">{translate('shell.form.stale.field')}</th>
                  <th scope="col">{translate('shell.form.stale.yours')}</th>
                  <th scope="col">{translate('shell.form.stale.theirs')}</th>
                </tr>
              </thead>
              <tbody>
                {differing.map((it) => (
                  <tr key={it.queryName}>
                    <td>{it.name}</td>
                    <td>{said(it, mine[it.queryName])}</td>
                    <td>{said(it, theirs[it.queryName])}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="medium" onClick={onKeepMine}>
          {translate('shell.form.stale.keepYours')}
        </Button>
        <Button variant="contained" size="medium" onClick={onTakeTheirs} autoFocus>
          {translate('shell.form.stale.takeTheirs')}
        </Button>
      </DialogActions>
    </>
  );
}

function isDifferent(field: FormField, mine: unknown, theirs: unknown): boolean {
  if (field.type === 'password') return false;
  if (isBlank(mine) && isBlank(theirs)) return false;
  return isNumeric(field) ? Number(mine) !== Number(theirs) : String(mine ?? '') !== String(theirs ?? '');
}
