import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { createObservable, type Observable } from '#app/observable.ts';
import { asksAloud } from '#app/parts/scan/persistence.ts';
import type { Scan } from '#app/parts/scan/scanQueue.ts';

/** Whose scans, where, at which station, and for which bill where a station works bill by bill. */
export interface StationScope {
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
  /** What was refused or taken back before it was begun, and is cleared away with it. */
  cleared?: readonly string[];
}

export interface ScanRecord {
  key: string;
  place: string;
  station: string;
  userId: string;
  userName: string;
  scan: Scan;
}

export interface Stations extends DBSchema {
  scans: { key: string; value: ScanRecord; indexes: { place: string; station: string } };
  submissions: { key: string; value: Submission };
  notes: { key: string; value: unknown };
}

/** A place was taken over, or a note was written. */
type ChannelMessage = { place: string; holder: string } | { note: string };

export interface ScanDatabase {
  /** The database, opened when it is first needed. */
  open: () => Promise<IDBPDatabase<Stations>>;
  readNote: (note: string) => Promise<unknown>;
  /** Writes a note, or takes it away; where that fails, it is kept here until it can be written. */
  writeNote: (note: string, value: unknown) => Promise<void>;
  /** Whether notes could not be written, and have not been since. */
  hasLateNotes: Observable<boolean>;
  /** Something was written: so the notes that could not be may be as well. */
  writeLateNotes: () => void;
  /** Tells the other windows of this browser; that a place has one writer does not hang on it. */
  tell: (message: ChannelMessage) => void;
  /** Hears what the other windows tell; gives how to stop listening. */
  listen: (listener: (message: ChannelMessage) => void) => () => void;
}

/** For so long a browser that has just crashed may hold what the next one opens. */
const PATIENCE = 5000;
const PAUSE = 250;

/** The database of this browser in which stations keep what is not submitted. Rule: scanning#store. */
export function scanDatabase(name: string): ScanDatabase {
  let opened: Promise<IDBPDatabase<Stations>> | undefined;
  let patience = PATIENCE;
  /** Notes that are newer than those on disk, by their keys. */
  const late = new Map<string, unknown>();
  const hasLateNotes = createObservable(false);
  const forget = (note: string) => {
    late.delete(note);
    if (late.size === 0) hasLateNotes.set(false);
  };
  let hearsNotes = false;
  let opensChannel = typeof BroadcastChannel !== 'undefined';
  let channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'> | undefined;
  const channelOf = () => {
    if (opensChannel) channel = new BroadcastChannel(name);
    opensChannel = false;
    return channel;
  };
  /** The next that needs it tries again. */
  const close = () => {
    opened = undefined;
  };
  const putNote = async (note: string, value: unknown) => {
    const db = await database.open();
    if (value === undefined) await db.delete('notes', note);
    else await db.put('notes', value, note);
    if (late.get(note) === value) forget(note);
    database.tell({ note });
  };
  const database: ScanDatabase = {
    hasLateNotes,
    open: () =>
      (opened ??= openPatiently(name, patience, close).catch((error: unknown) => {
        close();
        // Who scans hears at once that it still can't be kept.
        patience = 0;
        throw error;
      })),
    async readNote(note) {
      if (late.has(note)) return late.get(note);
      const db = await database.open();
      return db.get('notes', note);
    },
    async writeNote(note, value) {
      late.set(note, value);
      try {
        await putNote(note, value);
      } catch (error) {
        // What another window writes meanwhile is newer.
        if (!hearsNotes) database.listen((it) => 'note' in it && forget(it.note));
        hearsNotes = true;
        hasLateNotes.set(late.size > 0);
        throw error;
      }
      database.writeLateNotes();
    },
    writeLateNotes() {
      for (const [note, value] of late) void putNote(note, value).catch(() => undefined);
    },
    tell: (news) => channelOf()?.postMessage(news),
    listen(listener) {
      const onMessage = ({ data }: MessageEvent<ChannelMessage>) => listener(data);
      channelOf()?.addEventListener('message', onMessage);
      return () => channel?.removeEventListener('message', onMessage);
    },
  };
  return database;
}

/** The database of this browser for good. */
export const theDatabase = scanDatabase('reflow-stations');

async function openPatiently(name: string, patience: number, onClosed: () => void): Promise<IDBPDatabase<Stations>> {
  const until = performance.now() + patience;
  // The browser is asked not to clear it when the disk gets full; where it does not promise, it is kept while there is room.
  // What would ask somebody over the scan field waits for a sentence of ours.
  if (!asksAloud()) void navigator.storage?.persist?.().catch(() => false);
  for (;;) {
    try {
      return await openStations(name, onClosed);
    } catch (error) {
      if (performance.now() >= until) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

const openStations = (name: string, onClosed: () => void): Promise<IDBPDatabase<Stations>> =>
  openDB<Stations>(name, 1, {
    // By the browser itself, whose disk has failed.
    terminated: onClosed,
    upgrade(fresh) {
      const scans = fresh.createObjectStore('scans', { keyPath: 'key' });
      scans.createIndex('place', 'place');
      scans.createIndex('station', 'station');
      fresh.createObjectStore('submissions');
      fresh.createObjectStore('notes');
    },
  });

export const idOf = (scope: StationScope): string =>
  JSON.stringify([scope.userId, scope.siteId, scope.station, scope.bill]);
export const noteKey = (scope: StationScope, name: string): string => JSON.stringify([idOf(scope), name]);
