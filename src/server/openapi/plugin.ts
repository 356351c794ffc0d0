import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '#domain/call.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { readHealth } from '#domain/health.ts';
import { Refusal } from '#domain/refusal.ts';
import { parseLanguage } from '#domain/words.ts';
import type { CurrentUser } from '#server/context.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { mayUse } from '#server/session/menu.ts';
import { createOpenApi } from './document.ts';

interface OpenApiDeps {
  model: { current: Model };
  calls: readonly Call[];
  actions: readonly GenericAction[];
  enter(request: FastifyRequest): Promise<Pick<CurrentUser, 'rights'>>;
}

const PAGE = '/docs';

/**
 * The document at `/api/openapi.json`, for who is signed in and of the calls that he may make, and a page that reads it with
 * the session of the browser. The page itself holds nothing of ours. Rule: wire#paths.
 */
export async function openApiPlugin(
  app: FastifyInstance,
  { model, calls: mounted, actions, enter }: OpenApiDeps,
): Promise<void> {
  // Its route stands apart, since it answers without a database.
  const calls = [...mounted, readHealth];
  app.get('/api/openapi.json', {
    config: {
      right: 'signedIn',
      why: 'It tells of the calls that the reader may make and of the modules that he may use, and holds no row',
    },
    handler: async (request) => {
      const { rights } = await enter(request);
      const used = [...model.current.definitions].filter(([, it]) => mayUse(it, rights));
      const own = { ...model.current, definitions: new Map(used) };
      const lang = parseLanguage((request.query as { lang?: unknown }).lang);
      return createOpenApi(own, { calls, actions }, { rights, lang });
    },
  });
  const empty = { openapi: '3.1.0', info: { title: 'Reflow', version: '1' }, paths: {} };
  await app.register(swagger, { mode: 'static', specification: { document: empty } });
  await app.register(swaggerUi, {
    routePrefix: PAGE,
    uiConfig: {
      url: '/api/openapi.json?lang=en',
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      filter: true,
      deepLinking: true,
      // Runs in the browser: the same token that every screen sends.
      requestInterceptor: (request) => {
        const { document } = globalThis as unknown as { document: { cookie: string } };
        const token = /(?:^|;\s*)token=([^;]+)/.exec(document.cookie)?.[1];
        if (token) request['headers'] = { ...(request['headers'] as object), token: decodeURIComponent(token) };
        return request;
      },
    },
    // Its own copy of the document would be open to everybody.
    uiHooks: {
      onRequest: (request, _, done) => {
        const path = request.url.split('?')[0] ?? '';
        done(/\.?(json|yaml)$/.test(path) ? new Refusal({ key: 'noSuchCall', args: { path } }) : undefined);
      },
    },
  });
}
