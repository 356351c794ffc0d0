import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Close from '@mui/icons-material/Close';
import type { Field, When } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import type { Option } from '#app/parts/choiceProps.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { useLanguage } from '#app/session.ts';

interface Props {
  label: string;
  when: When | undefined;
  fields: Readonly<Record<string, Field>>;
  optionsOf: (list: string) => readonly Option[];
  disabled?: boolean;
  onChange: (when: When | null) => void;
}

/** A condition: other fields, and the values of which each must have one. */
export function WhenEditor({ label, when = {}, fields, optionsOf, disabled = false, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string) => translate(`studio.when.${key}`);
  const names = Object.keys(fields);
  const rules = Object.entries(when);
  const set = (next: [string, string | string[]][]) => onChange(next.length > 0 ? Object.fromEntries(next) : null);
  const free = names.filter((it) => !(it in when));
  return (
    <Box
      component="fieldset"
      disabled={disabled}
      sx={{ m: 0, p: 0, border: 0, display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}
    >
      <Box component="legend" sx={{ p: 0, mb: 1, fontSize: 13, color: 'text.secondary' }}>
        {label}
      </Box>
      {rules.map(([name, values], i) => {
        const list = fields[name]?.options;
        const replace = (rule: [string, string | string[]]) => set(rules.toSpliced(i, 1, rule));
        return (
          <Box key={name} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}>
            <Choice
              place="unseen"
              label={say('field')}
              value={name}
              disabled={disabled}
              options={[name, ...free].map((it) => ({ value: it, label: fields[it]?.label[lang] ?? it }))}
              onChange={(it) => replace([it, []])}
            />
            <Box sx={{ flex: '1 1 160px', minWidth: 0 }}>
              {list ? (
                <ManyChoice
                  place="unseen"
                  label={say('values')}
                  disabled={disabled}
                  values={[values].flat()}
                  options={optionsOf(list)}
                  onChange={(all) => replace([name, all])}
                />
              ) : (
                <TextField
                  fullWidth
                  disabled={disabled}
                  slotProps={{ htmlInput: { 'aria-label': say('values') } }}
                  placeholder={say('commas')}
                  value={[values].flat().join(',')}
                  onChange={(event) => replace([name, event.target.value.split(',').map((it) => it.trim())])}
                />
              )}
            </Box>
            {!disabled && (
              <IconAction size={16} label={say('out')} Icon={Close} onClick={() => set(rules.toSpliced(i, 1))} />
            )}
          </Box>
        );
      })}
      {!disabled && free.length > 0 && (
        <Button
          variant="text"
          sx={{ alignSelf: 'flex-start' }}
          onClick={() => set([...rules, [free[0] as string, []]])}
        >
          {say('add')}
        </Button>
      )}
    </Box>
  );
}
