import type { Problem } from '#domain/refusal.ts';

const PASSWORD_MIN = 6;
/** The longest that a password may be. */
export const PASSWORD_MAX = 30;

export type PasswordFault = 'empty' | 'short' | 'rule';

/**
 * What is wrong with a new password, in the order in which it is reported: empty, fewer than the minimum, and then the
 * rule: at most 30 characters with at least one letter, one digit and one special character. Special is any printable
 * ASCII character that is neither letter, digit nor blank. Rule: sessions#passwords.
 */
export function findPasswordFault(password: string, min: number = PASSWORD_MIN): PasswordFault | null {
  if (password === '') return 'empty';
  if (password.length < min) return 'short';
  const classes = [/[A-Za-z]/, /[0-9]/, /[!-/:-@[-`{-~]/];
  return password.length <= PASSWORD_MAX && classes.every((it) => it.test(password)) ? null : 'rule';
}

/** The same as the server says it. */
export function validatePassword(password: string, field: string, min: number = PASSWORD_MIN): Problem[] {
  const fault = findPasswordFault(password, min);
  if (fault === null) return [];
  if (fault === 'empty') return [{ key: 'required', field, args: { fields: { zh: '新密码', en: 'new password' } } }];
  return [{ key: 'passwordRule', field, args: { min, max: PASSWORD_MAX } }];
}
