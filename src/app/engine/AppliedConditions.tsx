import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Skeleton from '@mui/material/Skeleton';
import { ruleWords, without, type ConditionPath } from '#app/engine/list/conditionWords.ts';
import { conditionsOf } from '#app/engine/list/conditions.ts';
import type { ListMeta } from '#app/engine/listMeta.ts';
import type { SearchGroup, SearchItem, SearchMetadata } from '#app/engine/wire.ts';
import { ADVANCED, type EngineProvider } from '#app/dataProvider.ts';
import { textOf } from '#app/fields/format.ts';
import { useLanguage } from '#app/session.ts';

interface AppliedConditionsProps {
  menuNo: string;
  /** Undefined until it is known what the list can be searched by. */
  items: readonly SearchItem[] | undefined;
}

/** What the shown rows were searched by; each condition can be taken off where it stands. */
export function AppliedConditions({ menuNo, items }: AppliedConditionsProps) {
  const translate = useTranslate();
  const { filterValues, setFilters, meta } = useListContext();
  const { condition } = conditionsOf(filterValues);
  const metadata = useMetadata(menuNo, condition !== null);
  const { [ADVANCED]: _, ...simple } = filterValues as Record<string, unknown>;
  const names = Object.keys(simple);
  if (names.length === 0 && !condition) return null;
  const count = names.length + (condition ? countRules(condition) : 0);

  const remove = (name: string) => {
    const { [name]: __, ...rest } = filterValues;
    setFilters(rest, {});
  };
  const removeAt = (path: ConditionPath) => {
    const rest = condition && without(condition, path);
    setFilters(rest ? { ...simple, [ADVANCED]: JSON.stringify(rest) } : simple, {});
  };
  return (
    <Box
      role="group"
      aria-label={translate('shell.search.applied')}
      sx={{
        display: 'flex',
        gap: 1,
        flexWrap: 'wrap',
        alignItems: 'center',
        fontSize: 12,
        color: 'text.secondary',
        maxHeight: 76,
        overflow: 'auto',
      }}
    >
      {translate('shell.search.applied')}
      {names.map((it) =>
        items ? (
          <Condition key={it} text={describeCondition(it, simple[it], items)} onRemove={() => remove(it)} />
        ) : (
          <Skeleton key={it} variant="rounded" width={120} height={24} />
        ),
      )}
      {condition && names.length > 0 && <Connector name="AND" />}
      {condition && (
        <Group
          group={condition}
          groups={[]}
          words={(rule) => ruleWords(rule, metadata, (meta as ListMeta | undefined)?.labels)}
          onRemove={removeAt}
        />
      )}
      {count > 1 && (
        <Button variant="text" onClick={() => setFilters({}, {})} sx={{ height: 22, fontSize: 12, px: 2, minWidth: 0 }}>
          {translate('lists.conditions.clear')}
        </Button>
      )}
    </Box>
  );
}

interface GroupProps {
  group: SearchGroup;
  groups: readonly number[];
  words: (rule: SearchGroup['rules'][number]) => string;
  onRemove: (path: ConditionPath) => void;
}

/** Read as it counts: from left to right, the rules before the groups, each joined to what stands before it. */
function Group({ group, groups, words, onRemove }: GroupProps) {
  return (
    <>
      {group.rules.map((it, i) => (
        <Joined key={`rule ${i}`} name={it.connector} isFirst={i === 0}>
          <Condition text={words(it)} onRemove={() => onRemove({ groups, rule: i })} />
        </Joined>
      ))}
      {group.groups.map((it, i) => (
        <Joined key={`group ${i}`} name={it.connector} isFirst={i === 0 && group.rules.length === 0}>
          <Box component="span" sx={bracketSx}>
            <Group group={it} groups={[...groups, i]} words={words} onRemove={onRemove} />
          </Box>
        </Joined>
      ))}
    </>
  );
}

const bracketSx = {
  display: 'inline-flex',
  flexWrap: 'wrap',
  gap: 1,
  alignItems: 'center',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  px: 1,
  py: '1px',
} as const;

function Joined({ name, isFirst, children }: { name: string; isFirst: boolean; children: React.ReactNode }) {
  return (
    <>
      {!isFirst && <Connector name={name} />}
      {children}
    </>
  );
}

function Connector({ name }: { name: string }) {
  const translate = useTranslate();
  return <span>{translate(`shell.advanced.${name === 'OR' ? 'OR' : 'AND'}`)}</span>;
}

function Condition({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Chip
      size="small"
      label={text}
      onDelete={onRemove}
      slotProps={{ label: { title: text } }}
      sx={{ maxWidth: 320, color: 'text.primary' }}
    />
  );
}

function describeCondition(name: string, value: unknown, items: readonly SearchItem[]): string {
  const item = items.find((it) => it.queryName === name);
  if (!item) return `${name}: ${String(value)}`;
  const isMoment = item.type === 'date' || item.type === 'dateTime';
  const typed = isMoment && /^\d+$/.test(String(value)) ? Number(value) : value;
  return `${item.name}: ${textOf({ name, label: item.name, type: item.type, options: item.options }, typed)}`;
}

/** How the nested search's columns and relations are called; the builder asks for the same. */
function useMetadata(menuNo: string, isNeeded: boolean): SearchMetadata | undefined {
  const language = useLanguage();
  const provider = useDataProvider<EngineProvider>();
  const { data } = useQuery({
    queryKey: [menuNo, 'searchMetadata', language],
    queryFn: () => provider.searchMetadata(menuNo),
    staleTime: 60_000,
    enabled: isNeeded,
  });
  return data;
}

const countRules = ({ rules, groups }: SearchGroup): number =>
  rules.length + groups.reduce((sum, it) => sum + countRules(it), 0);
