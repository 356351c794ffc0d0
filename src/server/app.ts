import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { moduleOf } from '#domain/definition/problems.ts';
import { isMissing, Refusal } from '#domain/refusal.ts';
import { addressOf, trustedProxies } from '#server/address.ts';
import { answerError } from '#server/answer.ts';
import * as calls from '#server/calls.ts';
import { openVersions } from '#server/changes.ts';
import { addClient, inlineScripts } from '#server/client.ts';
import { colleagueRoutes } from '#server/colleagues/announce.ts';
import { openHub } from '#server/colleagues/hub.ts';
import type { CurrentUser } from '#server/context.ts';
import { genericActionsOf } from '#server/engine/actions.ts';
import { namesOfRows } from '#server/engine/rows.ts';
import { definitionRoutes } from '#server/definitions/routes.ts';
import { openDefinitionNews } from '#server/definitions/watch.ts';
import { demandRights } from '#server/declaredRights.ts';
import type { Features } from '#server/features.ts';
import { errorRoutes } from '#server/errors/routes.ts';
import { findRoutes } from '#server/find/routes.ts';
import { openHealth } from '#server/health/health.ts';
import { missingOf } from '#server/health/missing.ts';
import { healthPlugin } from '#server/health/plugin.ts';
import { importersOf } from '#server/imports/importers.ts';
import { createCacheMemories } from '#server/cache.ts';
import { addBodyParsers, countAnswers, IncomingRequest } from '#server/bodies.ts';
import { lazyValidator } from '#server/lazyValidator.ts';
import { jobRoutes } from '#server/jobs/routes.ts';
import { addMetrics } from '#server/observe/metrics.ts';
import { logRequests } from '#server/observe/requestLog.ts';
import { openApiPlugin } from '#server/openapi/plugin.ts';
import { refuseUnstorable } from '#server/storable.ts';
import type { Route } from '#server/route.ts';
import { dashboardRoutes } from '#server/dashboard/routes.ts';
import { streamsPlugin } from '#server/streams/plugin.ts';
import { sessionRoutes } from '#server/session/routes.ts';
import { createSessionCache } from '#server/session/sessionCache.ts';
import { secondsLeft } from '#server/session/sessions.ts';
import { uploadsPlugin } from '#server/uploads/plugin.ts';
import { viewRoutes } from '#server/views/routes.ts';

/** The fixed calls of the product and of its features; the generic ones follow from the definitions. */
export const fixedRoutesOf = ({ routes }: Pick<Features, 'routes'>): readonly Route[] => [
  ...sessionRoutes,
  ...colleagueRoutes,
  ...dashboardRoutes,
  ...definitionRoutes,
  ...errorRoutes,
  ...findRoutes,
  ...jobRoutes,
  ...viewRoutes,
  ...routes,
];

const BODY_LIMIT = 1024 * 1024;
/** Long enough for the largest file over a slow line. */
const REQUEST_MS = 300_000;
/** An answer belongs to a session: nobody may cache it. Only the client's own files say otherwise. */
const NO_STORE = 'no-store';

