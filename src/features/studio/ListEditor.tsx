import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { standardNames } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { OrderedNames } from './OrderedNames.tsx';
import { alterList, shownAfter } from './rules.ts';

interface Props {
  /** The column that one came for. */
  focused?: string | undefined;
  laid: Definition;
  current: Definition | null;
  change: DefinitionChange;
  labelOf: (name: string) => string;
  onChange: (to: DefinitionChange) => void;
}

const numeric: ReadonlySet<string> = new Set(['Number', 'Integer', 'Long', 'BigDecimal']);

/** The columns in their order, which of them are shown at first, how the list is sorted, and what it adds up. */
export function ListEditor({ focused, laid, current, change, labelOf, onChange }: Props) {
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.list.${key}`);
  const names = [...Object.keys(laid.fields), ...standardNames.filter((it) => it !== 'version')];
  const { columns = Object.keys(laid.fields), shown, sort = '', totals = [] } = laid.list ?? {};
  const shownOf = (to: { columns: string[]; shown: string[] }) => shownAfter({ ...laid.list, columns }, to);
  const alter = (to: NonNullable<DefinitionChange['list']>) => onChange(alterList(change, current, to));
  const choices = (of: readonly string[]) => of.map((it) => ({ value: it, label: labelOf(it) }));
  const sorted = sort.replace(/^-/, '');
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
      <OrderedNames
        label={say('columns')}
        focused={focused}
        names={columns}
        offered={names}
        labelOf={labelOf}
        onChange={(to) =>
          alter({
            columns: to,
            ...(shown && {
              shown: shownOf({
                columns: to,
                shown: to.filter((it) => shown.includes(it) || !columns.includes(it)),
              }),
            }),
          })
        }
      />
      <ManyChoice
        label={say('shown')}
        hint={say('shownHint')}
        values={shown ?? columns}
        options={choices(columns)}
        onChange={(to) => alter({ columns, shown: shownOf({ columns, shown: to }) })}
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))', gap: 3 }}>
        <Choice
          label={say('sort')}
          value={sorted}
          none={say('unsorted')}
          options={choices(names)}
          onChange={(it) => alter({ sort: it === '' ? '-createTime' : it })}
        />
        <Choice
          required
          label={say('direction')}
          value={sort.startsWith('-') ? 'down' : 'up'}
          options={[
            { value: 'up', label: say('up') },
            { value: 'down', label: say('down') },
          ]}
          onChange={(it) => alter({ sort: it === 'down' ? `-${sorted || 'createTime'}` : sorted || 'createTime' })}
        />
      </Box>
      <ManyChoice
        label={say('totals')}
        values={totals}
        options={choices(columns.filter((it) => numeric.has(laid.fields[it]?.type ?? '')))}
        onChange={(to) => alter({ totals: to })}
      />
    </Box>
  );
}
