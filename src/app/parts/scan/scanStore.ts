import type { IDBPObjectStore } from 'idb';
import {
  idOf,
  noteKey,
  scanDatabase,
  theDatabase,
  type KeptScan,
  type Place,
  type ScanDatabase,
  type Stations,
  type Submission,
} from '#app/parts/scan/scanDatabase.ts';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';

/** A place as one window holds it: of several windows of one user, the one that came last writes, the others don't. */
export interface Held {
  place: Place;
  /** That window's station, by a name of its own. */
  holder: string;
}

/** Another window holds the place by now; nothing was written. */
export class HeldElsewhere extends Error {}

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
}

// A machine that loses its power right after the beep still has the scan.
const strict: IDBTransactionOptions = { durability: 'strict' };

/** The scans of this browser that are not submitted yet. Rule: scanning#store. */
export const scanStore = scansIn(theDatabase);

/** Those of a database that is open, for tests. */
export async function openScanStore(name = 'reflow-stations'): Promise<ScanStore> {
  const database = scanDatabase(name);
  await database.open();
  return scansIn(database);
}

/**
 * Of all windows the one that took a place last writes there: each write looks in its own transaction whether that is
 * still so. It needs no lock, so it is the same where a station is served without https.
 */
function scansIn(database: ScanDatabase): ScanStore {
  /** Writes all of it, or nothing where another window holds the place. */
  async function write(
    { place, holder }: Held,
    work: (to: { scans: Table<'scans'>; submissions: Table<'submissions'> }) => readonly Promise<unknown>[],
  ): Promise<void> {
    const db = await database.open();
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
      const db = await database.open();
      const tx = db.transaction(['scans', 'submissions', 'notes'], 'readwrite', strict);
      const [before, kept, submission] = await Promise.all([
        tx.objectStore('notes').get(holderKey(place)),
        tx.objectStore('scans').index('place').getAll(idOf(place)),
        tx.objectStore('submissions').get(idOf(place)),
        tx.objectStore('notes').put(holder, holderKey(place)),
        tx.done,
      ]);
      database.tell({ place: idOf(place), holder });
      return { scans: inOrder(kept), submission, isNew: before !== holder };
    },
    onTaken: ({ place, holder }, hear) =>
      database.listen((it) => {
        if ('place' in it && it.place === idOf(place) && it.holder !== holder) hear();
      }),
    async load(place) {
      const db = await database.open();
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
      const db = await database.open();
      const all = await db.getAllFromIndex('scans', 'station', stationOf(place));
      return countByUser(all.filter((it) => it.userId !== place.userId && isLiving(it.scan)));
    },
    async isWaiting() {
      const db = await database.open();
      const [scans, submissions] = await Promise.all([db.getAll('scans'), db.count('submissions')]);
      return submissions > 0 || scans.some((it) => isLiving(it.scan));
    },
  };
}

type Table<Name extends 'scans' | 'submissions'> = IDBPObjectStore<
  Stations,
  ('scans' | 'submissions' | 'notes')[],
  Name,
  'readwrite'
>;

const inOrder = (kept: readonly KeptScan[]): Scan[] => kept.map((it) => it.scan).sort((a, b) => a.at - b.at);
const holderKey = (place: Place): string => noteKey(place, 'holder');
const stationOf = (place: Place): string => JSON.stringify([place.siteId, place.station]);

function countByUser(kept: readonly KeptScan[]): Waiting[] {
  const counts = new Map<string, Waiting>();
  for (const { userId, userName } of kept) {
    counts.set(userId, { userName, count: (counts.get(userId)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
