import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { notices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { send } from '#app/send.ts';
import { publishDraft, readDraft } from './contract.ts';
import { usePublishing } from './usePublishing.ts';

interface Props {
  id: number;
  version: number;
  onDone: (publishId: number) => void;
  onClose: () => void;
}

/** Asks why, then publishes the draft as it was seen. Rule: definitions#publishing. */
export function PublishModal({ id, version, onDone, onClose }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.publish.${key}`, args);
  const findDone = async () => (await send(readDraft, { id })).publishId ?? undefined;
  const { publish, sending, said, problem } = usePublishing(publishDraft, findDone);
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const isMissing = note.trim() === '';
  const confirm = async () => {
    setAsked(true);
    if (isMissing) return;
    const done = await publish({ id, version, note: note.trim() });
    if (!done) return;
    if (done.leftOut.length > 0) notices.error(say('leftOut'), done.leftOut.join('; '));
    else notices.success(say('done', { id: done.id }));
    onDone(done.id);
  };
  return (
    <ActionModal
      width="question"
      title={say('title')}
      action={say('action')}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
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
    </ActionModal>
  );
}
