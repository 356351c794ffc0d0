import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fitsPassword, hashPassword } from '#server/session/passwords.ts';
import { openSession } from '#server/session/sessions.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { PASSWORD } from '#tests/support/world.ts';

let testApp: TestApp;
let token: string;
let untouched: string;
beforeAll(async () => {
  testApp = await startTestApp();
  untouched = await hashPassword(PASSWORD);
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  await testApp.db.deleteFrom('login_attempt').execute();
  await testApp.db.updateTable('admin_user').set({ password: untouched }).execute();
  token = await openSession(testApp.db, { userId: 'tech', began: 'password', ip: '127.0.0.1', days: 1 });
});

const path = '/api/adminUser/updateByPassword.json';
const change = (input: object, by: string | undefined = token, lang: 'zh' | 'en' = 'en') =>
  testApp.ask<{ problems: { key: string; field: string }[] }>('POST', path, input, { token: by, lang });
const readPassword = async (userId: string) =>
  (await testApp.db.selectFrom('admin_user').select('password').where('userId', '=', userId).executeTakeFirstOrThrow())
    .password;

describe('is refused, and the old password stays', () => {
  it('without a session', async () => {
    expect((await change({ userId: 'tech', password: PASSWORD, newpassword: 'kN7!vQ2x' }, '')).status).toBe(401);
    expect(await readPassword('tech')).toBe(untouched);
  });

  it.each([
    ['nothing', {}, 'required'],
    ['no new password', { password: PASSWORD }, 'required'],
    ['an empty new password', { password: PASSWORD, newpassword: '' }, 'required'],
    ['no old password', { newpassword: 'kN7!vQ2x' }, 'required'],
    ['a wrong old password', { password: 'wrong', newpassword: 'kN7!vQ2x' }, 'credentials'],
    ['the same again', { password: PASSWORD, newpassword: PASSWORD }, 'passwordSame'],
    ['five characters', { password: PASSWORD, newpassword: 'a1#45' }, 'passwordRule'],
    ['thirty-one characters', { password: PASSWORD, newpassword: `a1#${'x'.repeat(28)}` }, 'passwordRule'],
    ['no letter', { password: PASSWORD, newpassword: '123456#' }, 'passwordRule'],
    ['no digit', { password: PASSWORD, newpassword: 'zebras#' }, 'passwordRule'],
    ['no special character', { password: PASSWORD, newpassword: 'zebras1' }, 'passwordRule'],
    ['one that everybody knows', { password: PASSWORD, newpassword: 'P@ssw0rd1' }, 'passwordCommon'],
    ['a field that nobody knows', { password: PASSWORD, newpassword: 'kN7!vQ2x', status: '1' }, 'unknownField'],
  ])('with %s', async (_, input, key) => {
    const answer = await change({ userId: 'tech', ...input });
    expect(answer.data.problems[0]?.key).toBe(key);
    expect(answer.status).toBe(200);
    expect(await readPassword('tech')).toBe(untouched);
    expect((await testApp.ask('GET', '/api/userInfo.json', {}, { token })).code).toBe('000000');
  });

  it('by the name that people know the field by', async () => {
    const input = { password: PASSWORD, newpassword: 'x'.repeat(5000) };
    for (const [lang, name] of [
      ['en', 'New password'],
      ['zh', '新密码'],
    ] as const) {
      expect((await change({ password: PASSWORD }, token, lang)).msg).toContain(name);
      expect((await change(input, token, lang)).msg).toContain(name);
    }
  });

  it('in the words of the specification, in both languages [P-PWD-05]', async () => {
    const input = { password: PASSWORD, newpassword: 'zebras1' };
    expect((await change(input, token, 'en')).msg).toMatch(/^Your password does not meet the requirements/);
    expect((await change(input, token, 'zh')).msg).toMatch(/^您的密码不符合要求/);
  });

  it('after five wrong old ones even with the right one: a stolen session guesses no password', async () => {
    for (let i = 0; i < 5; i++) {
      expect((await change({ password: `guess ${i}`, newpassword: 'kN7!vQ2x' })).code).toBe('100048');
    }
    expect((await change({ password: PASSWORD, newpassword: 'kN7!vQ2x' })).code).toBe('100049');
    expect(await readPassword('tech')).toBe(untouched);
  });
});

it('changes the password of the session, whomever the input names [P-PWD-07]', async () => {
  expect((await change({ userId: 'admin', password: PASSWORD, newpassword: 'kN7!vQ2x' })).code).toBe('000000');
  expect(await readPassword('admin')).toBe(untouched);
  expect(await fitsPassword(await readPassword('tech'), 'kN7!vQ2x')).toBe(true);
  expect(await fitsPassword(await readPassword('tech'), PASSWORD)).toBe(false);
});

it('is written down without either password', async () => {
  await change({ password: PASSWORD, newpassword: 'kN7!vQ2x' });
  const last = await testApp.db.selectFrom('ledger').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  expect(last).toMatchObject({ userId: 'tech', what: 'updateByPassword', recordId: 'tech', before: null, after: null });
});

it('of two at the same moment one wins', async () => {
  const codes = await Promise.all(
    ['kN7!vQ2x', 'zQ4?wR9y'].map(async (it) => (await change({ password: PASSWORD, newpassword: it })).code),
  );
  expect(codes.filter((code) => code === '000000')).toHaveLength(1);
});
