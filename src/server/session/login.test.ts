import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { PASSWORD } from '#tests/support/world.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ captcha: true });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  await testApp.db.deleteFrom('login_attempt').execute();
  await testApp.db.deleteFrom('session').execute();
});

interface Captcha {
  captcha: string;
  uuid: string;
}

const askCaptcha = async () => (await testApp.ask<Captcha>('GET', '/api/captcha.json')).data;

/** A captcha and what stands on it, which only the database knows. */
async function solved(): Promise<{ captcha: string; uuid: string }> {
  const { uuid } = await askCaptcha();
  const row = await testApp.db
    .selectFrom('captcha')
    .select('answer')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  return { captcha: row.answer, uuid };
}

/** The form as the login page sends it. */
async function login(fields: Record<string, string>, ip = '10.0.0.1', headers: Record<string, string> = {}) {
  const reply = await testApp.app.inject({
    method: 'POST',
    url: '/api/login.json?lang=en',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
    remoteAddress: ip,
  });
  return { status: reply.statusCode, ...reply.json<Omit<Answer<{ token?: string }>, 'status'>>() };
}

const sessions = async () =>
  (await testApp.db.selectFrom('session').select('userId').execute()).map((row) => row.userId);

describe('the captcha', () => {
  it('is a picture and a number, for anybody, without a token [P-LOG-03]', async () => {
    const [one, other] = [await askCaptcha(), await askCaptcha()];
    expect(one.captcha).toMatch(/^data:image\/png;base64,/);
    const picture = await sharp(Buffer.from(one.captcha.split(',')[1] ?? '', 'base64')).metadata();
    expect(picture).toMatchObject({ format: 'png', width: 264, height: 88 });
    expect(one.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(other.uuid).not.toBe(one.uuid);
  });

  it.each<[string, (right: Captcha) => Record<string, string>]>([
    ['is left out', () => ({})],
    ['is empty', ({ uuid }) => ({ captcha: '', uuid })],
    ['comes without its number', ({ captcha }) => ({ captcha })],
    ['has an empty number', ({ captcha }) => ({ captcha, uuid: '' })],
    ['is wrong', ({ uuid }) => ({ captcha: '????', uuid })],
    ['belongs to another number', ({ captcha }) => ({ captcha, uuid: '00000000-0000-4000-8000-000000000000' })],
  ])('that %s opens nothing, with the right password', async (_, fields) => {
    const answer = await login({ userId: 'tech', password: PASSWORD, ...fields(await solved()) });
    expect(answer).toMatchObject({ status: 200, code: '100047' });
    expect(answer.msg).toMatch(/captcha/);
    expect(await sessions()).toEqual([]);
  });

  it('is used up by its first try, right or wrong', async () => {
    const used = await solved();
    expect((await login({ userId: 'tech', password: PASSWORD, ...used })).code).toBe('000000');
    expect((await login({ userId: 'tech', password: PASSWORD, ...used })).code).toBe('100047');

    const missed = await solved();
    expect((await login({ userId: 'tech', password: PASSWORD, ...missed, captcha: 'x' })).code).toBe('100047');
    expect((await login({ userId: 'tech', password: PASSWORD, ...missed })).code).toBe('100047');
  });

  it('is judged once, however many send it at the same moment', async () => {
    const one = await solved();
    const codes = await Promise.all(
      Array.from({ length: 30 }, () => login({ userId: 'tech', password: PASSWORD, ...one }).then((it) => it.code)),
    );
    expect(codes.filter((code) => code === '000000')).toHaveLength(1);
    expect(codes.filter((code) => code === '100047')).toHaveLength(29);
  });

  it('lives two minutes by the clock of the database', async () => {
    const old = await solved();
    await sql`UPDATE captcha SET "expiresAt" = "expiresAt" - interval '121 seconds'`.execute(testApp.db);
    expect((await login({ userId: 'tech', password: PASSWORD, ...old })).code).toBe('100047');
    const young = await solved();
    await sql`UPDATE captcha SET "expiresAt" = "expiresAt" - interval '110 seconds'`.execute(testApp.db);
    expect((await login({ userId: 'tech', password: PASSWORD, ...young })).code).toBe('000000');
  });
});

describe('a login', () => {
  it('is refused alike for a wrong password, an unknown user and one that is switched off [P-LOG-10]', async () => {
    await testApp.db.updateTable('admin_user').set({ status: '0' }).where('userId', '=', 'viewer').execute();
    const answers = [
      await login({ userId: 'tech', password: 'wrong', ...(await solved()) }),
      await login({ userId: 'nobody', password: PASSWORD, ...(await solved()) }),
      await login({ userId: 'viewer', password: PASSWORD, ...(await solved()) }),
      await login({ userId: 'TECH', password: PASSWORD, ...(await solved()) }),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({
      status: 200,
      code: '100048',
      msg: 'The account or password is wrong; please enter them again',
    });
    expect(await sessions()).toEqual([]);
  });

  it('takes the user name without the blanks around it, and the password as it is [P-LOG-07]', async () => {
    expect((await login({ userId: ' tech ', password: PASSWORD, ...(await solved()) })).code).toBe('000000');
    expect((await login({ userId: 'tech', password: ` ${PASSWORD}`, ...(await solved()) })).code).toBe('100048');
  });

  it('by the form of four fields answers a token that opens what the user may see [P-LOG-08]', async () => {
    const { code, data } = await login({ userId: 'tech', password: PASSWORD, ...(await solved()) });
    expect(code).toBe('000000');
    expect(data.token).toMatch(/^[\w-]{43}$/);
    const info = await testApp.ask('GET', '/api/userInfo.json', {}, { token: data.token ?? '' });
    expect(info.data).toMatchObject({ userId: 'tech', siteId: 'SZ' });
  });

  it('makes a token of its own: one that was sent along stays worthless', async () => {
    const planted = 'a'.repeat(43);
    const headers = { token: planted, cookie: `token=${planted}` };
    const { data } = await login({ userId: 'tech', password: PASSWORD, ...(await solved()) }, '10.0.0.1', headers);
    expect(data.token).not.toBe(planted);
    expect((await testApp.ask('GET', '/api/userInfo.json', {}, { token: planted })).code).toBe('401');
  });

  it('leaves nothing in the database that could be used as a token', async () => {
    const { data } = await login({ userId: 'tech', password: PASSWORD, ...(await solved()) });
    const { tokenHash } = await testApp.db.selectFrom('session').select('tokenHash').executeTakeFirstOrThrow();
    expect(tokenHash).toHaveLength(32);
    for (const encoding of ['hex', 'base64url', 'latin1'] as const) {
      expect(tokenHash.toString(encoding)).not.toBe(data.token);
      expect((await testApp.ask('GET', '/api/userInfo.json', {}, { token: tokenHash.toString('hex') })).code).toBe(
        '401',
      );
    }
  });

  it('is written down', async () => {
    await login({ userId: 'office', password: PASSWORD, ...(await solved()) });
    const last = await testApp.db.selectFrom('ledger').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(last).toMatchObject({ userId: 'office', siteId: 'SZ', what: 'login', module: 'session' });
  });
});

describe('guessing', () => {
  const guess = async (userId: string, password: string, ip: string) =>
    login({ userId, password, ...(await solved()) }, ip);

  it('ends after five: then not even the right password opens, for a quarter of an hour', async () => {
    for (let i = 0; i < 5; i++) expect((await guess('tech', `guess ${i}`, '10.0.0.2')).code).toBe('100048');
    const locked = await guess('tech', PASSWORD, '10.0.0.2');
    expect(locked.code).toBe('100049');
    expect(locked.msg).toMatch(/try again after \d\d:\d\d$/);

    await sql`UPDATE login_attempt SET "lockedUntil" = "lockedUntil" - interval '14 minutes'`.execute(testApp.db);
    expect((await guess('tech', PASSWORD, '10.0.0.2')).code).toBe('100049');
    await sql`UPDATE login_attempt SET "lockedUntil" = "lockedUntil" - interval '2 minutes'`.execute(testApp.db);
    expect((await guess('tech', PASSWORD, '10.0.0.2')).code).toBe('000000');
  });

  it('locks the account for that address alone: its owner still gets in from another', async () => {
    for (let i = 0; i < 6; i++) await guess('tech', `guess ${i}`, '10.0.0.3');
    expect((await guess('tech', PASSWORD, '10.0.0.3')).code).toBe('100049');
    expect((await guess('tech', PASSWORD, '10.0.0.4')).code).toBe('000000');
    expect((await guess('office', PASSWORD, '10.0.0.3')).code).toBe('000000');
  });

  it('at the same moment counts like guessing in a row', async () => {
    const captchas = await Promise.all(Array.from({ length: 20 }, solved));
    const codes = await Promise.all(
      captchas.map((it, i) => login({ userId: 'tech', password: `g${i}`, ...it }, '10.0.0.5').then((a) => a.code)),
    );
    expect(codes.filter((code) => code === '100048')).toHaveLength(5);
    expect(codes.filter((code) => code === '100049')).toHaveLength(15);
  });

  it('locks a name that nobody has in the same way', async () => {
    for (let i = 0; i < 5; i++) expect((await guess('nobody', 'x', '10.0.0.6')).code).toBe('100048');
    expect((await guess('nobody', 'x', '10.0.0.6')).code).toBe('100049');
  });

  it('is not reset by other spellings of the name', async () => {
    for (const name of ['tech', 'TECH', ' tech', 'Tech ', 'tECH']) await guess(name, 'x', '10.0.0.7');
    expect((await guess('tech', PASSWORD, '10.0.0.7')).code).toBe('100049');
  });

  it('over many names is stopped by the address, with the seconds to wait', async () => {
    await testApp.db.insertInto('login_attempt').values({ bucket: 'login 10.0.0.8', fails: 49 }).execute();
    expect((await guess('name50', 'x', '10.0.0.8')).code).toBe('100048');
    const stopped = await guess('tech', PASSWORD, '10.0.0.8');
    expect(stopped).toMatchObject({ status: 429, code: '100046' });
    expect(stopped.msg).toMatch(/ (89\d|900) seconds$/);
    expect((await guess('tech', PASSWORD, '10.0.0.9')).code).toBe('000000');
  });

  it('believes no forwarded address unless a proxy is configured', async () => {
    for (let i = 0; i < 5; i++) {
      await login({ userId: 'tech', password: 'x', ...(await solved()) }, '10.0.0.10', {
        'x-forwarded-for': `1.1.1.${i}`,
      });
    }
    const headers = { 'x-forwarded-for': '2.2.2.2' };
    const answer = await login({ userId: 'tech', password: PASSWORD, ...(await solved()) }, '10.0.0.10', headers);
    expect(answer.code).toBe('100049');
  });

  it('four failures and a success start anew', async () => {
    for (const round of [1, 2]) {
      for (let i = 0; i < 4; i++) expect((await guess('tech', `${round}${i}`, '10.0.0.11')).code).toBe('100048');
      expect((await guess('tech', PASSWORD, '10.0.0.11')).code).toBe('000000');
    }
  });
});

it('asking for captchas without end is stopped', async () => {
  await testApp.db.insertInto('login_attempt').values({ bucket: 'captcha 127.0.0.1', fails: 120 }).execute();
  expect(await testApp.ask('GET', '/api/captcha.json')).toMatchObject({ status: 429, code: '100046' });
});
