import type { IDBPObjectStore } from 'idb';
import {
  idOf,
  noteKey,
  scanDatabase,
  theDatabase,
  type ScanRecord,
  type StationScope,
  type ScanDatabase,
  type Stations,
  type Submission,
} from '#app/parts/scan/scanDatabase.ts';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';

/** A place as one window holds it: of several windows of one user, the one that came last writes, the others don't. */
export interface Claim {
  scope: StationScope;
  /** That window's station, by a name of its own. */
  holder: string;
}

/** Another window holds the place by now; nothing was written. */
export class ClaimedElsewhere extends Error {}

/** What another user left waiting at this station; only counted, never shown or sent. */
export interface Waiting {
  userName: string;
  count: number;
}

export interface SavedList {
  scans: Scan[];
  submission?: Submission;
  /** What was scanned behind a unit and still waited for it. */
  behind?: readonly string[];
}

export interface SavedScans {
  /** Takes the place over from whatever window holds it, with its list; `isNew` where it was another's until now. */
  claim: (claim: Claim) => Promise<SavedList & { isNew: boolean }>;
  /** Hears that another window took the place over; gives how to stop listening. */
  onClaimedElsewhere: (claim: Claim, listener: () => void) => () => void;
  load: (scope: StationScope) => Promise<SavedList>;
  put: (claim: Claim, scan: Scan) => Promise<void>;
  begin: (claim: Claim, submission: Submission) => Promise<void>;
  /** Takes back a submit that was refused; its scans stay. */
  abandon: (claim: Claim) => Promise<void>;
  /** Ends a submit that was accepted: it, its scans and what was taken back before it go in one transaction. */
  settle: (claim: Claim, scanKeys: readonly string[]) => Promise<void>;
  remove: (claim: Claim, scanKeys: readonly string[]) => Promise<void>;
  /** Writes what waits for a unit that it was scanned behind, in place of what waited before. */
  putBehind: (claim: Claim, texts: readonly string[]) => Promise<void>;
  /** Writes the list as it is by now: of these scans the ones that are still on it, and all that stands beside them. */
  rewrite: (claim: Claim, scanKeys: readonly string[], now: SavedList) => Promise<void>;
  readOthersWaiting: (scope: StationScope) => Promise<Waiting[]>;
  /** Whether anything of anybody waits in this browser. */
  isWaiting: () => Promise<boolean>;
}

// A machine that loses its power right after the beep still has the scan.
const strict: IDBTransactionOptions = { durability: 'strict' };

/** The scans of this browser that are not submitted yet. Rule: scanning#store. */
export const savedScans = scansIn(theDatabase);

/** Those of a database that is open, for tests. */
export async function openSavedScans(name = 'reflow-stations'): Promise<SavedScans> {
  const database = scanDatabase(name);
  await database.open();
  return scansIn(database);
}

/**
 * Of all windows the one that took a place last writes there: each write looks in its own transaction whether that is
 * still so. It needs no lock, so it is the same where a station is served without https.
 */
