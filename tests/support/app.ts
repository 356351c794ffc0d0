import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql, type Kysely } from 'kysely';
import { expect, inject } from 'vitest';
import { type Call, type DataOf, type Envelope, SUCCESS } from '#domain/call.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { ServiceTokenStatus } from '#domain/enums.ts';
import { INGEST } from '#domain/hashRate.ts';
import { refusals, type ProblemAnswer } from '#domain/refusal.ts';
import { buildApp } from '#server/app.ts';
import { seedCodes } from '#server/base/seed.ts';
import { readConfig, type Config } from '#server/config.ts';
import { openNumbers } from '#server/db/numbers.ts';
import { openDatabase, type Database } from '#server/db/pool.ts';
import type { Tables } from '#server/db/tables.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { createHolder, type ModelHolder } from '#server/definitions/follow.ts';
import { readModel } from '#server/definitions/read.ts';
import { openDefinitions } from '#server/definitions/service.ts';
import { fillDemo } from '#server/demo/fill.ts';
import type { Definitions } from '#server/definitions/definitions.ts';
import type { JobHandler } from '#server/jobs/job.ts';
import { newServerNumber } from '#server/uploads/sharedFolder.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { seedRoles } from '#server/session/first.ts';
import { addSecret } from '#server/session/services.ts';
import { openSession } from '#server/session/sessions.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { features, jobHandlers, registers } from '#tests/support/features.ts';
import { asJustSeen, type Unseen } from '#tests/support/seen.ts';
import { UNHURRIED } from '#tests/support/unhurried.ts';

export interface Asking {
  /** Whose session; without one the call goes without a token. */
  as?: string;
  /** A token instead of a user's. */
  token?: string;
  /** The secret of a service token. */
  secret?: string;
  lang?: 'zh' | 'en';
  /** The Idempotency-Key. */
  key?: string;
}

export interface Answer<Data = unknown> extends Envelope<Data> {
  status: number;
}

export interface TestApp {
  app: FastifyInstance;
  db: Kysely<Tables>;
  /** The connections of searches. */
  search: Kysely<Tables>;
  url: string;
  model: Model;
  /** What it works by now. */
  holder: ModelHolder;
  config: Config;
  /** Asks by path: a GET's input becomes its query, a POST's or PUT's its JSON body. */
  ask<Data = Record<string, unknown>>(
    method: Call['method'],
    path: string,
    input?: unknown,
    asking?: Asking,
  ): Promise<Answer<Data>>;
  /** Asks by the call that both sides share. */
  send<C extends Call>(call: C, input: Unseen<C>, asking?: Asking): Promise<Answer<DataOf<C>>>;
  /** A living session of the user, as after a login. */
  openToken(userId: string): Promise<string>;
  /** The secret of a service token for all that services may do, as if it had just been used. */
  openSecret(): Promise<string>;
  /** What went wrong in jobs without anybody foreseeing it; a test that expects it takes it out. */
  jobErrors: unknown[];
  /** What a context needs of definitions beside the model. */
  definitions: Definitions;
  close(): Promise<void>;
}

/** Whatever is refused names its key first, and has that key's code. */
function expectKey({ code, msg, data }: Envelope<{ problems?: readonly ProblemAnswer[] } | null>): void {
  if (code === SUCCESS) return;
  const [first] = data?.problems ?? [];
  expect({ code: first && refusals[first.key]?.code, msg: first?.msg }, 'the first problem of a refusal').toEqual({
    code,
    msg,
  });
}

/** How the server reaches its database, where it is not straight. */
type Way = (url: string) => Promise<string>;

/**
 * The whole server on a database of its own that holds the world of `world.ts`, or five months of the demo's work; asked without a network. Jobs wait in the
 * queue unless it `worksJobs`, in this process, with the test's own handlers beside the real ones.
 */
