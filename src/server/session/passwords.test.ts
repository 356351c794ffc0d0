import type * as Argon from '@node-rs/argon2';
import { verify } from '@node-rs/argon2';
import { expect, it, vi } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { fitsPassword, hashNewPassword, hashPassword, validateUncommon } from '#server/session/passwords.ts';
import { ONE_TIME } from '#server/session/sessions.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const argon = await original<typeof Argon>();
  return { ...argon, verify: vi.fn(argon.verify) };
});

it.each([
  'password1!',
  'P@ssw0rd!',
  'P@ssw0rd#2026',
  'Passw0rd$$1',
  'admin@123',
  'Admin#888888',
  'qwerty!1',
  '123qwe!@#QWE',
  'abc123456!',
  'a123456#',
  'woaini#520',
  '1!iloveyou',
])('%s is too common', (password) => {
  expect(validateUncommon(password, 'newpassword')).toEqual([{ key: 'passwordCommon', field: 'newpassword' }]);
});

it.each(['Reflow#2026', 'a1#456', 'kN7!vQ2x', 'zebra-crossing-4', 'Tom&Jerry7up', 'x9#x9#'])(
  '%s is not',
  (password) => {
    expect(validateUncommon(password, 'newpassword')).toEqual([]);
  },
);

it('a password is kept as argon2id with 19 MiB and two passes, never as itself', async () => {
  const stored = await hashPassword('kN7!vQ2x');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(stored).not.toContain('kN7');
  expect(await hashPassword('kN7!vQ2x')).not.toBe(stored);
});

it('only the right password fits, a one-time one as well, and none where there is no hash', async () => {
  const stored = await hashPassword('kN7!vQ2x');
  expect(await fitsPassword(stored, 'kN7!vQ2x')).toBe(true);
  expect(await fitsPassword(`${ONE_TIME}${stored}`, 'kN7!vQ2x')).toBe(true);
  expect(await fitsPassword(stored, 'kN7!vQ2X')).toBe(false);
  expect(await fitsPassword('not a hash', 'kN7!vQ2x')).toBe(false);
  for (const nothing of [null, undefined, '']) {
    expect(await fitsPassword(nothing, 'nobody has this password')).toBe(false);
  }
});

it.each(['', 'a1#45', 'abcdefg1', 'P@ssw0rd!'])('%j is refused as a new password', async (password) => {
  await expect(hashNewPassword(password, 'newpassword', 6)).rejects.toBeInstanceOf(Refusal);
});

it('a name that nobody has costs as much to refuse as a wrong password', async () => {
  const costOf = async (stored: string | null) => {
    vi.mocked(verify).mockClear();
    expect(await fitsPassword(stored, 'wrong')).toBe(false);
    expect(verify).toHaveBeenCalledOnce();
    const [hash, password] = vi.mocked(verify).mock.lastCall ?? [];
    return [String(hash).split('$').slice(0, 4), password];
  };
  expect(await costOf(null)).toEqual(await costOf(await hashPassword('kN7!vQ2x')));
});
