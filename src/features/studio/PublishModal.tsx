import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { notices } from '#app/notify.ts';
import { ActionForm } from '#app/parts/ActionModal.tsx';
import { Modal } from '#app/parts/Modal.tsx';
import { publishDraft } from './contract.ts';
import { LeftOut } from './LeftOut.tsx';
import { FollowedPublish } from './PublishingProgress.tsx';
import { usePublishing, type Published } from './usePublishing.ts';
import { isUnseen } from '#domain/signs.ts';

interface Props {
  id: number;
  version: number;
  onDone: (publishId: number) => void;
  onClose: () => void;
}

/** Asks why, then publishes the draft as it was seen, says how far it is, and what was left out. Rule: definitions#publishing. */
export function PublishModal({ id, version, onDone, onClose }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.publish.${key}`, args);
  const [partly, setPartly] = useState<Published | null>(null);
  const { publish, sending, said, problem, running, cancel } = usePublishing(publishDraft, id, (done) => {
    if (done.leftOut.length > 0) return setPartly(done);
    notices.success(say('done', { id: done.id }));
    onDone(done.id);
  });
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const isMissing = isUnseen(note);
  const confirm = () => {
    setAsked(true);
    if (!isMissing) void publish({ id, version, note: note.trim() });
  };
  if (partly) {
    const leave = () => onDone(partly.id);
    return (
      <Modal title={say('title')} width="question" onClose={leave}>
        <LeftOut kind="publish" publishing={partly} onClose={leave} />
      </Modal>
    );
  }
  return (
    <Modal title={say('title')} width="question" onClose={sending && !running ? undefined : onClose}>
      {running ? (
        <FollowedPublish
          title={say('title')}
          publishing={running}
          onCancel={() => void cancel(running.jobId)}
          onClose={onClose}
        />
      ) : (
        <ActionForm action={say('action')} sending={sending} problem={problem} onSubmit={confirm} onClose={onClose}>
          {said ?? say('hint')}
          <TextField
            autoFocus
            required
            multiline
            minRows={2}
            label={say('note')}
            value={note}
            error={asked && isMissing}
            helperText={asked && isMissing ? say('noteNeeded') : say('noteHint')}
            slotProps={{ htmlInput: { maxLength: 500 } }}
            onChange={(event) => setNote(event.target.value)}
          />
        </ActionForm>
      )}
    </Modal>
  );
}
