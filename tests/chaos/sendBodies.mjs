// A thread that sends the same bytes over many connections at once and tells how they were answered, so that the event loop
// of whoever measures the server has nothing else to do.
import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** @typedef {{ port: number, connections: number, pieces: Uint8Array[], everyMs: number, answers: number, patienceMs: number }} Volley */

parentPort.on('message', async (/** @type {Volley} */ volley) => {
  const told = await Promise.all(Array.from({ length: volley.connections }, () => send(volley)));
  /** @type {Record<string, number>} */
  const statuses = {};
  for (const it of told.flat()) statuses[it] = (statuses[it] ?? 0) + 1;
  parentPort.postMessage(statuses);
});

/**
 * The status of each answer; `cut` where the server closed before the last one, `open` where it still waits for more.
 * @param {Volley} volley
 * @returns {Promise<string[]>}
 */
function send({ port, pieces, everyMs, answers, patienceMs }) {
  return new Promise((done) => {
    /** @type {string[]} */
    const statuses = [];
    let isOver = false;
    let tail = '';
    const socket = connect(port, '127.0.0.1');
    const end = (/** @type {string} */ how) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(patience);
      socket.destroy();
      done(statuses.length < answers ? [...statuses, how] : statuses);
    };
    const patience = setTimeout(() => end('open'), patienceMs);
    socket.on('data', (part) => {
      const text = tail + part.toString('latin1');
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(/** @type {string} */ (status));
      // A status line that is cut in two is read whole with what follows.
      tail = text.slice(Math.max(text.lastIndexOf('HTTP/1.1 ') + 1, text.length - 12));
      if (statuses.length >= answers) end('');
    });
    socket.on('error', () => end('cut'));
    socket.on('close', () => end('cut'));
    void write();

    async function write() {
      for (const it of pieces) {
        if (isOver) return;
        socket.write(it);
        if (everyMs > 0) await new Promise((go) => setTimeout(go, everyMs));
      }
    }
  });
}
