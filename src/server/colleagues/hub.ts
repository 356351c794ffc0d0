import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import { BEAT_MS, type Colleague, type ColleagueNews } from '#domain/colleagues.ts';
import type { Tables } from '#server/db/tables.ts';

/** Where people see each other: one station, one bill, one site. */
interface StationScope {
  siteId: string;
  station: string;
  bill: string;
}

interface Watcher {
  userId: string;
  /** Whether what is news may still be given to it. */
  mayNotify(): Promise<boolean>;
  notify(news: ColleagueNews): void;
  beat(): void;
  end(): void;
}

export interface Hub {
  /** Hears the present state at once, then every change; returns how to leave. */
  watch(scope: StationScope, watcher: Watcher): () => void;
  close(): void;
}

interface Room {
  scope: StationScope;
  /** Each with what it was sent last. */
  watchers: Map<Watcher, string>;
  /** Who has submitted since the watchers were last notified. */
  submitters: Set<string>;
  isReading: boolean;
  isStale: boolean;
}

/** The NOTIFY channel that all servers of a database hear. */
export const CHANNEL = 'reflow_station_scans';
const RECONNECT_MS = 500;
/** Means any user, where something may have been missed. */
const SOMEBODY = '*';

const keyOf = ({ siteId, station, bill }: StationScope): string => JSON.stringify([siteId, station, bill]);
/** Only where something changed, and who has submitted: the lists themselves may be longer than a notification. */
export const payloadOf = (scope: StationScope, submitter: string): string => JSON.stringify([keyOf(scope), submitter]);

/**
 * Sends what people scan to those who watch the same station and bill. The rows decide, a notification only says that
 * they changed; one that was missed, or a list that has expired, is noticed at the next beat.
 */
export function openHub(pool: pg.Pool, db: Kysely<Tables>, onError: (error: unknown) => void): Hub {
  const rooms = new Map<string, Room>();
  let line: Promise<void> | undefined;
  let client: pg.PoolClient | undefined;
  let beating: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    watch(scope, watcher) {
      line ??= listen();
      beating ??= setInterval(beat, BEAT_MS).unref();
      const key = keyOf(scope);
      const room = rooms.get(key) ?? {
        scope,
        watchers: new Map(),
        submitters: new Set(),
        isReading: false,
        isStale: false,
      };
      rooms.set(key, room);
      room.watchers.set(watcher, '');
      // Read only when changes are heard, so that none is missed in between.
      void line.then(() => refresh(room));
      return () => {
        room.watchers.delete(watcher);
        if (room.watchers.size === 0) rooms.delete(key);
      };
    },
    close() {
      isClosed = true;
      clearInterval(beating);
      clearTimeout(again);
      for (const room of rooms.values()) for (const it of room.watchers.keys()) it.end();
      client?.release(true);
      client = undefined;
    },
  };

  /** One connection of the pool for as long as the server lives; opened again when it breaks. */
  async function listen(): Promise<void> {
    try {
      const next = await pool.connect();
      if (isClosed) return next.release();
      client = next;
      next.on('notification', ({ payload }) => onNotification(payload ?? ''));
      next.once('end', () => {
        if (client !== next) return;
        client = undefined;
        next.release(true);
        reconnect();
      });
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      if (isClosed) return;
      onError(error);
      const broken = client;
      client = undefined;
      broken?.release(true);
      reconnect();
    }
  }

  function reconnect(): void {
    if (isClosed) return;
    again = setTimeout(() => {
      line = listen().then(() => {
        for (const room of rooms.values()) {
          room.submitters.add(SOMEBODY);
          void refresh(room);
        }
      });
    }, RECONNECT_MS).unref();
  }

  function onNotification(payload: string): void {
    const [key = '', submitter = ''] = JSON.parse(payload) as string[];
    const room = rooms.get(key);
    if (!room) return;
    if (submitter) room.submitters.add(submitter);
    void refresh(room);
  }

  function beat(): void {
    for (const room of rooms.values()) {
      for (const it of room.watchers.keys()) it.beat();
      void refresh(room);
    }
  }

  /** One read at a time for all watchers of a scope; a change meanwhile causes another. */
  async function refresh(room: Room): Promise<void> {
    room.isStale = true;
    if (room.isReading) return;
    room.isReading = true;
    while (room.isStale && !isClosed) {
      room.isStale = false;
      const submitters = [...room.submitters];
      room.submitters.clear();
      try {
        const lists = await read(db, room.scope);
        for (const it of [...room.watchers.keys()]) await hand(room, it, lists, submitters);
      } catch (error) {
        for (const it of submitters) room.submitters.add(it);
        onError(error);
        break;
      }
    }
    room.isReading = false;
  }

  async function hand(room: Room, watcher: Watcher, lists: readonly Colleague[], submitters: readonly string[]) {
    if (!(await watcher.mayNotify())) return watcher.end();
    const others = lists.filter((it) => it.userId !== watcher.userId);
    const submitted = submitters.some((it) => it !== watcher.userId);
    const text = JSON.stringify(others);
    const last = room.watchers.get(watcher);
    if (last === undefined || (last === text && !submitted)) return;
    room.watchers.set(watcher, text);
    watcher.notify({ others, submitted });
  }
}

const read = (db: Kysely<Tables>, { siteId, station, bill }: StationScope): Promise<Colleague[]> =>
  db
    .selectFrom('station_scans')
    .select(['userId', 'userName', 'snList'])
    .where('siteId', '=', siteId)
    .where('station', '=', station)
    .where('bill', '=', bill)
    .where('expiresAt', '>', sql<number>`now()`)
    .orderBy('userName')
    .orderBy('userId')
    .execute();
