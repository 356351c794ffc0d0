import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { standardNames } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { reservedNames } from '#domain/definition/validateChange.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { fieldOf, offeredKinds, type FieldKind } from './rules.editing.ts';
import { freeName, withField } from './rules.ts';
import { InlineForm } from './InlineForm.tsx';
import { WordsField } from './WordsField.tsx';

interface Props {
  isBegun: boolean;
  laid: Definition;
  current: Definition | null;
  change: DefinitionChange;
  /** Of its table. */
  columns: readonly string[];
  onAdd: (to: DefinitionChange, name: string) => void;
}

const nothing = { zh: '', en: '' };

/** A field more: what it is called decides how its column is, until somebody says otherwise. */
export function NewField({ isBegun, laid, current, change, columns, onAdd }: Props) {
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.fields.${key}`);
  const [isOpen, setOpen] = useState(isBegun);
  const [label, setLabel] = useState(nothing);
  const [typed, setTyped] = useState<string | null>(null);
  const [kind, setKind] = useState<FieldKind>('String');
  const [asked, setAsked] = useState(false);
  const [inList, setInList] = useState(true);
  const [inForm, setInForm] = useState(true);
  const taken = [...Object.keys(laid.fields), ...standardNames, ...reservedNames];
  const name = typed ?? freeName(label.en, [...taken, ...columns]);
  const isMissing = label.zh.trim() === '' || label.en.trim() === '';
  const isTaken = taken.includes(name);
  const add = () => {
    setAsked(true);
    if (isMissing || isTaken) return;
    onAdd(withField(change, current, laid, { name, field: { ...fieldOf(kind), label }, inList, inForm }), name);
    setOpen(false);
    setAsked(false);
    setLabel(nothing);
    setTyped(null);
    setKind('String');
  };
  return (
    <InlineForm
      label={say('add')}
      isOpen={isOpen}
      onOpen={() => setOpen(true)}
      onSubmit={add}
      onCancel={() => setOpen(false)}
    >
      <WordsField
        isFirst
        label={translate('studio.field.label')}
        value={label}
        problem={asked && isMissing ? translate('shell.form.requiredAll') : undefined}
        onChange={setLabel}
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))', gap: 3 }}>
        <TextField
          required
          label={say('name')}
          value={name}
          error={isTaken}
          helperText={isTaken ? say('taken') : say('nameHint')}
          slotProps={{ htmlInput: { maxLength: 40, spellCheck: false } }}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Choice
          required
          hasRoom
          label={translate('studio.field.type')}
          value={kind}
          options={offeredKinds.map((it) => ({ value: it, label: translate(`studio.field.types.${it}`) }))}
          onChange={(it) => setKind(it as FieldKind)}
        />
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4 }}>
        {(
          [
            ['inList', inList, setInList],
            ['inForm', inForm, setInForm],
          ] as const
        ).map(([key, isOn, set]) => (
          <FormControlLabel
            key={key}
            control={<Checkbox size="small" checked={isOn} onChange={(event) => set(event.target.checked)} />}
            label={say(key)}
            slotProps={{ typography: { sx: { fontSize: 13 } } }}
          />
        ))}
      </Box>
    </InlineForm>
  );
}