export function scansIn(database: ScanDatabase): SavedScans {
  /** Writes all of it, or nothing where another window holds the place. */
  async function write(
    { scope, holder }: Claim,
    work: (to: {
      scans: Table<'scans'>;
      submissions: Table<'submissions'>;
      notes: Table<'notes'>;
    }) => readonly Promise<unknown>[],
  ): Promise<void> {
    const db = await database.open();
    const tx = db.transaction(['scans', 'submissions', 'notes'], 'readwrite', strict);
    // It is awaited below, unless reading fails before.
    tx.done.catch(() => undefined);
    const notes = tx.objectStore('notes');
    if ((await notes.get(holderKey(scope))) !== holder) {
      await tx.done;
      throw new ClaimedElsewhere();
    }
    const scans = tx.objectStore('scans');
    await Promise.all([...work({ scans, submissions: tx.objectStore('submissions'), notes }), tx.done]);
    database.writeLateNotes();
  }

  return {
    async claim({ scope, holder }) {
      const db = await database.open();
      const tx = db.transaction(['scans', 'submissions', 'notes'], 'readwrite', strict);
      const [before, behind, records, submission] = await Promise.all([
        tx.objectStore('notes').get(holderKey(scope)),
        tx.objectStore('notes').get(behindKey(scope)),
        tx.objectStore('scans').index('place').getAll(idOf(scope)),
        tx.objectStore('submissions').get(idOf(scope)),
        tx.objectStore('notes').put(holder, holderKey(scope)),
        tx.done,
      ]);
      database.tell({ place: idOf(scope), holder });
      const list = { scans: inOrder(records), submission, behind: behind as SavedList['behind'] };
      return { ...list, isNew: before !== holder };
    },
    onClaimedElsewhere({ scope, holder }, listener) {
      let isListening = true;
      const look = async () => {
        const db = await database.open();
        // What is told may be late: of two that claim at once the later one hears of the earlier.
        const isHolder = (await db.get('notes', holderKey(scope))) === holder;
        if (isListening && !isHolder) listener();
      };
      const unlisten = database.listen((it) => {
        if ('place' in it && it.place === idOf(scope) && it.holder !== holder) void look().catch(() => undefined);
      });
      return () => {
        isListening = false;
        unlisten();
      };
    },
    async load(scope) {
      const db = await database.open();
      const records = await db.getAllFromIndex('scans', 'place', idOf(scope));
      const [submission, behind] = await Promise.all([
        db.get('submissions', idOf(scope)),
        db.get('notes', behindKey(scope)),
      ]);
      return { scans: inOrder(records), submission, behind: behind as SavedList['behind'] };
    },
    put: (claim, scan) => write(claim, ({ scans }) => [scans.put(recordOf(claim.scope, scan))]),
    begin: (claim, submission) => write(claim, ({ submissions }) => [submissions.put(submission, idOf(claim.scope))]),
    abandon: (claim) => write(claim, ({ submissions }) => [submissions.delete(idOf(claim.scope))]),
    settle: (claim, scanKeys) =>
      write(claim, ({ scans, submissions }) => [
        ...scanKeys.map((key) => scans.delete(key)),
        submissions.delete(idOf(claim.scope)),
      ]),
    remove: (claim, scanKeys) => write(claim, ({ scans }) => scanKeys.map((key) => scans.delete(key))),
    putBehind: (claim, texts) => write(claim, ({ notes }) => [notes.put(texts, behindKey(claim.scope))]),
    rewrite: ({ scope, holder }, scanKeys, now) =>
      write({ scope, holder }, ({ scans, submissions, notes }) => [
        ...scanKeys.map((key) => scans.delete(key)),
        ...now.scans.map((it) => scans.put(recordOf(scope, it))),
        now.submission ? submissions.put(now.submission, idOf(scope)) : submissions.delete(idOf(scope)),
        notes.put(now.behind ?? [], behindKey(scope)),
      ]),
    async readOthersWaiting(scope) {
      const db = await database.open();
      const all = await db.getAllFromIndex('scans', 'station', stationOf(scope));
      return countByUser(all.filter((it) => it.userId !== scope.userId && isLiving(it.scan)));
    },
    async isWaiting() {
      const db = await database.open();
      const [scans, submissions] = await Promise.all([db.getAll('scans'), db.count('submissions')]);
      return submissions > 0 || scans.some((it) => isLiving(it.scan));
    },
  };
}

type Table<Name extends 'scans' | 'submissions' | 'notes'> = IDBPObjectStore<
  Stations,
  ('scans' | 'submissions' | 'notes')[],
  Name,
  'readwrite'
>;

const inOrder = (records: readonly ScanRecord[]): Scan[] => records.map((it) => it.scan).sort((a, b) => a.at - b.at);
const holderKey = (scope: StationScope): string => noteKey(scope, 'holder');
const behindKey = (scope: StationScope): string => noteKey(scope, 'behind');
const stationOf = (scope: StationScope): string => JSON.stringify([scope.siteId, scope.station]);

function recordOf(scope: StationScope, scan: Scan): ScanRecord {
  const { userId, userName } = scope;
  return { key: scan.key, place: idOf(scope), station: stationOf(scope), userId, userName, scan };
}

function countByUser(records: readonly ScanRecord[]): Waiting[] {
  const counts = new Map<string, Waiting>();
  for (const { userId, userName } of records) {
    counts.set(userId, { userName, count: (counts.get(userId)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
