import { type Call, type DataOf, type Envelope, type InputOf, NO_SESSION, SUCCESS } from '#domain/call.ts';
import { Flag } from '#domain/enums.ts';
import type { RefusalKey, ProblemAnswer } from '#domain/refusal.ts';
import { toWritten } from '#domain/written.ts';
import { configuration } from '#app/configuration.ts';
import type {} from '#app/prefetch.ts';
import { preview } from '#app/preview.ts';
import {
  currentLanguage,
  currentToken,
  currentUser,
  expireSession,
  updateSessionEnd,
  watchAsker,
} from '#app/session.ts';

interface SendOptions {
  /** The idempotency key of a submit that may be repeated; left out, each submit gets one of its own. */
  key?: string;
  signal?: AbortSignal;
  /** Login and captcha go without a token; the two logins go as a form. */
  anonymous?: boolean;
  form?: boolean;
  /** Asked by the client itself, not by anything that its user did: it does not prolong the session. */
  background?: boolean;
  /** A failure of it is no news: the call that tells of failures. */
  quiet?: boolean;
  /** How long an answer is waited for, where the work takes longer than others: in milliseconds. */
  patience?: number;
  /** Reads an answer that comes in pieces, as it is asked for by this type. */
  readAnswer?: { accept: string; read: (response: Response) => Promise<unknown> };
  /** Sent even where the page is left or loaded anew meanwhile; browsers do that for small bodies only. */
  outlivesPage?: boolean;
}

/** What came instead of a success. */
interface Failure {
  status: number;
  /** No answer came at all: nobody knows whether the call was done. */
  network?: boolean;
  /** There was no connection to the server; what took too long, or was answered by somebody else, had one. */
  unreached?: boolean;
  /** After how many seconds the server may be asked again, where it says so. */
  retryAfter?: number | undefined;
  /** For who reads the error. Several refusals share it: what is asked for is the key. */
  code?: string;
  msg?: string;
  /** What the server found wrong, first what code and sentence mean; none where the server said nothing. */
  problems?: readonly ProblemAnswer[];
  data?: unknown;
  /** The number of the request, by which the server's log knows it. */
  requestId?: string;
}

/** A no, from the server or from the network on the way to it. */
export class CallError extends Error {
  readonly status: number;
  readonly network: boolean;
  readonly unreached: boolean;
  readonly retryAfter: number | undefined;
  readonly msg: string;
  /** Which no it is; nothing where none of the server's came. */
  readonly key: RefusalKey | undefined;
  readonly problems: readonly ProblemAnswer[];
  readonly data: unknown;
  readonly requestId: string;

  constructor(failure: Failure) {
    const { status, network = false, code = '', msg = '', problems = [], data = null, requestId = '' } = failure;
    super(msg || code);
    this.name = 'CallError';
    this.status = status;
    this.network = network;
    this.unreached = failure.unreached ?? (network && status === 0);
    this.retryAfter = failure.retryAfter;
    this.msg = msg;
    this.key = problems[0]?.key;
    this.problems = problems;
    this.data = data;
    this.requestId = requestId;
  }

  /** What is wrong by field, as react-admin's forms look for it; nothing where no field is to blame. */
  get body(): { errors?: Record<string, unknown> } {
    const byField = this.problems.flatMap((it) => (it.field ? [[it.field, it.msg] as const] : [])).reverse();
    if (byField.length === 0) return {};
    return { errors: { ...Object.fromEntries(byField), root: { serverError: this.msg } } };
  }
}

/** Whether the server refused for one of these reasons. */
export const isRefusal = (error: unknown, ...keys: readonly RefusalKey[]): error is CallError =>
  error instanceof CallError && keys.some((it) => it === error.key);

