import { join } from 'node:path';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { moduleOf } from '#domain/definition/problems.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { isMissing, Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { isViewAddress } from '#domain/viewAddress.ts';
import { languageOf, type Language } from '#domain/words.ts';
import { addressOf, trustedProxies } from '#server/address.ts';
import { answerError, success } from '#server/answer.ts';
import { openVersions, versionOf, type ReadVersions } from '#server/changes.ts';
import { openClient } from '#server/client.ts';
import { colleagueRoutes } from '#server/colleagues/announce.ts';
import { colleaguesPlugin } from '#server/colleagues/plugin.ts';
import type { Config } from '#server/config.ts';
import { nobody, type Context, type Who } from '#server/context.ts';
import type { Numbers } from '#server/db/numbers.ts';
import type { Database } from '#server/db/pool.ts';
import { genericActionsOf } from '#server/engine/actions.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { namesOfRows } from '#server/engine/rows.ts';
import { tablesOf } from '#server/engine/tables.ts';
import { demandRights } from '#server/declaredRights.ts';
import type { Features } from '#server/features.ts';
import { FileAnswer, sendFile } from '#server/fileAnswer.ts';
import { errorRoutes } from '#server/errors/routes.ts';
import { findRoutes } from '#server/find/routes.ts';
import { openHealth } from '#server/health/health.ts';
import { missingOf } from '#server/health/missing.ts';
import { healthPlugin } from '#server/health/plugin.ts';
import { importersOf } from '#server/imports/importers.ts';
import { inputSchemas } from '#server/input.ts';
import { keptFor, openKeeper, type Keeper, type Kept } from '#server/kept.ts';
import { lazyValidator } from '#server/lazyValidator.ts';
import { ledgerDownload } from '#server/ledger.ts';
import { jobRoutes } from '#server/jobs/routes.ts';
import { addMetrics } from '#server/observe/metrics.ts';
import { logRequests } from '#server/observe/requestLog.ts';
import { openApiPlugin } from '#server/openapi/plugin.ts';
import { ROOT } from '#server/root.ts';
import { refuseUnstorable } from '#server/storable.ts';
import type { Route } from '#server/route.ts';
import { dashboardRoutes } from '#server/dashboard/routes.ts';
import { openBeforePasswordChange, sessionRoutes } from '#server/session/routes.ts';
import { keepSessions, sessionTables } from '#server/session/living.ts';
import { secondsLeft } from '#server/session/sessions.ts';
import { inTransaction } from '#server/transaction.ts';
import { uploadsPlugin } from '#server/uploads/plugin.ts';
import { viewRoutes } from '#server/views/routes.ts';

export interface Deps {
  config: Config;
  database: Database;
  numbers: Numbers;
  /** Replaced when a change is published. */
  model: { current: Model };
  demo: boolean;
  features: Features;
  /** The folder of the built client, where it is another than that of the build. */
  client?: string;
}

/** The same, with what this server keeps from one request to the next. */
interface House extends Deps {
  keeper: Keeper;
  readVersions: ReadVersions;
  sessions: ReturnType<typeof keepSessions>;
}

/** The fixed calls of the house and of its features; the generic ones follow from the definitions. */
export const fixedRoutesOf = ({ routes }: Pick<Features, 'routes'>): readonly Route[] => [
  ...sessionRoutes,
  ...colleagueRoutes,
  ...dashboardRoutes,
  ...errorRoutes,
  ...findRoutes,
  ...jobRoutes,
  ...viewRoutes,
  ...routes,
];

const BODY_LIMIT = 1024 * 1024;
/** What an answer holds belongs to a session: nobody keeps it. Only the client's own files say otherwise. */
const NOT_KEPT = 'no-store';
const CLIENT = join(ROOT, 'dist/client');

