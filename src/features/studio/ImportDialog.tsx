import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import TextField from '@mui/material/TextField';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { FileChoice } from '#app/parts/FileChoice.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { FORMAT, importDraft } from './contract.ts';

interface Exported {
  name: string;
  changes: { module: string; change: Record<string, unknown> }[];
}

/** Makes a draft of what another installation has published. Rule: definitions#between-installations. */
export default function ImportDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const say = (key: string, args?: object) => translate(`studio.import.${key}`, args);
  const { submit, sending, problem } = useSubmit(importDraft);
  const [file, setFile] = useState<Exported | null>(null);
  const [name, setName] = useState('');
  const [unread, setUnread] = useState('');
  const read = async ([chosen]: File[]) => {
    if (!chosen) return;
    const content = parsed(await chosen.text());
    setFile(content);
    setUnread(content ? '' : say('notOurs', { name: chosen.name }));
    if (content && name === '') setName(chosen.name.replace(/\.json$/, ''));
  };
  const confirm = async () => {
    if (!file || name.trim() === '') return setUnread(say('needed'));
    const done = await submit({ name: name.trim(), format: FORMAT, changes: file.changes });
    if (!done) return;
    onDone();
    onClose();
    void navigate(`/sysDraftList/detail/${done.draftId}`);
  };
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={unread || problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <FileChoice
        label={say('choose')}
        accept={['json']}
        hint={file ? say('read', { smart_count: file.changes.length }) : say('hint')}
        onFiles={(files) => void read(files)}
      />
      <TextField
        required
        label={say('name')}
        value={name}
        slotProps={{ htmlInput: { maxLength: 100 } }}
        onChange={(event) => setName(event.target.value)}
      />
    </ActionModal>
  );
}

function parsed(text: string): Exported | null {
  try {
    const content = JSON.parse(text) as Partial<Exported> & { format?: string };
    return content.format === FORMAT && Array.isArray(content.changes) ? (content as Exported) : null;
  } catch {
    return null;
  }
}
