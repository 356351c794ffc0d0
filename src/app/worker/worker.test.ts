import { beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheClient, TAKE_OVER, type WorkerScope } from '#app/worker/worker.ts';

type Listener = (event: never) => void;
const ORIGIN = 'https://reflow.test';

/** The caches of one browser, which outlive a version of the worker. */
let stored: Map<string, Map<string, Response>>;
beforeEach(() => void (stored = new Map()));

const pathOf = (it: RequestInfo | URL) => new URL(it instanceof Request ? it.url : String(it), ORIGIN).pathname;
const network = vi.fn((request: Request) => Promise.resolve(new Response(`fresh ${pathOf(request)}`)));

function cachesOf(): CacheStorage {
  const cacheOf = (name: string) => {
    const files = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, files);
    return {
      addAll: async (requests: Request[]) =>
        requests.forEach((it) => files.set(pathOf(it), new Response(`${name} ${pathOf(it)}`))),
      match: async (it: RequestInfo) => files.get(pathOf(it))?.clone(),
      put: async (it: RequestInfo, response: Response) => void files.set(pathOf(it), response),
    };
  };
  return {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    match: async (it: RequestInfo) => [...stored.values()].find((files) => files.has(pathOf(it)))?.get(pathOf(it)),
  } as unknown as CacheStorage;
}

function starts(version: string) {
  const listeners = new Map<string, Listener>();
  const skipWaiting = vi.fn(() => Promise.resolve());
  const scope = {
    location: { origin: ORIGIN },
    caches: cachesOf(),
    clients: { claim: () => Promise.resolve() },
    skipWaiting,
    fetch: network,
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
  } as unknown as WorkerScope;
  cacheClient(scope, { files: ['/index.html', `/assets/app-${version}.js`], version });
  const lives = async (type: 'install' | 'activate') => {
    let work: Promise<unknown> | undefined;
    listeners.get(type)?.({ waitUntil: (it: Promise<unknown>) => (work = it) } as never);
    await work;
  };
  /** What the worker answers; nothing where it leaves the request alone. */
  const asks = async (path: string, { mode = 'cors', method = 'GET', origin = ORIGIN } = {}) => {
    const request = new Request(origin + path, { method });
    Object.defineProperty(request, 'mode', { value: mode });
    let answer: Promise<Response> | undefined;
    listeners.get('fetch')?.({ request, respondWith: (it: Promise<Response>) => (answer = it) } as never);
    return answer === undefined ? undefined : (await answer).text();
  };
  return { lives, asks, skipWaiting, receiveMessage: (data: unknown) => listeners.get('message')?.({ data } as never) };
}

describe('the service worker', () => {
  it('answers every view with the page that it keeps, and scripts from what it keeps', async () => {
    const { lives, asks } = starts('1');
    await lives('install');
    const page = 'reflow-client-1 /index.html';
    expect(await asks('/rmaReceiveBillList/receive', { mode: 'navigate' })).toBe(page);
    expect(await asks('/', { mode: 'navigate' })).toBe(page);
    expect(await asks('/assets/app-1.js')).toBe('reflow-client-1 /assets/app-1.js');
    expect(network).not.toHaveBeenCalled();
  });

  it.each([
    '/api/userInfo.json',
    '/rest/session',
    '/file/12',
    '/docs/',
    '/readyz',
    '/metrics',
    '/sw.js',
    '/.env',
    '/foo.php',
  ])('leaves %s to the network, and keeps nothing of it', async (path) => {
    const { lives, asks } = starts('1');
    await lives('install');
    const before = [...(stored.get('reflow-client-1')?.keys() ?? [])];
    expect(await asks(path)).toBeUndefined();
    if (path !== '/sw.js') expect(await asks(path, { mode: 'navigate' })).toBeUndefined();
    expect([...(stored.get('reflow-client-1')?.keys() ?? [])]).toEqual(before);
  });

  it('leaves writes and other places alone', async () => {
    const { lives, asks } = starts('1');
    await lives('install');
    expect(await asks('/assets/app-1.js', { method: 'POST' })).toBeUndefined();
    expect(await asks('/assets/app-1.js', { origin: 'https://elsewhere.test' })).toBeUndefined();
  });

  it('keeps a script that was not needed at first once it was fetched', async () => {
    const { lives, asks } = starts('1');
    await lives('install');
    expect(await asks('/assets/Chart.js')).toBe('fresh /assets/Chart.js');
    expect(await asks('/assets/Chart.js')).toBe('fresh /assets/Chart.js');
    expect(network).toHaveBeenCalledTimes(1);
  });

  it('takes over only when it is told to, and then keeps the scripts of the version before for pages still open', async () => {
    for (const version of ['1', '2']) await starts(version).lives('install');
    const third = starts('3');
    await third.lives('install');
    third.receiveMessage('anything');
    expect(third.skipWaiting).not.toHaveBeenCalled();
    third.receiveMessage(TAKE_OVER);
    expect(third.skipWaiting).toHaveBeenCalledOnce();
    await third.lives('activate');
    expect([...stored.keys()]).toEqual(['reflow-client-2', 'reflow-client-3']);
    expect(await third.asks('/assets/app-2.js')).toBe('reflow-client-2 /assets/app-2.js');
  });
});
