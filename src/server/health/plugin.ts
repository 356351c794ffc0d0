import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readHealth, stopsWork } from '#domain/health.ts';
import { Refusal, refusals } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { success } from '#server/answer.ts';
import type { CurrentUser } from '#server/context.ts';
import type { Health } from '#server/health/health.ts';
import { inputSchemas } from '#server/input.ts';

interface HealthDeps {
  health: Health;
  /** Who asks, by the header `token` alone and without prolonging the session; refuses with '401'. */
  enter(request: FastifyRequest): Promise<CurrentUser>;
}

/**
 * `GET /healthz`: the process lives. `GET /readyz`: it can do its work, or what it is missing, by names that betray
 * nothing. The same for administrators, with what is getting scarce, at `readHealth`.
 */
export async function healthPlugin(app: FastifyInstance, { health, enter }: HealthDeps): Promise<void> {
  app.get('/healthz', () => ({ status: 'up' }));
  app.get('/readyz', async (_, reply) => {
    const found = await health.check();
    const names = (all: typeof found) => all.map((it) => it.key);
    const missing = names(found.filter(stopsWork));
    const warnings = names(found.filter((it) => !stopsWork(it)));
    reply.header('cache-control', 'no-store');
    if (missing.length === 0) return { status: 'ready', missing, warnings };
    return reply
      .status(503)
      .header('retry-after', refusals.databaseDown.retryAfter)
      .send({ status: 'not ready', missing, warnings });
  });
  app.get(readHealth.path, {
    config: { right: readHealth.right },
    schema: inputSchemas(readHealth),
    exposeHeadRoute: false,
    onRequest: async (request) => {
      const currentUser = await enter(request);
      if (!mayDo(currentUser.rights, readHealth.right)) throw new Refusal({ key: 'noRight' });
    },
    handler: async () => success({ troubles: await health.check() }),
  });
}
