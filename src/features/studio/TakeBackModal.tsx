import { useState } from 'react';
import { useTranslate } from 'ra-core';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { notices } from '#app/notify.ts';
import { ActionForm } from '#app/parts/ActionModal.tsx';
import { Modal } from '#app/parts/Modal.tsx';
import { takeBack } from './contract.ts';
import { LeftOut } from './LeftOut.tsx';
import { FollowedPublish } from './PublishingProgress.tsx';
import { usePublishing, type Published } from './usePublishing.ts';
import { isUnseen } from '#domain/signs.ts';

interface Props {
  id: number;
  onDone: () => void;
  onClose: () => void;
}

/** Takes a publish back, or all since it, says how far it is, and what was left out; columns and rows stay. Rule: definitions#publishing. */
export function TakeBackModal({ id, onDone, onClose }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.takeBack.${key}`, args);
  const [partly, setPartly] = useState<Published | null>(null);
  const { publish, sending, said, problem, running, cancel } = usePublishing(takeBack, id, (done) => {
    if (done.leftOut.length > 0) return setPartly(done);
    notices.success(say('done', { id: done.id }));
    onDone();
  });
  const [since, setSince] = useState(false);
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const isMissing = isUnseen(note);
  const confirm = () => {
    setAsked(true);
    if (!isMissing) void publish({ id, since, note: note.trim() });
  };
  const title = `${say('action')} · ${id}`;
  if (partly) {
    return (
      <Modal title={title} width="question" onClose={onDone}>
        <LeftOut kind="takeBack" publishing={partly} onClose={onDone} />
      </Modal>
    );
  }
  return (
    <Modal title={title} width="question" onClose={sending && !running ? undefined : onClose}>
      {running ? (
        <FollowedPublish
          title={title}
          publishing={running}
          onCancel={() => void cancel(running.jobId)}
          onClose={onClose}
        />
      ) : (
        <ActionForm
          danger
          action={say('action')}
          sending={sending}
          problem={problem}
          onSubmit={confirm}
          onClose={onClose}
        >
          {said ?? say('hint')}
          <RadioGroup
            aria-label={say('what')}
            value={since ? 'since' : 'one'}
            onChange={(_, to) => setSince(to === 'since')}
          >
            <FormControlLabel value="one" control={<Radio size="small" />} label={say('one', { id })} />
            <FormControlLabel value="since" control={<Radio size="small" />} label={say('since', { id })} />
          </RadioGroup>
          <TextField
            autoFocus
            required
            label={translate('studio.publish.note')}
            value={note}
            error={asked && isMissing}
            helperText={asked && isMissing ? translate('studio.publish.noteNeeded') : ' '}
            slotProps={{ htmlInput: { maxLength: 500 } }}
            onChange={(event) => setNote(event.target.value)}
          />
        </ActionForm>
      )}
    </Modal>
  );
}
