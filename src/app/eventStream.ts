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
    const decoder = new TextDecoder();
    let rest = '';
    for (let part = await reader.read(); !part.done && !ended.signal.aborted; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE);
      const events = (rest + decoder.decode(part.value, { stream: true })).split('\n\n');
      rest = events.pop() ?? '';
      for (const it of events) if (it.startsWith(DATA)) onEvent(JSON.parse(it.slice(DATA.length)) as DataOf<C>);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

const DATA = 'data: ';