/** The server, as a table of contents. Start it with `listen`, or ask it with `inject`. */
export async function buildApp(given: Deps): Promise<FastifyInstance> {
  const deps: House = {
    ...given,
    keeper: openKeeper(),
    readVersions: openVersions(given.database.pool),
    sessions: keepSessions(given.database.db),
  };
  const { config, features } = deps;
  const fixedRoutes = fixedRoutesOf(features);
  const genericActions = genericActionsOf(features);
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies(config),
    logger: {
      level: config.logLevel,
      redact: ['req.headers.token', 'req.headers.cookie'],
      serializers: { req: asLogged },
    },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    requestIdHeader: false,
    genReqId: requestId,
    // An address that is no address at all: Fastify answers it before any route, and so it would answer in its own words.
    frameworkErrors: (_, request, reply) =>
      void answerError(
        noSuchCall(request.url),
        request as never,
        reply.header('cache-control', NOT_KEPT) as never,
        langOf(request as never),
        deps.model.current,
      ),
    ...(config.tls && { https: config.tls }),
  }) as unknown as FastifyInstance;

  app.setValidatorCompiler(
    lazyValidator((module) => {
      const definition = deps.model.current.definitions.get(module);
      return definition && namesOfRows(definition);
    }),
  );
  demandRights(app);
  app.decorateRequest('who', null);
  app.decorateRequest('kept', undefined);
  app.decorateRequest('lang', undefined);
  app.addHook('preValidation', async (request) => {
    // Before the check of the input takes it out of the body.
    request.setDecorator('lang', langOf(request));
    refuseUnstorable(request);
  });
  const health = openHealth(deps.database.pool, config);
  app.setErrorHandler((error, request, reply) => {
    const missing = error instanceof Refusal ? error.problems[0].key : missingOf(error);
    if (missing && isMissing(missing)) health.note(missing);
    return answerError(error, request, reply, langOf(request), deps.model.current);
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('request-id', request.id);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', NOT_KEPT);
    const who = request.getDecorator<Who | null>('who');
    if (who?.session) reply.header('session-left', secondsLeft(who));
  });
  await app.register(helmet, {
    hsts: Boolean(config.tls),
    // Over plain http a browser ignores it, and complains on each page.
    crossOriginOpenerPolicy: !config.insecureHttp,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The camera's reader of barcodes is WebAssembly.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
      },
    },
  });
  await app.register(formbody);
  addEmptyJson(app);
  addMetrics(app, { pool: deps.database.pool, token: config.metricsToken });
  logRequests(app);
  for (const route of fixedRoutes) mountFixed(app, deps, route);
  for (const action of genericActions) mountGeneric(app, deps, action);
  await app.register(openApiPlugin, {
    model: deps.model,
    routes: fixedRoutes,
    actions: genericActions,
    enter: async (request: FastifyRequest) => setWho(request, await authenticate(request, deps)),
  });
  await app.register(uploadsPlugin, {
    db: deps.database.db,
    config,
    enter: async (request: FastifyRequest) => {
      setWho(request, await authenticate(request, deps));
      return contextOf(request, deps);
    },
    importerOf: importersOf(features.imports),
  });
  await app.register(colleaguesPlugin, {
    pool: deps.database.pool,
    db: deps.database.db,
    enter: (request: FastifyRequest) => authenticate(request, deps, [], { background: true }),
  });
  await app.register(healthPlugin, {
    health,
    enter: (request: FastifyRequest) => authenticate(request, deps, [], { background: true }),
  });
  await addClient(app, deps);
  return app;
}

/**
 * Who asks: by the header `token` alone. Refused with '401' when there is no living session. Reads the versions of the
 * session's tables, and of those that the call will need, in the same query. Rule: sessions#tokens.
 */
async function authenticate(
  request: FastifyRequest,
  house: House,
  tables: readonly string[] = [],
  { background = request.headers['background'] === '1', isOpenAtOnce = false } = {},
): Promise<Who> {
  const token = request.headers['token'];
  if (typeof token !== 'string' || token === '' || token.length > 100) throw new Refusal({ key: 'noSession' });
  const asked = new Set([...sessionTables, ...tables]);
  const versions = await house.readVersions([...asked]);
  const who = await house.sessions.whoOf(token, versionOf(versions, asked, sessionTables) as string, { background });
  if (!who) throw new Refusal({ key: 'noSession' });
  if (who.mustChangePassword && !isOpenAtOnce) throw new Refusal({ key: 'changePasswordFirst' });
  request.setDecorator('kept', keptFor(house.keeper, versions, asked));
  return who;
}

function mountFixed(app: FastifyInstance, deps: House, { call, reads, handle }: Route): void {
  const isQuery = call.method === 'GET';
  app.route({
    method: call.method,
    url: call.path,
    config: { right: call.right, ...(call.why && { why: call.why }) },
    schema: inputSchemas(call),
    ...(call.right !== 'public' && {
      onRequest: async (request: FastifyRequest) => {
        const isOpenAtOnce = openBeforePasswordChange.has(call.path);
        const who = await authenticate(request, deps, reads, { isOpenAtOnce });
        if (call.right !== 'signedIn' && !mayDo(who.rights, call.right)) throw new Refusal({ key: 'noRight' });
        setWho(request, who);
      },
    }),
    handler: async (request, reply) => {
      const sent = isQuery ? request.query : request.body;
      const input = call.path.includes(':') ? { ...(sent as object), ...(request.params as object) } : sent;
      const ctx = contextOf(request, deps);
      const answer = await run(request, ctx, call.writes, call.path, input, (inside) => handle(input, inside));
      return answer instanceof FileAnswer ? giveFile(reply, answer, ctx) : success(answer);
    },
  });
}

function mountGeneric(app: FastifyInstance, deps: House, action: GenericAction): void {
  app.route<{ Params: { module: string } }>({
    method: action.method,
    url: `/api/:module/${action.name}.json`,
    config: { right: 'byModule' },
    onRequest: async (request) => {
      const definition = deps.model.current.definitions.get(request.params.module);
      const who = await authenticate(request, deps, definition && tablesOf(definition, deps.model.current));
      const right = definition && action.rightOf(definition, request.query as Record<string, unknown>);
      if (!definition || !right) throw new Refusal({ key: 'noSuchCall', args: { path: pathOf(request.url) } });
      if (!mayDo(who.rights, right)) throw new Refusal({ key: 'noRight' });
      setWho(request, who);
    },
    handler: async (request, reply) => {
      const { module } = request.params;
      const definition = deps.model.current.definitions.get(module);
      if (!definition) throw new Refusal({ key: 'noSuchCall', args: { path: pathOf(request.url) } });
      const query = { ...(request.query as Record<string, unknown>) };
      delete query['lang'];
      const body = bodyOf(request);
      const ctx = contextOf(request, deps);
      const path = `/api/${module}/${action.name}.json`;
      const answer = await run(request, ctx, action.writes, path, { query, body }, (inside) =>
        action.handle({ definition, query, body }, inside),
      );
      return answer instanceof FileAnswer ? giveFile(reply, answer, ctx) : success(answer);
    },
  });
}

