import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Wire {
  url: string;
  cut: () => void;
  mend: () => void;
  end: () => void;
}

/** A network cable to this server, which can be cut: then nothing is reached, as behind a dead switch. */
export async function startWire(to: string): Promise<Wire> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (it: Socket) => {
    sockets.add(it);
    it.on('error', () => it.destroy());
    it.on('close', () => sockets.delete(it));
    return it;
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    keep(near).pipe(keep(far)).pipe(near);
    near.on('close', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const it of sockets) it.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (isCut = false),
    end: () => {
      cut();
      server.close();
    },
  };
}
