import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface PoolerProxy {
  url: string;
  close(): Promise<void>;
}

const KEY = 'K'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * A pooler as PgBouncer is one with `pool_mode=transaction`, for who asks one thing after the other: each connection signs in by
 * itself and is told a process that is none of the database's, and what it asks then goes to the session of the first.
 */
export async function poolerProxy(target: string): Promise<PoolerProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    return socket;
  };
  let session: Socket | undefined;
  let asker: Socket;
  const server = createServer((near) => {
    keep(near);
    const far = keep(connect(Number(port), hostname));
    let isIn = false;
    let unread = Buffer.alloc(0);
    near.on('data', (bytes) => {
      if (!isIn) return void far.write(bytes);
      if (bytes[0] === TERMINATE) return void near.end();
      asker = near;
      session?.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isIn) return void asker.write(bytes);
      unread = Buffer.concat([unread, bytes]);
      // Message by message: a letter, the length of the rest in four bytes, the rest.
      while (unread.length >= 5 && unread.length > unread.readUInt32BE(1)) {
        const message = unread.subarray(0, 1 + unread.readUInt32BE(1));
        unread = unread.subarray(message.length);
        if (message[0] === KEY) message.writeUInt32BE(1, 5);
        isIn = message[0] === READY;
        if (isIn) session ??= far;
        near.write(message);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const it of open) it.destroy();
      await closed;
    },
  };
}
