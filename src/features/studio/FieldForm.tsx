import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import type { Altered } from '#domain/definition/change.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useLanguage } from '#app/session.ts';
import { WhenEditor } from './WhenEditor.tsx';
import { WordsField } from './WordsField.tsx';
import { fieldOf, kindOf, offeredKinds, type Editing, type FieldKind } from './rules.editing.ts';

interface Props {
  name: string;
  field: Field;
  editing: Editing;
  /** What is wrong with it, by the part. */
  problems: ReadonlyMap<string, string>;
  onChange: (altered: Altered<Field>) => void;
}

const numeric: ReadonlySet<string> = new Set(['Number', 'Integer', 'Long', 'BigDecimal']);
const textual: ReadonlySet<string> = new Set(['String', 'LongString']);

/** Everything that a field says. What is shipped keeps its type and can be tightened; a field made here is free. */
export function FieldForm({ name, field, editing, problems, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.field.${key}`, args);
  const { shipped, published, fields, optionLists, optionsOf, modules } = editing;
  const isShipped = shipped.has(name);
  const keepsType = published.has(name);
  const problem = (part: string) => problems.get(part);
  const number = (part: 'min' | 'max' | 'minLength' | 'maxLength') => (
    <NumberField
      isBare
      label={say(part)}
      value={field[part] === undefined ? '' : String(field[part])}
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
  const kinds = keepsType ? kindsOfPublished(field, isShipped) : offeredKinds;
  const target = modules.find((it) => it.module === field.ref?.module);
  const refer = (ref: NonNullable<Field['ref']> | null) => onChange({ ref, ...(ref && { options: null }) });
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, py: 3 }}>
      {[...problems].map(([part, text]) => (
        <Alert key={part} severity="error" sx={{ py: 0 }}>
          {text}
        </Alert>
      ))}
      <WordsField
        label={say('label')}
        value={field.label}
        problem={problem('label')}
        onChange={(label) => onChange({ label })}
      />
      <Box sx={pairSx}>
        <Choice
          required
          label={say('type')}
          value={kindOf(field)}
          disabled={kinds.length === 1}
          hint={keepsType ? say('typeStays') : undefined}
          options={kinds.map((it) => ({ value: it, label: say(`types.${it}`) }))}
          onChange={(kind) => {
            const { type, format = null } = fieldOf(kind as FieldKind);
            onChange({ format, ...(!keepsType && { type, ...(type !== 'select' && { options: null, ref: null }) }) });
          }}
        />
        {field.type === 'select' && (
          <Choice
            label={say('options')}
            value={field.options ?? ''}
            none={say('noOptions')}
            disabled={keepsType}
            error={problem('options')}
            options={optionLists}
            onChange={(it) => onChange({ options: it === '' ? null : it, ...(it !== '' && { ref: null }) })}
          />
        )}
      </Box>
      {field.type === 'select' && !field.options && (
        <Box sx={pairSx}>
          <Choice
            label={say('refModule')}
            value={field.ref?.module ?? ''}
            none={say('noRef')}
            disabled={keepsType}
            error={problem('ref')}
            options={modules
              .filter((it) => it.keys.length > 0)
              .map((it) => ({ value: it.module, label: it.label[lang] }))}
            onChange={(module) => {
              const [value] = modules.find((it) => it.module === module)?.keys ?? [];
              refer(module === '' || value === undefined ? null : { module, value, label: value });
            }}
          />
          {field.ref && target && (
            <Choice
              required
              label={say('refLabel')}
              value={field.ref.label}
              disabled={keepsType}
              options={Object.entries(target.fields).map(([it, words]) => ({ value: it, label: words[lang] }))}
              onChange={(label) => field.ref && refer({ ...field.ref, label })}
            />
          )}
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4 }}>
        {flag('required', isShipped && shipped.get(name)?.required === true)}
        {!keepsType && flag('unique')}
        {!isShipped && field.type === 'String' && flag('upperCase')}
      </Box>
      {textual.has(field.type) && (
        <Box sx={pairSx}>
          {number('minLength')}
          {number('maxLength')}
        </Box>
      )}
      {numeric.has(field.type) && (
        <>
          <Box sx={pairSx}>
            {number('min')}
            {number('max')}
          </Box>
          <WordsField
            isOptional
            label={say('unit')}
            value={field.unit ?? nothing}
            problem={problem('unit')}
            onChange={(unit) => onChange({ unit: unit.zh === '' && unit.en === '' ? null : unit })}
          />
        </>
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
        (textual.has(field.type) || numeric.has(field.type)) && (
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
    </Box>
  );
}

const nothing = { zh: '', en: '' };

/** The type of a published field stays; whether a decimal that was made here is an amount can still be said. */
const kindsOfPublished = (field: Field, isShipped: boolean): readonly FieldKind[] =>
  field.type === 'BigDecimal' && !isShipped && !field.unit ? ['BigDecimal', 'amount'] : [kindOf(field)];

/** Without a mask and an example there is no pattern. */
function patternWith(before: Field['pattern'], part: 'mask' | 'example', text: string): Field['pattern'] | null {
  const to = { mask: '', example: '', ...before, [part]: text };
  return to.mask === '' && to.example === '' ? null : to;
}

const pairSx = { display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))', gap: 3 } as const;
