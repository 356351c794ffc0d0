import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAnswer, validateTicket } from '#server/session/cas.ts';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';

const SERVICE = 'https://reflow.example/login';
const NAMESPACE = 'xmlns:cas="http://www.yale.edu/tp/cas"';

/** A CAS 3.0 server as its protocol says: a ticket is for one service and validates once. */
class CasPeer {
  readonly tickets = new Map<string, { user: string; service: string }>();
  readonly asked: URL[] = [];
  /** Instead of the protocol's answer. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  private last = 0;
  private readonly server: Server = createServer((request, response) => this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  issue(user: string, service = SERVICE): string {
    this.last += 1;
    const ticket = `ST-${this.last}-abcdefghijklmnopqrstuvwxyz`;
    this.tickets.set(ticket, { user, service });
    return ticket;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://cas.test');
    this.asked.push(url);
    if (this.instead) return this.instead(request, response);
    const ticket = url.searchParams.get('ticket') ?? '';
    const known = this.tickets.get(ticket);
    this.tickets.delete(ticket);
    response.setHeader('content-type', 'application/xml;charset=UTF-8');
    if (!known) response.end(failure('INVALID_TICKET'));
    else if (known.service !== url.searchParams.get('service')) response.end(failure('INVALID_SERVICE'));
    else response.end(success(known.user));
  }
}

const success = (user: string) => `<?xml version="1.0" encoding="UTF-8"?>
<cas:serviceResponse ${NAMESPACE}>
  <cas:authenticationSuccess>
    <cas:user>${user}</cas:user>
    <cas:attributes><cas:memberOf>admin</cas:memberOf><cas:isFromNewLogin>true</cas:isFromNewLogin></cas:attributes>
  </cas:authenticationSuccess>
</cas:serviceResponse>`;

const failure = (code: string) => `<cas:serviceResponse ${NAMESPACE}>
  <cas:authenticationFailure code="${code}">Ticket not recognized</cas:authenticationFailure>
</cas:serviceResponse>`;

const peer = new CasPeer();
let testApp: TestApp;
beforeAll(async () => {
  const origin = await peer.start();
  const sso = { loginUrl: `${origin}/login`, validateUrl: `${origin}/p3/serviceValidate`, serviceUrl: SERVICE };
  testApp = await startTestApp({ sso });
});
afterAll(async () => {
  peer.stop();
  await testApp?.close();
});
beforeEach(async () => {
  peer.instead = null;
  peer.asked.length = 0;
  await testApp.db.deleteFrom('session').execute();
  await testApp.db.deleteFrom('login_attempt').execute();
  await testApp.db.updateTable('admin_user').set({ status: '1' }).execute();
});

async function casLogin(fields: Record<string, string>) {
  const reply = await testApp.app.inject({
    method: 'POST',
    url: '/api/casLogin.json?lang=en',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return { status: reply.statusCode, ...reply.json<Omit<Answer<{ token?: string; days?: number }>, 'status'>>() };
}
const withTicket = (ticket: string) => casLogin({ loginUrl: SERVICE, ticket });
const sessions = () => testApp.db.selectFrom('session').select(['userId', 'began']).execute();

describe('a ticket opens nothing', () => {
  it.each([
    ['loginUrl', { ticket: 'ST-1-x' }],
    ['ticket', { loginUrl: SERVICE }],
  ])('without its %s', async (field, fields) => {
    expect(await casLogin(fields as unknown as Record<string, string>)).toMatchObject({
      code: '100001',
      data: { problems: [{ field }] },
    });
    expect(peer.asked).toEqual([]);
  });

  it.each([
    'https://evil.example/login',
    'http://reflow.example/login',
    `${SERVICE}/`,
    `${SERVICE}?x=1`,
    'https://reflow.example/login#a',
    'https://reflow.example@evil.example/login',
    'http://127.0.0.1:5432/',
    'http://[::ffff:127.0.0.1]/',
    'file:///etc/passwd',
  ])('for the service %s, which nobody fetches', async (loginUrl) => {
    const ticket = peer.issue('tech', loginUrl);
    expect(await casLogin({ loginUrl, ticket })).toMatchObject({ status: 200, code: '100015' });
    expect(peer.asked).toEqual([]);
    expect(await sessions()).toEqual([]);
  });

  it('that was issued for another service', async () => {
    expect(await withTicket(peer.issue('tech', 'https://other.example/login'))).toMatchObject({ code: '100048' });
    expect(await sessions()).toEqual([]);
  });

  it('that the CAS server never issued', async () => {
    const answer = await withTicket('ST-999-never-issued');
    expect(answer).toMatchObject({ status: 200, code: '100048', msg: expect.stringContaining('did not accept') });
    expect(await sessions()).toEqual([]);
  });

  it('a second time, and then the CAS server is not even asked', async () => {
    const ticket = peer.issue('tech');
    expect((await withTicket(ticket)).code).toBe('000000');
    peer.instead = (_, response) => response.end(success('admin'));
    expect((await withTicket(ticket)).code).toBe('100048');
    expect(peer.asked).toHaveLength(1);
    expect(await sessions()).toEqual([{ userId: 'tech', began: 'ticket' }]);
  });

  it('more than once, however many bring it at the same moment', async () => {
    const ticket = peer.issue('tech');
    const codes = await Promise.all(Array.from({ length: 20 }, () => withTicket(ticket).then((it) => it.code)));
    expect(codes.filter((it) => it === '000000')).toHaveLength(1);
  });

  it.each(['nobody', 'TECH', ' tech', 'tech@corp.example'])('for %j, who has no account here', async (user) => {
    const answer = await withTicket(peer.issue(user));
    expect(answer).toMatchObject(user === ' tech' ? { code: '000000' } : { code: '100048' });
    if (user !== ' tech') expect(answer.msg).toContain('no active account');
  });

  it('for a user who is switched off', async () => {
    await testApp.db.updateTable('admin_user').set({ status: '0' }).where('userId', '=', 'tech').execute();
    expect(await withTicket(peer.issue('tech'))).toMatchObject({ code: '100048' });
    expect(await sessions()).toEqual([]);
  });

  it.each(['ST-1&service=https://evil.example', 'ST-1#x', 'ST-1?user=admin', '../../login?ticket=1'])(
    'with the parameters %s of its own: it is one value of the query',
    async (ticket) => {
      expect((await withTicket(ticket)).code).toBe('100048');
      expect(peer.asked.map((it) => [it.pathname, ...it.searchParams])).toEqual([
        ['/p3/serviceValidate', ['service', SERVICE], ['ticket', ticket]],
      ]);
    },
  );

  it.each(['ST 1', 'ST-1\n', 'ST-\u4e2d', 'S'.repeat(257)])('that is no ticket: %j', async (ticket) => {
    expect((await withTicket(ticket)).code).toBe('100015');
    expect(peer.asked).toEqual([]);
  });

  it('where there is no single sign-on', async () => {
    const other = await startTestApp();
    const answer = await other.ask('POST', '/api/casLogin.json', { loginUrl: SERVICE, ticket: 'ST-1-x' });
    expect(answer).toMatchObject({ status: 200, code: '100048' });
    await other.close();
  });

  it('after fifty tries from one address', async () => {
    for (let i = 0; i < 50; i += 1) await withTicket(`ST-${i}-guess`);
    expect(await withTicket(peer.issue('tech'))).toMatchObject({ status: 429, code: '100046' });
  });
});

describe('an answer of the CAS server that is not to be believed opens nothing', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
    .split('')
    .map((it, i) => `<!ENTITY ${it} "${`&${'abcdefghij'[i]};`.repeat(10)}">`)
    .join('')}]>${success('&j;')}`;
  const outside = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>${success('&a;')}`;
  it.each<[string, (response: ServerResponse) => void]>([
    ['HTTP 500', (it) => it.writeHead(500).end(success('admin'))],
    ['HTTP 403', (it) => it.writeHead(403).end('no')],
    ['a redirect', (it) => it.writeHead(302, { location: '/elsewhere' }).end()],
    ['nothing', (it) => it.end()],
    ['no XML', (it) => it.end('yes\ntech\n')],
    ['broken XML', (it) => it.end(success('tech').slice(0, -10))],
    ['a tag that is not closed', (it) => it.end(success('tech').replace('</cas:user>', ''))],
    ['half of it, then silence', (it) => void it.writeHead(200, { 'content-length': 9000 }).write('<cas:')],
    ['an entity bomb', (it) => it.end(bomb)],
    ['an entity from outside', (it) => it.end(outside)],
    ['another namespace', (it) => it.end(success('tech').replace('yale', 'evil'))],
    ['another root', (it) => it.end(success('tech').replaceAll('serviceResponse', 'response'))],
    ['two roots', (it) => it.end(success('tech') + failure('X'))],
    [
      'success and failure',
      (it) =>
        it.end(
          success('tech').replace(
            '</cas:serviceResponse>',
            '<cas:authenticationFailure code="X"/></cas:serviceResponse>',
          ),
        ),
    ],
    ['no user', (it) => it.end(success('tech').replace(/<cas:user>.*<\/cas:user>/, ''))],
    ['an empty user', (it) => it.end(success(''))],
    ['two users', (it) => it.end(success('tech</cas:user><cas:user>admin'))],
    ['a user with parts', (it) => it.end(success('<b>tech</b>'))],
    ['a user with an entity', (it) => it.end(success('te&#99;h'))],
    ['a very long user', (it) => it.end(success('x'.repeat(101)))],
    ['wrong bytes', (it) => it.end(Buffer.from(success('t\xffech'), 'latin1'))],
  ])('%s', async (_, instead) => {
    peer.instead = (__, response) => instead(response);
    const answer = await withTicket(peer.issue('tech'));
    expect(answer).toMatchObject({ status: 200, code: '100048' });
    expect(answer.msg).toContain('does not answer properly');
    expect(peer.asked).toHaveLength(1);
    expect(await sessions()).toEqual([]);
  });

  it('one without end is read only so far', async () => {
    let written = 0;
    peer.instead = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16 * 1024))) written += 1;
      };
      response.on('drain', more);
      more();
    };
    expect((await withTicket(peer.issue('tech'))).code).toBe('100048');
    expect(written * 16).toBeLessThan(20 * 1024);
  });

  it('one that is too slow is not waited for', async () => {
    peer.instead = () => undefined;
    const sso = testApp.config.sso as NonNullable<typeof testApp.config.sso>;
    const answer = await validateTicket(sso, 'ST-1-slow', 50);
    expect(answer).toEqual({ unreachable: expect.stringContaining('Timeout') });
  });

  it('and a server that is not there', async () => {
    const sso = { loginUrl: '', validateUrl: 'http://127.0.0.1:1/p3/serviceValidate', serviceUrl: SERVICE };
    expect(await validateTicket(sso, 'ST-1-x')).toHaveProperty('unreachable');
  });

  it('the user is what the text says, with comments, and with the namespace as the default one', () => {
    expect(readAnswer(success('te<!-- -->ch'))).toEqual({ user: 'tech' });
    expect(readAnswer(success('tech').replaceAll('cas:', '').replace('xmlns:cas', 'xmlns'))).toEqual({ user: 'tech' });
    expect(readAnswer(success('tech').replaceAll('cas:', ''))).toHaveProperty('unreachable');
  });
});

describe('a good ticket', () => {
  it('opens a session that began with it and knows it [P-LOG-01] [P-LOG-12]', async () => {
    const { code, data } = await withTicket(peer.issue('tech'));
    expect(code).toBe('000000');
    expect(data).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), days: 1 });
    const asking = { token: data.token ?? '' };
    const info = await testApp.ask('GET', '/api/userInfo.json', {}, asking);
    expect(info.data).toMatchObject({ userId: 'tech', siteId: 'SZ', began: 'ticket' });
    expect(peer.asked.map((it) => it.pathname + it.search)).toEqual([
      expect.stringMatching(/^\/p3\/serviceValidate\?service=https%3A%2F%2Freflow\.example%2Flogin&ticket=ST-/),
    ]);
    const written = await testApp.db.selectFrom('ledger').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(written).toMatchObject({ userId: 'tech', what: 'login', after: { began: 'ticket' } });
  });

  it('needs no password of its own, not even a changed one', async () => {
    const before = await testApp.db
      .selectFrom('admin_user')
      .select('password')
      .where('userId', '=', 'tech')
      .executeTakeFirst();
    await testApp.db.updateTable('admin_user').set({ password: 'once:x' }).where('userId', '=', 'tech').execute();
    const { data } = await withTicket(peer.issue('tech'));
    const info = await testApp.ask('GET', '/api/userInfo.json', {}, { token: data.token ?? '' });
    expect(info.data).not.toHaveProperty('mustChangePassword');
    expect(info.data['access']).toContain('rmaCheckBill:list');
    await testApp.db
      .updateTable('admin_user')
      .set({ password: before?.password ?? '' })
      .where('userId', '=', 'tech')
      .execute();
  });

  it('gets a session that GET logout.json ends [P-SES-05]', async () => {
    const { data } = await withTicket(peer.issue('office'));
    const asking = { token: data.token ?? '' };
    expect((await testApp.ask('GET', '/api/logout.json', {}, asking)).code).toBe('000000');
    expect((await testApp.ask('GET', '/api/userInfo.json', {}, asking)).code).toBe('401');
  });

  it('begins at the configured address, which knows the way back [P-LOG-11]', async () => {
    const { data } = await testApp.ask<{ ssoLoginUrl: string }>('GET', '/api/captcha.json');
    expect(data.ssoLoginUrl).toBe(`${testApp.config.sso?.loginUrl}?service=https%3A%2F%2Freflow.example%2Flogin`);
  });
});