export async function startTestApp(
  settings: Partial<Config> = {},
  {
    worksJobs = false,
    demo = false,
    holdsDemo = false,
    client,
    way,
  }: {
    worksJobs?: boolean | Record<string, JobHandler>;
    demo?: boolean;
    holdsDemo?: boolean;
    client?: string;
    way?: Way;
  } = {},
): Promise<TestApp> {
  const { url: straight, drop } = await createTestDatabase(holdsDemo ? {} : { template: inject('template') });
  const url = way ? await way(straight) : straight;
  const dataDir = mkdtempSync(join(tmpdir(), 'reflow-test-'));
  // Nobody waits for a file that nobody makes.
  const exportWait = worksJobs ? {} : { EXPORT_WAIT_MS: '0' };
  const config: Config = {
    ...readConfig({ LOG_LEVEL: 'silent', CAPTCHA: 'off', ...UNHURRIED, ...exportWait }),
    dataDir,
    ...settings,
  };
  const database: Database = openDatabase(url, config.timeZone, {
    searchMs: config.searchMs,
    patience: config.patience,
  });
  const numbers = openNumbers(url, config.timeZone, config.patience);
  const model = readModel(registers);
  if (holdsDemo) {
    await prepareDatabase(url, registers);
    await seedRoles(database.db, model);
    await seedCodes(database.db, model);
    await fillDemo({ database, model, config, wanted: true, say: () => undefined });
  }
  const holder = createHolder(model);
  const definitions = openDefinitions(url, { pool: database.pool, registers, holder });
  const number = newServerNumber();
  const app = await buildApp({
    number,
    config,
    database,
    numbers,
    model: holder,
    definitions,
    demo,
    features,
    ...(client && { client }),
  });
  const jobErrors: unknown[] = [];
  const worker = worksJobs
    ? await startWorker(
        url,
        {
          ...{ database, numbers, config, definitions, model: holder, hooks: features.hooks },
          handlers: { ...jobHandlers, ...(worksJobs === true ? {} : worksJobs) },
          onError: (error) => jobErrors.push(error),
        },
        number,
      )
    : null;
  const tokens = new Map<string, Promise<string>>();

  const openToken = (userId: string) => {
    const known =
      tokens.get(userId) ?? openSession(database.db, { userId, began: 'password', ip: '127.0.0.1', days: 1 });
    tokens.set(userId, known);
    return known;
  };

  let secretOfService: Promise<string> | undefined;
  const issueSecret = async () => {
    // An id that no test guesses: it would revoke it.
    await sql`SELECT setval(pg_get_serial_sequence('service_token', 'id'), 500000)`.execute(database.db);
    const { id } = await database.db
      .insertInto('service_token')
      .values({
        ...{ name: 'service', scope: INGEST, siteId: 'SZ', status: ServiceTokenStatus.Valid },
        ...{ expireTime: new Date('2100-01-01'), lastUsedTime: new Date('2099-01-01') },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return addSecret(database.db, id);
  };

  const before = new Map<string, unknown>();
  const ask: TestApp['ask'] = async (method, path, sent = {}, { as, token, secret, lang = 'en', key } = {}) => {
    // What goes again under its key is what went before.
    const again = key && `${key} ${JSON.stringify(sent)}`;
    const input = (again && before.get(again)) || (await asJustSeen(database.db, path, sent, holder.current));
    if (again) before.set(again, input);
    const query = method === 'GET' ? { ...(input as Record<string, unknown>), lang } : { lang };
    const said = as ? await openToken(as) : token;
    const reply = await app.inject({
      method,
      url: path,
      query: Object.fromEntries(
        Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      ),
      ...((method === 'POST' || method === 'PUT') && { payload: input as object }),
      headers: {
        ...(said && { token: said }),
        ...(secret && { authorization: `Bearer ${secret}` }),
        ...(key && { 'idempotency-key': key }),
      },
    });
    const answer = reply.json<Envelope<never>>();
    expectKey(answer);
    return { status: reply.statusCode, ...answer };
  };

  return {
    app,
    db: database.db,
    search: database.search,
    url,
    model,
    holder,
    config,
    ask,
    send: (call, input, asking) => {
      // A list that is the body itself names nothing of the path.
      if (Array.isArray(input)) return ask(call.method, call.path, input, asking);
      const rest: Record<string, unknown> = { ...(input as object) };
      const path = call.path.replace(/:(\w+)/g, (_, name: string) => {
        const value = String(rest[name]);
        delete rest[name];
        return encodeURIComponent(value);
      });
      return ask(call.method, path, rest, asking);
    },
    openToken,
    openSecret: () => (secretOfService ??= issueSecret()),
    jobErrors,
    definitions,
    close: async () => {
      await app.close();
      await worker?.stop();
      await numbers.close();
      await database.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
      if (jobErrors.length > 0) throw new AggregateError(jobErrors, 'jobs went wrong unforeseen');
    },
  };
}

/** A new idempotency key. */
export const newKey = (): string => randomBytes(12).toString('hex');
