import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import type { Altered } from '#domain/definition/change.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import type { Editing } from './rules.editing.ts';
import { WhenEditor } from './WhenEditor.tsx';

export interface FieldProps {
  name: string;
  field: Field;
  editing: Editing;
  /** What is wrong with it, by the part. */
  problems: ReadonlyMap<string, string>;
  onChange: (altered: Altered<Field>) => void;
}

/** What holds of the values that somebody enters in a field, and what a form starts with. */
export function EntryRules({ name, field, editing, problems, onChange }: FieldProps) {
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.field.${key}`);
  const { shipped, published, fields, optionsOf } = editing;
  const isShipped = shipped.has(name);
  const isTextual = field.type === 'String' || field.type === 'LongString';
  const problem = (part: string) => problems.get(part);
  const number = (part: 'min' | 'max' | 'minLength' | 'maxLength') => (
    <NumberField
      isBare
      label={say(part)}
      value={field[part] === undefined ? '' : String(field[part])}
      isSigned={part === 'min' || part === 'max'}
      problem={problem(part)}
      onChange={(text) => onChange({ [part]: text === '' ? null : Number(text) })}
    />
  );
  const flag = (part: 'required' | 'unique' | 'upperCase', disabled = false) => (
    <FormControlLabel
      control={
        <Checkbox
          size="small"
          checked={field[part] === true}
          disabled={disabled}
          onChange={(event) => onChange({ [part]: event.target.checked ? true : null })}
        />
      }
      label={say(part)}
      slotProps={{ typography: { sx: { fontSize: 13 } } }}
    />
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4 }}>
        {flag('required', isShipped && shipped.get(name)?.required === true)}
        {!published.has(name) && flag('unique')}
        {!isShipped && field.type === 'String' && flag('upperCase')}
      </Box>
      {isTextual && (
        <Box sx={pairSx}>
          {number('minLength')}
          {number('maxLength')}
        </Box>
      )}
      {isNumeric(field) && (
        <Box sx={pairSx}>
          {number('min')}
          {number('max')}
        </Box>
      )}
      {field.type === 'String' && (
        <Box sx={pairSx}>
          {(['mask', 'example'] as const).map((part) => (
            <TextField
              key={part}
              label={say(part)}
              value={field.pattern?.[part] ?? ''}
              error={problem('pattern') !== undefined}
              helperText={part === 'mask' ? say('maskHint') : problem('pattern')}
              slotProps={{ htmlInput: { maxLength: 64, spellCheck: false } }}
              onChange={(event) => onChange({ pattern: patternWith(field.pattern, part, event.target.value) })}
            />
          ))}
        </Box>
      )}
      {field.type === 'select' && field.options ? (
        <Choice
          label={say('default')}
          value={String(field.default ?? '')}
          none={say('noDefault')}
          error={problem('default')}
          options={optionsOf(field.options)}
          onChange={(it) => onChange({ default: it === '' ? null : it })}
        />
      ) : (
        (isTextual || isNumeric(field)) && (
          <TextField
            label={say('default')}
            value={String(field.default ?? '')}
            error={problem('default') !== undefined}
            helperText={problem('default')}
            onChange={(event) => onChange({ default: event.target.value === '' ? null : event.target.value })}
          />
        )
      )}
      {(['requiredWhen', 'visibleWhen', 'readOnlyWhen'] as const)
        .filter((it) => !isShipped || it !== 'visibleWhen')
        .map((rule) => (
          <WhenEditor
            key={rule}
            label={say(rule)}
            when={field[rule]}
            fields={Object.fromEntries(Object.entries(fields).filter(([it]) => it !== name))}
            optionsOf={optionsOf}
            disabled={isShipped && shipped.get(name)?.[rule] !== undefined}
            onChange={(when) => onChange({ [rule]: when })}
          />
        ))}
    </>
  );
}

/** Without a mask and an example there is no pattern. */
function patternWith(before: Field['pattern'], part: 'mask' | 'example', text: string): Field['pattern'] | null {
  const to = { mask: '', example: '', ...before, [part]: text };
  return to.mask === '' && to.example === '' ? null : to;
}

const pairSx = { display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))', gap: 3 } as const;
