import { connect } from 'node:net';
import type { LabelPrinter } from '#server/config.ts';

/** How long a printer may take to answer the call for a connection, and to take the labels. */
const CONNECT_MS = 3000;
const TAKE_MS = 10_000;
/** One that serves somebody else may take the connection and hang up; what is sent meanwhile would be lost unseen. */
const HANG_UP_MS = 50;

/** `unknown`: something was sent, and nobody here can tell whether labels came out. */
type Sent = 'taken' | 'unknown' | 'notReached';

/**
 * Sends labels to a printer over one connection, and never again by itself. They are taken when the printer has read all
 * and closed its side. Rule: labels#answers.
 */
export function sendToPrinter(
  { host, port }: Pick<LabelPrinter, 'host' | 'port'>,
  labels: string,
  { connectMs = CONNECT_MS, takeMs = TAKE_MS } = {},
): Promise<Sent> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let failed: Sent = 'notReached';
    let isClosed = false;
    const fail = () => {
      socket.destroy();
      resolve(failed);
    };
    let timer = setTimeout(fail, connectMs);
    const send = () => {
      failed = 'unknown';
      timer = setTimeout(fail, takeMs);
      socket.end(labels);
    };
    socket.once('connect', () => {
      clearTimeout(timer);
      timer = setTimeout(send, HANG_UP_MS);
    });
    socket.once('end', () => {
      isClosed = socket.writableFinished;
    });
    socket.on('error', fail);
    socket.once('close', (hadError) => {
      clearTimeout(timer);
      resolve(isClosed && !hadError ? 'taken' : failed);
    });
    // A printer may tell how it is; nobody reads it.
    socket.resume();
  });
}
