import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import TextField from '@mui/material/TextField';
import type { Definition } from '#domain/definition/grammar.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useLanguage } from '#app/session.ts';
import { createModule, readModule } from './contract.ts';
import { copyOf, groupsOf, tableOf } from './rules.module.ts';
import { freeName } from './rules.ts';
import { WordsField } from './WordsField.tsx';

const nothing = { zh: '', en: '' };

/** A module from nothing or as a copy of another, in a draft of its own with its place in the menu. Rule: definitions#drafts. */
export default function NewModuleDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const navigate = useNavigate();
  const say = (key: string) => translate(`studio.newModule.${key}`);
  const [label, setLabel] = useState(nothing);
  const [typed, setTyped] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [group, setGroup] = useState('');
  const [site, setSite] = useState<'all' | 'own'>('all');
  const [asked, setAsked] = useState(false);
  const { submit, sending, problem } = useSubmit(createModule);
  const { data } = useLookup(readModule, { module: 'sysModule' }, { staleTime: 0 });
  const source = useLookup(readModule, { module: from }, { enabled: from !== '' });
  const taken = data?.modules.map((it) => it.module) ?? [];
  const module = typed ?? freeName(label.en, taken);
  const isMissing = label.zh.trim() === '' || label.en.trim() === '';
  const isTaken = taken.includes(module);
  const groups = groupsOf(data?.menu ?? [], lang);
  const confirm = async () => {
    setAsked(true);
    if (isMissing || isTaken || group === '') return;
    const base = { module, label, table: tableOf(module) };
    const definition = copyOf(
      from === '' ? null : ((source.data?.current as Definition | undefined) ?? null),
      base,
      site === 'own',
    );
    const made = await submit({
      name: label[lang],
      definition,
      group,
    });
    if (!made) return;
    onDone();
    onClose();
    void navigate(`/sysDraftList/configure/${made.draftId}?module=${module}`);
  };
  return (
    <ActionModal
      title={button.btnName}
      action={say('action')}
      sending={sending}
      problem={problem}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      <WordsField
        isFirst
        label={say('label')}
        value={label}
        problem={asked && isMissing ? translate('shell.form.requiredAll') : undefined}
        onChange={setLabel}
      />
      <TextField
        required
        label={say('module')}
        value={module}
        error={isTaken}
        helperText={isTaken ? say('taken') : say('moduleHint')}
        slotProps={{ htmlInput: { maxLength: 40, spellCheck: false } }}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Choice
        label={say('from')}
        value={from}
        none={say('nothing')}
        options={(data?.modules ?? []).map((it) => ({ value: it.module, label: it.label[lang] }))}
        onChange={setFrom}
      />
      <Choice
        required
        label={say('group')}
        value={group}
        error={asked && group === '' ? translate('shell.form.requiredAll') : undefined}
        options={groups}
        onChange={setGroup}
      />
      <Choice
        required
        label={say('site')}
        value={site}
        options={[
          { value: 'all', label: say('allSites') },
          { value: 'own', label: say('ownSite') },
        ]}
        onChange={(it) => setSite(it === 'own' ? 'own' : 'all')}
      />
    </ActionModal>
  );
}
