import { useState } from 'react';
import { useTranslate } from 'ra-core';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { notices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { send } from '#app/send.ts';
import { readPublish, takeBack } from './contract.ts';
import { usePublishing } from './usePublishing.ts';

/** Takes a publish back, or all since it; columns and rows stay. Rule: definitions#publishing. */
export default function TakeBackDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.takeBack.${key}`, args);
  const { publish, sending, said, problem } = usePublishing(takeBack, async () => {
    const id = Number(rows[0]?.id);
    return (await send(readPublish, { id })).isInForce ? undefined : id;
  });
  const [since, setSince] = useState(false);
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const [row] = rows;
  if (!row) return null;
  const isMissing = note.trim() === '';
  const confirm = async () => {
    setAsked(true);
    if (isMissing) return;
    const done = await publish({ id: row.id, since, note: note.trim() });
    if (!done) return;
    // Where only that it is no more in force could be learnt, it is told without the number.
    notices.success(say(done.id === row.id ? 'isBack' : 'done', { id: done.id }));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      danger
      width="question"
      title={`${button.btnName} · ${row.id}`}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {said ?? say('hint')}
      <RadioGroup
        aria-label={say('what')}
        value={since ? 'since' : 'one'}
        onChange={(_, to) => setSince(to === 'since')}
      >
        <FormControlLabel value="one" control={<Radio size="small" />} label={say('one', { id: row.id })} />
        <FormControlLabel value="since" control={<Radio size="small" />} label={say('since', { id: row.id })} />
      </RadioGroup>
      <TextField
        required
        label={translate('studio.publish.note')}
        value={note}
        error={asked && isMissing}
        helperText={asked && isMissing ? translate('studio.publish.noteNeeded') : ' '}
        slotProps={{ htmlInput: { maxLength: 500 } }}
        onChange={(event) => setNote(event.target.value)}
      />
    </ActionModal>
  );
}
