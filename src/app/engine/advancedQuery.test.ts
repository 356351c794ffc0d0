// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { groupOf, type Query, rulesFirst, searchColumnsOf } from '#app/engine/advancedQuery.ts';

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
      ['day', 'Day', 'date'],
      ['status', 'Status', 'select'],
    ]);
  });
});