/** The server, as a table of contents. Start it with `listen`, or ask it with `inject`. */
export async function buildApp(given: calls.Deps): Promise<FastifyInstance> {
  const deps: calls.AppState = {
    ...given,
    cacheMemoryOf: createCacheMemories(),
    readVersions: openVersions(given.database.pool),
    sessions: createSessionCache(given.database.db),
  };
  const { config, features } = deps;
  const fixedRoutes = fixedRoutesOf(features);
  const genericActions = genericActionsOf(features);
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    // Whoever sends no faster is not sending: a connection is held no longer by half a request.
    requestTimeout: REQUEST_MS,
    trustProxy: trustedProxies(config),
    logger: {
      level: config.logLevel,
      redact: ['req.headers.token', 'req.headers.cookie', 'req.headers.authorization'],
      serializers: { req: asLogged },
    },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    requestIdHeader: false,
    genReqId: requestId,
    // A malformed address: Fastify answers it before any route, and would do so in words of its own.
    frameworkErrors: (_, request, reply) =>
      void answerError(
        calls.noSuchCall(request.url),
        request as never,
        reply.header('cache-control', NO_STORE) as never,
        calls.langOf(request as never),
        deps.model.current,
      ),
    http: { IncomingMessage: IncomingRequest },
    ...(config.tls && { https: { ...config.tls, IncomingMessage: IncomingRequest } }),
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
  app.decorateRequest('model', undefined);
  app.decorateRequest('draft', undefined);
  app.decorateRequest('previewRights', undefined);
  app.addHook('onRequest', async (request) => {
    request.setDecorator('model', deps.model.current);
    await calls.enterPreview(request, deps);
  });
  app.addHook('preValidation', async (request) => {
    // Before the check of the input takes it out of the body.
    request.setDecorator('lang', calls.langOf(request));
    refuseUnstorable(request);
  });
  const health = openHealth(deps.database.pool, config, given);
  app.setErrorHandler((error, request, reply) => {
    const missing = error instanceof Refusal ? error.problems[0].key : missingOf(error);
    if (missing && isMissing(missing)) health.note(missing);
    return answerError(error, request, reply, calls.langOf(request), calls.modelOf(request) ?? deps.model.current);
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('request-id', request.id);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', NO_STORE);
    const currentUser = request.getDecorator<CurrentUser | null>('who');
    if (currentUser?.session) reply.header('session-left', secondsLeft(currentUser));
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
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineScripts(deps.client)],
        imgSrc: ["'self'", 'data:', 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        objectSrc: ["'none'"],
        // A list as a draft would make it is shown in a window within the editor.
        frameAncestors: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
      },
    },
  });
  addBodyParsers(app);
  countAnswers(app.server);
  addMetrics(app, { pool: deps.database.pool, token: config.metricsToken });
  logRequests(app);
  for (const route of fixedRoutes) calls.mountFixed(app, deps, route);
  for (const action of genericActions) calls.mountGeneric(app, deps, action);
  const streams = [
    openDefinitionNews(deps.model, (error) => app.log.error({ err: error }, 'a publish was not told to pages')),
    openHub({
      ...{ pool: deps.database.pool, db: deps.database.db, model: deps.model },
      onError: (error) => app.log.error({ err: error }, 'scans were not told to others'),
    }),
  ];
  await app.register(openApiPlugin, {
    model: deps.model,
    calls: [...fixedRoutes, ...streams.flatMap((it) => it.routes)].map((it) => it.call),
    actions: genericActions,
    enter: (request: FastifyRequest) => calls.authenticate(request, deps),
  });
  await app.register(uploadsPlugin, {
    db: deps.database.db,
    config,
    enter: async (request: FastifyRequest) => {
      await calls.authenticate(request, deps);
      return calls.createContext(request, deps);
    },
    importerOf: importersOf(features.imports),
  });
  await app.register(streamsPlugin, {
    sources: streams,
    enter: (request: FastifyRequest) => calls.authenticate(request, deps, [], { background: true }),
  });
  await app.register(healthPlugin, {
    health,
    enter: (request: FastifyRequest) => calls.authenticate(request, deps, [], { background: true }),
  });
  await addClient(app, deps.client, (request, reply) => {
    const refusal = new Refusal({ key: 'noSuchCall', args: { path: calls.pathOf(request.url) } });
    return answerError(refusal, request, reply, calls.langOf(request), deps.model.current);
  });
  return app;
}

/** A path as a screen may write it, in its one form: first letter small, a trailing `List` stripped. */
export function canonicalUrl(url: string): string {
  return url.replace(/^\/api\/([A-Za-z]\w*)\//, (_, name: string) => `/api/${moduleOf(name)}/`);
}

const requestId = () =>
  Math.random().toString(36).slice(2, 8).toUpperCase() + Date.now().toString(36).slice(-4).toUpperCase();
const asLogged = (request: FastifyRequest) => ({
  method: request.method,
  path: calls.pathOf(request.url),
  ip: addressOf(request),
});
