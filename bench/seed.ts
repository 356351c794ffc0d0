import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/pool.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { registers } from '#main/registers.ts';
import { addBaseData } from '#server/demo/base.ts';
import { collectRows, insertRows } from '#server/demo/rows.ts';
import { readOptions } from '../scripts/lib/options.mjs';
import { filled, highestNumber, inserts, itemIds, saveNumbers, planBills, planUnits, UNITS_A_BILL } from './seedSql.ts';

/** Units of one round: large enough to be fast, small enough to see it move. */
const ROUND = 100_000;
const MOST = 10_000_000;
const TRIES = 12;

const config = readConfig();
const sns = askedFor();
await withDatabaseUrl(config, (url) => seed(url, sns));

function askedFor(): number {
  const { values: options } = readOptions('npm run seed [-- --sns 1000000]', { sns: /^\d+$/ });
  const asked = Number(options.sns ?? 100_000);
  if (asked >= 1 && asked <= MOST) return asked;
  console.error(`--sns: a whole number from 1 to ${MOST}, as in npm run seed -- --sns 1000000`);
  process.exit(1);
}

/**
 * Fills the database with bulk data for measuring; a second run adds to the first. The indexes and foreign keys of the
 * filled tables are dropped for as long as it takes and made anew as a start makes them, so nobody works on it meanwhile.
 * What one run adds is there as a whole or not at all.
 */
async function seed(url: string, count: number): Promise<void> {
  const began = performance.now();
  await prepareDatabase(url, registers);
  await requireUsers(url);
  await ensureBaseData(url);
  const client = new pg.Client({ connectionString: url, application_name: 'reflow seed' });
  await client.connect();
  try {
    await client.query(`SET synchronous_commit = off; SET work_mem = '256MB'; SET maintenance_work_mem = '256MB'`);
    await client.query('BEGIN');
    await dropForeignKeys(client);
    await dropIndexes(client);
    const rows = await fill(client, count);
    await client.query('COMMIT');
    await timed('indexes, foreign keys', () => restoreSchema(url));
    await timed('vacuum, analyze', () => client.query(`VACUUM (ANALYZE) ${filled.join(', ')}`));
    const seconds = (performance.now() - began) / 1000;
    console.log(`${words(rows)} rows in ${seconds.toFixed(0)} s: ${words(rows / seconds)} rows/s`);
  } finally {
    await client.end();
  }
}

async function requireUsers(url: string): Promise<void> {
  const { db, close } = openDatabase(url, config.timeZone, { size: 1 });
  try {
    if (await db.selectFrom('admin_user').select('id').limit(1).executeTakeFirst()) return;
    console.error('Bulk data are the work of a user, and there is none yet: start Reflow once (npm start), then seed.');
    process.exit(1);
  } finally {
    await close();
  }
}

/** Places, goods and codes of the demo, where the database has none: bulk data hang on them. */
async function ensureBaseData(url: string): Promise<void> {
  const { db, close } = openDatabase(url, config.timeZone, { size: 2 });
  try {
    const some = await db.selectFrom('ubs_item').select('id').where('type', '=', '0').executeTakeFirst();
    if (some) return;
    const rows = collectRows();
    addBaseData(rows, Date.now());
    await db.transaction().execute(async (trx) => {
      for (const table of rows.tables()) await insertRows(trx, table, rows.of(table));
    });
  } finally {
    await close();
  }
}

/** Bulk data that break a constraint would measure another database than people work on. */
async function restoreSchema(url: string): Promise<void> {
  for (let tries = TRIES; ; tries--) {
    const { leftOut } = await prepareDatabase(url, registers, { isAlone: true });
    if (leftOut.length === 0) return;
    // The database looks through what was filled by itself, and holds its tables meanwhile.
    const isBusy = leftOut.every((it) => it.endsWith('its table is busy'));
    if (!isBusy || tries === 0) throw new Error(`The data break what the definitions say: ${leftOut.join('; ')}`);
    await setTimeout(5000);
  }
}

/** Those of the tables, and those that refer to them and hold their indexes. */
async function dropForeignKeys(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement
       FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))`,
    [filled],
  );
  for (const { statement } of rows) await client.query(statement);
}

/** Every index but the primary keys; `prepareDatabase` makes what the definitions ask for. */
async function dropIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(c.relname) AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE i.indrelid = ANY($1::regclass[]) AND NOT i.indisprimary`,
    [filled],
  );
  if (rows.length > 0) await client.query(`DROP INDEX ${rows.map((it) => it.name).join(', ')}`);
}

async function fill(client: pg.Client, count: number): Promise<number> {
  const bills = Math.ceil(count / UNITS_A_BILL);
  const before = await readNumber(
    client,
    `SELECT coalesce(max(substr(sn, 8)::bigint), 0) AS n FROM rma_inventory WHERE sn ~ '^.{5}9Z[0-9]{10}$'`,
  );
  for (const statement of planBills(bills, config.timeZone)) await client.query(statement);
  if ((await readNumber(client, highestNumber)) > 99_999) {
    throw new Error('A day has no numbers left for so many bills; seed an empty database instead');
  }
  const totals = new Map<string, { rows: number; ms: number }>();
  const each = ROUND / UNITS_A_BILL;
  for (let firstBill = 0; firstBill < bills; firstBill += each) {
    const lastBill = Math.min(firstBill + each, bills) - 1;
    const lastItem = await readNumber(client, `SELECT coalesce(max(id), 0) AS n FROM rma_maintain_bill_line_item`);
    for (const statement of planUnits({ firstBill, lastBill, sns: count, before })) await client.query(statement);
    for (const { table, sql } of inserts) {
      if (table === 'rma_stockup_bill_line') for (const it of itemIds(lastItem)) await client.query(it);
      const began = performance.now();
      const { rowCount } = await client.query(sql);
      const total = totals.get(table) ?? { rows: 0, ms: 0 };
      totals.set(table, { rows: total.rows + (rowCount ?? 0), ms: total.ms + performance.now() - began });
    }
    console.log(`  ${words(Math.min((lastBill + 1) * UNITS_A_BILL, count))} SNs`);
  }
  await client.query(saveNumbers);
  for (const [table, { rows, ms }] of totals) {
    console.log(
      `  ${table.padEnd(30)} ${words(rows).padStart(12)} rows ${words((rows / ms) * 1000).padStart(10)} rows/s`,
    );
  }
  return [...totals.values()].reduce((sum, it) => sum + it.rows, 0);
}

async function readNumber(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<Record<string, unknown>>(query);
  return Number(Object.values(rows[0] ?? {})[0]);
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  console.log(`  ${what.padEnd(30)} ${((performance.now() - began) / 1000).toFixed(1).padStart(12)} s`);
}

function words(n: number): string {
  return Math.round(n).toLocaleString('en');
}
