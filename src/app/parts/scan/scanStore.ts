import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';

/** Whose scans, where, at which station, and for which bill where a station works bill by bill. */
export interface Place {
  userId: string;
  userName: string;
  siteId: string;
  station: string;
  bill: string;
}

/** A place as one window holds it: of several windows of one user, the one that came last writes, the others don't. */
export interface Held {
  place: Place;
  /** That window's station, by a name of its own. */
  holder: string;
}

/** Another window holds the place by now; nothing was written. */
export class HeldElsewhere extends Error {}

/** A submit that has no verdict yet: repeated as it is, under the same key, until there is one. */
export interface Submission {
  key: string;
  scanKeys: readonly string[];
  input: unknown;
  /** What was refused or taken back before it was begun, and is cleared away with it. */
  cleared?: readonly string[];
}

/** What another user left waiting at this station; only counted, never shown or sent. */
export interface Waiting {
  userName: string;
  count: number;
}

export interface KeptList {
  scans: Scan[];
  submission?: Submission;
}

export interface ScanStore {
  /** Takes the place over from whatever window holds it, with its list; `isNew` where it was another's until now. */
  hold: (held: Held) => Promise<KeptList & { isNew: boolean }>;
  /** Hears that another window took the place over; gives how to stop listening. */
  onTaken: (held: Held, hear: () => void) => () => void;
  load: (place: Place) => Promise<KeptList>;
  put: (held: Held, scan: Scan) => Promise<void>;
  begin: (held: Held, submission: Submission) => Promise<void>;
  /** Takes back a submit that was refused; its scans stay. */
  abandon: (held: Held) => Promise<void>;
  /** Ends a submit that was accepted: it, its scans and what was taken back before it go in one transaction. */
  settle: (held: Held, scanKeys: readonly string[]) => Promise<void>;
  remove: (held: Held, scanKeys: readonly string[]) => Promise<void>;
  waitingOfOthers: (place: Place) => Promise<Waiting[]>;
  /** Whether anything of anybody waits in this browser. */
  isWaiting: () => Promise<boolean>;
  /** What a form at a station holds beside the scans. */
  readNote: (place: Place, name: string) => Promise<unknown>;
  writeNote: (place: Place, name: string, value: unknown) => Promise<void>;
  /** Hears that another window has written this note; gives how to stop listening. */
  onNote: (place: Place, name: string, hear: () => void) => () => void;
}

interface KeptScan {
  key: string;
  place: string;
  station: string;
  userId: string;
  userName: string;
  scan: Scan;
}

interface Stations extends DBSchema {
  scans: { key: string; value: KeptScan; indexes: { place: string; station: string } };
  submissions: { key: string; value: Submission };
  notes: { key: string; value: unknown };
}

// A machine that loses its power right after the beep still has the scan.
const strict: IDBTransactionOptions = { durability: 'strict' };

/** For so long a browser that has just crashed may hold what the next one opens. */
const PATIENCE = 5000;
const PAUSE = 250;

/** Opens this browser's store of scans that are not submitted yet. Rule: scanning#store. */
export async function openScanStore(
  name = 'reflow-stations',
  until = performance.now() + PATIENCE,
): Promise<ScanStore> {
  try {
    return storeOn(await openStations(name), newsOf(name));
  } catch (error) {
    if (performance.now() > until) throw error;
    await new Promise((done) => setTimeout(done, PAUSE));
    return openScanStore(name, until);
  }
}

const openStations = (name: string): Promise<IDBPDatabase<Stations>> =>
  openDB<Stations>(name, 1, {
    upgrade(fresh) {
      const scans = fresh.createObjectStore('scans', { keyPath: 'key' });
      scans.createIndex('place', 'place');
      scans.createIndex('station', 'station');
      fresh.createObjectStore('submissions');
      fresh.createObjectStore('notes');
    },
  });

let opened: Promise<ScanStore> | undefined;
const theStore = () => (opened ??= openForGood());

/** Asks the browser not to clear it when the disk gets full; where it does not promise, it is kept as long as there is room. */
function openForGood(): Promise<ScanStore> {
  void navigator.storage?.persist?.().catch(() => false);
  return openScanStore();
}

/** The store of this browser, opened when it is first needed. */
export const scanStore: ScanStore = {
  hold: async (...it) => (await theStore()).hold(...it),
  onTaken: (...it) => onceOpen((store) => store.onTaken(...it)),
  load: async (...it) => (await theStore()).load(...it),
  put: async (...it) => (await theStore()).put(...it),
  begin: async (...it) => (await theStore()).begin(...it),
  abandon: async (...it) => (await theStore()).abandon(...it),
  settle: async (...it) => (await theStore()).settle(...it),
  remove: async (...it) => (await theStore()).remove(...it),
  waitingOfOthers: async (...it) => (await theStore()).waitingOfOthers(...it),
  isWaiting: async () => (await theStore()).isWaiting(),
  readNote: async (...it) => (await theStore()).readNote(...it),
  writeNote: async (...it) => (await theStore()).writeNote(...it),
  onNote: (...it) => onceOpen((store) => store.onNote(...it)),
};

