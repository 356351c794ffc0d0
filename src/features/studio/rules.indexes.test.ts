import { describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';
import { proposedIndexes, withIndex, withoutIndex } from './rules.indexes.ts';

const label = { zh: 'x', en: 'x' };
const base: Definition = {
  ...{ module: 'toolLoan', label, table: 'tool_loan', site: 'all' },
  fields: {
    name: { type: 'String', label },
    code: { type: 'String', label, unique: true },
    kind: { type: 'select', label, options: 'yesNo' },
    lent: { type: 'date', label },
  },
  search: ['name', 'code', 'kind', 'lent'],
  list: { columns: ['name'], sort: '-lent' },
  indexes: [['createTime']],
};
const columns = (it: Definition) => proposedIndexes(it).map(({ column, why }) => `${why} ${column}`);

describe('indexes', () => {
  it('are proposed for what a list is sorted and searched by in an order, each once', () => {
    expect(columns(base)).toEqual(['sort lent', 'search kind']);
  });

  it('are not where one begins so already, and a view has none', () => {
    expect(columns({ ...base, indexes: [['lent', 'name'], ['kind']] })).toEqual([]);
    expect(columns({ ...base, viewOf: ['ubsSite'] })).toEqual([]);
    expect(columns({ ...base, search: [], list: { columns: ['name'], sort: 'code' } })).toEqual([]);
  });

  it('are asked for beside those that are there, and no more where that is taken back', () => {
    const change = withIndex({}, 'kind');
    expect(layOver(base, change).indexes).toEqual([['createTime'], ['kind']]);
    expect(columns(layOver(base, change))).toEqual(['sort lent']);
    expect(withoutIndex(change, 'kind')).toEqual({});
    const made = withIndex({ definition: base }, 'kind');
    expect(made.definition?.indexes).toEqual([['createTime'], ['kind']]);
    expect(withoutIndex(made, 'kind').definition?.indexes).toEqual([['createTime']]);
  });
});
