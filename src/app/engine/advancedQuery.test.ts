// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import {
  countRules,
  groupOf,
  hasTooManyValues,
  type Query,
  rulesFirst,
  searchColumnsOf,
} from '#app/engine/advancedQuery.ts';

const columns = searchColumnsOf({
  title: { no: 'Bill', day: 'Day', status: 'Status' },
  relations: {},
  columns: [
    { name: 'day', label: 'Day', type: 'date' },
    { name: 'status', label: 'Status', type: 'select', options: [{ value: '1', optionName: 'Done' }] },
  ],
});
const rule = (field: string, operator: string, value: string) => ({ field, operator, value });

describe('a nested search', () => {
  it('is sent as rules and groups, each with the connector before it [P-ADV-09]', () => {
    const query: Query = {
      rules: [
        rule('no', 'LIKE', ' CKB '),
        'OR',
        rule('status', 'EQUAL_TO', '1'),
        'AND',
        { rules: [rule('no', 'IS_NULL', ''), 'OR', rule('day', 'LESS_THAN', '2026-11-21')] },
      ],
    };
    expect(groupOf(query, columns)).toEqual({
      connector: 'AND',
      rules: [
        { connector: 'AND', column: 'no', relation: 'LIKE', value: 'CKB' },
        { connector: 'OR', column: 'status', relation: 'EQUAL_TO', value: '1' },
      ],
      groups: [
        {
          connector: 'AND',
          rules: [
            { connector: 'AND', column: 'no', relation: 'IS_NULL', value: '' },
            { connector: 'OR', column: 'day', relation: 'LESS_THAN', value: String(new Date(2026, 10, 21).getTime()) },
          ],
          groups: [],
        },
      ],
    });
  });

  it('keeps rules above groups, each with its own connector', () => {
    const group: Query = { rules: [rule('no', 'EQUAL_TO', '1')] };
    expect(rulesFirst({ rules: [group, 'OR', rule('no', 'EQUAL_TO', '2')] }).rules).toEqual([
      rule('no', 'EQUAL_TO', '2'),
      'AND',
      group,
    ]);
  });

  it('asks for each column with the input that fits it', () => {
    expect(columns.map((it) => [it.name, it.label, it.input])).toEqual([
      ['no', 'Bill', 'text'],
      ['day', 'Day', 'day'],
      ['status', 'Status', 'select'],
    ]);
  });

  it('is counted with its groups, and has a limit of values', () => {
    const values = (n: number) => Array.from({ length: n }, (_, i) => `V${i}`).join('\n');
    const query = (n: number): Query => ({
      rules: [
        rule('no', 'EQUAL_TO', ''),
        'AND',
        { rules: [rule('no', 'IN', values(n)), 'OR', rule('no', 'LIKE', '')] },
      ],
    });
    expect(countRules(query(1))).toBe(3);
    expect([200, 201].map((it) => hasTooManyValues(query(it)))).toEqual([false, true]);
    expect(groupOf({ rules: [rule('no', 'IN', ' A\nB，A, ')] }, columns).rules[0]?.value).toBe('A,B');
    expect(groupOf({ rules: [rule('no', 'IS_NULL', 'left over')] }, columns).rules[0]?.value).toBe('');
  });
});