/** Listens as soon as the store is open, unless it was called off before. */
function onceOpen(listen: (store: ScanStore) => () => void): () => void {
  let isOver = false;
  let stop = () => {};
  const begin = (store: ScanStore) => {
    if (!isOver) stop = listen(store);
  };
  theStore().then(begin, () => undefined);
  return () => {
    isOver = true;
    stop();
  };
}

const idOf = (place: Place): string => JSON.stringify([place.userId, place.siteId, place.station, place.bill]);
const stationOf = (place: Place): string => JSON.stringify([place.siteId, place.station]);

/** A place was taken over, or a note was written. */
type Told = { place: string; holder: string } | { note: string };
type News = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;

/** What the windows of this browser tell each other; that a place has one writer does not hang on it. */
const newsOf = (name: string): News | undefined =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);

/**
 * Of all windows the one that took a place last writes there: each write looks in its own transaction whether that is
 * still so. It needs no lock, so it is the same where a station is served without https.
 */
function storeOn(db: IDBPDatabase<Stations>, news: News | undefined): ScanStore {
  /** Writes all of it, or nothing where another window holds the place. */
  async function write(
    { place, holder }: Held,
    work: (to: { scans: Table<'scans'>; submissions: Table<'submissions'> }) => readonly Promise<unknown>[],
  ): Promise<void> {
    const tx = db.transaction(['scans', 'submissions', 'notes'], 'readwrite', strict);
    if ((await tx.objectStore('notes').get(holderKey(place))) !== holder) {
      await tx.done;
      throw new HeldElsewhere();
    }
    const scans = tx.objectStore('scans');
    await Promise.all([...work({ scans, submissions: tx.objectStore('submissions') }), tx.done]);
  }

  return {
    async hold({ place, holder }) {
      const tx = db.transaction(['scans', 'submissions', 'notes'], 'readwrite', strict);
      const [before, kept, submission] = await Promise.all([
        tx.objectStore('notes').get(holderKey(place)),
        tx.objectStore('scans').index('place').getAll(idOf(place)),
        tx.objectStore('submissions').get(idOf(place)),
        tx.objectStore('notes').put(holder, holderKey(place)),
        tx.done,
      ]);
      news?.postMessage({ place: idOf(place), holder } satisfies Told);
      return { scans: inOrder(kept), submission, isNew: before !== holder };
    },
    onTaken: ({ place, holder }, hear) =>
      listenTo(news, (it) => {
        if ('place' in it && it.place === idOf(place) && it.holder !== holder) hear();
      }),
    async load(place) {
      const kept = await db.getAllFromIndex('scans', 'place', idOf(place));
      return { scans: inOrder(kept), submission: await db.get('submissions', idOf(place)) };
    },
    put(held, scan) {
      const { place } = held;
      const { userId, userName } = place;
      const kept = { key: scan.key, place: idOf(place), station: stationOf(place), userId, userName, scan };
      return write(held, ({ scans }) => [scans.put(kept)]);
    },
    begin: (held, submission) => write(held, ({ submissions }) => [submissions.put(submission, idOf(held.place))]),
    abandon: (held) => write(held, ({ submissions }) => [submissions.delete(idOf(held.place))]),
    settle: (held, scanKeys) =>
      write(held, ({ scans, submissions }) => [
        ...scanKeys.map((key) => scans.delete(key)),
        submissions.delete(idOf(held.place)),
      ]),
    remove: (held, scanKeys) => write(held, ({ scans }) => scanKeys.map((key) => scans.delete(key))),
    async waitingOfOthers(place) {
      const all = await db.getAllFromIndex('scans', 'station', stationOf(place));
      return countByUser(all.filter((it) => it.userId !== place.userId && isLiving(it.scan)));
    },
    async isWaiting() {
      const [scans, submissions] = await Promise.all([db.getAll('scans'), db.count('submissions')]);
      return submissions > 0 || scans.some((it) => isLiving(it.scan));
    },
    readNote: (place, name) => db.get('notes', noteKey(place, name)),
    async writeNote(place, name, value) {
      if (value === undefined) await db.delete('notes', noteKey(place, name));
      else await db.put('notes', value, noteKey(place, name));
      news?.postMessage({ note: noteKey(place, name) } satisfies Told);
    },
    onNote: (place, name, hear) =>
      listenTo(news, (it) => {
        if ('note' in it && it.note === noteKey(place, name)) hear();
      }),
  };
}

function listenTo(news: News | undefined, hear: (told: Told) => void): () => void {
  const listen = ({ data }: MessageEvent<Told>) => hear(data);
  news?.addEventListener('message', listen);
  return () => news?.removeEventListener('message', listen);
}

type Table<Name extends 'scans' | 'submissions'> = IDBPObjectStore<
  Stations,
  ('scans' | 'submissions' | 'notes')[],
  Name,
  'readwrite'
>;

const inOrder = (kept: readonly KeptScan[]): Scan[] => kept.map((it) => it.scan).sort((a, b) => a.at - b.at);
const holderKey = (place: Place): string => noteKey(place, 'holder');
const noteKey = (place: Place, name: string): string => JSON.stringify([idOf(place), name]);

function countByUser(kept: readonly KeptScan[]): Waiting[] {
  const counts = new Map<string, Waiting>();
  for (const { userId, userName } of kept) {
    counts.set(userId, { userName, count: (counts.get(userId)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
