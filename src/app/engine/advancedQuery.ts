import type { RuleGroupTypeIC, RuleType } from 'react-querybuilder';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { MAX_VALUES, valuesIn } from '#domain/searchBounds.ts';
import type { Connector, SearchGroup, SearchMetadata, SearchRule, WireOption } from '#app/engine/wire.ts';
import { dateKindOf, fromDateText } from '#app/fields/format.ts';
import { dateFormats, type DateKind } from '#app/fields/typedDate.ts';

/** The builder's own form of a nested search: rules and groups with the connectors between them. */
export type Query = RuleGroupTypeIC;
type Part = Query['rules'][number];

export const EMPTY_QUERY: Query = { rules: [] };
const connectorOf = (part: Part | undefined): Connector => (part === 'OR' ? 'OR' : 'AND');
const isGroup = (part: Part): part is Query => typeof part === 'object' && 'rules' in part;
const isRule = (part: Part): part is RuleType => typeof part === 'object' && !('rules' in part);

/** The relation that takes several values. */
export const ONE_OF = 'IN';

export interface SearchColumn {
  name: string;
  label: string;
  input: 'text' | 'number' | 'select' | DateKind;
  options: WireOption[];
  /** There are more choices than these: the rest is found by a search. */
  more: boolean;
  /** The relations that make sense for it; left out, all of them. */
  relations?: readonly string[];
}

/** The columns that may be asked for, each with the input and the relations that fit it. */
export function searchColumnsOf({ title, columns }: SearchMetadata): SearchColumn[] {
  return Object.entries(title).map(([name, label]) => {
    const column = columns?.find((it) => it.name === name);
    const input = column && isNumeric(column) ? 'number' : inputOf(column?.type ?? '');
    return {
      name,
      label,
      input: column?.options ? 'select' : input === 'select' ? 'text' : input,
      options: column?.options ?? [],
      more: column?.more ?? false,
      relations: column?.relations,
    };
  });
}

const inputOf = (type: string): SearchColumn['input'] => (type === 'select' ? type : (dateKindOf(type) ?? 'text'));

/** How many conditions there are in all. */
export const countRules = ({ rules }: Query): number =>
  rules.reduce((sum, it) => sum + (isGroup(it) ? countRules(it) : isRule(it) ? 1 : 0), 0);

/** Whether a condition asks for more values than the server takes. */
export const hasTooManyValues = ({ rules }: Query): boolean =>
  rules.some((it) =>
    isGroup(it)
      ? hasTooManyValues(it)
      : isRule(it) && it.operator === ONE_OF && valuesIn(String(it.value ?? '')).length > MAX_VALUES,
  );

/**
 * What is sent: rules first and then groups, each with the connector that joins it to what stands before it; the first
 * one's counts for nothing. Rule: lists#advanced-search.
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
  const column = columns.find((it) => it.name === rule.field);
  const text = String(rule.value ?? '').trim();
  return {
    connector,
    column: rule.field,
    relation: rule.operator,
    value: String(valueOf(text, rule.operator, column)),
  };
}

/** Asks for a part of what else is asked for as a whole; of roles, which ask so for each, there is no part. */
export const isPart = (relation: string, { relations }: SearchColumn): boolean =>
  relation.endsWith('LIKE') && relations?.includes('EQUAL_TO') !== false;

function valueOf(text: string, relation: string, column: SearchColumn | undefined): string | number {
  if (relation.endsWith('NULL')) return '';
  if (relation === ONE_OF) return valuesIn(text).join(',');
  // One choice is shown where several were chosen before.
  if (column?.input === 'select' && !isPart(relation, column)) return valuesIn(text)[0] ?? '';
  return column && isDate(column.input) ? fromDateText(column.input, text) : text;
}

/** Its value is typed or picked as a date. */
export const isDate = (input: SearchColumn['input']): input is DateKind => input in dateFormats;

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
