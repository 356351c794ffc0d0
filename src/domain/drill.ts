import type { Drill, DrillGroup, DrillRule } from '#domain/wire.ts';

/** Which of a row's figures open a list, and which rows these are: of one that counts nothing there is nothing to show. */
export const drillsOf = (row: Record<string, unknown>, drills: Record<string, Drill | null>): Record<string, Drill> =>
  Object.fromEntries(Object.entries(drills).flatMap(([key, it]) => (it && Number(row[key]) > 0 ? [[key, it]] : [])));

/** A drill as the search of its list takes it. Rule: lists#advanced-search. */
export const searchOf = ({ rules, groups = [] }: Drill) => ({
  connector: 'AND' as const,
  rules: rules.map(joined),
  groups: groups.map((it) => ({ connector: 'AND' as const, rules: it.rules.map(joined), groups: [] })),
});

const joined = ({ connector, ...rule }: DrillRule) => ({ connector: connector ?? ('AND' as const), ...rule });

/** It is this value, or empty where there is none. */
export const is = (column: string, value: unknown): DrillRule =>
  value === null || value === undefined || value === ''
    ? { column, relation: 'IS_NULL', value: '' }
    : { column, relation: 'EQUAL_TO', value: String(value) };

/** It is another value than this one, or empty. */
export const isNot = (column: string, value: string): DrillRule => ({ column, relation: 'NOT_EQUAL_TO', value });

export const isOneOf = (column: string, values: readonly string[]): DrillRule => ({
  column,
  relation: 'IN',
  value: values.join(','),
});

/** From a moment on, and before another one. */
export const isFrom = (column: string, moment: unknown): DrillRule => ({
  column,
  relation: 'GREATER_THAN_OR_EQUAL_TO',
  value: String(Number(moment)),
});
export const isBefore = (column: string, moment: unknown): DrillRule => ({
  column,
  relation: 'LESS_THAN',
  value: String(Number(moment)),
});

/** The same of a row's last change, or of its making where it was never changed. */
export const changed = (compare: typeof isFrom, moment: unknown): DrillGroup => ({
  rules: [is('updateTime', null), compare('createTime', moment), { ...compare('updateTime', moment), connector: 'OR' }],
});
