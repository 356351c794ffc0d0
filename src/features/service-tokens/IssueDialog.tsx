import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useSites } from '#app/parts/useSites.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { issue } from './contract.ts';
import { days } from './rules.ts';
import { SecretModal } from './SecretModal.tsx';
import { isUnseen } from '#domain/signs.ts';

/** A token for a program: its name, what it may report, how long it serves; then its secret. Rule: sessions#services. */
export default function IssueDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const say = (name: string) => translate(`shell.serviceToken.${name}`);
  const { submit, sending, problem } = useSubmit(issue);
  const { sites, error, state } = useSites();
  const [name, setName] = useState('');
  const [siteId, setSiteId] = useState('');
  const [userOid, setUserOid] = useState('');
  const [span, setSpan] = useState(String(days.at(-1)));
  const [asked, setAsked] = useState(false);
  const [secret, setSecret] = useState('');
  if (secret !== '') return <SecretModal title={`${button.btnName} · ${name}`} secret={secret} onClose={onClose} />;

  const confirm = async () => {
    setAsked(true);
    if (isUnseen(name) || siteId === '') return;
    const issued = await submit({ name, siteId, userOid: userOid.trim() || null, days: Number(span) });
    if (!issued) return;
    setSecret(issued.secret);
    onDone();
  };
  const missing = (value: string) => (asked && isUnseen(value) ? translate('shell.form.requiredAll') : undefined);
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={problem || error}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        required
        label={say('name')}
        value={name}
        error={missing(name) !== undefined}
        helperText={missing(name) ?? say('nameHint')}
        slotProps={{ htmlInput: { maxLength: 64 } }}
        onChange={(event) => setName(event.target.value)}
      />
      <Choice
        required
        hasRoom
        label={say('site')}
        value={siteId}
        options={sites}
        state={state}
        error={missing(siteId)}
        onChange={setSiteId}
      />
      <TextField
        label={say('account')}
        value={userOid}
        helperText={say('accountHint')}
        slotProps={{ htmlInput: { maxLength: 64 } }}
        onChange={(event) => setUserOid(event.target.value)}
      />
      <Choice
        required
        label={say('days')}
        value={span}
        options={days.map((it) => ({ value: String(it), label: translate('shell.serviceToken.daysOf', { days: it }) }))}
        onChange={setSpan}
      />
    </ActionModal>
  );
}
