import { useRef } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import type { Altered } from '#domain/definition/change.ts';
import { computedParts, kindInExpression } from '#domain/definition/computable.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { useLanguage } from '#app/session.ts';
import { monospace } from '#app/theme.ts';

interface Props {
  field: Field;
  /** The others of its module. */
  fields: Readonly<Record<string, Field>>;
  problem: string | undefined;
  disabled: boolean;
  onChange: (altered: Altered<Field>) => void;
}

/** What a field is computed as; empty, somebody enters it. A field is named where the cursor stands. */
export function ExpressionEditor({ field, fields, problem, disabled, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string) => translate(`studio.field.${key}`);
  const input = useRef<HTMLTextAreaElement>(null);
  const { computed = '' } = field;
  const set = (text: string) => onChange(text.trim() === '' ? entered : asComputed(field, text));
  const insert = (name: string) => {
    const { selectionStart: from, selectionEnd: to } = input.current ?? { selectionStart: null, selectionEnd: null };
    const [before, after] = [computed.slice(0, from ?? computed.length), computed.slice(to ?? computed.length)];
    set(`${before}${before === '' || /[\s(!-]$/.test(before) ? '' : ' '}${name}${after}`);
    input.current?.focus();
  };
  const offered = Object.entries(fields).filter(([, it]) => kindInExpression(it) !== undefined);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <TextField
        multiline
        maxRows={6}
        label={say('computed')}
        value={computed}
        disabled={disabled}
        error={problem !== undefined}
        helperText={problem ?? say('computedHint')}
        inputRef={input}
        slotProps={{ htmlInput: { maxLength: 300, spellCheck: false, style: { fontFamily: monospace } } }}
        onChange={(event) => set(event.target.value)}
      />
      {!disabled && offered.length > 0 && (
        <Choice
          label={say('insertField')}
          value=""
          none={say('noField')}
          options={offered.map(([it, { label }]) => ({ value: it, label: `${label[lang]} (${it})` }))}
          onChange={(it) => it !== '' && insert(it)}
        />
      )}
    </Box>
  );
}

const entered: Altered<Field> = { computed: null, readOnly: null };

/** What somebody would enter has rules and a start; what is computed has none. */
function asComputed(field: Field, computed: string): Altered<Field> {
  const strange = Object.keys(field).filter((it) => !computedParts.has(it));
  return { ...Object.fromEntries(strange.map((it) => [it, null])), computed, readOnly: true };
}
