import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import { TableFrame } from '#app/engine/TableFrame.tsx';
import type { Detail, Row } from '#app/engine/wire.ts';
import { EMPTY, momentOf, textOf } from '#app/fields/format.ts';

interface Props {
  /** As it was shown, and as it stands now. */
  then: Row;
  now: Detail;
  onLook: () => void;
}

/** What was decided about has changed since it was shown: what it was, what it is, and the way to look again. Rule: writing#what-was-seen. */
export function ChangedSince({ then, now, onLook }: Props) {
  const translate = useTranslate();
  const { fields } = now.view;
  // What it was has words of its own; a row of a list has none.
  const said = (row: Row, field: (typeof fields)[number]) =>
    textOf(field, row[field.name], ((row as Partial<Detail>).view ?? now.view).labels, row['currency']) || EMPTY;
  const changed = fields.filter((it) => it.name in then && said(then, it) !== said(now, it));
  return (
    <Alert severity="warning" role="alert">
      <AlertTitle>{translate('shell.seen.title')}</AlertTitle>
      {translate('shell.seen.body', {
        who: now['updateBy'] || translate('shell.form.stale.somebody'),
        when: momentOf(now['updateTime']),
      })}
      {changed.length === 0 ? (
        <div>{translate('shell.seen.elsewhere')}</div>
      ) : (
        <TableFrame sx={{ my: 2, '& td': { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}>
          <table aria-label={translate('shell.seen.title')}>
            <thead>
              <tr>
                <th scope="col">{translate('shell.form.stale.field')}</th>
                <th scope="col">{translate('shell.seen.then')}</th>
                <th scope="col">{translate('shell.seen.now')}</th>
              </tr>
            </thead>
            <tbody>
              {changed.map((it) => (
                <tr key={it.name}>
                  <td>{it.label}</td>
                  <td>{said(then, it)}</td>
                  <td>{said(now, it)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      <Button variant="outlined" color="inherit" size="small" onClick={onLook} sx={{ mt: 1 }}>
        {translate('shell.seen.look')}
      </Button>
    </Alert>
  );
}
