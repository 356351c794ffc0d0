import { describe, expect, it } from 'vitest';
import { findPasswordFault, validatePassword, type PasswordFault } from '#domain/password.ts';

describe('a new password', () => {
  it.each<[string, PasswordFault | null]>([
    ['', 'empty'],
    ['a', 'short'],
    ['a1#45', 'short'],
    ['a1#456', null],
    ['Reflow#2026', null],
    [`a1#${'x'.repeat(27)}`, null],
    [`a1#${'x'.repeat(28)}`, 'rule'],
    ['abcdefg', 'rule'],
    ['1234567', 'rule'],
    ['#######', 'rule'],
    ['abc1234', 'rule'],
    ['abc####', 'rule'],
    ['123####', 'rule'],
    ['abc 123', 'rule'],
    ['abc123中', 'rule'],
    ['密码密码1#', 'rule'],
    ['a1~bcd', null],
    ['a1 bcd!', null],
  ])('%j is judged %s [P-PWD-05]', (password, fault) => {
    expect(findPasswordFault(password)).toBe(fault);
  });

  it('counts every printable sign of ASCII as special', () => {
    for (let code = 0x21; code < 0x7f; code++) {
      const sign = String.fromCharCode(code);
      const isSpecial = !/[A-Za-z0-9]/.test(sign);
      expect(findPasswordFault(`abc12${sign}`) === null, sign).toBe(isSpecial);
    }
  });

  it('may have to be longer than the specified six, never shorter', () => {
    expect(findPasswordFault('a1#4567', 8)).toBe('short');
    expect(findPasswordFault('a1#45678', 8)).toBe(null);
    expect(validatePassword('a1#4567', 'newpassword', 8)).toEqual([
      { key: 'passwordRule', field: 'newpassword', args: { min: 8, max: 30 } },
    ]);
  });
});
