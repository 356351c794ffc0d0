import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Close from '@mui/icons-material/Close';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useLanguage } from '#app/session.ts';
import { codeSx, cutSx } from '#app/theme.ts';
import { AddName } from './AddName.tsx';
import type { Editing } from './rules.editing.ts';
import { offeredLines, withLines } from './rules.lines.ts';

interface Props {
  laid: Definition;
  change: DefinitionChange;
  modules: Editing['modules'];
  onChange: (to: DefinitionChange) => void;
}

/** The lists of lines under the facts of a detail: those that are published stay, more may stand below them. */
export function LinesEditor({ laid, change, modules, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.lines.${key}`, args);
  const own = change.definition?.lines ?? change.lines ?? [];
  const offered = offeredLines(laid, modules);
  const labelOf = (module: string) => modules.find((it) => it.module === module)?.label[lang] ?? module;
  return (
    <Box component="section" aria-label={say('title')} sx={{ mt: 5, display: 'flex', flexDirection: 'column', gap: 3 }}>
      <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
        {say('title')}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}>
        {(laid.lines ?? []).map(({ name, module, by }, i) => (
          <Box
            key={name}
            component="li"
            sx={{
              ...{ display: 'flex', alignItems: 'center', gap: 2, height: 36, pl: 3, pr: 1 },
              ...{ borderTop: i === 0 ? 0 : 1, borderColor: 'divider' },
            }}
          >
            <Box component="span" sx={{ ...cutSx, fontSize: 13 }}>
              {labelOf(module)}
            </Box>
            <Box component="code" sx={{ ...codeSx, ...cutSx, flex: 1, fontSize: 12, color: 'text.secondary' }}>
              {`${module}.${by}`}
            </Box>
            {own.some((it) => it.name === name) && (
              <IconAction
                size={14}
                label={translate('studio.order.out', { name: labelOf(module) })}
                Icon={Close}
                onClick={() =>
                  onChange(
                    withLines(
                      change,
                      own.filter((it) => it.name !== name),
                    ),
                  )
                }
              />
            )}
          </Box>
        ))}
        {(laid.lines ?? []).length === 0 && (
          <Box component="li" sx={{ p: 3, fontSize: 13, color: 'text.secondary' }}>
            {say(offered.length > 0 ? 'none' : 'noneOffered')}
          </Box>
        )}
      </Box>
      <AddName
        names={offered.map((it) => it.module)}
        labelOf={labelOf}
        onAdd={(module) => {
          const added = offered.find((it) => it.module === module);
          if (added) onChange(withLines(change, [...own, added]));
        }}
      />
    </Box>
  );
}
