import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import ExpandMore from '@mui/icons-material/ExpandMore';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { useLanguage } from '#app/session.ts';
import { codeSx, cutSx } from '#app/theme.ts';
import { ContentsChoice } from './ContentsChoice.tsx';
import { FieldForm } from './FieldForm.tsx';
import { NewField } from './NewField.tsx';
import type { Held } from './rules.contents.ts';
import { kindOf, type Editing } from './rules.editing.ts';
import { alterField, dropField } from './rules.ts';

interface Props {
  /** The field that one came for, or that one came for a new one. */
  opened?: string | undefined;
  isAdding?: boolean;
  editing: Editing;
  /** The columns of its table, also those of fields that were taken back. */
  columns: readonly string[];
  laid: Definition;
  current: Definition | null;
  change: DefinitionChange;
  /** What the columns of new fields still hold. */
  contents: readonly Held[];
  /** By where they are: `fields.amount.maxLength`. */
  problems: readonly { path: string; text: string }[];
  onChange: (to: DefinitionChange) => void;
}

/** The fields of a module; the open one says everything of itself. */
export function FieldsEditor({
  opened,
  isAdding = false,
  editing,
  columns,
  laid,
  current,
  change,
  contents,
  problems,
  onChange,
}: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.fields.${key}`, args);
  const [open, setOpen] = useState<string | null>(opened ?? null);
  const isNew = (name: string) => !editing.published.has(name);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <NewField
        isBegun={isAdding}
        laid={laid}
        current={current}
        change={change}
        columns={columns}
        onAdd={(to, name) => {
          onChange(to);
          setOpen(name);
        }}
      />
      <Box
        component="ul"
        aria-label={say('title')}
        sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}
      >
        {Object.entries(laid.fields).map(([name, field], i) => {
          const own = problems.filter((it) => it.path === `fields.${name}` || it.path.startsWith(`fields.${name}.`));
          const isOpen = open === name;
          const mark = isNew(name) ? 'new' : change.fields?.[name] ? 'changed' : undefined;
          return (
            <Box key={name} component="li" sx={{ borderTop: i === 0 ? 0 : 1, borderColor: 'divider', px: 3 }}>
              <ButtonBase
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? null : name)}
                sx={{ width: 1, height: 36, gap: 2, justifyContent: 'flex-start', textAlign: 'left', fontSize: 13 }}
              >
                <Box
                  component="span"
                  sx={{ ...cutSx, fontWeight: isOpen ? 600 : 400, ...(own.length > 0 && { color: 'error.main' }) }}
                >
                  {field.label[lang]}
                  {field.required && ' *'}
                </Box>
                <Box component="code" sx={{ ...codeSx, ...cutSx, flex: 1, fontSize: 12, color: 'text.secondary' }}>
                  {name}
                </Box>
                {mark && (
                  <Box component="span" sx={{ fontSize: 12, color: 'primary.main' }}>
                    {say(mark)}
                  </Box>
                )}
                <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
                  {translate(`studio.field.types.${kindOf(field)}`)}
                  {field.computed !== undefined && ` · ${translate('studio.field.isComputed')}`}
                </Box>
                <ExpandMore aria-hidden sx={{ fontSize: 18, transform: isOpen ? 'rotate(180deg)' : 'none' }} />
              </ButtonBase>
              {isOpen && (
                <>
                  {contents
                    .filter((it) => it.field === name)
                    .map((held) => (
                      <ContentsChoice
                        key={name}
                        {...{ held, change, current }}
                        onChange={(to, renamed) => {
                          onChange(to);
                          if (renamed !== undefined) setOpen(renamed);
                        }}
                      />
                    ))}
                  <FieldForm
                    isFirst={name === opened}
                    name={name}
                    field={field}
                    editing={editing}
                    problems={new Map(own.map((it) => [it.path.split('.')[2] ?? '', it.text]))}
                    onChange={(altered) => onChange(alterField(change, current, name, altered))}
                  />
                  {isNew(name) && (
                    <Button
                      variant="text"
                      color="error"
                      sx={{ mb: 2 }}
                      onClick={() => onChange(dropField(change, current, name))}
                    >
                      {say('drop')}
                    </Button>
                  )}
                </>
              )}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
