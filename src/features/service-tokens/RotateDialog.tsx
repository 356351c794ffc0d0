import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { rotate } from './contract.ts';
import { overlaps, USUAL_OVERLAP } from './rules.ts';
import { SecretModal } from './SecretModal.tsx';

/** A new secret for a token, and how long the one before it still serves. Rule: sessions#services. */
export default function RotateDialog({ button, rows: [row], onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useSubmit(rotate);
  const [hours, setHours] = useState(String(USUAL_OVERLAP));
  const [secret, setSecret] = useState('');
  if (!row) return null;
  const title = `${button.btnName} · ${String(row['name'] ?? row.id)}`;
  if (secret !== '') return <SecretModal title={title} secret={secret} onClose={onClose} />;

  const confirm = async () => {
    const changed = await submit({ id: Number(row.id), hours: Number(hours) });
    if (!changed) return;
    setSecret(changed.secret);
    onDone();
  };
  return (
    <ActionModal
      title={title}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <div>{translate('shell.serviceToken.rotateBody')}</div>
      <Choice
        required
        label={translate('shell.serviceToken.overlap')}
        value={hours}
        options={overlaps.map((it) => ({
          value: String(it),
          label: translate(it === 0 ? 'shell.serviceToken.atOnce' : 'shell.serviceToken.hoursOf', { hours: it }),
        }))}
        onChange={setHours}
      />
    </ActionModal>
  );
}
