import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { indexesOf } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { MAX_INDEXES } from '#domain/definition/validateChange.ts';
import { groupedCount } from '#app/fields/format.ts';
import { proposedIndexes, withIndex, withoutIndex } from './rules.indexes.ts';

interface Props {
  laid: Definition;
  current: Definition | null;
  change: DefinitionChange;
  /** About how many rows the table holds, for who may see all of them. */
  rowCount: number | null;
  labelOf: (name: string) => string;
  onChange: (to: DefinitionChange) => void;
}

/** What of a list reads every row for want of an index, what an index costs, and those that the draft asks for. */
export function Indexes({ laid, current, change, rowCount, labelOf, onChange }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.indexes.${key}`, args);
  const proposed = proposedIndexes(laid);
  const published = new Set((current?.indexes ?? []).map((it) => it.join()));
  const asked = (change.definition?.indexes ?? change.indexes ?? [])
    .map((it) => it.join())
    .filter((it) => !published.has(it) && it !== 'createTime');
  if (proposed.length === 0 && asked.length === 0) return null;
  const rows = [
    ...asked.map((column) => ({ column, isAsked: true, text: say('asked', { name: labelOf(column) }) })),
    ...proposed.map(({ column, why }) => ({ column, isAsked: false, text: say(why, { name: labelOf(column) }) })),
  ];
  return (
    <Box component="section" aria-label={say('title')} sx={{ display: 'flex', flexDirection: 'column', gap: 2, mt: 4 }}>
      <Box component="h2" sx={{ m: 0, fontSize: 13, fontWeight: 600 }}>
        {say('title')}
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {say(rowCount === null ? 'costUnseen' : 'cost', {
          rows: groupedCount(rowCount ?? 0),
          count: indexesOf(laid).length,
          most: MAX_INDEXES,
        })}
      </Box>
      <Box
        component="ul"
        sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1, fontSize: 13 }}
      >
        {rows.map(({ column, isAsked, text }, i) => (
          <Box
            key={column}
            component="li"
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 2,
              pl: 3,
              pr: 1,
              minHeight: 36,
              borderTop: i === 0 ? 0 : 1,
              borderColor: 'divider',
            }}
          >
            <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
              {text}
            </Box>
            <Button
              variant="text"
              color={isAsked ? 'inherit' : 'primary'}
              onClick={() => onChange(isAsked ? withoutIndex(change, column) : withIndex(change, column))}
            >
              {say(isAsked ? 'drop' : 'add')}
            </Button>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
