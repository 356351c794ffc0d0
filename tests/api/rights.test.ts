import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { refusals } from '#domain/refusal.ts';
import { mayDo, serviceScopeOf } from '#domain/rights.ts';
import { readModel } from '#server/definitions/read.ts';
import { openSession, findCurrentUser } from '#server/session/sessions.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { callsOf, type Called } from '#tests/support/calls.ts';
import { fixedRoutes, registers } from '#tests/support/features.ts';
import { UNKNOWN } from '#tests/support/hostile.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { turnOf } from '#tests/support/tries.ts';

let testApp: TestApp;
let calls: Called[];
let before: Record<string, string>;
let log: string[];

/** What the server writes into its log from now on. */
function linesOf({ app }: TestApp): string[] {
  const lines: string[] = [];
  const stream = Object.getOwnPropertySymbols(app.log).find((it) => it.description === 'pino.stream') as symbol;
  Object.assign(app.log, { [stream]: { write: (line: string) => lines.push(line) } });
  return lines;
}
beforeAll(async () => {
  testApp = await startTestApp({ logLevel: 'info' });
  log = linesOf(testApp);
  calls = callsOf(testApp);
  await testApp.openSecret();
  before = await takeSnapshot(testApp.db);
});
afterAll(async () => {
  expect(await takeSnapshot(testApp.db), 'nothing was written').toEqual(before);
  await testApp?.close();
});

const { roles } = readModel(registers);
/** As pino counts. */
const WARN = 40;

/** With a field that nobody knows: whoever may call is then refused for it, and nothing is done. */
async function ask(
  { method, path }: Pick<Called, 'method' | 'path'>,
  headers: string | null | Record<string, string>,
  lang: 'zh' | 'en' = 'en',
) {
  const reply = await testApp.app.inject({
    method,
    url: path,
    query: { lang, ...(method === 'GET' && { [UNKNOWN]: '1' }) },
    ...(method === 'POST' && { payload: { [UNKNOWN]: '1' } }),
    headers: typeof headers === 'string' ? { token: headers } : (headers ?? {}),
  });
  const { code = '', msg = '' } = reply.json<{ code?: string; msg?: string }>();
  return { status: reply.statusCode, code, msg };
}

/** Ends the session that asks; proven where sessions are. */
const endsIt = (it: Called) => it.method === 'DELETE' && it.path === '/rest/session';
/** A document and no answer in the envelope; whoever is signed in may read it. */
const isDocument = (it: Called) => it.path === '/api/openapi.json';

it('the walk knows every call; five are public, and what writes has a right of its own', () => {
  expect(calls.length).toBeGreaterThan(300);
  for (const it of calls) expect(it.rights.join(), it.path).not.toBe('');
  const open = calls.filter((it) => it.rights.includes('public')).map((it) => it.path);
  expect(open.sort()).toEqual([
    '/api/captcha.json',
    '/api/casLogin.json',
    '/api/login.json',
    '/api/save_error_logger',
    '/rest/definitions/last',
  ]);
  const writing = fixedRoutes.map((it) => it.call).filter((it) => it.writes && !it.right.includes(':'));
  // A person's own: the session, the coin they watch, their jobs, and how they like their lists, where each call asks for the list's right itself.
  expect(writing.map((it) => `${it.method} ${it.path}`).sort()).toEqual([
    'DELETE /rest/session',
    'DELETE /rest/views/:id',
    'GET /api/coinChange.json',
    'GET /api/logout.json',
    'POST /api/hashRate/ingest.json',
    'POST /rest/jobs/:id/cancel',
    'POST /rest/views',
    'PUT /rest/listSettings/:module',
    'PUT /rest/views/:id',
  ]);
});

/** A program's, which no session opens. */
const isOfService = (it: Called) => it.rights.some((right) => serviceScopeOf(right) !== undefined);

describe('no call is answered', () => {
  const expectNobody = async (token: string | null) => {
    for (const it of calls.filter((call) => !call.rights.includes('public') && !isOfService(call))) {
      const { status, code, msg } = await ask(it, token, 'zh');
      expect([it.path, status, code, msg]).toEqual([it.path, 401, refusals.noSession.code, '登录失效，请重新登录！']);
    }
  };

  it('without a token', () => expectNobody(null));

  it('to a session whose time is over', async () => {
    const token = await openSession(testApp.db, { userId: 'admin', began: 'password', ip: '127.0.0.1', days: 1 });
    await sql`UPDATE session SET "expiresAt" = now() WHERE "userId" = 'admin'`.execute(testApp.db);
    await expectNobody(token);
  });

  it('of a program to a session, or of a person to a service token', async () => {
    const secret = await testApp.openSecret();
    const token = await testApp.openToken('admin');
    expect(calls.filter(isOfService).map((it) => it.path)).toEqual(['/api/hashRate/ingest.json']);
    for (const it of calls.filter((call) => !call.rights.includes('public'))) {
      const [own, other] = isOfService(it)
        ? [{ authorization: `Bearer ${secret}` }, { token, authorization: `Bearer ${token}` }]
        : [{ token }, { token: secret, authorization: `Bearer ${secret}` }];
      if (!endsIt(it)) expect([it.path, (await ask(it, own)).status]).not.toEqual([it.path, 401]);
      expect([it.path, (await ask(it, other)).status]).toEqual([it.path, 401]);
    }
  });
});