async function giveFile(reply: FastifyReply, answer: FileAnswer, ctx: Context): Promise<FastifyReply> {
  const { id, ...file } = answer.file;
  if (id !== undefined) await ledgerDownload(ctx, { id, ...file });
  return sendFile(reply, answer);
}

function run(
  request: FastifyRequest,
  ctx: Context,
  writes: boolean,
  route: string,
  input: unknown,
  work: (ctx: Context) => Promise<unknown>,
): Promise<unknown> {
  if (!writes) return work(ctx);
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && key.length > 200) {
    throw new Refusal({ key: 'tooLong', args: { field: 'Idempotency-Key', max: 200 } });
  }
  const repeatable = { userId: ctx.who.userId, route, key: typeof key === 'string' ? key : undefined, input };
  return inTransaction(ctx.db, repeatable, (db) => work({ ...ctx, db, kept: undefined }));
}

function contextOf(request: FastifyRequest, deps: Deps): Context {
  return {
    db: deps.database.db,
    search: deps.database.search,
    who: whoIn(request),
    lang: langOf(request),
    model: deps.model.current,
    numbers: deps.numbers,
    hooks: deps.features.hooks,
    config: deps.config,
    demo: deps.demo,
    kept: request.getDecorator<Kept | undefined>('kept'),
    request: {
      id: request.id,
      ip: addressOf(request),
      secure: request.protocol === 'https',
      userAgent: request.headers['user-agent'] ?? '',
      token: typeof request.headers['token'] === 'string' ? request.headers['token'] : null,
    },
  };
}

/** What a generic call was sent: fields by name, never a list or a bare value. */
function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new Refusal({ key: 'format', field: 'body', args: { field: { zh: '请求内容', en: 'The request' } } });
}

const setWho = (request: FastifyRequest, who: Who) => request.setDecorator('who', who);
const whoIn = (request: FastifyRequest): Who => request.getDecorator<Who | null>('who') ?? nobody;

/** The language of an answer: said in the query, else in the body, else Chinese. */
function langOf(request: FastifyRequest): Language {
  const { lang } = request as { lang?: Language };
  if (lang) return lang;
  const said = (request.query as { lang?: unknown } | null)?.lang ?? (request.body as { lang?: unknown } | null)?.lang;
  return languageOf(said);
}

/** A path as a screen may write it, in its one form: first letter small, a trailing `List` stripped. */
export function canonicalUrl(url: string): string {
  return url.replace(/^\/api\/([A-Za-z]\w*)\//, (_, name: string) => `/api/${moduleOf(name)}/`);
}

const noSuchCall = (url: string) => new Refusal({ key: 'noSuchCall', args: { path: pathOf(url).slice(0, 100) } });
const pathOf = (url: string) => url.split('?')[0] ?? url;
const requestId = () =>
  Math.random().toString(36).slice(2, 8).toUpperCase() + Date.now().toString(36).slice(-4).toUpperCase();
const asLogged = (request: FastifyRequest) => ({
  method: request.method,
  path: pathOf(request.url),
  ip: addressOf(request),
});

/** A POST without a body, or with an empty one, is an empty object: its rules then say what is missing. */
function addEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, {});
    return parse(request, body as string, done);
  });
}

/** The built client: its files, and its page for whatever can be one of its views. */
async function addClient(app: FastifyInstance, deps: Deps): Promise<void> {
  const { client: folder = CLIENT } = deps;
  const client = openClient(folder);
  if (client) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        const forever = path.includes('/assets/');
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    if (client && ['GET', 'HEAD'].includes(request.method) && isViewAddress(path)) {
      // The cookie alone opens nothing; it tells which scripts the browser will want.
      const isSignedIn = /(^|; )token=[^;]/.test(request.headers.cookie ?? '');
      const page = client.pageFor(path, isSignedIn);
      reply.header('cache-control', 'no-cache').header('vary', 'cookie, accept-encoding').header('etag', page.etag);
      if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
      const taken = request.headers['accept-encoding'] ?? '';
      const encoding = (['br', 'gzip'] as const).find((it) => taken.includes(it));
      if (encoding) reply.header('content-encoding', encoding);
      return reply.type('text/html; charset=utf-8').send(encoding ? page[encoding] : page.text);
    }
    return answerError(
      new Refusal({ key: 'noSuchCall', args: { path } }),
      request,
      reply,
      langOf(request),
      deps.model.current,
    );
  });
}
