import type { Call, DataOf, Envelope, InputOf } from '#domain/call.ts';
import { Flag } from '#domain/enums.ts';
import { BEAT_MS } from '#domain/streams.ts';
import { buildUrl, toCallError } from '#app/send.ts';
import { currentToken } from '#app/session.ts';

/** Two beats that did not come, and some time on the way. */
const SILENCE = 2.5 * BEAT_MS;

/**
 * Reads the events of a stream until it ends, is aborted or says nothing for too long, not even that it lives. An
 * answer that is no stream is a CallError. Not by EventSource, which can't send the header. Rule: wire#streams.
 */
export async function readEvents<C extends Call>(
  call: C,
  input: InputOf<C>,
  onEvent: (event: DataOf<C>) => void,
  signal: AbortSignal,
): Promise<void> {
  const token = currentToken.get();
  const headers = { accept: 'text/event-stream, application/json', background: Flag.Yes, ...(token && { token }) };
  const ended = new AbortController();
  const end = () => ended.abort();
  signal.addEventListener('abort', end);
  let timer = setTimeout(end, SILENCE);
  try {
    const response = await fetch(buildUrl(call.path, input), {
      headers,
      signal: ended.signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.body || !type.startsWith('text/event-stream')) {
      const envelope = (await response.json().catch(() => null)) as Envelope | null;
      throw toCallError(envelope, { status: response.status, token });
    }
    const reader = response.body.getReader();
    ended.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE);
    };
    await readParts(reader, (event) => onEvent(event as DataOf<C>), restart, ended.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Gives each event of a body as it comes, and tells of each piece. */
async function readParts(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onEvent: (event: unknown) => void,
  onPart?: () => void,
  signal?: AbortSignal,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done && !signal?.aborted; part = await reader.read()) {
    onPart?.();
    const events = (rest + decoder.decode(part.value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const it of events) if (it.startsWith(DATA)) onEvent(JSON.parse(it.slice(DATA.length)));
  }
}

/**
 * How the answer of a long call is read: its last event is the answer, those before it say how far it is. Who answers at
 * once sends no events. Rule: wire#progress.
 */
export const withProgress = (onProgress: (progress: Progress) => void) => ({
  accept: 'text/event-stream, application/json',
  read: async (response: Response): Promise<unknown> => {
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response.json();
    let last: unknown = null;
    await readParts(response.body.getReader(), (event) => {
      if (isProgress(event)) onProgress(event);
      else last = event;
    });
    return last;
  },
});

export interface Progress {
  done: number;
  total: number;
}

const isProgress = (event: unknown): event is Progress =>
  typeof event === 'object' && event !== null && 'total' in event;

const DATA = 'data: ';
