import { expect, it } from 'vitest';
import { joined, parted } from './rules.ts';

it('the rights of a role travel as ids joined by |', () => {
  expect(joined(['a', 'b:c'])).toBe('a|b:c');
  expect(parted(' a |b:c||a')).toEqual(['a', 'b:c']);
  expect(parted('')).toEqual([]);
});
