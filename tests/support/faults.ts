import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { turns } from './turns.ts';

/** How a statement goes wrong: the database refuses it, or the connection is gone before it arrives. */
export type Fault = 'refused' | 'gone';

const instead: Record<Fault, string> = {
  refused: 'SELECT 1 / 0',
  gone: 'SELECT pg_terminate_backend(pg_backend_pid())',
};

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Lets the `nth` statement of what `work` does go wrong; says whether so many came. Nothing else may ask a database of
 * this process meanwhile.
 */
export async function withFault<T>(fault: Fault, nth: number, work: () => Promise<T>): Promise<[T, happened: boolean]> {
  let asked = 0;
  const done = await withQuery(
    (real) =>
      function (this: pg.Client, ...args: unknown[]) {
        asked += 1;
        if (asked !== nth) return real.apply(this, args);
        const callback = args.at(-1);
        return real.apply(this, [instead[fault], ...(typeof callback === 'function' ? [callback] : [])]);
      },
    work,
  );
  return [done, asked >= nth];
}

/** Lets the database answer each statement that `hits` chooses with an error of this class, while `work` is done. */
export const withRaised = <T>(sqlState: string, hits: (text: string) => boolean, work: () => Promise<T>): Promise<T> =>
  withQuery(
    (real) =>
      function (this: pg.Client, ...args: unknown[]) {
        const [asked] = args;
        const text = typeof asked === 'string' ? asked : (asked as { text: string }).text;
        if (!hits(text)) return real.apply(this, args);
        const callback = args.at(-1);
        const raise = `DO $$ BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '${sqlState}'; END $$`;
        return real.apply(this, [raise, ...(typeof callback === 'function' ? [callback] : [])]);
      },
    work,
  );

/** What a write says of the row that it changes, beside which one it is. */
const STILL =
  /\s+and "(?:scrapStatus|nofaultConfirmStatus|ivyId|holdKind|holdBillId|snStatus|billStatus|version)" (?:= (\$\d+)|is null)/gi;
const isGiven = (_: string, parameter?: string): string => (parameter ? ` and ${parameter}::text is not null` : '');

/**
 * Takes from what `work` does its locks, and from its writes their look at whether the unit, its check, its transfer or
 * its bill still waits, as it was seen: who looked first is overtaken by whoever writes in between.
 */
export const withoutGuards = <T>(work: () => Promise<T>): Promise<T> =>
  withAltered((text) => {
    const unlocked = withoutLocks(text);
    return /^\s*update /i.test(unlocked) ? unlocked.replace(STILL, isGiven) : unlocked;
  }, work);

/** The statement without its locks on rows. */
export const withoutLocks = (text: string): string => text.replace(/\bfor (no key )?update\b( of \w+)?/gi, '');

/** Plants a fault in what `work` does: each statement is sent as `alter` has it. */
export const withAltered = <T>(alter: (text: string) => string, work: () => Promise<T>): Promise<T> =>
  withQuery(
    (real) =>
      function (this: pg.Client, text: unknown, ...rest: unknown[]) {
        return real.call(this, typeof text === 'string' ? alter(text) : text, ...rest);
      },
    work,
  );

function gate(): { open: () => void; opened: Promise<void> } {
  let open = () => undefined as void;
  const opened = new Promise<void>((done) => (open = done));
  return { open: () => open(), opened };
}

/** How two went that met, whether the first was held at all, and how often they waited for one another in a circle. */
interface Met<One, Other> {
  answers: [One, Other];
  isHeld: boolean;
  deadlocks: number;
}

/**
 * Does `first` up to a statement that `holds` chooses, then `second` until it is done or waits for a lock, as `waits`
 * tells; only then does the first go on. One that has no such statement is done before the second begins.
 */
