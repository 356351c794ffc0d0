import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { changedFields } from '#app/engine/changedFields.ts';
import { FieldsCompared } from '#app/engine/FieldsCompared.tsx';
import { lastChange } from '#app/engine/lastChange.ts';
import type { Detail, Labels, Row } from '#app/engine/wire.ts';

interface Props {
  /** As it was shown, and as it stands now. */
  then: Row;
  now: Detail;
  /** Of the list in which it was shown: what its values are called. */
  labels?: Labels | undefined;
  onLook: () => void;
}

/** What was decided about has changed since it was shown: what it was, what it is, and the way to look again. Rule: writing#what-was-seen. */
export function ChangedSince({ then, now, labels, onLook }: Props) {
  const translate = useTranslate();
  const { fields } = now.view;
  // What it was has words of its own; a row of a list has those of its list.
  const labelsOf = (row: Row): Labels => {
    const own = (row as Partial<Detail>).view?.labels ?? labels ?? {};
    return { ...now.view.labels, ...own };
  };
  const shown = fields.filter((it) => it.name in then);
  const changed = changedFields(
    shown,
    { row: then, labels: labelsOf(then) },
    { row: now, labels: labelsOf(now) },
    translate,
  );
  return (
    <Alert severity="warning" role="alert">
      <AlertTitle>{translate('shell.seen.title')}</AlertTitle>
      {translate('shell.seen.body', lastChange(now, now.view.labels, translate))}
      {changed.length === 0 ? (
        <div>{translate('shell.seen.elsewhere')}</div>
      ) : (
        <Box sx={{ my: 2 }}>
          <FieldsCompared
            label={translate('shell.seen.title')}
            heads={[translate('shell.seen.then'), translate('shell.seen.now')]}
            rows={changed.map((it) => ({ name: it.name, label: it.label, cells: [it.was, it.is] }))}
          />
        </Box>
      )}
      <Button variant="outlined" color="inherit" size="small" onClick={onLook} sx={{ mt: 1 }}>
        {translate('shell.seen.look')}
      </Button>
    </Alert>
  );
}
