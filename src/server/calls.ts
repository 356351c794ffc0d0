import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#domain/call.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { Flag } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo, serviceScopeOf } from '#domain/rights.ts';
import { parseLanguage, type Language } from '#domain/words.ts';
import { addressOf } from '#server/address.ts';
import { success } from '#server/answer.ts';
import { versionOf, type ReadVersions } from '#server/changes.ts';
import type { Config } from '#server/config.ts';
import { nobody, type Context, type CurrentUser } from '#server/context.ts';
import type { Numbers } from '#server/db/numbers.ts';
import type { Database } from '#server/db/pool.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { tablesOf } from '#server/engine/tables.ts';
import type { Features } from '#server/features.ts';
import { FileAnswer, sendFile } from '#server/fileAnswer.ts';
import { inputSchemas } from '#server/input.ts';
import { PUBLIC_BODY_LIMIT } from '#server/bodies.ts';
import { cacheFor, type CacheMemory, type Cache } from '#server/cache.ts';
import type { ModelHolder } from '#server/definitions/follow.ts';
import { readPreview, rightsAfter } from '#server/definitions/preview.ts';
import { beyond, type Definitions, type DraftModel } from '#server/definitions/definitions.ts';
import { badDefinitions } from '#server/definitions/refused.ts';
import { recordDownload } from '#server/ledger.ts';
import { answerWithProgress, asksForProgress } from '#server/progress.ts';
import type { Route } from '#server/route.ts';
import { openBeforePasswordChange } from '#server/session/routes.ts';
import { findService } from '#server/session/services.ts';
import { sessionTables, type createSessionCache } from '#server/session/sessionCache.ts';
import { inTransaction } from '#server/transaction.ts';

export interface Deps {
  config: Config;
  database: Database;
  numbers: Numbers;
  /** Replaced when a change is published; a request works to its end by the one that it began with. */
  model: ModelHolder;
  definitions: Definitions;
  demo: boolean;
  features: Features;
  /** Aborted when the process is told to end: whoever asks whether it is ready is sent elsewhere. */
  leaving?: AbortSignal;
  /** The server's own, by which the others look for its mark. */
  number?: number;
  /** The folder of the built client, where it is another than that of the build. */
  client?: string;
}

/** The same, with what this server keeps from one request to the next. */
export interface AppState extends Deps {
  /** What is kept by one model says nothing of the next one. */
  cacheMemoryOf: (model: Model) => CacheMemory;
  readVersions: ReadVersions;
  sessions: ReturnType<typeof createSessionCache>;
}

/**
 * Who asks: by the header `token` alone. Refused with '401' when there is no living session. Reads the versions of the
 * session's tables, and of those that the call will need, in the same query. The request is his from then on. Rule:
 * sessions#tokens.
 */
export async function authenticate(
  request: FastifyRequest,
  deps: AppState,
  tables: readonly string[] = [],
  { background = request.headers['background'] === Flag.Yes, isOpenAtOnce = false } = {},
): Promise<CurrentUser> {
  const token = request.headers['token'];
  if (typeof token !== 'string' || token === '' || token.length > 100) throw new Refusal({ key: 'noSession' });
  const asked = new Set([...sessionTables, ...tables]);
  const versions = await deps.readVersions([...asked]);
  const found = await deps.sessions.findCurrentUser(token, versionOf(versions, asked, sessionTables) as string, {
    background,
  });
  if (!found) throw new Refusal({ key: 'noSession' });
  const currentUser = { ...found, rights: request.getDecorator<PreviewRights>('previewRights') ?? found.rights };
  // Whatever he is refused from here on, the log says whom.
  setCurrentUser(request, currentUser);
  if (currentUser.mustChangePassword && !isOpenAtOnce) throw new Refusal({ key: 'changePasswordFirst' });
  if (tables.length > 0) request.setDecorator('kept', cacheFor(deps.cacheMemoryOf(modelOf(request)), versions, asked));
  return currentUser;
}

