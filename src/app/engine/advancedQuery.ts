import type { RuleGroupTypeIC, RuleType } from 'react-querybuilder';
import type { Connector, SearchGroup, SearchMetadata, SearchRule, WireOption } from '#app/engine/wire.ts';
import { fromInput } from '#app/fields/format.ts';

/** The builder's own form of a nested search: rules and groups with the connectors between them. */
export type Query = RuleGroupTypeIC;
type Part = Query['rules'][number];

export const EMPTY_QUERY: Query = { rules: [] };
const connectorOf = (part: Part | undefined): Connector => (part === 'OR' ? 'OR' : 'AND');
const isGroup = (part: Part): part is Query => typeof part === 'object' && 'rules' in part;
const isRule = (part: Part): part is RuleType => typeof part === 'object' && !('rules' in part);

export interface SearchColumn {
  name: string;
  label: string;
  input: 'text' | 'date' | 'datetime-local' | 'month' | 'select';
  options: WireOption[];
}

/** The columns that may be asked for, each with the input that fits it. */
export function searchColumnsOf({ title, columns }: SearchMetadata): SearchColumn[] {
  return Object.entries(title).map(([name, label]) => {
    const column = columns?.find((it) => it.name === name);
    const input = inputs[column?.type ?? ''] ?? 'text';
    return {
      name,
      label,
      input: input === 'select' && !column?.options ? 'text' : input,
      options: column?.options ?? [],
    };
  });
}

const inputs: Record<string, SearchColumn['input']> = {
  date: 'date',
  dateTime: 'datetime-local',
  Month: 'month',
  select: 'select',
};

/**
 * What is sent: rules first and then groups, each with the connector that joins it to what stands before it; the first
 * one's counts for nothing. Spec 1 section 3, O-47.
 */
export function groupOf(query: Query, columns: readonly SearchColumn[], connector: Connector = 'AND'): SearchGroup {
  const group: SearchGroup = { connector, rules: [], groups: [] };
  query.rules.forEach((part, i) => {
    const joinedBy = connectorOf(query.rules[i - 1]);
    if (isGroup(part)) group.groups.push(groupOf(part, columns, joinedBy));
    else if (isRule(part)) group.rules.push(ruleOf(part, columns, joinedBy));
  });
  return group;
}

function ruleOf(rule: RuleType, columns: readonly SearchColumn[], connector: Connector): SearchRule {
  const input = columns.find((it) => it.name === rule.field)?.input;
  const text = String(rule.value ?? '').trim();
  const value = input === 'date' ? fromInput.date(text) : input === 'datetime-local' ? fromInput.dateTime(text) : text;
  return { connector, column: rule.field, relation: rule.operator, value: String(value) };
}

/** Keeps rules above groups, as they are read. */
export function rulesFirst(query: Query): Query {
  const parts = query.rules.flatMap((part, i) =>
    typeof part === 'string'
      ? []
      : [{ part: isGroup(part) ? rulesFirst(part) : part, joinedBy: connectorOf(query.rules[i - 1]) }],
  );
  const sorted = [...parts.filter((it) => !isGroup(it.part)), ...parts.filter((it) => isGroup(it.part))];
  const rules = sorted.flatMap(({ part, joinedBy }, i) => (i === 0 ? [part] : [joinedBy, part]));
  return { ...query, rules } as Query;
}
