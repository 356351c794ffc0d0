import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';

/** Whose scans, where, at which station, and for which bill where a station works bill by bill. */
export interface Place {
  userId: string;
  userName: string;
  siteId: string;
  station: string;
  bill: string;
}

/** A submit that has no verdict yet: repeated as it is, under the same key, until there is one. */
export interface Submission {
  key: string;
  scanKeys: readonly string[];
  input: unknown;
}

/** What another user left waiting at this station; only counted, never shown or sent. */
export interface Waiting {
  userName: string;
  count: number;
}

export interface ScanStore {
  load: (place: Place) => Promise<{ scans: Scan[]; submission?: Submission }>;
  put: (place: Place, scan: Scan) => Promise<void>;
  begin: (place: Place, submission: Submission) => Promise<void>;
  /** Takes back a submit that was refused; its scans stay. */
  abandon: (place: Place) => Promise<void>;
  /** Ends a submit that was accepted: it, its scans and what was taken back before it go in one transaction. */
  settle: (place: Place, scanKeys: readonly string[]) => Promise<void>;
  remove: (scanKeys: readonly string[]) => Promise<void>;
  waitingOfOthers: (place: Place) => Promise<Waiting[]>;
  /** Whether anything of anybody waits in this browser. */
  isWaiting: () => Promise<boolean>;
  /** What a form at a station holds beside the scans. */
  readNote: (place: Place, name: string) => Promise<unknown>;
  writeNote: (place: Place, name: string, value: unknown) => Promise<void>;
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

/** Opens this browser's store of scans that are not submitted yet. Design section 7. */
export async function openScanStore(name = 'reflow-stations'): Promise<ScanStore> {
  const db = await openDB<Stations>(name, 1, {
    upgrade(fresh) {
      const scans = fresh.createObjectStore('scans', { keyPath: 'key' });
      scans.createIndex('place', 'place');
      scans.createIndex('station', 'station');
      fresh.createObjectStore('submissions');
      fresh.createObjectStore('notes');
    },
  });
  return storeOn(db);
}

let opened: Promise<ScanStore> | undefined;
const theStore = () => (opened ??= openForGood());

/** Asks the browser not to clear it when the disk gets full; where it does not promise, it is kept as long as there is room. */
function openForGood(): Promise<ScanStore> {
  void navigator.storage?.persist?.().catch(() => false);
  return openScanStore();
}

/** The store of this browser, opened when it is first needed. */
export const scanStore: ScanStore = {
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
};

const idOf = (place: Place): string => JSON.stringify([place.userId, place.siteId, place.station, place.bill]);
const stationOf = (place: Place): string => JSON.stringify([place.siteId, place.station]);

function storeOn(db: IDBPDatabase<Stations>): ScanStore {
  return {
    async load(place) {
      const kept = await db.getAllFromIndex('scans', 'place', idOf(place));
      const scans = kept.map((it) => it.scan).sort((a, b) => a.at - b.at);
      return { scans, submission: await db.get('submissions', idOf(place)) };
    },
    async put(place, scan) {
      const { userId, userName } = place;
      const kept = { key: scan.key, place: idOf(place), station: stationOf(place), userId, userName, scan };
      const tx = db.transaction('scans', 'readwrite', strict);
      await Promise.all([tx.store.put(kept), tx.done]);
    },
    async begin(place, submission) {
      const tx = db.transaction('submissions', 'readwrite', strict);
      await Promise.all([tx.store.put(submission, idOf(place)), tx.done]);
    },
    async abandon(place) {
      await db.delete('submissions', idOf(place));
    },
    async settle(place, scanKeys) {
      const tx = db.transaction(['scans', 'submissions'], 'readwrite', strict);
      const scans = tx.objectStore('scans');
      const gone = [...scanKeys.map((key) => scans.delete(key)), tx.objectStore('submissions').delete(idOf(place))];
      await Promise.all([...gone, tx.done]);
    },
    async remove(scanKeys) {
      const tx = db.transaction('scans', 'readwrite', strict);
      await Promise.all([...scanKeys.map((key) => tx.store.delete(key)), tx.done]);
    },
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
    },
  };
}

const noteKey = (place: Place, name: string): string => JSON.stringify([idOf(place), name]);

function countByUser(kept: readonly KeptScan[]): Waiting[] {
  const counts = new Map<string, Waiting>();
  for (const { userId, userName } of kept) {
    counts.set(userId, { userName, count: (counts.get(userId)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
