import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { urlOf, type Cluster, type Login } from './cluster.ts';

export const DATABASE = 'reflow';
/** Owns the database and everything in it, and has no right beyond that. */
const OWNER = 'reflow_owner';

/** Each catalog of what lies in a schema and has an owner, with the beginning of its columns' names. */
const CATALOGS = {
  pg_class: 'rel',
  pg_type: 'typ',
  pg_proc: 'pro',
  pg_statistic_ext: 'stx',
  pg_collation: 'coll',
  pg_conversion: 'con',
  pg_operator: 'opr',
  pg_opclass: 'opc',
  pg_opfamily: 'opf',
  pg_ts_dict: 'dict',
  pg_ts_config: 'cfg',
};

/**
 * Makes the role that the server connects as, and the database, where they are missing, and gives the role what is still
 * the superuser's in it: each step is done wholly or not at all, and a second time finds nothing to do.
 * Rule: operating#database.
 */
export async function ensureOwner(cluster: Cluster, port: number, log: (sentence: string) => void): Promise<Login> {
  const known = readOwner(cluster);
  const owner = known ?? { user: OWNER, password: randomBytes(24).toString('base64url') };
  await connected(urlOf(cluster.superuser, port, 'postgres'), async (client) => {
    await ensureRole(client);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  });
  await connected(urlOf(cluster.superuser, port, DATABASE), async (client) => {
    const given = await giveAll(client);
    if (given > 0) log(`Gave the database to ${OWNER}, who is no superuser (${given} of its objects)`);
    if (known && (await opens(urlOf(known, port, DATABASE)))) return;
    await client.query(`ALTER ROLE ${OWNER} PASSWORD '${owner.password}'`);
    const draft = `${fileOf(cluster)}.new`;
    writeFileSync(draft, owner.password, { mode: 0o600 });
    renameSync(draft, fileOf(cluster));
  });
  return owner;
}

/** As whom the server connects; null where no start has made the role yet. */
export function readOwner(cluster: Cluster): Login | null {
  const file = fileOf(cluster);
  const password = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return password ? { user: OWNER, password } : null;
}

const fileOf = ({ folder }: Cluster): string => join(dirname(folder), 'db.owner.password');

async function ensureRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isFit: boolean }>(
    `SELECT rolcanlogin AND NOT (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls) AS "isFit"
       FROM pg_roles WHERE rolname = $1`,
    [OWNER],
  );
  if (!rows[0]) await client.query(`CREATE ROLE ${OWNER} LOGIN`);
  else if (!rows[0].isFit)
    await client.query(`ALTER ROLE ${OWNER} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS`);
}

/**
 * Gives the role what the superuser owns in this database; what belongs to an extension stays the superuser's. PostgreSQL
 * refuses REASSIGN OWNED for the superuser that a cluster was made with, so it goes object by object.
 * @returns how many objects it was
 */
async function giveAll(client: pg.Client): Promise<number> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ statement: string }>(owned);
  for (const { statement } of rows) await client.query(statement);
  await client.query('COMMIT');
  return rows.length;
}

/** What follows another object (a table's row type, the sequence of a column) is given with that one. */
const owned = `
  WITH me AS (SELECT oid FROM pg_roles WHERE rolname = current_user),
  own AS (
    SELECT nsp.oid AS schema, it.* FROM pg_namespace AS nsp CROSS JOIN LATERAL (
      SELECT 'pg_namespace'::regclass AS catalog, nsp.oid, nsp.nspowner AS owner
      ${Object.entries(CATALOGS)
        .map(
          ([catalog, it]) =>
            `UNION ALL SELECT '${catalog}'::regclass, oid, ${it}owner FROM ${catalog} WHERE ${it}namespace = nsp.oid` +
            (catalog === 'pg_class' ? ` AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')` : ''),
        )
        .join(' ')}
    ) AS it
    WHERE nsp.nspname !~ '^pg_' AND nsp.nspname <> 'information_schema')
  SELECT format('ALTER DATABASE %I OWNER TO ${OWNER}', datname) AS statement
    FROM pg_database, me WHERE datname = current_database() AND datdba = me.oid
  UNION ALL
  SELECT format('ALTER %s %s OWNER TO ${OWNER}',
           CASE WHEN it.type IN ('function', 'procedure', 'aggregate') THEN 'ROUTINE' ELSE replace(it.type, ' object', '') END,
           it.identity)
    FROM own JOIN me ON me.oid = own.owner
    CROSS JOIN LATERAL pg_identify_object(own.catalog, own.oid, 0) AS it
   WHERE NOT EXISTS (
     SELECT 1 FROM pg_depend AS d WHERE d.classid = own.catalog AND d.objid = own.oid AND d.objsubid = 0
        AND (d.deptype IN ('e', 'i') OR d.deptype = 'a' AND d.classid = 'pg_class'::regclass AND d.refobjsubid > 0))`;

async function opens(url: string): Promise<boolean> {
  try {
    return await connected(url, async () => true);
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') return false;
    throw error;
  }
}

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A database that ends meanwhile: the next question says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