export function mountFixed(app: FastifyInstance, deps: AppState, route: Route): void {
  const { call, reads, previews, handle, beforehand, afterCommit } = route;
  const isQuery = call.method === 'GET';
  const scope = serviceScopeOf(call.right);
  app.route({
    method: call.method,
    url: call.path,
    config: {
      right: call.right,
      ...(call.why && { why: call.why }),
      ...(previews && { previews }),
      ...(call.writes && { previews: false }),
    },
    schema: inputSchemas(call),
    ...(call.right === 'public' && { bodyLimit: PUBLIC_BODY_LIMIT }),
    ...(call.right !== 'public' && {
      onRequest: async (request: FastifyRequest) => {
        if (scope !== undefined) {
          return setCurrentUser(request, await findService(deps.database.db, request.headers.authorization, scope));
        }
        const isOpenAtOnce = openBeforePasswordChange.has(call.path);
        const currentUser = await authenticate(request, deps, reads, { isOpenAtOnce });
        if (call.right !== 'signedIn' && !mayDo(currentUser.rights, call.right)) throw new Refusal({ key: 'noRight' });
      },
    }),
    handler: async (request, reply) => {
      const sent = isQuery ? request.query : call.method === 'DELETE' ? {} : (request.body ?? {});
      const input = call.path.includes(':') ? { ...(sent as object), ...(request.params as object) } : sent;
      const ctx = createContext(request, deps);
      await beforehand?.(input, ctx);
      const answer = call.writes
        ? await write(request, ctx, submitName(call), input, (inside) => handle(input, inside))
        : await handle(input, ctx);
      await afterCommit?.(answer, ctx);
      return answer instanceof FileAnswer ? sendRecordedFile(reply, answer, ctx) : success(answer);
    },
  });
}

export function mountGeneric(app: FastifyInstance, deps: AppState, action: GenericAction): void {
  app.route<{ Params: { module: string } }>({
    method: action.method,
    url: `/api/:module/${action.name}.json`,
    config: { right: 'byModule', previews: action.reads === true && !action.writes },
    onRequest: async (request) => {
      const model = modelOf(request);
      const definition = model.definitions.get(request.params.module);
      const currentUser = await authenticate(request, deps, definition && tablesOf(definition, model));
      const { rights } = currentUser;
      const right = definition && action.rightOf(definition, request.query as Record<string, unknown>, rights);
      if (!definition || !right) throw new Refusal({ key: 'noSuchCall', args: { path: pathOf(request.url) } });
      if (!mayDo(rights, right)) throw new Refusal({ key: 'noRight' });
    },
    handler: async (request, reply) => {
      const { module } = request.params;
      const definition = modelOf(request).definitions.get(module);
      if (!definition) throw new Refusal({ key: 'noSuchCall', args: { path: pathOf(request.url) } });
      const query = { ...(request.query as Record<string, unknown>) };
      delete query['lang'];
      const body = bodyOf(request);
      const ctx = createContext(request, deps);
      const path = `/api/${module}/${action.name}.json`;
      const sent = { definition, query, body };
      const draft = draftOf(request);
      if (draft) return success(await readPreview(ctx, draft, (inside) => action.handle(sent, inside)));
      const submit = (told: Partial<Context> = {}) =>
        write(request, ctx, path, { query, body }, (inside) => action.handle(sent, { ...inside, ...told }));
      if (action.tellsProgress && asksForProgress(request))
        return answerWithProgress(request, reply, ctx, (tellProgress) => submit({ tellProgress }));
      const answer = action.writes ? await submit() : await action.handle(sent, ctx);
      return answer instanceof FileAnswer ? sendRecordedFile(reply, answer, ctx) : success(answer);
    },
  });
}

/** What who looks at a draft may do by it; undefined of every other request. */
type PreviewRights = CurrentUser['rights'] | undefined;

/** The header by which a window shows lists as a draft would make them. */
const DRAFT_HEADER = 'definitions-draft';

/**
 * A request of a window that shows a draft: what lists are and hold is answered as if it were published, to who may
 * configure lists; what else is asked of the server is answered as ever, and nothing is written. Rule: definitions#preview.
 */
