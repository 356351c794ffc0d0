import { at, measureTimes, post, withPool } from './measure.ts';
import type { Station } from './station.ts';

export interface PublishFigures {
  /** How often it was published, and how long one took: until its job is done, and until its index is there. */
  publishes: number;
  answerMs: number;
  indexMs: number;
  /** How many scans were measured meanwhile. */
  scans: number;
  /** A scan's verdict, and a row's change, while it is published against the same before: 95th percentiles, as ratios. */
  scanRatio: number;
  writeRatio: number;
}

const PUBLISHES = 5;
const PER_SECOND = 20;
const BEFORE = 300;
/** Each publish adds a column, and an index that every row is read for. */
const indexes = [
  ['itemName'],
  ['salesCode', 'ivyId'],
  ['mtbId', 'ivyId'],
  ['ivyId', 'salesCode'],
  ['itemName', 'ivyId'],
];

/**
 * Publishes of a field and an index of the table that a station scans, 20 scans a second, while rows of it are written as
 * well. Rule: operating#measuring.
 */
export async function measurePublish(
  base: string,
  token: string,
  url: string,
  station: Station,
): Promise<PublishFigures> {
  const run = Date.now().toString(36);
  return withPool(url, 2, async (pool) => {
    const { rows } = await pool.query<{ id: number }>(`SELECT id FROM rma_inventory ORDER BY id DESC LIMIT 1000`);
    const ids = rows.map((it) => it.id);
    const write = async (i: number) => {
      await pool.query(`UPDATE rma_inventory SET "itemName" = "itemName" WHERE id = $1`, [ids[i % ids.length]]);
      return { ok: true, text: '' };
    };
    const call = async <Data>(path: string, input: object): Promise<Data> => {
      const { ok, text } = await post(`${base}/api/${path}.json`, input, { token });
      if (!ok) throw new Error(`${path}: ${text.slice(0, 300)}`);
      return (JSON.parse(text) as { data: Data }).data;
    };
    /** Until the job of a publish, or of a taking back, is over; gives its number. */
    const publish = async (path: string, input: object): Promise<number> => {
      const { jobId } = await call<{ jobId: number }>(path, input);
      for (;;) {
        const { rows: jobs } = await pool.query<{ state: string; id: number | null }>(
          `SELECT state, (result ->> 'id')::int AS id FROM job WHERE id = $1`,
          [jobId],
        );
        const [{ state, id } = { state: '', id: null }] = jobs;
        if (state === 'done' && id !== null) return id;
        if (state !== 'queued' && state !== 'running') throw new Error(`${path}: ${state}`);
        await new Promise((done) => setTimeout(done, 50));
      }
    };
    const work = async (isRunning: (done: number) => boolean) => {
      const [scans, writes]: [number[], number[]] = [[], []];
      const start = performance.now();
      while (isRunning(scans.length)) {
        const due = start + (scans.length * 1000) / PER_SECOND;
        await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
        scans.push(...(await measureTimes(1, () => station.scan(scans.length))));
        writes.push(...(await measureTimes(1, () => write(writes.length))));
      }
      return { scans, writes };
    };
    const before = await work((done) => done < BEFORE);
    let isPublishing = true;
    const during = work(() => isPublishing);
    const [answers, built]: [number[], number[]] = [[], []];
    const published: number[] = [];
    for (const [i, columns] of indexes.slice(0, PUBLISHES).entries()) {
      const name = `bench${run}${i}`;
      const { id: draftId } = await call<{ id: number }>('sysDraft/create', { name });
      const change = {
        fields: { [name]: { type: 'String', label: { zh: name, en: name } } },
        indexes: [[...columns, name]],
      };
      await call('sysModule/saveChange', { draftId, module: 'rmaInventory', version: 0, change });
      const { rows: drafts } = await pool.query<{ version: number }>('SELECT version FROM sys_draft WHERE id = $1', [
        draftId,
      ]);
      const began = performance.now();
      const id = await publish('sysDraft/publish', { id: draftId, version: drafts[0]?.version, note: name });
      answers.push(performance.now() - began);
      published.push(id);
      while (!(await hasIndex(pool, name))) await new Promise((done) => setTimeout(done, 50));
      built.push(performance.now() - began);
    }
    isPublishing = false;
    const meanwhile = await during;
    const after = await work((done) => done < BEFORE);
    for (const id of published.toReversed()) await publish('sysPublish/takeBack', { id, since: false, note: run });
    // Columns stay, as they do for everybody; the indexes would be written with each row of what is measured next.
    const { rows: left } = await pool.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'rma_inventory' AND indexdef LIKE '%bench%'`,
    );
    for (const { name } of left) await pool.query(`DROP INDEX "${name}"`);
    return {
      publishes: PUBLISHES,
      answerMs: at(sorted(answers), 0.5),
      indexMs: at(sorted(built), 0.5),
      scans: meanwhile.scans.length,
      // Before and after: a machine is not as quick at all times.
      scanRatio: p95(meanwhile.scans) / p95([...before.scans, ...after.scans]),
      writeRatio: p95(meanwhile.writes) / p95([...before.writes, ...after.writes]),
    };
  });
}

const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b);
const p95 = (times: readonly number[]) => at(sorted(times), 0.95);

async function hasIndex(
  pool: { query: (text: string, values: unknown[]) => Promise<{ rowCount: number | null }> },
  column: string,
) {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
      WHERE i.indrelid = 'rma_inventory'::regclass AND i.indisvalid AND a.attname = $1`,
    [column],
  );
  return rowCount !== null && rowCount > 0;
}
