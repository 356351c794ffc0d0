import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { readConfig } from '#server/config.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { ROOT } from '#server/root.ts';
import { readOptions } from '../../scripts/lib/options.mjs';
import { RELEASES, type Structure } from '#tests/support/releaseFiles.ts';

/**
 * `npm run release -- COMMIT …`: of each of these versions the database as its own first start and demo leave it, as a
 * fixture that every later version is upgraded from: its backup, made by itself, and what a backup leaves to the next start.
 */
const MAX_BYTES = 3_000_000;
const READY_MS = 600_000;
const { words: commits } = readOptions('npm run release -- COMMIT …', {}, () => true);
if (commits.length === 0) throw new Error('Say of which versions: npm run release -- COMMIT …');
for (const commit of commits) await make(commit);

async function make(commit: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reflow-release-'));
  // Run as root, PostgreSQL is another user, who is to reach its data here and nowhere else.
  chmodSync(folder, 0o755);
  const clone = join(folder, 'clone');
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'backup.tar.gz');
  try {
    run(ROOT, 'git', ['clone', '--quiet', '--shared', ROOT, clone]);
    run(clone, 'git', ['checkout', '--quiet', commit]);
    run(clone, 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund']);
    const [day, hash] = run(clone, 'git', ['log', '-1', '--format=%cs %h', '--abbrev=8']).trim().split(' ');
    await fill(clone, dataDir, backup);
    const target = join(RELEASES, `${day}-${hash}`);
    const structure = await withDatabaseUrl({ ...readConfig({}), dataDir }, readStructure);
    if (structure.length === 0) throw new Error(`The database of ${commit} has no indexes, keys and triggers`);
    const packed = gzipSync(gunzipSync(readFileSync(backup)), { level: 9 });
    if (packed.length > MAX_BYTES) throw new Error(`The backup of ${commit} has ${packed.length} bytes`);
    writeFileSync(`${target}.tar.gz`, packed);
    writeFileSync(`${target}.json.gz`, gzipSync(JSON.stringify(structure), { level: 9 }));
    process.stdout.write(`${target}: ${packed.length} bytes, ${structure.length} indexes, keys and triggers\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, program: string, args: string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Starts the version with its demo, lets it make its backup, and stops it. */
async function fill(clone: string, dataDir: string, backup: string): Promise<void> {
  const port = String(await freePort());
  const env = { ...process.env, PORT: port, DATA_DIR: dataDir, DEMO: 'on', CAPTCHA: 'off', DATABASE_URL: '' };
  const main = ['src/main/server.ts', 'src/server/main.ts'].find((it) => existsSync(join(clone, it))) as string;
  const server = spawn(process.execPath, ['--import', 'tsx', main], { cwd: clone, env, stdio: 'inherit' });
  const ended = once(server, 'exit');
  try {
    await ready(`http://127.0.0.1:${port}/readyz`, ended);
    run(clone, 'npm', ['run', '--silent', 'backup', '--', backup], env);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function ready(url: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (const until = Date.now() + READY_MS; Date.now() < until && !isOver;) {
    if (
      await fetch(url).then(
        (it) => it.ok,
        () => false,
      )
    )
      return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error(`${url} was never ready`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Indexes, constraints and triggers, in the order in which they can be made over rows. */
async function readStructure(url: string): Promise<Structure[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Structure>(`
      SELECT c.relname AS name, t.relname AS "table", pg_get_indexdef(i.indexrelid) AS sql, 1 AS nth
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
       WHERE t.relnamespace = current_schema()::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
       UNION ALL
      SELECT k.conname, t.relname,
             format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)),
             CASE k.contype WHEN 'f' THEN 3 ELSE 2 END
        FROM pg_constraint AS k JOIN pg_class AS t ON t.oid = k.conrelid
       WHERE t.relnamespace = current_schema()::regnamespace AND k.contype IN ('c', 'f', 'u')
       UNION ALL
      SELECT g.tgname, t.relname, pg_get_triggerdef(g.oid), 4
        FROM pg_trigger AS g JOIN pg_class AS t ON t.oid = g.tgrelid
       WHERE t.relnamespace = current_schema()::regnamespace AND NOT g.tgisinternal
       ORDER BY nth, "table", name`);
    return rows.map(({ name, table, sql }) => ({ name, table, sql }));
  } finally {
    await client.end();
  }
}
