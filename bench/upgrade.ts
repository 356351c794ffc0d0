import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { registers } from '#main/registers.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { ROOT } from '#server/root.ts';
import { at, get, post, withPool } from './measure.ts';
import type { Station } from './station.ts';

export interface UpgradeFigures {
  /** How long the start of the next version took to prepare the database. */
  upgradeMs: number;
  calls: number;
  failed: number;
  p95Ms: number;
  longestMs: number;
  /** Of as many calls without an upgrade. */
  longestBeforeMs: number;
}

const WRITERS = 10;
const BEFORE_MS = 15_000;

/**
 * A next version's start beside a server on whose database ten people write all the time: how long a call of theirs takes at most.
 * What the upgrade made goes again. Rule: operating#measuring.
 */
export async function measureUpgrade(
  base: string,
  tokens: { admin: string },
  url: string,
  station: Station,
): Promise<UpgradeFigures> {
  await takeBack(url);
  const pool = new pg.Pool({ connectionString: url, max: WRITERS }).on('error', () => undefined);
  try {
    const writers = await openWriters(base, tokens.admin, pool, station);
    const before = await work(writers, async () => {
      await new Promise((done) => setTimeout(done, BEFORE_MS));
    });
    let told = { ms: 0, applied: [] as string[], leftOut: [] as string[] };
    const during = await work(writers, async () => {
      const { stdout } = await promisify(execFile)('npx', ['tsx', 'bench/upgradeStart.ts'], {
        cwd: ROOT,
        env: { ...process.env, DATABASE_URL: url },
      });
      told = JSON.parse(stdout) as typeof told;
    });
    const built = told.applied.filter((it) => /^CREATE INDEX CONCURRENTLY|VALIDATE|SET NOT NULL|beside\.sql/.test(it));
    if (told.leftOut.length > 0 || built.length < 4) throw new Error(`Not all was done: ${JSON.stringify(told)}`);
    const longest = (times: readonly number[]) => times.at(-1) ?? 0;
    return {
      ...{ upgradeMs: told.ms, calls: during.times.length, failed: during.failed },
      ...{ p95Ms: at(during.times, 0.95), longestMs: longest(during.times), longestBeforeMs: longest(before.times) },
    };
  } finally {
    await pool.end();
    await takeBack(url);
  }
}

/** Also what an earlier run that was broken off has left. */
async function takeBack(url: string): Promise<void> {
  await withPool(url, 1, async (pool) => {
    await pool.query(`ALTER TABLE rma_inventory DROP COLUMN IF EXISTS "benchSite" CASCADE`);
    await pool.query(`DELETE FROM migration WHERE name LIKE '9%'`);
  });
  await prepareDatabase(url, registers);
}

type Call = () => Promise<{ ok: boolean; text: string }>;

/** Half of them change a bill through its form, half scan a unit and write its row. */
async function openWriters(base: string, token: string, pool: pg.Pool, station: Station): Promise<Call[]> {
  const bills = await pool.query<{ id: string }>(
    `SELECT id FROM rma_maintain_bill WHERE "createBy" = 'seed' AND "billStatus" IN ('0', '1', '3') ORDER BY id LIMIT $1`,
    [WRITERS],
  );
  const units = await pool.query<{ id: string }>('SELECT id FROM rma_inventory ORDER BY id DESC LIMIT 1000');
  return bills.rows.map(({ id }, writer): Call => {
    let n = 0;
    if (writer % 2 === 0) {
      return async () => {
        const { text } = await get(`${base}/api/rmaMaintainBill/toModify.json?id=${id}`, { token });
        const { item, items } = (
          JSON.parse(text) as {
            data: { item: Record<string, unknown>; items: { queryName: string; readOnly?: boolean }[] };
          }
        ).data;
        const fields = items.filter((it) => !it.readOnly).map((it) => [it.queryName, item[it.queryName]] as const);
        const form = { ...Object.fromEntries(fields), id, version: item['version'], remark: `upgrade ${++n}` };
        return post(`${base}/api/rmaMaintainBill/modifyById.json`, form, { token });
      };
    }
    return async () => {
      const unit = units.rows[(++n * WRITERS + writer) % units.rows.length]?.id;
      await pool.query(`UPDATE rma_inventory SET "itemName" = "itemName" WHERE id = $1`, [unit]);
      return station.scan(n * WRITERS + writer);
    };
  });
}

/** All writers go on, one call after the other, until `meanwhile` is over. */
async function work(writers: readonly Call[], meanwhile: () => Promise<void>) {
  const times: number[] = [];
  let failed = 0;
  let isOver = false;
  const working = writers.map(async (call) => {
    while (!isOver) {
      const began = performance.now();
      const { ok, text } = await call();
      times.push(performance.now() - began);
      if (!ok && ++failed <= 3) console.error(`A call failed: ${text.slice(0, 300)}`);
    }
  });
  try {
    await meanwhile();
  } finally {
    isOver = true;
    await Promise.all(working);
  }
  return { times: times.sort((a, b) => a - b), failed };
}
