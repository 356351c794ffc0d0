import { describe, expect, it } from 'vitest';
import { toneOf } from '#app/fields/tones.ts';
import lists from '#definitions/options.json';

interface Definition {
  module: string;
  fields: Record<string, { options?: string } | undefined>;
}

const definitions = import.meta.glob<Definition>('/definitions/*/*.json', { eager: true, import: 'default' });
const optionsOf: Record<string, readonly { value: string }[] | undefined> = lists;
const statuses = Object.values(definitions)
  .flatMap(({ module, fields }) =>
    ['status', 'billStatus'].map((field) => ({ module, field, options: fields[field]?.options ?? '' })),
  )
  .filter((it) => optionsOf[it.options]);

describe('the tone of a status', () => {
  it('is asked for all of them', () => expect(statuses.length).toBeGreaterThan(15));

  it.each(statuses)('$field of $module has one for each of its words', ({ module, field, options }) => {
    const without = (optionsOf[options] ?? []).filter((it) => toneOf(module, field, it.value) === undefined);
    expect(without).toEqual([]);
  });

  it.each([
    ['rmaMaintainBill', '3', 'refused'],
    ['icopFtWorkOrder', '3', 'done'],
    ['rmaPriceBill', '1', 'refused'],
    ['rmaStockTransferBill', '3', 'closed'],
  ])('is the one of its own list: %s %s is %s', (module, value, tone) => {
    expect(toneOf(module, 'billStatus', value)).toBe(tone);
  });
});