/** The error of an answer that is no success. A session that the server no longer knows ends with it. */
export function toCallError(
  envelope: Envelope | null,
  { token, ...answer }: Pick<Failure, 'status' | 'network' | 'requestId' | 'retryAfter'> & { token: string },
): CallError {
  const { code, msg = '', data } = envelope ?? {};
  if (!isSessionOver(envelope, answer.status)) {
    return new CallError({ ...answer, code, msg, data, problems: readProblems(data) });
  }
  expireSession(token);
  return new CallError({ ...answer, network: false, code, msg, problems: [{ key: 'noSession', msg }] });
}

/**
 * The answer for who asked: held back while the session is lost, and as good as none for anybody else. Every call goes
 * through it, and takes its token anew each time it is made. Rule: sessions#late-answers.
 */
export async function forAsker<Data>(ask: () => Promise<Data>, mayRepeat = currentUser.get() !== null): Promise<Data> {
  const token = currentToken.get();
  const isHere = watchAsker();
  const [it] = await Promise.allSettled([ask()]);
  const isRefused = it.status === 'rejected' && isRefusal(it.reason, 'noSession');
  const next = currentToken.get();
  // Nothing was done by a token that was refused; where the same user has another one by now, it is done by that.
  if (isRefused && mayRepeat && token && next && next !== token && (await isHere())) return forAsker(ask, false);
  const isOver = isRefused || (it.status === 'rejected' && isAbort(it.reason));
  if (!isOver && !(await isHere())) throw new CallError({ status: 401, problems: [{ key: 'noSession', msg: '' }] });
  if (it.status === 'rejected') throw it.reason;
  return it.value;
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const isSessionOver = (envelope: Envelope | null, status: number): boolean =>
  status === 401 || envelope?.code === NO_SESSION;

/** A call whose path is only known at run time: sends it, and gives its data or throws a CallError. Knows the envelope. */
export async function sendTo<Data>(
  call: Pick<Call, 'method' | 'path' | 'writes'>,
  input: Record<string, unknown>,
  options: SendOptions = {},
): Promise<Data> {
  const keyed = call.writes ? { ...options, key: options.key ?? newKey() } : options;
  const { data, msg } = await forAsker(() => exchange<Data>(call, input, keyed));
  if (msg) for (const listen of listeners) listen(msg);
  return data;
}

async function exchange<Data>(
  call: Pick<Call, 'method' | 'path' | 'writes'>,
  input: Record<string, unknown>,
  options: SendOptions,
): Promise<Envelope<Data>> {
  const token = options.anonymous ? '' : currentToken.get();
  const { path, rest } = fillPath(call.path, input);
  const inQuery = call.method === 'GET';
  const asked = { method: call.method, path, quiet: options.quiet === true };
  if (call.writes) window.prefetched?.drop();
  const body = inQuery || call.method === 'DELETE' ? undefined : encodeBody(rest, options.form === true);
  const response = await fetchResponse(asked, buildUrl(path, inQuery ? rest : {}), {
    method: call.method,
    headers: buildHeaders(call, token, options),
    signal: withTimeout(options.patience ?? (call.writes ? LONGEST_WRITE : LONGEST_READ), options.signal),
    keepalive: options.outlivesPage === true && (body ?? '').length < OUTLIVING_LENGTH,
    body,
  });
  if (token) updateSessionEnd(token, response.headers.get('session-left'));
  const envelope = await readEnvelope<Data>(response, options.readAnswer?.read);
  if (envelope?.code === SUCCESS) return envelope;
  const { status, ok } = response;
  const requestId = response.headers.get('request-id') ?? '';
  if (!ok && !isSessionOver(envelope, status)) notifyFailure({ ...asked, status, requestId });
  const network = !envelope && (silentGateways.has(status) || ok);
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw toCallError(envelope, { status, network, retryAfter, requestId, token });
}

/** The same for a call whose types are known. */
export const send = <C extends Call>(call: C, input: InputOf<C>, options?: SendOptions): Promise<DataOf<C>> =>
  sendTo(call, toWritten(call.input, input) as Record<string, unknown>, options);

/**
 * Longer than the server lets a call take, whose statements end after 15 s. A connection that died without a word would
 * keep its call for a quarter of an hour, and those behind it: what has no answer by then had none.
 */
const LONGEST_READ = 20_000;
const LONGEST_WRITE = 60_000;
/** In characters, of up to three bytes each: browsers refuse more than 64 KiB at once. */
const OUTLIVING_LENGTH = 20_000;

function withTimeout(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const patience = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, patience]) : patience;
}

