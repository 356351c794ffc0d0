import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Button as DefinedButton, Definition } from '#domain/definition/grammar.ts';
import { allowedRows } from '#domain/definition/writes.ts';
import { Choice } from '#app/parts/Choice.tsx';
import type { Option } from '#app/parts/choiceProps.ts';
import { useLanguage } from '#app/session.ts';
import { codeSx, cutSx } from '#app/theme.ts';
import { MoveButtons } from './MoveButtons.tsx';
import { alterButton, movedBy } from './rules.ts';
import { WhenEditor } from './WhenEditor.tsx';
import { WordsField } from './WordsField.tsx';

interface Props {
  laid: Definition;
  current: Definition | null;
  shipped: Definition | null;
  change: DefinitionChange;
  /** What a new button may do. */
  scripts: readonly string[];
  optionsOf: (list: string) => readonly Option[];
  onChange: (to: DefinitionChange) => void;
}

/** What new buttons of administrators do most; each with what it is called at first. */
const usual: Partial<Record<string, Pick<DefinedButton, 'label' | 'tone' | 'rows'>>> = {
  create: { label: { zh: '新增', en: 'New' }, tone: 'primary' },
  modify: { label: { zh: '修改', en: 'Modify' }, rows: 1 },
  deleteById: { label: { zh: '删除', en: 'Delete' }, rows: 1, tone: 'danger' },
  detail: { label: { zh: '详情', en: 'Detail' }, rows: 1 },
  export: { label: { zh: '导出', en: 'Export' } },
  upload: { label: { zh: '导入', en: 'Import' } },
};

/** The buttons in their order: their words, how much they stand out, for which rows they are offered, and whether at all. */
export function ButtonsEditor({ laid, current, shipped, change, scripts, optionsOf, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.buttons.${key}`, args);
  const [open, setOpen] = useState<string | null>(null);
  const buttons = laid.buttons ?? [];
  const free = Object.keys(usual).filter(
    (script) =>
      scripts.includes(script) && !buttons.some((it) => it.script === script) && allowedRows(laid, { script }),
  );
  const move = (at: number, by: -1 | 1) => {
    const moved = movedBy(buttons, at, by);
    if (change.definition) onChange({ ...change, definition: { ...change.definition, buttons: moved } });
    else onChange({ ...change, buttonOrder: moved.map((it) => it.btnNo) });
  };
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <Box
        component="ol"
        aria-label={say('title')}
        sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}
      >
        {buttons.map((button, i) => {
          const { btnNo, label, script, tone, when, hidden } = button;
          const isOpen = open === btnNo;
          const alter = (to: Parameters<typeof alterButton>[3]) => onChange(alterButton(change, current, btnNo, to));
          return (
            <Box key={btnNo} component="li" sx={{ borderTop: i === 0 ? 0 : 1, borderColor: 'divider', px: 3 }}>
              <Box sx={{ display: 'flex', alignItems: 'center', height: 36 }}>
                <ButtonBase
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? null : btnNo)}
                  sx={{ flex: 1, minWidth: 0, height: 1, gap: 2, justifyContent: 'flex-start', fontSize: 13 }}
                >
                  <Box
                    component="span"
                    sx={{ ...cutSx, ...(hidden && { textDecoration: 'line-through', color: 'text.secondary' }) }}
                  >
                    {label[lang]}
                  </Box>
                  <Box component="code" sx={{ ...codeSx, ...cutSx, fontSize: 12, color: 'text.secondary' }}>
                    {script}
                  </Box>
                </ButtonBase>
                <MoveButtons name={label[lang]} at={i} count={buttons.length} onMove={(by) => move(i, by)} />
              </Box>
              {isOpen && (
                <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, py: 3 }}>
                  <WordsField label={say('label')} value={label} onChange={(to) => alter({ label: to })} />
                  <Choice
                    required
                    label={say('tone')}
                    value={tone ?? 'plain'}
                    options={(['primary', 'plain', 'danger'] as const).map((it) => ({
                      value: it,
                      label: say(`tones.${it}`),
                    }))}
                    onChange={(it) => alter({ tone: it as NonNullable<DefinedButton['tone']> })}
                  />
                  <WhenEditor
                    label={say('when')}
                    when={when}
                    fields={laid.fields}
                    optionsOf={optionsOf}
                    disabled={shipped?.buttons?.some((it) => it.btnNo === btnNo && it.when) === true}
                    onChange={(to) => alter({ when: to })}
                  />
                  <FormControlLabel
                    control={
                      <Checkbox
                        size="small"
                        checked={hidden === true}
                        onChange={(event) => alter({ hidden: event.target.checked ? true : null })}
                      />
                    }
                    label={say('hidden')}
                    slotProps={{ typography: { sx: { fontSize: 13 } } }}
                  />
                </Box>
              )}
            </Box>
          );
        })}
        {buttons.length === 0 && (
          <Box component="li" sx={{ p: 3, fontSize: 13, color: 'text.secondary' }}>
            {say('none')}
          </Box>
        )}
      </Box>
      {free.length > 0 && !laid.rowsOf && !laid.viewOf && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {free.map((script) => (
            <Button
              key={script}
              variant="outlined"
              onClick={() => onChange(alterButton(change, current, script, { script, ...usual[script] }))}
            >
              {say('add', { label: usual[script]?.label[lang] })}
            </Button>
          ))}
        </Box>
      )}
    </Box>
  );
}
