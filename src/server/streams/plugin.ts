import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { BEAT_MS } from '#domain/streams.ts';
import type { CurrentUser } from '#server/context.ts';
import { inputSchemas } from '#server/input.ts';

/** Who reads a stream. */
export interface Reader<Event = unknown> {
  userId: string;
  /** Whether what is news may still be given to them: asks the session anew. */
  mayNotify(): Promise<boolean>;
  notify(event: Event): void;
  end(): void;
}

/** One call that is answered with a stream. */
export interface StreamRoute {
  call: Call;
  /** Tells the reader what is, then what is news; returns how to leave. */
  watch(input: unknown, currentUser: CurrentUser, reader: Reader): () => void;
}

/** What has news to tell, by any number of calls. */
export interface StreamSource {
  routes: readonly StreamRoute[];
  /** As often as a stream says that it lives: what could not be told is told now. */
  beat(): void;
  close(): void;
}

interface StreamDeps {
  sources: readonly StreamSource[];
  /** Who asks, by the header `token` alone and without prolonging the session; refuses with '401'. */
  enter(request: FastifyRequest): Promise<CurrentUser>;
}

/** A browser reads one for each window in front; more are a fault of a client. */
export const MAX_STREAMS = 10;
/** How much a stalled reader may leave unread before it is disconnected; its client connects again. */
const MAX_UNREAD = 1024 * 1024;
/** So many sessions are asked for at once: they share one query, and leave connections to the calls. */
const AT_ONCE = 50;

/**
 * All streams of events, read by `fetch` with the header `token`. Before each event, and at each beat, the session is asked
 * for anew: after a logout or a lost right nothing more is sent, and the stream ends. Rule: wire#streams.
 */
export async function streamsPlugin(app: FastifyInstance, { sources, enter }: StreamDeps): Promise<void> {
  const open = new Map<Reader, () => void>();
  const counts = new Map<string, number>();
  let isClosed = false;
  let isChecking = false;

  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await inTurns([...open.keys()], async (it) => {
        if (!(await it.mayNotify())) it.end();
      });
    } catch (error) {
      app.log.error({ err: error }, 'sessions of streams could not be asked for');
    } finally {
      isChecking = false;
    }
  };
  const beating = setInterval(() => {
    for (const beat of open.values()) beat();
    for (const it of sources) it.beat();
    void check();
  }, BEAT_MS).unref();
  // Before it waits for open requests, which these would be for ever.
  app.addHook('preClose', async () => {
    isClosed = true;
    clearInterval(beating);
    for (const it of open.keys()) it.end();
    for (const it of sources) it.close();
  });

  const enterFor = async (call: Call, request: FastifyRequest): Promise<CurrentUser> => {
    const currentUser = await enter(request);
    if (call.right !== 'signedIn' && !mayDo(currentUser.rights, call.right)) throw new Refusal({ key: 'noRight' });
    return currentUser;
  };

  const start = ({ call, watch }: StreamRoute, request: FastifyRequest, reply: FastifyReply) => {
    const currentUser = request.getDecorator<CurrentUser>('who');
    const { userId, siteId } = currentUser;
    const count = counts.get(userId) ?? 0;
    if (count >= MAX_STREAMS) throw new Refusal({ key: 'tooMany', args: { seconds: 60 } });
    counts.set(userId, count + 1);
    const stream = new PassThrough();
    const unread = () => stream.readableLength + stream.writableLength + reply.raw.writableLength;
    let wasUnread = false;
    // From one beat to the next.
    const isStalled = () => wasUnread && unread() > 0;
    const write = (text: string) => {
      if (unread() > MAX_UNREAD) stream.destroy();
      else if (!stream.writableEnded) stream.write(text);
    };
    const reader: Reader = {
      userId,
      mayNotify: () =>
        enterFor(call, request).then(
          (now) => now.siteId === siteId,
          (error: unknown) => {
            if (error instanceof Refusal) return false;
            throw error;
          },
        ),
      notify: (event) => write(`data: ${JSON.stringify(event)}\n\n`),
      // Who reads nothing would not read the end either.
      end: () => void (isStalled() ? stream.destroy() : stream.end()),
    };
    open.set(reader, () => {
      if (isStalled()) return void stream.destroy();
      wasUnread = unread() > 0;
      write(':\n\n');
    });
    const leave = watch(request.query, currentUser, reader);
    stream.once('close', () => {
      leave();
      open.delete(reader);
      const left = (counts.get(userId) ?? 1) - 1;
      if (left > 0) counts.set(userId, left);
      else counts.delete(userId);
    });
    if (isClosed) stream.end();
    // A proxy must not hold back what is news.
    reply.header('x-accel-buffering', 'no');
    return reply.type('text/event-stream; charset=utf-8').send(stream);
  };

  for (const route of sources.flatMap((it) => it.routes)) {
    const { call } = route;
    app.get(call.path, {
      config: { right: call.right, ...(call.why && { why: call.why }), streams: true },
      schema: inputSchemas(call),
      exposeHeadRoute: false,
      onRequest: async (request) => void (await enterFor(call, request)),
      handler: async (request, reply) => start(route, request, reply),
    });
  }
}

/** Does the same for many, a number of them at once. */
export async function inTurns<T>(all: readonly T[], work: (it: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += AT_ONCE) await Promise.all(all.slice(i, i + AT_ONCE).map(work));
}
