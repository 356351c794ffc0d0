import { SUCCESS } from '#domain/call.ts';
import type { RefusalKey } from '#domain/refusal.ts';
import { stubNetwork } from '#app/testing/network.ts';
import { refused } from '#app/testing/refused.ts';

/** A call as it went out. */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Headers;
  body: string;
}

/** What comes back: data of a success, a no by its key, an envelope as it is, a gateway's page, a stream, or no answer at all. */
export type Answer =
  | { data: unknown; headers?: Record<string, string> }
  | { key: RefusalKey; msg: string; data?: object; headers?: Record<string, string> }
  | { code: string; msg: string; status?: number; data?: unknown; headers?: Record<string, string> }
  | { status: number; html: string }
  | Response
  | 'network';

type Answers = Record<string, Answer | ((asked: Asked) => Answer | Promise<Answer>)>;

export interface FakeServer {
  asked: Asked[];
  /** Changes or adds answers from now on. */
  answer: (more: Answers) => void;
  calls: (path: string) => Asked[];
}

/** Stands where the network would be: answers each path as told, and remembers what it was asked. */
export function fakeServer(first: Answers): FakeServer {
  const answers = { ...first };
  const asked: Asked[] = [];
  stubNetwork(async (address, init) => {
    const url = new URL(address, 'http://reflow.test');
    const it: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: new Headers(init.headers),
      body: String(init.body ?? ''),
    };
    asked.push(it);
    const configured = answers[it.path];
    const answer = typeof configured === 'function' ? await configured(it) : configured;
    if (answer instanceof Response) return untilAborted(answer, init.signal);
    return createResponse(answer ?? { key: 'noSuchCall', msg: `no answer for ${it.path}` });
  });
  return {
    asked,
    answer: (more) => void Object.assign(answers, more),
    calls: (path) => asked.filter((it) => it.path === path),
  };
}

/** Reading what was aborted fails, as it does in a browser, and whoever says it hears so, also where nobody has read yet. */
function untilAborted(answer: Response, signal: AbortSignal | null | undefined): Response {
  const { body, status, headers } = answer;
  if (!body || !signal) return answer;
  const reader = body.getReader();
  const heard = new ReadableStream<Uint8Array>({
    start: (it) =>
      signal.addEventListener('abort', () => {
        it.error(signal.reason);
        void reader.cancel();
      }),
    pull: async (it) => {
      const part = await reader.read();
      if (part.done) it.close();
      else it.enqueue(part.value);
    },
    cancel: () => reader.cancel(),
  });
  return new Response(heard, { status, headers });
}

function createResponse(answer: Exclude<Answer, Response>): Response {
  if (answer === 'network') throw new TypeError('Failed to fetch');
  if ('html' in answer) return new Response(answer.html, { status: answer.status });
  if ('key' in answer) return refused(answer.key, answer.msg, answer);
  if ('code' in answer) {
    const { code, msg, data = null, status = 200, headers } = answer;
    return Response.json({ code, msg, data }, { status, headers });
  }
  return Response.json({ code: SUCCESS, msg: '', data: answer.data }, { headers: answer.headers });
}
