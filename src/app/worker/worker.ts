import { isViewAddress } from '#domain/viewAddress.ts';

/** What of a service worker's surroundings is used; the types of a worker can't stand beside those of a page. */
export interface WorkerScope {
  location: { origin: string };
  caches: CacheStorage;
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  fetch: (request: Request) => Promise<Response>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'fetch', listener: (event: Asked) => void): void;
}
interface Lasting {
  waitUntil: (work: Promise<unknown>) => void;
}
interface Asked {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}

export interface Build {
  /** The page and the scripts that a station needs, by their paths. */
  files: readonly string[];
  /** Another build has another. */
  version: string;
}

/** What a page says to a new version that waits, once nothing else waits. */
export const TAKE_OVER = 'takeOver';

const OURS = 'reflow-client-';
const SHELL = '/index.html';
/** Scripts and styles never change under their name. */
const isAsset = (path: string): boolean => path.startsWith('/assets/');

/**
 * Keeps the shell and the stations of one build, so that a station reloads without a network. A page is always of one
 * version: the next one waits until it is let in. Rule: scanning#offline.
 */
export function cacheClient(worker: WorkerScope, { files, version }: Build): void {
  const { caches } = worker;
  const ours = OURS + version;

  worker.addEventListener('install', (event) => event.waitUntil(fill()));
  worker.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => worker.clients.claim())));
  worker.addEventListener('message', ({ data }) => {
    if (data === TAKE_OVER) void worker.skipWaiting();
  });
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== worker.location.origin) return;
    // Everything else that the server answers is an answer of the moment: it is neither kept nor touched.
    const isView = request.mode === 'navigate' && isViewAddress(pathname);
    const answer = isAsset(pathname) ? asset : isView ? shell : undefined;
    if (answer) event.respondWith(answer(request));
  });

  async function fill(): Promise<void> {
    const cache = await caches.open(ours);
    const requestOf = (path: string) =>
      new Request(new URL(path, worker.location.origin), { cache: isAsset(path) ? 'default' : 'reload' });
    await cache.addAll(files.map(requestOf));
  }

  /** The version before this one stays: pages that are still open ask for its scripts, which the server no longer has. */
  async function tidy(): Promise<void> {
    const older = (await caches.keys()).filter((it) => it.startsWith(OURS) && it !== ours);
    await Promise.all(older.slice(0, -1).map((it) => caches.delete(it)));
  }

  async function asset(request: Request): Promise<Response> {
    const cached = await caches.match(request, { ignoreVary: true });
    if (cached) return cached;
    const response = await worker.fetch(request);
    if (response.ok) await (await caches.open(ours)).put(request, response.clone());
    return response;
  }

  async function shell(request: Request): Promise<Response> {
    const cached = await (await caches.open(ours)).match(SHELL, { ignoreVary: true });
    return cached ?? worker.fetch(request);
  }
}
