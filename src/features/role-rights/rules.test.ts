import { expect, it } from 'vitest';
import { checkedAnew, isSameChecks, joined, parted } from './rules.ts';

it('the rights of a role travel as ids joined by |', () => {
  expect(joined(['a', 'b:c'])).toBe('a|b:c');
  expect(parted(' a |b:c||a')).toEqual(['a', 'b:c']);
  expect(parted('')).toEqual([]);
});

it('what two people check at once is what both have checked, without what either took off', () => {
  const before = new Set(['menu', 'a:list', 'a:add', 'b:list']);
  const mine = new Set(['menu', 'a:list', 'b:list', 'c:list']);
  expect([...checkedAnew(['menu', 'a:list', 'a:add', 'd:list'], mine, before)].sort()).toEqual(
    ['menu', 'a:list', 'c:list', 'd:list'].sort(),
  );
  expect(isSameChecks(['menu', 'a:list'], ['other', 'a:list'])).toBe(true);
  expect(isSameChecks(['a:list'], ['a:list', 'a:add'])).toBe(false);
});
