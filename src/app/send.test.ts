// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { act, renderHook } from '@testing-library/react';
import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { buildUrl, type CallError, newKey, send, sendTo } from '#app/send.ts';
import {
  chooseLanguage,
  closeSession,
  currentToken,
  expireSession,
  onSessionLost,
  openSession,
  saveUser,
} from '#app/session.ts';
import { notices, useProblemOf } from '#app/notify.ts';
import { download } from '#app/parts/download.ts';
import { uploadFile } from '#app/parts/uploadFile.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { fetchCaptcha, logIn } from '#app/sessionCalls.ts';
import { fakeServer } from '#app/testing/fakeServer.ts';
import { turns } from '#tests/support/turns.ts';

const ask = lookup({
  path: '/api/rmaCheckBill/pager.json',
  right: 'rmaCheckBill:list',
  input: Type.Object({}),
  data: Type.Any(),
});
const write = submit({
  path: '/api/rmaCheckBill/check.json',
  right: 'rmaCheckBill:check',
  input: Type.Any(),
  data: Type.Any(),
});
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('was answered'),
    (it: unknown) => it as CallError,
  );

afterEach(() => {
  closeSession();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('the address of a call', () => {
  it('begins with the configured base URL, whatever it is now [P-CAL-01]', async () => {
    vi.stubEnv('VITE_BASE_URL', 'https://repair.example');
    const asked: string[] = [];
    vi.stubGlobal('fetch', (address: string) => {
      asked.push(address);
      return Promise.resolve(Response.json({ code: '000000', msg: '', data: {} }));
    });
    await send(ask, {});
    vi.stubEnv('VITE_BASE_URL', '');
    await send(ask, {});
    expect(asked.map((it) => it.split('?')[0])).toEqual([
      'https://repair.example/api/rmaCheckBill/pager.json',
      '/api/rmaCheckBill/pager.json',
    ]);
  });

  it('carries the language that the user chose', () => {
    chooseLanguage('en');
    expect(buildUrl('/api/sysMenu/queryTree.json')).toContain('lang=en');
    chooseLanguage('zh');
    expect(buildUrl('/api/sysMenu/queryTree.json')).toContain('lang=zh');
  });

  it('leaves out what has no value and keeps a zero', () => {
    const { searchParams } = new URL(buildUrl('/x', { a: undefined, b: null, c: 0, d: '' }), 'http://reflow.test');
    expect([...searchParams.keys()]).toEqual(['c', 'd', 'lang']);
  });
});

describe('the header', () => {
  it('holds the token in every call but login and captcha [P-CAL-02]', async () => {
    const server = fakeServer({
      '/api/rmaCheckBill/pager.json': { data: {} },
      '/api/rmaCheckBill/check.json': { data: {} },
      '/api/login.json': { data: { token: 'new' } },
      '/api/captcha.json': { data: { captcha: '', uuid: '1' } },
    });
    openSession('mine');
    await send(ask, {});
    await send(write, { sn: 'A1' });
    await logIn({ userId: 'li', password: 'x', captcha: 'a', uuid: '1' });
    await fetchCaptcha();
    expect(server.asked.map((it) => [it.path, it.headers.get('token')])).toEqual([
      ['/api/rmaCheckBill/pager.json', 'mine'],
      ['/api/rmaCheckBill/check.json', 'mine'],
      ['/api/login.json', null],
      ['/api/captcha.json', null],
    ]);
  });

  it('holds a key of its own for each submit, the given one for a repeated submit, and none for a lookup', async () => {
    const server = fakeServer({
      '/api/rmaCheckBill/pager.json': { data: {} },
      '/api/rmaCheckBill/check.json': { data: {} },
    });
    await send(write, {});
    await send(write, {});
    await send(write, {}, { key: 'again' });
    await send(ask, {});
    const [first, second, third, fourth] = server.asked.map((it) => it.headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect([third, fourth]).toEqual(['again', null]);
  });

  it('needs no secure context for its keys', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect(newKey()).not.toBe(newKey());
  });
});

describe('the answer', () => {
  it('gives its data for the code 000000 and for no other [P-CAL-03] [W-COM-10]', async () => {
    const server = fakeServer({ '/api/rmaCheckBill/pager.json': { data: { items: [1] } } });
    expect(await send(ask, {})).toEqual({ items: [1] });
    server.answer({ '/api/rmaCheckBill/pager.json': { code: '1', msg: 'no', data: { items: [1] } } });
    expect(await refusalOf(send(ask, {}))).toMatchObject({ message: 'no', key: undefined });
    server.answer({ '/api/rmaCheckBill/pager.json': { code: '0', msg: 'nearly', data: {} } });
    expect(await refusalOf(send(ask, {}))).toMatchObject({ msg: 'nearly' });
    server.answer({ '/api/rmaCheckBill/pager.json': { code: '00000', msg: '', data: {} } });
    expect(await refusalOf(send(ask, {}))).toMatchObject({ message: '00000' });
  });

  it('names the fields that the server found wrong', async () => {
    const problems = [{ key: 'required', field: 'sn', msg: 'The SN is missing' }];
    fakeServer({ '/api/rmaCheckBill/check.json': { key: 'required', msg: 'The SN is missing', data: { problems } } });
    expect((await refusalOf(send(write, {}))).problems).toEqual(problems);
  });

  it('is unknown when none came or a gateway spoke instead of the server', async () => {
    const server = fakeServer({ '/api/rmaCheckBill/check.json': 'network' });
    expect(await refusalOf(send(write, {}))).toMatchObject({ network: true, unreached: true, status: 0 });
    server.answer({ '/api/rmaCheckBill/check.json': { status: 502, html: '<h1>Bad gateway</h1>' } });
    expect(await refusalOf(send(write, {}))).toMatchObject({ network: true, unreached: false, status: 502 });
    server.answer({ '/api/rmaCheckBill/check.json': { key: 'unknown', msg: 'Error 17' } });
    expect(await refusalOf(send(write, {}))).toMatchObject({ network: false, key: 'unknown' });
  });
});

describe('a connection that died without a word', () => {
  it.each([
    ['a question', ask, 20_000],
    ['a submit', write, 60_000],
  ] as const)('is given up after a while: %s had no answer', async (_, call, longest) => {
    const patience: number[] = [];
    const dead = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      patience.push(ms);
      return dead.signal;
    });
    const hangs = (address: string, { signal }: RequestInit) =>
      new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason as Error)));
    vi.stubGlobal('fetch', hangs);
    const refusal = refusalOf(send(call, {}));
    dead.abort(new DOMException('', 'TimeoutError'));
    expect(await refusal).toMatchObject({ network: true, unreached: false, status: 0 });
    expect(patience).toEqual([longest]);
    vi.restoreAllMocks();
  });

  it('can still be called off by who asked', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason as Error))),
    );
    const asking = new AbortController();
    const answer = send(ask, {}, { signal: asking.signal });
    asking.abort(new DOMException('', 'AbortError'));
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the end of a session', () => {
  it('leaves no problem in a form, which is there again after the sign-in', async () => {
    fakeServer({ '/api/rmaCheckBill/check.json': { key: 'noSession', msg: 'no session' } });
    openSession('old');
    const { result } = renderHook(() => ({ form: useSubmit(write), problemOf: useProblemOf() }));
    await act(() => result.current.form.submit({}));
    expect(result.current.form).toMatchObject({ sending: false, problem: '', problems: [] });
    openSession('next');
    const ended = await refusalOf(send(write, {}));
    expect([result.current.problemOf(ended), ended.msg]).toEqual(['', 'no session']);
  });

  it('is told once for several calls in flight, and clears the token', async () => {
    fakeServer({ '/api/rmaCheckBill/pager.json': { key: 'noSession', msg: 'no session' } });
    const lost = vi.fn();
    const stop = onSessionLost(lost);
    openSession('old');
    await Promise.all([refusalOf(send(ask, {})), refusalOf(send(ask, {})), refusalOf(send(ask, {}))]);
    stop();
    expect(lost).toHaveBeenCalledOnce();
    expect(currentToken.get()).toBe('');
    expect(document.cookie).not.toContain('token=');
  });

  it('is not told by a late answer to a call of the session before', async () => {
    const lost = vi.fn();
    const stop = onSessionLost(lost);
    let answer = () => undefined as void;
    fakeServer({
      '/api/late.json': () => new Promise((resolve) => (answer = () => resolve({ key: 'noSession', msg: '' }))),
    });
    openSession('old');
    const late = refusalOf(sendTo({ method: 'GET', path: '/api/late.json', writes: false }, {}));
    openSession('new');
    answer();
    await late;
    stop();
    expect(lost).not.toHaveBeenCalled();
    expect(currentToken.get()).toBe('new');
  });
});

