import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

/**
 * Which proxies Fastify believes: a number of them is counted from this server outwards, whatever else the chain claims;
 * addresses are compared. (A bare number would make Fastify believe none.)
 */
export const trustedProxies = ({
  trustProxy,
}: Config): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : (trustProxy ?? false);

/** Of who has hung up meanwhile, nothing is known. */
interface Asker {
  ip: FastifyRequest['ip'] | undefined;
  socket: Pick<FastifyRequest['socket'], 'remoteAddress'>;
}

/** The address of whoever asks, as the nearest proxy that is not ours saw it; what is no address is not believed. */
export function addressOf({ ip = '', socket }: Asker): string {
  const said = plain(ip);
  return isIP(said) === 0 ? plain(socket.remoteAddress ?? '') : said;
}

/**
 * What a limit by address counts: IPv4 as it is; of IPv6 the network, of which a single subscriber has all addresses.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [parts(head), parts(tail)];
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0') : [];
  const network = [...before, ...zeros, ...after].slice(0, 4).map((it) => Number.parseInt(it, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** Without a port, brackets, or the disguise of IPv4 as IPv6; some proxies write the first two. */
function plain(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
