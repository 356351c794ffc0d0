import pg from 'pg';

/** A database that lets nobody in for as long is told as down. */
export const CONNECT_MS = 5_000;
const PORT = 5432;

/** Where a database is, of the hosts that its address names. */
interface Place {
  host: string;
  port: number;
}

/** `postgres://` + who and the hosts + the rest. */
const ADDRESS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s;
const WANTED = /([?&])target_session_attrs=([^&]*)(&?)/;
/** What writes can be asked of; libpq knows others for who only reads. */
const WRITING = ['read-write', 'primary'];
/** What libpq takes where nothing is said. */
const ANY = 'any';

/**
 * The addresses of the single hosts of `postgres://who@a:5432,b:5433/db?target_session_attrs=read-write`, in their order.
 * @throws Error with what is wrong of it, without its password
 */
export function hostsOf(url: string): string[] {
  const [, scheme = '', authority = '', said = ''] = ADDRESS.exec(url) ?? [];
  if (/[?&]host=[^&]*(,|%2C)/i.test(said)) {
    throw new Error('several hosts are named as postgres://a:5432,b:5432/db and not by ?host=');
  }
  const wanted = WANTED.exec(said)?.[2];
  const who = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = authority.slice(who.length).split(',');
  const isAnyOfOne = wanted === ANY && hosts.length === 1;
  if (wanted !== undefined && !WRITING.includes(wanted) && !isAnyOfOne) {
    throw new Error(`Reflow writes, so target_session_attrs is ${WRITING.join(' or ')} and not ${wanted}`);
  }
  // It is no setting of a connection, and a single host is taken as it is.
  const rest = said.replace(WANTED, (_, before: string, _value, after: string) => (after ? before : ''));
  if (hosts.length === 1) return [wanted === undefined ? url : scheme + authority + rest];
  return hosts.map((host) => {
    const single = `${scheme}${who}${host}${rest}`;
    // `new URL` takes no empty host, and a password of any letters only if they are escaped.
    if (!URL.canParse(`${scheme}${host}`) || !new URL(`${scheme}${host}`).hostname || !URL.canParse(single)) {
      throw new Error('one of its hosts is no host with its port; name several as postgres://who@a:5432,b:5432/db');
    }
    return single;
  });
}

/**
 * A connection to the database that an address names: every connection of the server is one, or one of a pool of them. Of
 * several hosts it goes to one that takes changes, asked anew for each connection, as another one may since have taken over.
 */
export class DatabaseClient extends pg.Client {
  readonly #url: string;
  readonly #hosts: string[];
  readonly #waitMs: number;

  constructor({ connectionString = '', ...config }: pg.ClientConfig) {
    const hosts = hostsOf(connectionString);
    super({ ...config, connectionString: hosts[0] });
    this.#url = connectionString;
    this.#hosts = hosts;
    this.#waitMs = config.connectionTimeoutMillis ?? CONNECT_MS;
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    const connecting = this.#connect();
    if (!callback) return connecting;
    // As pg calls it: without an error where there is none.
    const done = callback as (error?: Error) => void;
    connecting.then(() => done(), done);
  }

  async #connect(): Promise<this> {
    // Where a connection goes, pg takes from itself.
    if (this.#hosts.length > 1) Object.assign(this, await findWriting(this.#url, this.#hosts, this.#waitMs));
    await super.connect();
    return this;
  }
}

/** Who opens many connections at once asks the hosts once. */
const asking = new Map<string, Promise<Place>>();

function findWriting(url: string, hosts: readonly string[], waitMs: number): Promise<Place> {
  const asked =
    asking.get(url) ??
    Promise.any(hosts.map((it) => askWhetherItWrites(it, waitMs)))
      .catch((error: AggregateError) => Promise.reject(noneWrites(hosts, error.errors as Error[])))
      .finally(() => asking.delete(url));
  asking.set(url, asked);
  return asked;
}

async function askWhetherItWrites(url: string, waitMs: number): Promise<Place> {
  const client = new pg.Client({
    ...{ connectionString: url, application_name: 'reflow hosts' },
    ...{ connectionTimeoutMillis: waitMs, query_timeout: waitMs },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ only: boolean }>(
      `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS only`,
    );
    if (rows[0]?.only) throw Object.assign(new Error('it only reads'), { code: READ_ONLY });
    return { host: client.host, port: client.port };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const READ_ONLY = '25006';
const TOO_MANY_CONNECTIONS = '53300';
const UNREACHABLE = '08001';

/** Why none of the hosts is taken, with the code of that one which would take changes: standbys only read, as they should. */
function noneWrites(hosts: readonly string[], errors: readonly Error[]): Error {
  const codes = errors.map((it) => (it as NodeJS.ErrnoException).code ?? UNREACHABLE);
  const others = codes.filter((it) => it !== READ_ONLY);
  const said = hosts.map((it, i) => `${placeOf(it)} (${reasonOf(errors[i])})`);
  return Object.assign(new Error(`None of the ${hosts.length} hosts takes changes: ${said.join(', ')}`), {
    code: others.includes(TOO_MANY_CONNECTIONS) ? TOO_MANY_CONNECTIONS : (others[0] ?? READ_ONLY),
  });
}

/** A host with several addresses fails with one error for each, and none of its own. */
const reasonOf = (error: Error | undefined): string =>
  (error instanceof AggregateError ? (error.errors[0] as Error) : error)?.message ?? '';

const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || PORT}`;
};
