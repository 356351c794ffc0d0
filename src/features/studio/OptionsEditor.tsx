import { useState, type KeyboardEvent } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Close from '@mui/icons-material/Close';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { tones, type Option, type OptionLists, type Tone } from '#domain/definition/grammar.ts';
import { paletteOf } from '#app/fields/tones.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useLanguage } from '#app/session.ts';
import { codeSx, cutSx } from '#app/theme.ts';
import { MoveButtons } from './MoveButtons.tsx';
import { NewOption } from './NewOption.tsx';
import { alterOptions, movedBy } from './rules.ts';
import { WordsField } from './WordsField.tsx';

interface Props {
  /** The lists of this module's fields, and those that the draft makes. */
  names: readonly string[];
  /** As they are published, and as they will be. */
  published: OptionLists;
  laid: OptionLists;
  /** What the other modules are called whose fields have a list. */
  othersWith: (list: string) => readonly string[];
  change: DefinitionChange;
  onChange: (to: DefinitionChange) => void;
}

/** What the fields of a module offer: words, colours and order; what rows hold stays, and is offered no more. */
export function OptionsEditor({ names, published, laid, othersWith, change, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.options.${key}`, args);
  const [chosen, setChosen] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const list = names.includes(chosen) ? chosen : (names[0] ?? '');
  const values = laid[list] ?? [];
  const others = othersWith(list);
  const isPublished = (value: string) => published[list]?.some((it) => it.value === value) === true;
  const edit = (to: readonly Option[]) => onChange(alterOptions(change, published, list, to));
  const alter = (value: string, to: Partial<Option>) =>
    edit(values.map((it) => (it.value === value ? withoutBlanks({ ...it, ...to }) : it)));
  const onKeyDown = (at: number) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || by === 0) return;
    event.preventDefault();
    edit(movedBy(values, at, by));
  };
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {names.length > 0 && (
        <Choice
          required
          place="inside"
          label={say('list')}
          value={list}
          options={names.map((it) => ({ value: it, label: it }))}
          onChange={setChosen}
        />
      )}
      {others.length > 0 && (
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{say('others', { names: others.join(', ') })}</Box>
      )}
      {list !== '' && (
        <Box
          component="ol"
          aria-label={say('title', { list })}
          sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}
        >
          {values.map(({ value, label, tone, retired }, i) => {
            const isOpen = open === value;
            return (
              <Box key={value} component="li" sx={{ borderTop: i === 0 ? 0 : 1, borderColor: 'divider', px: 3 }}>
                <Box onKeyDown={onKeyDown(i)} sx={{ display: 'flex', alignItems: 'center', height: 36 }}>
                  <ButtonBase
                    aria-expanded={isOpen}
                    onClick={() => setOpen(isOpen ? null : value)}
                    sx={{ flex: 1, minWidth: 0, height: 1, gap: 2, justifyContent: 'flex-start', fontSize: 13 }}
                  >
                    <Swatch tone={tone} />
                    <Box
                      component="span"
                      sx={{ ...cutSx, ...(retired && { textDecoration: 'line-through', color: 'text.secondary' }) }}
                    >
                      {label[lang]}
                    </Box>
                    <Box component="code" sx={{ ...codeSx, ...cutSx, fontSize: 12, color: 'text.secondary' }}>
                      {value}
                    </Box>
                  </ButtonBase>
                  <MoveButtons
                    name={label[lang]}
                    at={i}
                    count={values.length}
                    onMove={(by) => edit(movedBy(values, i, by))}
                  />
                  {!isPublished(value) && (
                    <IconAction
                      size={14}
                      label={translate('studio.order.out', { name: label[lang] })}
                      Icon={Close}
                      onClick={() => edit(values.filter((it) => it.value !== value))}
                    />
                  )}
                </Box>
                {isOpen && (
                  <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, py: 3 }}>
                    <WordsField label={say('label')} value={label} onChange={(to) => alter(value, { label: to })} />
                    <Choice
                      label={say('tone')}
                      value={tone ?? ''}
                      none={say('plain')}
                      options={tones.map((it) => ({ value: it, label: say(`tones.${it}`) }))}
                      onChange={(it) => alter(value, { tone: it as Tone })}
                    />
                    {isPublished(value) && (
                      <FormControlLabel
                        control={
                          <Checkbox
                            size="small"
                            checked={retired === true}
                            onChange={(event) => alter(value, { retired: event.target.checked as true })}
                          />
                        }
                        label={say('retired')}
                        slotProps={{ typography: { sx: { fontSize: 13 } } }}
                      />
                    )}
                  </Box>
                )}
              </Box>
            );
          })}
        </Box>
      )}
      {list !== '' && (
        <NewOption kind="newValue" taken={values.map((it) => it.value)} onAdd={(it) => edit([...values, it])} />
      )}
      <NewOption
        kind="newList"
        taken={Object.keys(laid)}
        onAdd={({ value: name, ...first }) => {
          onChange(alterOptions(change, published, name, [{ ...first, value: FIRST }]));
          setChosen(name);
          setOpen(FIRST);
        }}
      />
    </Box>
  );
}

/** What the first value of a new list is kept as. */
const FIRST = '1';

function Swatch({ tone }: { tone: Tone | undefined }) {
  const sx = tone ? { bgcolor: `${paletteOf[tone]}.main` } : { border: 1, borderColor: 'outline' };
  return <Box component="span" aria-hidden sx={{ width: 10, height: 10, flex: 'none', borderRadius: '50%', ...sx }} />;
}

/** What is not said stands nowhere: no colour, not retired. */
function withoutBlanks({ tone, retired, ...option }: Option): Option {
  return { ...option, ...(tone && { tone }), ...(retired && { retired }) };
}
