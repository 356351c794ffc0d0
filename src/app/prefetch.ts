import { parseLanguage } from '#domain/words.ts';
import { preview } from '#app/preview.ts';

interface Prefetched {
  /** In place of a fetch that only reads: what was asked for ahead, once; undefined where that was not asked. */
  take: (address: string, init: RequestInit) => Promise<Response> | undefined;
  /** Something is written: what was asked for before is no longer true. */
  drop: () => void;
  /** Whether the server knows the session; once it is told, the menu is there. */
  isSignedIn: Promise<boolean>;
}

declare global {
  interface Window {
    prefetched?: Prefetched;
  }
}

interface Entry {
  menuNo: string;
  module?: string;
  children?: Entry[];
}

/** What was asked for ahead is of the moment: later than this it is asked for again. */
const FRESH_MS = 10_000;
const LONGEST_MS = 20_000;

/**
 * Asks for what the first page will ask for, before any other script is there: who is signed in, the menu, and for the
 * address of a list without conditions its rows and what stands around them. These are the calls that the page makes
 * itself; each answer is handed over once, under the same token, and never after a write. Where nobody answered it is
 * asked for again.
 * Rule: screens#first-frame.
 */
export function prefetch(baseUrl: string): Prefetched | undefined {
  const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1];
  // A window of a draft asks for other answers than these.
  if (!token || preview) return undefined;
  const lang = parseLanguage(localStorage.getItem('local'));
  const headers = { accept: 'application/json', token: decodeURIComponent(token) };
  const asked = new Map<string, Promise<Response>>();
  const ask = (path: string, query: Record<string, string> = {}) => {
    const address = `${baseUrl}${path}?${new URLSearchParams({ ...query, lang })}`;
    const answer = fetch(address, { headers, signal: AbortSignal.timeout(LONGEST_MS) });
    answer.catch(() => undefined);
    asked.set(address, answer);
    return address;
  };

  ask('/api/userInfo.json');
  const menu = asked.get(ask('/api/sysMenu/queryTree.json')) as Promise<Response>;
  const [, menuNo] = /^\/(\w+List)\/?$/.exec(location.pathname) ?? [];
  const isSignedIn = menu
    .then((it) => it.clone().json() as Promise<{ data: { items: Entry[] } }>)
    .then(({ data }) => askForList(findLeaf(data.items, menuNo)))
    .then(
      () => true,
      () => false,
    );
  setTimeout(() => asked.clear(), FRESH_MS);

  function askForList(entry: Entry | undefined): void {
    if (!entry || asked.size === 0) return;
    const stem = entry.menuNo.replace(/List$/, '');
    const module = entry.module || stem.charAt(0).toLowerCase() + stem.slice(1);
    const pageCount = localStorage.getItem('pageSize') ?? '10';
    // How many rows fill the window only the page itself can say.
    if (!location.search && Number(pageCount)) ask(`/api/${module}/pager.json`, { pageStart: '0', pageCount });
    ask('/rest/views', { module });
    ask('/api/sysBtn/queryByMenuNo.json', { menuNo: entry.menuNo });
    ask(`/api/${module}/searchItems.json`);
  }

  const take: Prefetched['take'] = (address, init) => {
    if (init.method !== 'GET') return undefined;
    const isSame = new Headers(init.headers).get('token') === headers.token;
    const answer = asked.get(address);
    if (!isSame) asked.clear();
    else asked.delete(address);
    const again = () => fetch(address, init);
    const isAnswered = ({ status }: Response) => status !== 502 && status !== 504;
    return isSame ? answer?.then((it) => (isAnswered(it) ? it : again()), again) : undefined;
  };
  return { take, drop: () => asked.clear(), isSignedIn };
}

function findLeaf(items: readonly Entry[], menuNo: string | undefined): Entry | undefined {
  for (const it of items) {
    const found = it.children?.length ? findLeaf(it.children, menuNo) : it.menuNo === menuNo ? it : undefined;
    if (found) return found;
  }
  return undefined;
}
