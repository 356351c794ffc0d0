import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { type ColleagueNews, sharedStations, watchScans, type SharedStation } from '#domain/colleagues.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { CurrentUser } from '#server/context.ts';
import { openHub, type Hub } from '#server/colleagues/hub.ts';
import type { Tables } from '#server/db/tables.ts';
import { inputSchemas } from '#server/input.ts';

interface ColleagueDeps {
  pool: pg.Pool;
  db: Kysely<Tables>;
  /** Who asks, by the header `token` alone and without prolonging the session; refuses with '401'. */
  enter(request: FastifyRequest): Promise<CurrentUser>;
}

/** A browser reads one for each window in front; more are a fault of a client. */
export const MAX_STREAMS = 10;
/** How much a stalled reader may leave unread before it is disconnected; its client connects again. */
const MAX_UNREAD = 1024 * 1024;

/**
 * The streams of what the others scan at a station, read by `fetch` with the header `token`. Before each event, the
 * session is asked for anew: after a logout or a lost right nothing more is sent, and the stream ends. Rule:
 * wire#streams.
 */
export async function colleaguesPlugin(app: FastifyInstance, { pool, db, enter }: ColleagueDeps): Promise<void> {
  const hub = openHub(pool, db, (error) => app.log.error({ err: error }, 'scans were not told to others'));
  const streams = new Map<string, number>();
  // Before it waits for open requests, which these would be for ever.
  app.addHook('preClose', async () => hub.close());
  for (const station of Object.keys(sharedStations) as SharedStation[]) mount(app, station, { hub, streams, enter });
}

interface Inside extends Pick<ColleagueDeps, 'enter'> {
  hub: Hub;
  /** How many are open, by user. */
  streams: Map<string, number>;
}

function mount(app: FastifyInstance, station: SharedStation, { hub, streams, enter }: Inside): void {
  const call = watchScans(station);
  const admit = async (request: FastifyRequest): Promise<CurrentUser> => {
    const currentUser = await enter(request);
    if (!mayDo(currentUser.rights, call.right)) throw new Refusal({ key: 'noRight' });
    return currentUser;
  };
  app.get<{ Querystring: { bill: string } }>(call.path, {
    config: { right: call.right },
    schema: inputSchemas(call),
    exposeHeadRoute: false,
    onRequest: async (request) => void (await admit(request)),
    handler: async (request, reply) => {
      const { userId, siteId } = request.getDecorator<CurrentUser>('who');
      const open = streams.get(userId) ?? 0;
      if (open >= MAX_STREAMS) throw new Refusal({ key: 'tooMany', args: { seconds: 60 } });
      streams.set(userId, open + 1);
      const stream = new PassThrough();
      const write = (text: string) => {
        if (stream.readableLength + stream.writableLength > MAX_UNREAD) stream.destroy();
        else if (!stream.writableEnded) stream.write(text);
      };
      const leave = hub.watch(
        { siteId, station, bill: request.query.bill },
        {
          userId,
          mayNotify: () =>
            admit(request).then(
              (currentUser) => currentUser.siteId === siteId,
              (error: unknown) => {
                if (error instanceof Refusal) return false;
                throw error;
              },
            ),
          notify: (news: ColleagueNews) => write(`data: ${JSON.stringify(news)}\n\n`),
          beat: () => write(':\n\n'),
          end: () => stream.end(),
        },
      );
      stream.once('close', () => {
        leave();
        const left = (streams.get(userId) ?? 1) - 1;
        if (left > 0) streams.set(userId, left);
        else streams.delete(userId);
      });
      // A proxy must not hold back what is news.
      reply.header('x-accel-buffering', 'no');
      return reply.type('text/event-stream; charset=utf-8').send(stream);
    },
  });
}