describe('each call is answered to whom its right belongs, and refused to everybody else', () => {
  const sessions = new Map<string, { token: string; rights: ReadonlySet<string> }>();
  beforeAll(async () => {
    for (const { roleId } of roles) {
      const token = await openSession(testApp.db, { userId: roleId, began: 'password', ip: '127.0.0.1', days: 1 });
      const rights = (await findCurrentUser(testApp.db, token))?.rights ?? new Set<string>();
      sessions.set(roleId, { token, rights });
    }
  });
  const mayAsk = (role: string, it: Called) =>
    it.rights.some((right) => mayDo(sessions.get(role)?.rights ?? new Set(), right));
  const groupsOf = (it: Called) => {
    const names = roles.map((role) => role.roleId);
    return [names.filter((role) => mayAsk(role, it)), names.filter((role) => !mayAsk(role, it))];
  };
  /** Each call is asked by two to four roles that may and as many that may not, or by all where there are fewer; they take turns. */
  const askers: ReadonlySet<string>[] = [];
  beforeAll(() => {
    for (const [n, it] of calls.entries())
      askers.push(new Set(groupsOf(it).flatMap((alike) => turnOf(alike, n, Math.ceil(alike.length / 4)))));
  });

  it.each(roles.map((it) => it.roleId))('%s [W-PRM-01]', async (role) => {
    const { token } = sessions.get(role) as { token: string };
    const seen = { yes: 0, no: 0 };
    const refused: string[] = [];
    log.length = 0;
    const asked = calls.filter((_, n) => askers[n]?.has(role));
    for (const it of asked.filter((call) => !endsIt(call) && !isDocument(call) && !isOfService(call))) {
      const may = mayAsk(role, it);
      seen[may ? 'yes' : 'no'] += 1;
      const lang = (seen.yes + seen.no) % 2 === 0 ? 'zh' : 'en';
      const { status, code, msg } = await ask(it, token, lang);
      if (!may) {
        refused.push(`${it.method} ${it.path} by ${role}`);
        const sentence = lang === 'zh' ? '您没有此操作的权限' : 'You have no permission for this operation';
        expect([it.path, status, code, msg]).toEqual([it.path, 403, refusals.noRight.code, sentence]);
      } else {
        expect([it.path, code], msg).not.toEqual([it.path, refusals.noRight.code]);
        expect([it.path, status, [200, 404].includes(status)]).toEqual([it.path, status, true]);
        expect(['100001', '100002', '100015', '100050'], `${it.path}: ${msg}`).toContain(code);
      }
    }
    // A call is written down when its answer has gone.
    const told = await vi.waitUntil(
      () => {
        const lines = log.map(
          (line) =>
            JSON.parse(line) as Record<'msg' | 'method' | 'path' | 'userId', string> &
              Record<'level' | 'status', number>,
        );
        const found = lines.filter((it) => it.msg === 'answered' && it.status === 403);
        return found.length >= refused.length && found;
      },
      { interval: 20 },
    );
    expect(told.map((it) => `${it.method} ${it.path} by ${it.userId}`)).toEqual(refused);
    expect(told.every((it) => it.level === WARN)).toBe(true);
    expect(log.join('')).not.toContain(token);
    expect(seen.yes).toBeGreaterThan(10);
    if (role !== 'admin') expect(seen.no).toBeGreaterThan(10);
  });
});

it('a module, a call or an address that does not exist is not found, for whoever asks', async () => {
  const token = await testApp.openToken('admin');
  for (const path of [
    '/api/nothing/pager.json',
    '/api/rmaCheckBill/nothing.json',
    '/api/toString/pager.json',
    '/rest/nothing',
  ]) {
    const { status, code, msg } = await ask({ method: 'GET', path }, token);
    expect([path, status, code]).toEqual([path, 404, '100050']);
    expect(msg).toBe(`There is no ${path}; check the address`);
  }
});
