import { type Envelope, SUCCESS } from '#domain/call.ts';
import { buildUrl, CallError, forAsker, newKey, toCallError } from '#app/send.ts';
import { currentToken } from '#app/session.ts';

interface UploadOptions {
  /** What goes beside the file. */
  fields?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** From 0 to 1, while the file is on its way. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** The same for a repeated upload, so that it is done once. */
  key?: string;
}

/**
 * Sends one file as multipart and gives what the server answers, or throws a CallError. By XMLHttpRequest, as `fetch`
 * does not tell how far it is.
 */
export function uploadFile<Data>(path: string, file: Blob, name: string, options: UploadOptions = {}): Promise<Data> {
  const { fields = {}, query = {}, onProgress, signal, key = newKey() } = options;
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append('file', file, name);
  const exchange = (done: (data: Data) => void, fail: (error: unknown) => void) => {
    const token = currentToken.get();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const end = () => signal?.removeEventListener('abort', abort);
    request.open('POST', buildUrl(path, query));
    request.setRequestHeader('token', token);
    request.setRequestHeader('idempotency-key', key);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      end();
      const envelope = parseEnvelope<Data>(request.responseText);
      if (envelope?.code === SUCCESS) return done(envelope.data);
      fail(toCallError(envelope, { status: request.status, token }));
    };
    request.onerror = () => {
      end();
      fail(new CallError({ status: 0, network: true }));
    };
    request.onabort = () => {
      end();
      fail(new DOMException('cancelled', 'AbortError'));
    };
    if (signal?.aborted) return request.onabort(new ProgressEvent('abort'));
    signal?.addEventListener('abort', abort);
    request.send(body);
  };
  return forAsker(() => new Promise(exchange));
}

function parseEnvelope<Data>(text: string): Envelope<Data> | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'code' in answer ? (answer as Envelope<Data>) : null;
  } catch {
    return null;
  }
}

export const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
