import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a database that can be slow, and that can be cut. */
export interface DatabaseProxy {
  url: string;
  /** The database is down: what is connected breaks, and nobody gets in, until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** It takes no connection more; those that there are stay. */
  refuse(): void;
  /** Whether a connection of the database, by its port there, goes this way. */
  isWayOf(port: number): boolean;
  close(): Promise<void>;
}

/** What a connection asks for as it begins: user, database, statement_timeout, options … */
export type Settings = Readonly<Record<string, string>>;

const COPY_DONE = 'c'.charCodeAt(0);

/**
 * Stands between PostgreSQL and who asks it. What the database says after the last row of a COPY comes `afterCopyMs` later,
 * as it does on a busy network; `asked` may change what a new connection asks for.
 */
export async function databaseProxy(
  target: string,
  { afterCopyMs = 0, asked }: { afterCopyMs?: number; asked?: (settings: Settings) => Settings } = {},
): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.setNoDelay();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    let isFirst = true;
    near.on('data', (bytes) => {
      far.write(isFirst && asked ? changeSettings(bytes, asked) : bytes);
      isFirst = false;
    });
    if (afterCopyMs > 0) handSlowly(far, near, afterCopyMs);
    else far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  const shut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const it of open) it.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut: shut,
    refuse: () => void server.close(),
    isWayOf: (port) => [...open].some((it) => it.localPort === port),
    mend: async () => {
      server.listen(own, '127.0.0.1');
      await once(server, 'listening');
    },
    close: async () => void (server.listening && (await shut())),
  };
}

/** The first message: its length, the version of the protocol, names and values with a zero after each, and one more. */
function changeSettings(message: Buffer, change: (settings: Settings) => Settings): Buffer {
  const texts = message.subarray(8).toString().split('\0').slice(0, -2);
  const settings = Object.fromEntries(texts.flatMap((it, i) => (i % 2 === 0 ? [[it, texts[i + 1] ?? '']] : [])));
  const body = Buffer.from(`${Object.entries(change(settings)).flat().join('\0')}\0\0`);
  const head = Buffer.from(message.subarray(0, 8));
  head.writeUInt32BE(head.length + body.length);
  return Buffer.concat([head, body]);
}

/** Message by message: a letter, the length of the rest in four bytes, the rest. */
function handSlowly(from: Socket, to: Socket, ms: number): void {
  let unread = Buffer.alloc(0);
  let isHeld = false;
  const hand = () => {
    let end = 0;
    while (!isHeld && unread.length - end >= 5) {
      const length = 1 + unread.readUInt32BE(end + 1);
      if (unread.length - end < length) break;
      isHeld = unread[end] === COPY_DONE;
      end += length;
    }
    if (end > 0) to.write(unread.subarray(0, end));
    unread = unread.subarray(end);
    if (isHeld) {
      setTimeout(() => {
        isHeld = false;
        hand();
      }, ms);
    }
  };
  from.on('data', (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    if (!isHeld) hand();
  });
}
