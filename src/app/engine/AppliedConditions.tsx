import { useEffect, useRef, type KeyboardEvent, type SyntheticEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Skeleton from '@mui/material/Skeleton';
import { ruleWords, without, type ConditionPath } from '#app/engine/list/conditionWords.ts';
import { conditionsOf, saidBeside } from '#app/engine/list/conditions.ts';
import type { ListMeta } from '#app/engine/listMeta.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { Labels, SearchGroup, SearchItem, SearchMetadata } from '#app/engine/wire.ts';
import { ADVANCED } from '#app/engine/filterNames.ts';
import type { EngineProvider } from '#app/dataProvider.ts';
import { textOf } from '#app/fields/format.ts';
import { isEnter } from '#app/parts/enter.ts';
import { useFoundChoices } from '#app/parts/useFoundChoices.ts';
import { useLanguage } from '#app/session.ts';

interface AppliedConditionsProps {
  menuNo: string;
  /** Undefined until it is known what the list can be searched by. */
  items: readonly SearchItem[] | undefined;
}

/** What the shown rows were searched by; each condition can be taken off where it stands. */
export default function AppliedConditions({ menuNo, items }: AppliedConditionsProps) {
  const translate = useTranslate();
  const { filterValues, setFilters, meta } = useListContext();
  const { labels, tabs } = (meta ?? {}) as ListMeta;
  const { condition } = conditionsOf(filterValues);
  const metadata = useMetadata(menuNo, condition !== null);
  const restoreFocus = useFocusAfterRemoval(filterValues);
  const { [ADVANCED]: _, ...simple } = filterValues as Record<string, unknown>;
  const names = Object.keys(saidBeside(simple, tabs));
  if (names.length === 0 && !condition) return null;

  const remove = (name: string, event: SyntheticEvent) => {
    const { [name]: __, ...rest } = filterValues;
    restoreFocus(event);
    setFilters(rest, {});
  };
  const removeAt = (path: ConditionPath, event: SyntheticEvent) => {
    restoreFocus(event);
    const rest = condition && without(condition, path);
    setFilters(rest ? { ...simple, [ADVANCED]: JSON.stringify(rest) } : simple, {});
  };
  return (
    <Box
      role="group"
      aria-label={translate('shell.search.applied')}
      data-conditions=""
      sx={{
        display: 'flex',
        gap: 1,
        flexWrap: 'wrap',
        alignItems: 'center',
        minWidth: 0,
        mt: 2,
        fontSize: 12,
        color: 'text.secondary',
        maxHeight: 76,
        overflow: 'auto',
      }}
    >
      {names.map((it) =>
        items ? (
          <SimpleCondition
            key={it}
            module={moduleOf(menuNo)}
            name={it}
            value={simple[it]}
            item={items.find(({ queryName }) => queryName === it)}
            labels={labels}
            onRemove={(event) => remove(it, event)}
          />
        ) : (
          <Skeleton key={it} variant="rounded" width={120} height={24} />
        ),
      )}
      {condition && names.length > 0 && <Connector name="AND" />}
      {condition && (
        <Group group={condition} groups={[]} words={(rule) => ruleWords(rule, metadata, labels)} onRemove={removeAt} />
      )}
    </Box>
  );
}

interface GroupProps {
  group: SearchGroup;
  groups: readonly number[];
  words: (rule: SearchGroup['rules'][number]) => string;
  onRemove: (path: ConditionPath, event: SyntheticEvent) => void;
}

/** Read as it counts: from left to right, the rules before the groups, each joined to what stands before it. */
function Group({ group, groups, words, onRemove }: GroupProps) {
  return (
    <>
      {group.rules.map((it, i) => (
        <Joined key={`rule ${i}`} name={it.connector} isFirst={i === 0}>
          <Condition text={words(it)} onRemove={(event) => onRemove({ groups, rule: i }, event)} />
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

/** After a condition was taken off on the keyboard, the next one has the focus; after the last one, the search. */
function useFocusAfterRemoval(shown: unknown) {
  const left = useRef<{ at: number; line: Element } | null>(null);
  useEffect(() => {
    if (!left.current) return;
    const { at, line } = left.current;
    left.current = null;
    const chips = line.querySelectorAll<HTMLElement>('[data-conditions] .MuiChip-root');
    const next = chips[Math.min(at, chips.length - 1)] ?? line.querySelector<HTMLElement>('[role=search] input');
    next?.focus();
  }, [shown]);
  return (event: SyntheticEvent) => {
    const bar = event.currentTarget.closest('[data-conditions]');
    const line = bar?.closest('[data-list-head]');
    if (!event.type.startsWith('key') || !bar || !line) return;
    const at = [...bar.querySelectorAll('.MuiChip-root')].indexOf(event.currentTarget);
    left.current = { at, line };
  };
}

/** Taken off by its cross; on the keyboard by Delete, Backspace or Enter. */
function Condition({ text, onRemove }: { text: string; onRemove: (event: SyntheticEvent) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!['Delete', 'Backspace'].includes(event.key) && !isEnter(event)) return;
    event.stopPropagation();
    if (!isEnter(event)) return;
    event.preventDefault();
    onRemove(event);
  };
  return (
    <Chip
      size="small"
      label={text}
      onDelete={onRemove}
      onKeyDown={onKeyDown}
      aria-keyshortcuts="Delete"
      slotProps={{ label: { title: text } }}
      sx={{ maxWidth: 320, color: 'text.primary' }}
    />
  );
}

interface SimpleConditionProps {
  module: string;
  name: string;
  value: unknown;
  /** What the list is searched by under this name. */
  item: SearchItem | undefined;
  labels: Labels | undefined;
  onRemove: (event: SyntheticEvent) => void;
}

/** What is chosen from more choices than a list brings is asked for by its name. */
function SimpleCondition({ module, name, value, item, labels, onRemove }: SimpleConditionProps) {
  const translate = useTranslate();
  const text = String(value);
  const isKnown = !item?.more || labels?.[name]?.[text] || item.options?.some((it) => it.value === text);
  const { chosen } = useFoundChoices(isKnown ? undefined : { module, field: name }, [], [text], '');
  const found = isKnown ? [] : chosen.map(({ value, label }) => ({ value, optionName: label }));
  const options = [...(item?.options ?? []), ...found];
  const condition = { name: item?.name ?? name, value: valueWords(name, value, item && { ...item, options }, labels) };
  return <Condition text={translate('shell.search.condition', condition)} onRemove={onRemove} />;
}

function valueWords(name: string, value: unknown, item: SearchItem | undefined, labels?: Labels): string {
  if (!item) return String(value);
  const isMoment = item.type === 'date' || item.type === 'dateTime';
  const typed = isMoment && /^\d+$/.test(String(value)) ? Number(value) : value;
  // A choice is told by its name, whatever its column is: a login, the roles of an account.
  const type = item.options?.length ? 'select' : item.type;
  return textOf({ name, label: item.name, type, options: item.options }, typed, labels);
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
