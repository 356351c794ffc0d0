import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import TextField from '@mui/material/TextField';
import type { Definition } from '#domain/definition/grammar.ts';
import { LARGEST_WORKBOOK, sizeInWords } from '#domain/uploads.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { FileChoice } from '#app/parts/FileChoice.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useLanguage } from '#app/session.ts';
import { createModule, readModule } from './contract.ts';
import { GuessTable } from './GuessTable.tsx';
import { copyOf, groupsOf, tableOf } from './rules.module.ts';
import { freeName } from './rules.ts';
import { guessFields, retyped, ROWS_LOOKED_AT, withFields, type Cell, type Guess } from './rules.workbook.ts';
import { WordsField } from './WordsField.tsx';

const nothing = { zh: '', en: '' };

interface Sheet {
  name: string;
  guesses: Guess[];
  /** Below the heads. */
  rows: Cell[][];
}

/** A module from nothing, as a copy of another or from a workbook, in a draft of its own with its place in the menu. Rule: definitions#drafts. */
export default function NewModuleDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const navigate = useNavigate();
  const say = (key: string, args?: object) => translate(`studio.newModule.${key}`, args);
  const [label, setLabel] = useState(nothing);
  const [typed, setTyped] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [group, setGroup] = useState('');
  const [site, setSite] = useState<'all' | 'own'>('all');
  const [asked, setAsked] = useState(false);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [unread, setUnread] = useState('');
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
    const copied = from === '' ? null : ((source.data?.current as Definition | undefined) ?? null);
    const begun = copyOf(copied, base, site === 'own');
    const said = sheet && from === '' ? withFields(begun, sheet.guesses) : { definition: begun };
    const made = await submit({ name: label[lang], ...said, group });
    if (!made) return;
    onDone();
    onClose();
    void navigate(`/sysDraftList/configure/${made.draftId}?module=${module}`);
  };
  const read = async ([file]: File[]) => {
    if (!file) return;
    const found = file.size > LARGEST_WORKBOOK ? null : await readSheet(file);
    setUnread(found ? '' : say('unread', { name: file.name }));
    setSheet(found);
  };
  const change = (at: number, to: (guess: Guess, values: Cell[]) => Guess) =>
    setSheet(
      sheet && {
        ...sheet,
        guesses: sheet.guesses.map((it, i) =>
          i === at
            ? to(
                it,
                sheet.rows.map((row) => row[it.column]),
              )
            : it,
        ),
      },
    );
  return (
    <ActionModal
      title={button.btnName}
      action={say('action')}
      sending={sending}
      problem={unread || problem}
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
      {from === '' && (
        <FileChoice
          label={say('workbook')}
          accept={['xlsx']}
          hint={sheet ? sheet.name : say('workbookHint', { size: sizeInWords(LARGEST_WORKBOOK) })}
          onFiles={(files) => void read(files)}
        />
      )}
      {from === '' && sheet && (
        <GuessTable
          guesses={sheet.guesses}
          onKind={(at, kind) => change(at, (guess, values) => retyped(guess, kind, values))}
          onRequired={(at, required) => change(at, (guess) => ({ ...guess, required }))}
        />
      )}
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

/** The first sheet of a workbook; null where it is none, or has no column with a head. */
async function readSheet(file: File): Promise<Sheet | null> {
  try {
    const { readXlsx } = await import('hucre');
    const { sheets } = await readXlsx(new Uint8Array(await file.arrayBuffer()));
    const [heads = [], ...rows] = (sheets[0]?.rows ?? []) as Cell[][];
    const guesses = guessFields(heads, rows);
    return guesses.length > 0 ? { name: file.name, guesses, rows: rows.slice(0, ROWS_LOOKED_AT) } : null;
  } catch {
    return null;
  }
}
