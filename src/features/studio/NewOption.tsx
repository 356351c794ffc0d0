import { useState } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import type { Option } from '#domain/definition/grammar.ts';
import { freeName } from './rules.ts';
import { InlineForm } from './InlineForm.tsx';
import { WordsField } from './WordsField.tsx';

interface Props {
  kind: 'newValue' | 'newList' | 'newGroup';
  taken: readonly string[];
  /** The value is what rows hold; of a list it is its name. */
  onAdd: (option: Option) => void;
}

const nothing = { zh: '', en: '' };
const NAME = /^[a-z][A-Za-z0-9]*$/;

/** A value more of a list, a list with its first value, a group of the menu: what is kept is short, what people read are the words. */
export function NewOption({ kind, taken, onAdd }: Props) {
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.options.${kind}.${key}`);
  const isName = kind !== 'newValue';
  const [isOpen, setOpen] = useState(false);
  const [label, setLabel] = useState(nothing);
  const [typed, setTyped] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const value = typed ?? freeName(label.en, taken);
  const isMissing = label.zh.trim() === '' || label.en.trim() === '';
  const isTaken = taken.includes(value.trim());
  const isWrong = value.trim() === '' || (isName && !NAME.test(value));
  const close = () => {
    setOpen(false);
    setAsked(false);
    setLabel(nothing);
    setTyped(null);
  };
  const add = () => {
    setAsked(true);
    if (isMissing || isTaken || isWrong) return;
    onAdd({ value: value.trim(), label });
    close();
  };
  return (
    <InlineForm label={say('add')} isOpen={isOpen} onOpen={() => setOpen(true)} onSubmit={add} onCancel={close}>
      <WordsField
        isFirst
        label={translate('studio.options.label')}
        value={label}
        problem={asked && isMissing ? translate('shell.form.requiredAll') : undefined}
        onChange={setLabel}
      />
      <TextField
        required
        label={say('value')}
        value={value}
        error={isTaken || (asked && isWrong)}
        helperText={isTaken ? translate('studio.options.taken') : say('hint')}
        slotProps={{ htmlInput: { maxLength: isName ? 40 : 64, spellCheck: false } }}
        onChange={(event) => setTyped(event.target.value)}
      />
    </InlineForm>
  );
}