describe('an answer that comes when the session that asked is over', () => {
  const li: Parameters<typeof saveUser>[0] = {
    ...{
      userId: 'li',
      userName: 'Li Wei',
      avatar: '',
      orgId: 'O',
      siteId: 'SZ',
      siteName: '',
      roleIds: [],
      access: [],
    },
    ...{ token: '', mustChangePassword: false },
  };
  const signIn = (userId: string, token: string) => {
    openSession(token);
    saveUser({ ...li, userId, token });
  };
  /** Sends under Li's session, which is lost before the answer comes; gives what is heard of it. */
  const late = async (ask: () => Promise<unknown>, come: () => void) => {
    signIn('li', 'old');
    const heard: unknown[] = [];
    const over = ask().then(
      () => heard.push('done'),
      (error: CallError) => heard.push(error.key),
    );
    expireSession('old');
    come();
    await turns(5);
    return { heard, over };
  };
  const answers = () => {
    let come = (): void => undefined;
    const answer = new Promise<Response>(
      (done) => (come = () => done(Response.json({ code: '000000', msg: 'Saved', data: { path: '/file/a.xlsx' } }))),
    );
    vi.stubGlobal('fetch', () => answer);
    const requests: Record<string, unknown>[] = [];
    vi.stubGlobal('XMLHttpRequest', function fake(this: Record<string, unknown>) {
      const nothing = () => undefined;
      Object.assign(this, { open: nothing, setRequestHeader: nothing, send: nothing, upload: {}, responseText: '' });
      requests.push(this);
    });
    return () => {
      come();
      for (const it of requests) {
        it['responseText'] = '{"code":"000000","data":{}}';
        (it['onload'] as () => void)();
      }
    };
  };
  const kinds: [string, () => Promise<unknown>][] = [
    ['a call', () => send(write, {})],
    ['a download', () => download(ask, {})],
    ['an upload', () => uploadFile('/api/x.json', new Blob(['a']), 'a.png')],
  ];
  const watch = () => ({
    click: vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined),
    said: vi.spyOn(notices, 'success'),
  });

  it.each(kinds)('waits for the same user (%s)', async (kind, asks) => {
    const { click, said } = watch();
    const { heard, over } = await late(asks, answers());
    expect([heard, click.mock.calls, said.mock.calls]).toEqual([[], [], []]);
    signIn('li', 'next');
    await over;
    expect(heard).toEqual(['done']);
    expect(click).toHaveBeenCalledTimes(kind === 'a download' ? 1 : 0);
    expect(said).toHaveBeenCalledTimes(kind === 'a call' ? 1 : 0);
  });

  it.each(kinds)(
    'that is a no is asked for again by the session that the same user has by then (%s)',
    async (kind, asks) => {
      const { click } = watch();
      const asked: (string | null)[][] = [];
      const answer = (headers: Headers): [body: object, status: number] => {
        const token = headers.get('token');
        asked.push([token, headers.get('idempotency-key')]);
        return token === 'new'
          ? [{ code: '000000', msg: '', data: { path: '/file/a.xlsx' } }, 200]
          : [{ code: '401', msg: 'no session', data: null }, 401];
      };
      vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
        const [body, status] = answer(new Headers(headers));
        return Response.json(body, { status });
      });
      vi.stubGlobal('XMLHttpRequest', function fake(this: Record<string, unknown>) {
        const headers = new Headers();
        const send = () => {
          const [body, status] = answer(headers);
          Object.assign(this, { status, responseText: JSON.stringify(body) });
          (this['onload'] as () => void)();
        };
        const setRequestHeader = (name: string, value: string) => headers.set(name, value);
        Object.assign(this, { open: () => undefined, setRequestHeader, send, upload: {} });
      });
      signIn('li', 'old');
      document.cookie = 'token=new; Path=/';
      const over = asks();
      await turns(5);
      expect([currentToken.get(), asked.map(([token]) => token)]).toEqual(['new', ['old']]);
      saveUser({ ...li, token: 'new' });
      await over;
      expect(asked.map(([token]) => token)).toEqual(['old', 'new']);
      expect(asked[1]?.[1]).toBe(asked[0]?.[1]);
      expect(click).toHaveBeenCalledTimes(kind === 'a download' ? 1 : 0);
    },
  );
});

describe('a call that goes on without its page', () => {
  it('outlives its page where that was asked for and a browser does it', async () => {
    const kept: unknown[] = [];
    vi.stubGlobal('fetch', (_: string, { keepalive }: RequestInit) => {
      kept.push(keepalive);
      return Promise.resolve(Response.json({ code: '000000', msg: '', data: {} }));
    });
    await send(write, { sn: 'A' });
    await send(write, { sn: 'A' }, { outlivesPage: true });
    await send(write, { sn: '板'.repeat(21_000) }, { outlivesPage: true });
    expect(kept).toEqual([false, true, false]);
  });
});

it('a number that is none is sent as such, so that it is refused and not nothing', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return Promise.resolve(Response.json({ code: '000000', msg: '', data: {} }));
  });
  await send(write, { count: Number('4,20'), lines: [{ count: NaN, other: null }] });
  expect(bodies).toEqual([{ count: 'NaN', lines: [{ count: 'NaN', other: null }] }]);
});