export async function enterPreview(request: FastifyRequest, deps: AppState): Promise<void> {
  const asked = request.headers[DRAFT_HEADER];
  if (typeof asked !== 'string') return;
  const { previews } = request.routeOptions.config;
  if (previews === undefined && (request.method === 'GET' || request.method === 'HEAD')) return;
  if (!previews) throw new Refusal({ key: 'previewOnly' });
  const currentUser = await authenticate(request, deps);
  if (!mayDo(currentUser.rights, 'sysModule:configure')) throw new Refusal({ key: 'noRight' });
  if (!/^\d{1,15}$/.test(asked)) throw new Refusal({ key: 'format', args: { field: DRAFT_HEADER } });
  const draft = await deps.definitions.readDraftModel(Number(asked));
  const author = { author: currentUser.rights, userId: currentUser.userId };
  const problems = [
    ...draft.problems,
    ...beyond(draft, deps.model.current, currentUser.rights, currentUser.sites),
    ...(await deps.definitions.findFormerNames(draft, author)),
  ];
  if (problems.length > 0) throw badDefinitions(problems);
  request.setDecorator('previewRights', await rightsAfter(deps.database.db, draft, currentUser));
  request.setDecorator('draft', draft);
  request.setDecorator('model', draft.model);
}

const draftOf = (request: FastifyRequest): DraftModel | undefined =>
  request.getDecorator<DraftModel | undefined>('draft');

async function sendRecordedFile(reply: FastifyReply, answer: FileAnswer, ctx: Context): Promise<FastifyReply> {
  const { id, ...file } = answer.file;
  const content = await answer.open();
  if (id !== undefined) await recordDownload(ctx, { id, ...file });
  return sendFile(reply, file, content);
}

/**
 * The name under which a submit keeps its keys: its path, and its method where that is PUT or DELETE. A GET and a POST of one
 * path are the same submit. Rule: writing#idempotency.
 */
export const submitName = ({ method, path }: Pick<Call, 'method' | 'path'>): string =>
  method === 'PUT' || method === 'DELETE' ? `${method} ${path}` : path;

/** A submit: in one transaction, and once for each idempotency key. Rule: writing#submits. */
function write(
  request: FastifyRequest,
  ctx: Context,
  route: string,
  input: unknown,
  work: (ctx: Context) => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && key.length > 200) {
    throw new Refusal({ key: 'tooLong', args: { field: 'Idempotency-Key', max: 200 } });
  }
  const repeatable = { userId: ctx.currentUser.userId, route, key: typeof key === 'string' ? key : undefined, input };
  return inTransaction(ctx.db, repeatable, (db) => work({ ...ctx, db, cache: undefined }));
}

export function createContext(request: FastifyRequest, deps: Deps): Context {
  return {
    db: deps.database.db,
    search: deps.database.search,
    currentUser: currentUserIn(request),
    lang: langOf(request),
    model: modelOf(request),
    numbers: deps.numbers,
    hooks: deps.features.hooks,
    config: deps.config,
    definitions: deps.definitions,
    demo: deps.demo,
    cache: request.getDecorator<Cache | undefined>('kept'),
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

const setCurrentUser = (request: FastifyRequest, currentUser: CurrentUser) => request.setDecorator('who', currentUser);
const currentUserIn = (request: FastifyRequest): CurrentUser =>
  request.getDecorator<CurrentUser | null>('who') ?? nobody;

/** The definitions that this request works by. */
export const modelOf = (request: FastifyRequest): Model => request.getDecorator<Model>('model');

/** The language of an answer: said in the query, else in the body, else Chinese. */
export function langOf(request: FastifyRequest): Language {
  const { lang } = request as { lang?: Language };
  if (lang) return lang;
  const said = (request.query as { lang?: unknown } | null)?.lang ?? (request.body as { lang?: unknown } | null)?.lang;
  return parseLanguage(said);
}

export const noSuchCall = (url: string) =>
  new Refusal({ key: 'noSuchCall', args: { path: pathOf(url).slice(0, 100) } });
export const pathOf = (url: string) => url.split('?')[0] ?? url;