/** Fills the `:names` of a path; what is left of the input goes into the query or the body. */
function fillPath(path: string, input: Record<string, unknown>): { path: string; rest: Record<string, unknown> } {
  // A list that is the body itself names nothing of the path.
  if (Array.isArray(input)) return { path, rest: input };
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  return { path: filled, rest };
}

const listeners = new Set<(msg: string) => void>();

/** Hears what the server says of a success; routine answers say nothing. Rule: wire#answers. */
export const onServerMessage = (listen: (msg: string) => void): void => void listeners.add(listen);

/** A call that failed below the level of business: a status that is not 2xx, or 0 where no answer came. */
interface FailedCall {
  method: string;
  path: string;
  status: number;
  requestId: string;
}
const failureListeners = new Set<(failed: FailedCall) => void>();

/** Hears of each call that failed so; the end of a session is none. Rule: screens#errors. */
export const onFailedCall = (listen: (failed: FailedCall) => void): void => void failureListeners.add(listen);

function notifyFailure({ quiet, ...failed }: FailedCall & { quiet: boolean }): void {
  if (!quiet) for (const listen of failureListeners) listen(failed);
}

/** A gateway that answers instead of the server says nothing about whether the call was done. */
const silentGateways = new Set([502, 503, 504]);

/** 128 random bits; `crypto.randomUUID` is missing where a station is served without https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('');
}

/** The full address of a path of the server, the language included. */
export function buildUrl(path: string, query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null) search.set(name, String(value));
  }
  if (!search.has('lang')) search.set('lang', currentLanguage.get());
  return `${configuration.baseUrl}${path}${path.includes('?') ? '&' : '?'}${search}`;
}

function buildHeaders(call: Pick<Call, 'writes' | 'method'>, token: string, options: SendOptions): Headers {
  const headers = new Headers({ accept: options.readAnswer?.accept ?? 'application/json' });
  if (token) headers.set('token', token);
  if (preview) headers.set('definitions-draft', String(preview.draftId));
  if (options.background) headers.set('background', Flag.Yes);
  if (call.writes && options.key) headers.set('idempotency-key', options.key);
  if (call.method === 'POST' || call.method === 'PUT') {
    headers.set('content-type', options.form ? 'application/x-www-form-urlencoded' : 'application/json');
  }
  return headers;
}

function encodeBody(input: Record<string, unknown>, form: boolean): string {
  // What was entered and is no number is refused by its field; as JSON has it, it would be nothing.
  if (!form) return JSON.stringify(input, (_, it: unknown) => (Number.isNaN(it) ? String(it) : it));
  return new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value ?? '')])).toString();
}

async function fetchResponse(
  asked: { method: string; path: string; quiet: boolean },
  address: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await (window.prefetched?.take(address, init) ?? fetch(address, init));
  } catch (error) {
    if (isAbort(error)) throw error;
    notifyFailure({ ...asked, status: 0, requestId: '' });
    const tookTooLong = error instanceof DOMException && error.name === 'TimeoutError';
    throw new CallError({ status: 0, network: true, unreached: !tookTooLong });
  }
}

async function readEnvelope<Data>(
  response: Response,
  read: (response: Response) => Promise<unknown> = (it) => it.json(),
): Promise<Envelope<Data> | null> {
  try {
    const answer = await read(response);
    return typeof answer === 'object' && answer !== null && 'code' in answer ? (answer as Envelope<Data>) : null;
  } catch {
    return null;
  }
}

function readProblems(data: unknown): readonly ProblemAnswer[] {
  const problems = (data as { problems?: unknown } | null)?.problems;
  return Array.isArray(problems) ? (problems as ProblemAnswer[]) : [];
}
