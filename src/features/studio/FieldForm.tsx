import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { computedTypes } from '#domain/definition/computable.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { useLanguage } from '#app/session.ts';
import { EntryRules, type FieldProps } from './EntryRules.tsx';
import { ExpressionEditor } from './ExpressionEditor.tsx';
import { WordsField } from './WordsField.tsx';
import { fieldOf, kindOf, offeredKinds, type FieldKind } from './rules.editing.ts';

interface FieldFormProps extends FieldProps {
  /** One came for it: its name is where the cursor goes. */
  isFirst?: boolean;
}

/** Everything that a field says. What is shipped keeps its type and can be tightened; a field made here is free. */
export function FieldForm({ isFirst, name, field, editing, problems, onChange }: FieldFormProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.field.${key}`, args);
  const { shipped, published, fields, optionLists, modules } = editing;
  const isShipped = shipped.has(name);
  const keepsType = published.has(name);
  const problem = (part: string) => problems.get(part);
  const isComputed = field.computed !== undefined;
  const mayCompute = !keepsType && computedTypes[field.type] !== undefined;
  const kinds = (keepsType ? kindsOfPublished(field, isShipped) : offeredKinds).filter(
    (it) => !isComputed || computedTypes[fieldOf(it).type] !== undefined,
  );
  const others = Object.fromEntries(Object.entries(fields).filter(([it]) => it !== name));
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
        isFirst={isFirst}
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
      {(isComputed || mayCompute) && (
        <ExpressionEditor
          field={field}
          fields={others}
          problem={problem('computed')}
          disabled={isShipped}
          onChange={onChange}
        />
      )}
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
      {isNumeric(field) && (
        <WordsField
          isOptional
          label={say('unit')}
          value={field.unit ?? nothing}
          problem={problem('unit')}
          onChange={(unit) => onChange({ unit: unit.zh === '' && unit.en === '' ? null : unit })}
        />
      )}
      {!isComputed && <EntryRules {...{ name, field, editing, problems, onChange }} />}
    </Box>
  );
}

const nothing = { zh: '', en: '' };

/** The type of a published field stays; whether a decimal that was made here is an amount can still be said. */
const kindsOfPublished = (field: Field, isShipped: boolean): readonly FieldKind[] =>
  field.type === 'BigDecimal' && !isShipped && !field.unit ? ['BigDecimal', 'amount'] : [kindOf(field)];

const pairSx = { display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))', gap: 3 } as const;
