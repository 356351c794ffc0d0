import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Refusal } from '#domain/refusal.ts';
import { isLoopback } from '#server/config.ts';

interface MetricsDeps {
  pool: pg.Pool;
  /** METRICS_TOKEN: without one only this machine may read. */
  token: string | null;
}

/**
 * `GET /metrics` for Prometheus: how long each call took and how it ended, the pool, the jobs that wait, the process. Read by
 * whoever sends `Authorization: Bearer METRICS_TOKEN`; without a token by this machine itself, past any proxy. To everybody
 * else it does not exist.
 */
export function addMetrics(app: FastifyInstance, { pool, token }: MetricsDeps): void {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'reflow_request_seconds',
    help: 'How long calls took, by route and HTTP status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'reflow_database_connections',
    help: 'Connections of the pool: in use, idle, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  new Gauge({
    name: 'reflow_jobs',
    help: 'Jobs that wait or run.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const { rows } = await pool
        .query<{ state: string; n: number }>(
          `SELECT s AS state, (SELECT count(*) FROM job WHERE state = s) AS n FROM unnest(ARRAY['queued', 'running']) AS s`,
        )
        // The other figures must come, most of all while the database is down.
        .catch(() => ({ rows: [] }));
      for (const it of rows) this.set({ state: it.state }, Number(it.n));
    },
  });

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  // The event loop and the memory are only watched from the first reading on: a start need not wait for it.
  let isWatching = false;
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) throw new Refusal({ key: 'noSuchCall', args: { path: '/metrics' } });
    if (!isWatching) collectDefaultMetrics({ register: registry });
    isWatching = true;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/**
 * Whether it was asked on this machine and not through a proxy on it. Only the connection and what proxies add to a request
 * count, whatever is trusted to say who asks; and the name that was asked for, which a proxy or a page elsewhere brings along.
 */
function isFromHere({ socket, headers }: FastifyRequest['raw']): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return isLoopback(address) && isLoopback(name) && !Object.keys(headers).some((it) => addedByProxy.test(it));
}

const addedByProxy =
  /^(forwarded|via|x-(forwarded|original|real|client|cluster|envoy|proxy).*|.*-(client|connecting)-ip)$/;

function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (!token) return isFromHere(request.raw);
  const said = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return said.length === wanted.length && timingSafeEqual(said, wanted);
}
