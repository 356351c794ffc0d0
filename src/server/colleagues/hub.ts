import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import {
  type Colleague,
  type ColleagueNews,
  sharedStations,
  type SharedStation,
  watchScans,
} from '#domain/colleagues.ts';
import type { InputOf } from '#domain/call.ts';
import type { Tables } from '#server/db/tables.ts';
import type { ModelHolder } from '#server/definitions/follow.ts';
import type { Reader, StreamSource } from '#server/streams/plugin.ts';

/** Where people see each other: one station, one bill, one site. */
interface StationScope {
  siteId: string;
  station: string;
  bill: string;
}

type Watcher = Reader<ColleagueNews>;

interface HubDeps {
  pool: pg.Pool;
  db: Kysely<Tables>;
  model: ModelHolder;
  onError(error: unknown): void;
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
 * they changed; one that was missed, or a list that has expired, is noticed at the next beat. They are told of publishes as
 * well: a browser has few connections to one address, and a window takes one of them.
 */
export function openHub({ pool, db, model, onError }: HubDeps): StreamSource {
  const rooms = new Map<string, Room>();
  let line: Promise<void> | undefined;
  let client: pg.PoolClient | undefined;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;

  model.listeners.add(refreshAll);

  return {
    routes: (Object.keys(sharedStations) as SharedStation[]).map((station) => ({
      call: watchScans(station),
      watch: (input, { siteId }, watcher) => {
        const { bill } = input as InputOf<ReturnType<typeof watchScans>>;
        return watch({ siteId, station, bill }, watcher);
      },
    })),
    beat: refreshAll,
    close() {
      isClosed = true;
      model.listeners.delete(refreshAll);
      clearTimeout(again);
      client?.release(true);
      client = undefined;
    },
  };

  function watch(scope: StationScope, watcher: Watcher): () => void {
    line ??= listen();
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
  }

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

  function refreshAll(): void {
    for (const room of rooms.values()) void refresh(room);
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
    const others = lists.filter((it) => it.userId !== watcher.userId);
    const submitted = submitters.some((it) => it !== watcher.userId);
    const { last } = model;
    const text = JSON.stringify([others, last]);
    if (room.watchers.get(watcher) === text && !submitted) return;
    if (!(await watcher.mayNotify())) return watcher.end();
    if (!room.watchers.has(watcher)) return;
    room.watchers.set(watcher, text);
    watcher.notify({ others, submitted, last });
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
