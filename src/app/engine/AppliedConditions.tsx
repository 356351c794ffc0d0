import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import type { SearchGroup, SearchItem } from '#app/engine/wire.ts';
import { ADVANCED } from '#app/dataProvider.ts';
import { textOf } from '#app/fields/format.ts';

/** What the shown rows were searched by; each condition can be taken off where it stands. */
export function AppliedConditions({ items }: { items: readonly SearchItem[] }) {
  const translate = useTranslate();
  const { filterValues, setFilters } = useListContext();
  const names = Object.keys(filterValues);
  if (names.length === 0) return null;
  const without = (name: string) => {
    const { [name]: _, ...rest } = filterValues;
    setFilters(rest, {});
  };
  return (
    <Box
      role="group"
      aria-label={translate('shell.search.applied')}
      sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'center', fontSize: 12, color: 'text.secondary' }}
    >
      {translate('shell.search.applied')}
      {names.map((it) => {
        const label = labelOf(it, filterValues[it], items, translate);
        return (
          <Chip
            key={it}
            size="small"
            label={label}
            onDelete={() => without(it)}
            slotProps={{ label: { title: label } }}
            sx={{ maxWidth: 320 }}
          />
        );
      })}
    </Box>
  );
}

type Translate = ReturnType<typeof useTranslate>;

function labelOf(name: string, value: unknown, items: readonly SearchItem[], translate: Translate): string {
  if (name === ADVANCED)
    return translate('shell.search.conditions', { count: countRules(JSON.parse(String(value)) as SearchGroup) });
  const item = items.find((it) => it.queryName === name);
  if (!item) return `${name}: ${String(value)}`;
  const asText = textOf({ name, label: item.name, type: item.type, options: item.options }, value);
  return `${item.name}: ${asText}`;
}

const countRules = ({ rules, groups }: SearchGroup): number =>
  rules.length + groups.reduce((sum, it) => sum + countRules(it), 0);
