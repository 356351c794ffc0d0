import { newKey } from '#tests/support/app.ts';
import type { ServerProcess, Workshop } from '#tests/support/serverProcess.ts';
import { asJustSeen } from '#tests/support/seen.ts';

export interface Answer {
  code: string;
  msg: string;
  data: Record<string, unknown>;
}

/** What happened while stations submitted and the server was killed. */
export interface Tally {
  submits: number;
  /** The paths of what was acknowledged. */
  kinds: Set<string>;
  kills: number;
  /** Answers that the network swallowed although the work was done. */
  lost: number;
  /** Requests that a kill cut off. */
  cutOff: number;
  cutOffKinds: Set<string>;
  /** Of those, how many the database had kept: repeated without a key, each would be done twice. */
  cutOffButSaved: number;
}

/** A submit takes longer, mostly. */
const STRIKE_MS = 12;

/**
 * A server that is killed as `killAfter` says, and stations that repeat every submit until they hear a
 * verdict, as ours do. Some answers are thrown away on the way, although the work was done.
 */
export function openStations(workshop: Workshop, { keyed, random }: { keyed: boolean; random: () => number }) {
  const tally: Tally = {
    submits: 0,
    kinds: new Set(),
    kills: 0,
    lost: 0,
    cutOff: 0,
    cutOffKinds: new Set(),
    cutOffButSaved: 0,
  };
  /** Keys of submits of which no answer was heard yet. */
  const unanswered = new Set<string>();
  let server: Promise<ServerProcess> = workshop.start();
  let answersUntilKill = Infinity;
  let isAiming = false;

  const restart = async (killed: ServerProcess) => {
    const open = [...unanswered];
    await killed.kill();
    if (keyed && open.length > 0) {
      const saved = await workshop.database.db
        .selectFrom('idempotency_key')
        .select('key')
        .where('key', 'in', open)
        .execute();
      tally.cutOffButSaved += saved.length;
    }
    return workshop.start();
  };
  const kill = (from: ServerProcess) => {
    [answersUntilKill, isAiming] = [Infinity, false];
    tally.kills += 1;
    server = restart(from);
  };
  const onAnswer = (from: ServerProcess) => {
    answersUntilKill -= 1;
    if (answersUntilKill === 0) kill(from);
  };
  const onSubmit = (to: ServerProcess, path: string) => {
    if (!isAiming || tally.cutOffKinds.has(path)) return;
    [answersUntilKill, isAiming] = [Infinity, false];
    setTimeout(() => kill(to), random() * STRIKE_MS);
  };

  async function ask(as: string, method: 'GET' | 'POST', path: string, input: object, submit: { key?: string } | null) {
    const token = await workshop.openToken(as);
    for (;;) {
      const at = await server;
      if (submit) onSubmit(at, path);
      const query = method === 'GET' ? `&${new URLSearchParams(input as Record<string, string>).toString()}` : '';
      try {
        const reply = await fetch(`${at.url}${path}?lang=en${query}`, {
          method,
          headers: { token, 'content-type': 'application/json', ...(submit?.key && { 'idempotency-key': submit.key }) },
          ...(method === 'POST' && { body: JSON.stringify(input) }),
        });
        const answer = (await reply.json()) as Answer;
        if (submit?.key) unanswered.delete(submit.key);
        onAnswer(at);
        return answer;
      } catch {
        if (submit) {
          tally.cutOff += 1;
          tally.cutOffKinds.add(path);
        }
        // The kill has replaced `server` by the next one before a request could fail.
        if ((await server) === at) throw new Error(`The server at ${at.url} is gone, and nobody killed it`);
      }
    }
  }

  /** Sends until a verdict is heard; without keys each sending stands for itself. */
  async function submit(
    as: string,
    path: string,
    input: object,
    method: 'GET' | 'POST' = 'POST',
  ): Promise<Record<string, unknown>> {
    const key = newKey();
    unanswered.add(key);
    const seen = await asJustSeen(workshop.database.db, path, input);
    for (;;) {
      const answer = await ask(as, method, path, seen, keyed ? { key } : {});
      // The first one, or another row, was waited for in vain: it is to be sent again.
      if (['100045', '000503'].includes(answer.code)) continue;
      if (random() < 1 / 8) {
        tally.lost += 1;
        continue;
      }
      if (answer.code !== '000000')
        throw new Error(`${path} ${JSON.stringify(input)} answers ${answer.code} ${answer.msg}`);
      tally.submits += 1;
      tally.kinds.add(path);
      return answer.data;
    }
  }

  return {
    tally,
    submit,
    look: async (as: string, path: string, input: object, method: 'GET' | 'POST' = 'GET') =>
      (await ask(as, method, path, input, null)).data,
    /** Kills the server when so many more answers have been heard, or before, in a submit of a kind that no kill has cut off. */
    killAfter: (answers: number, { aims }: { aims: boolean }) => {
      [answersUntilKill, isAiming] = [answers, aims];
    },
    /** Waits until the killed server's successor is up. */
    settled: () => server,
  };
}
export type Stations = ReturnType<typeof openStations>;

/** Numbers that look random and are the same each time: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
