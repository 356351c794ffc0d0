import { describe, expect, it } from 'vitest';
import type { Option } from '#domain/definition/grammar.ts';
import { toneOf } from '#app/fields/tones.ts';
import lists from '#definitions/options.json';

interface Definition {
  module: string;
  fields: Record<string, { options?: string } | undefined>;
}

const definitions = import.meta.glob<Definition>('/definitions/*/*.json', { eager: true, import: 'default' });
const optionsOf = lists as Record<string, Option[] | undefined>;
const statuses = Object.values(definitions)
  .flatMap(({ module, fields }) =>
    ['status', 'billStatus'].map((field) => ({ module, field, options: fields[field]?.options ?? '' })),
  )
  .filter((it) => optionsOf[it.options]);

describe('the tone of a status', () => {
  it('is asked for all of them', () => expect(statuses.length).toBeGreaterThan(15));

  it.each(statuses)('$field of $module has one for each of its words', ({ options }) => {
    const without = optionsOf[options]?.filter((it) => it.tone === undefined);
    expect(without).toEqual([]);
  });

  it.each([
    ['billStatus', '3', 'refused'],
    ['icopBillStatus', '3', 'done'],
    ['reviewStatus', '1', 'refused'],
    ['transferStatus', '3', 'closed'],
    ['yesNo', '1', undefined],
  ])('is the one of its own list: %s %s is %s', (list, value, tone) => {
    expect(toneOf(optionsOf[list], value)).toBe(tone);
  });
});