export async function meet<One, Other>(
  { waits, holds }: { waits: () => Promise<boolean>; holds: (text: string) => boolean },
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<Met<One, Other>> {
  const [reached, released] = [gate(), gate()];
  let [isHeld, isOver, deadlocks] = [false, false, 0];
  const answers = await withQuery(
    (real) =>
      function (this: pg.Client, ...args: unknown[]) {
        const ask = () => {
          const answer = real.apply(this, args);
          if (answer instanceof Promise) {
            answer.catch((error: unknown) => {
              if (error instanceof pg.DatabaseError && error.code === '40P01') deadlocks += 1;
            });
          }
          return answer;
        };
        if (isHeld || isOver || typeof args[0] !== 'string' || !holds(args[0])) return ask();
        isHeld = true;
        reached.open();
        return released.opened.then(ask);
      },
    async () => {
      const one = first();
      await Promise.race([reached.opened, one]);
      isOver = true;
      let isDone = false;
      const other = second().finally(() => (isDone = true));
      while (isHeld && !isDone && !(await waits()));
      released.open();
      return Promise.all([one, other]);
    },
  );
  return { answers, isHeld, deadlocks };
}

/** One of two who go at once. */
interface Side {
  waiting: (() => void)[];
  /** The connections whose statement is in the database; true where it may wait for a lock of the other side. */
  asking: Map<pg.Client, boolean>;
  /** Its connections that are in a transaction, and may hold locks. */
  open: Set<pg.Client>;
  /** It waits for a lock, and the other one was not answered since. */
  isBlocked: boolean;
  isDone: boolean;
}

// One for all: each that is made slows down every promise of the process.
const whose = new AsyncLocalStorage<Side>();
const processOf = (client: pg.Client): number => (client as unknown as { processID: number }).processID;
const mayWait = (text: string): boolean =>
  /\b(insert|update|delete|merge|lock|truncate|commit|alter|create|drop)\b|for (key )?share|_lock/i.test(text);

/**
 * Does both at once, statement by statement: of those who are at a statement `pick` says whose is next, and only when it is
 * answered, or waits for a lock as `blocked` tells of its connection, the next one is sent. @returns the answers, and how often
 * they waited for one another in a circle.
 */
export async function interleave<One, Other>(
  { blocked, pick }: { blocked: (pids: readonly number[]) => Promise<boolean>; pick: (count: number) => number },
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<{ answers: [One, Other]; deadlocks: number }> {
  const side = (): Side => ({ waiting: [], asking: new Map(), open: new Set(), isBlocked: false, isDone: false });
  const sides = [side(), side()] as const;
  let deadlocks = 0;
  let changed = gate();
  const tell = () => {
    changed.open();
    changed = gate();
  };
  const ask = (side: Side, real: Query, client: pg.Client, args: unknown[]) => {
    const text = String(args[0]);
    const mayBeHeld = sides.some((it) => it !== side && it.open.size > 0) && mayWait(text);
    side.asking.set(client, mayBeHeld);
    if (/^(begin|start transaction)/i.test(text)) side.open.add(client);
    tell();
    const answered = (error?: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === '40P01') deadlocks += 1;
      side.asking.delete(client);
      if (/^(commit|rollback$)/i.test(text)) side.open.delete(client);
      for (const it of sides) it.isBlocked = false;
      tell();
    };
    const told = args.at(-1);
    if (typeof told === 'function') {
      const hear = (...answer: unknown[]): unknown => {
        answered(answer[0]);
        return (told as (...of: unknown[]) => unknown)(...answer);
      };
      return real.apply(client, [...args.slice(0, -1), hear]);
    }
    const answer = real.apply(client, args) as Promise<unknown>;
    answer.then(() => answered(), answered);
    return answer;
  };
  /** Until it is at its next statement or done, or waits: whether it waits. */
  const isStuck = async (moving: Side): Promise<boolean> => {
    const before = changed;
    const pids = [...moving.asking].filter(([, may]) => may).map(([client]) => processOf(client));
    if (pids.length === 0 && moving.asking.size > 0) return new Promise(() => undefined);
    // Who computes for so long waits for the other one.
    await turns(pids.length === 0 ? 100 : 60);
    if (pids.length === 0 || changed !== before) return changed === before;
    const isWaiting = await blocked(pids);
    moving.isBlocked = isWaiting && changed === before;
    return moving.isBlocked;
  };
  const drive = async () => {
    while (sides.some((it) => !it.isDone)) {
      const ready = sides.filter((it) => it.waiting.length > 0);
      const moving = sides.filter((it) => it.waiting.length === 0 && !it.isDone && !it.isBlocked);
      const until = changed.opened.then(() => false);
      if (moving[0] && !(await Promise.race([until, isStuck(moving[0])]))) continue;
      if (moving.length > 1) continue;
      if (ready.length === 0) await until;
      else ready[pick(ready.length)]?.waiting.shift()?.();
    }
  };
  const start = <T>(side: Side, work: () => Promise<T>): Promise<T> =>
    whose.run(side, () =>
      work().finally(() => {
        side.isDone = true;
        tell();
      }),
    );
  const answers = await withQuery(
    (real) =>
      function (this: pg.Client, ...args: unknown[]) {
        const side = whose.getStore();
        if (!side || typeof args[0] !== 'string') return real.apply(this, args);
        const turn = gate();
        const sent = turn.opened.then(() => ask(side, real, this, args));
        side.waiting.push(turn.open);
        tell();
        return sent;
      },
    async () => {
      const both = Promise.all([start(sides[0], first), start(sides[1], second)]);
      await Promise.race([both, drive()]);
      return both;
    },
  );
  return { answers, deadlocks };
}

/**
 * Does `first` up to its COMMIT, then `second` until it is done or waits for a lock, as `waits` tells; only then is the
 * first one kept. Two who submit at the same moment come no closer than that.
 */
export async function bothAtOnce<One, Other>(
  waits: () => Promise<boolean>,
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<[One, Other]> {
  const { answers, isHeld } = await meet({ waits, holds: (it) => /^commit/i.test(it) }, first, second);
  if (!isHeld) throw new Error('what comes first has nothing to commit');
  return answers;
}

async function withQuery<T>(replace: (real: Query) => Query, work: () => Promise<T>): Promise<T> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const real = prototype.query;
  prototype.query = replace(real);
  try {
    return await work();
  } finally {
    prototype.query = real;
  }
}
