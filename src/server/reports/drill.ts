/** One condition of a list's nested search; all of a drill's conditions hold at once. Rule: lists#advanced-search. */
export interface DrillRule {
  column: string;
  relation: 'EQUAL_TO' | 'NOT_EQUAL_TO' | 'IN' | 'IS_NULL' | 'GREATER_THAN_OR_EQUAL_TO' | 'LESS_THAN';
  value: string;
}

/** The list whose rows a figure counts, and the conditions under which it shows just these. Rule: reports#drill. */
export interface Drill {
  module: string;
  rules: DrillRule[];
}

/** It is this value, or empty where there is none. */
export const is = (column: string, value: unknown): DrillRule =>
  value === null || value === undefined || value === ''
    ? { column, relation: 'IS_NULL', value: '' }
    : { column, relation: 'EQUAL_TO', value: String(value) };

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
