import { ERROR_LIMITS, type ErrorEntry } from '#domain/errorEntry.ts';
import { onceStayed, watchLeaving } from '#app/leaving.ts';
import { CallError, onFailedCall, sendTo } from '#app/send.ts';
import { currentToken, currentUser } from '#app/session.ts';
import { createObservable, useObservable } from '#app/observable.ts';

type CapturedError = Omit<ErrorEntry, 'token'> & {
  id: number;
  /** How often the same happened within a minute; told to the server once. */
  count: number;
  isRead: boolean;
};

/** Where captured errors are told. Rule: screens#errors. */
const PATH = '/api/save_error_logger';
const MOST_SHOWN = 200;
const MOST_SENT_A_MINUTE = 20;
const MINUTE = 60_000;

const captured = createObservable<readonly CapturedError[]>([]);
let lastId = 0;
let sent: number[] = [];

/** The errors captured since this page was loaded, newest first. */
export const useCapturedErrors = () => useObservable(captured);
export const useUnreadErrors = () => useCapturedErrors().filter((it) => !it.isRead).length;

export function markErrorsRead(): void {
  if (captured.get().some((it) => !it.isRead)) captured.set(captured.get().map((it) => ({ ...it, isRead: true })));
}

export const clearErrors = (): void => {
  captured.set([]);
  sent = [];
};

interface ErrorDetails {
  type: ErrorEntry['type'];
  code?: string;
  message: string;
  url?: string;
}

/** Without NUL, and with no half of a character where the text was cut: the server takes neither. */
const storable = (text: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.replaceAll('\0', '')));

/** Keeps an error for the badge and tells the server of it, silently. Rule: screens#errors. */
export function captureError(details: ErrorDetails): void {
  // An answer has come; all else may be what the browser gives up with the page.
  const time = Date.now();
  if (details.code) keep(details, time);
  else onceStayed(() => keep(details, time));
}

function keep({ type, code = '', message, url = window.location.href }: ErrorDetails, time: number): void {
  const user = currentUser.get();
  const it = {
    type,
    code,
    message: storable(message.slice(0, ERROR_LIMITS.message)),
    url: storable(withoutSecrets(url).slice(0, ERROR_LIMITS.url)),
    time,
    userId: user?.userId ?? '',
    userName: user?.userName ?? '',
  };
  const known = captured.get().find((other) => isSame(other, it) && time - other.time < MINUTE);
  if (known) {
    const again = { ...known, count: known.count + 1, isRead: false };
    captured.set(captured.get().map((other) => (other === known ? again : other)));
    return;
  }
  lastId += 1;
  captured.set([{ ...it, id: lastId, count: 1, isRead: false }, ...captured.get()].slice(0, MOST_SHOWN));
  report({ ...it, token: currentToken.get() });
}

/** A failure of this call is neither shown nor captured: that would never end. */
function report(entry: ErrorEntry): void {
  sent = sent.filter((at) => entry.time - at < MINUTE);
  if (sent.length >= MOST_SENT_A_MINUTE) return;
  sent.push(entry.time);
  const call = { method: 'POST', path: PATH, writes: false } as const;
  sendTo(call, { ...entry }, { background: true, quiet: true }).catch(() => undefined);
}

onFailedCall(({ method, path, status, requestId }) => {
  captureError({
    type: 'ajax',
    code: status === 0 ? '' : String(status),
    message: `${method} ${path}: ${status === 0 ? 'no answer' : `HTTP ${status}`}${requestId && ` (${requestId})`}`,
    url: new URL(path, window.location.origin).href,
  });
});

/** Listens for what nobody caught; gives how to stop. */
export function listenForErrors(): () => void {
  const onError = (event: ErrorEvent) => {
    if (!event.message || event.message.startsWith('ResizeObserver loop')) return;
    captureError({ type: 'script', message: describeError(event.error) || event.message });
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) => {
    if (isNoScriptError(reason)) return;
    captureError({ type: 'script', message: describeError(reason) || String(reason) });
  };
  const stopWatching = watchLeaving();
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    stopWatching();
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}

/** What it says, and under it where it came from. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const first = String(error);
  const stack = error.stack ?? '';
  return stack.startsWith(first) ? stack : [first, stack].filter(Boolean).join('\n');
}

/** A failed call is captured where it failed; one that was called off is no error. */
const isNoScriptError = (reason: unknown): boolean =>
  reason instanceof CallError || (reason instanceof DOMException && reason.name === 'AbortError');

const isSame = (a: Omit<CapturedError, 'id' | 'count' | 'isRead'>, b: typeof a): boolean =>
  a.type === b.type && a.code === b.code && a.message === b.message && a.url === b.url;

const withoutSecrets = (url: string): string => url.replace(/([?&](?:token|ticket)=)[^&#]*/gi, '$1…');
