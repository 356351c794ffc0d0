import { describe, expect, it } from 'vitest';
import { mayDo, rightsOfSeed } from '#domain/rights.ts';

describe('mayDo', () => {
  it.each<[string[], string, boolean]>([
    [[], 'rmaCheckBill:check', false],
    [['rmaCheckBill:list'], 'rmaCheckBill:check', false],
    [['rmaCheckBill:check'], 'rmaCheckBill:check', true],
    [['rmaRepairBill:check'], 'rmaCheckBill:check', false],
    [['rmaCheckBill:*'], 'rmaCheckBill:check', true],
    [['rmaCheckBill:*'], 'rmaCheckBillLine:check', false],
    [['*:list'], 'rmaCheckBill:list', true],
    [['*:list'], 'rmaCheckBill:check', false],
    [['*:*'], 'rmaCheckBill:check', true],
    [['rmaCheckBill:check'], 'rmaCheckBill:CHECK', false],
  ])('with %j, %s is %s', (rights, right, may) => {
    expect(mayDo(new Set(rights), right)).toBe(may);
  });

  it('takes a star only from the role, never from the question', () => {
    const rights = new Set(['rmaCheckBill:*', '*:list', '*:*']);
    for (const right of ['rmaCheckBill:*', '*:list', '*:*', '', ':', 'rmaCheckBill', 'rmaCheckBill:']) {
      expect(mayDo(rights, right)).toBe(false);
    }
  });

  it('asks nothing of what is public or open to everybody signed in', () => {
    expect(mayDo(new Set(), 'public')).toBe(true);
    expect(mayDo(new Set(), 'signedIn')).toBe(true);
  });
});

it('a role of the files gives one right for each button', () => {
  const role = {
    roleId: 'tech',
    label: { zh: '技术员', en: 'Technician' },
    rights: { a: ['list', 'check'], '*': ['list'] },
  };
  expect(rightsOfSeed(role)).toEqual(['a:list', 'a:check', '*:list']);
});
