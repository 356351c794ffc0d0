import { readFileSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import type { Definition } from '#domain/definition/grammar.ts';
import { reviewStep } from '#domain/review.ts';
import { openDatabase } from '#server/db/pool.ts';
import type { Tables } from '#server/db/tables.ts';
import { readModel } from '#server/definitions/read.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { registers } from '#main/registers.ts';
import { manyActions, type ManyAction } from '#tests/support/manyActions.ts';
import { withPool } from './measure.ts';

/** What a dry run takes: until somebody hears how far it is, until the answer, and the work of server and database. */
export interface BulkTimes {
  firstMs: number;
  ms: number;
  serverCpuMs: number;
  databaseCpuMs: number;
  /** What it is made of, bare, where that is told. */
  bareMs?: number;
}

export interface BulkFigures {
  rows: number;
  actions: Record<string, BulkTimes>;
}

interface Server {
  base: string;
  pid: number;
  /** A session of this user. */
  signIn: (userId: string) => Promise<string>;
}

type Db = Kysely<Tables>;
const ROWS = 7000;
const TIMES = 3;
const MAKER = 'bench';
const { definitions } = readModel(registers);
const definitionOf = (module: string) => definitions.get(module) as Definition;

/** The statements that an action comes to when nothing is judged. */
const bare: Readonly<Record<string, string>> = {
  'ubsIssueCode:modify': `UPDATE ubs_issue_code SET disposition = 'scrap', version = version + 1, "updateTime" = now() WHERE id = ANY($1) RETURNING *`,
  'ubsIssueCode:deleteAll': 'DELETE FROM ubs_issue_code WHERE id = ANY($1) RETURNING *',
};

/** A field of the form that any row may be given, as text. */
const values: Readonly<Record<string, object>> = {
  ubsIssueCode: { disposition: 'scrap' },
};

/** Prices that all are for one kind of work, each a day after the other: the later ends the earlier. */
const ONE_KIND = 'rmaPriceBill:financialReview, one kind of work';

/**
 * Dry runs of 7,000 rows, of every action that a list takes for many, by the definitions; two of them against the same
 * statements bare, taken back likewise. Rule: operating#measuring.
 */
export async function measureBulk(
  { base, pid, signIn }: Server,
  databaseUrl: string,
  { only }: { only?: readonly string[] | undefined } = {},
): Promise<BulkFigures> {
  const { db, pool, close } = openDatabase(databaseUrl, 'Asia/Shanghai');
  const actions: BulkFigures['actions'] = {};
  try {
    await removeAll(db);
    const all = [...manyActions.map((it) => [nameOf(it), it] as const), [ONE_KIND, priceReview] as const];
    for (const [name, action] of all) {
      if (only && !only.some((it) => name.includes(it))) continue;
      const { module, script } = action;
      const ids = await fill(db, action, name === ONE_KIND);
      const body = {
        action: script,
        ids,
        dryRun: true,
        ...(script === 'modify' && { values: values[module] ?? { [textField(module)]: 'Measured' } }),
        ...(reviewStep(module, script) && { values: { result: '2' } }),
      };
      const token = await signIn('admin');
      // The shortest of some, in turns: a machine is not as quick at all times.
      const found: BulkTimes[] = [];
      for (let i = 0; i < TIMES; i++) {
        const cpu = { server: cpuOf([pid]), database: cpuOf(await backends(pool)) };
        const times = await preview(`${base}/api/${module}/bulk.json`, token, body);
        found.push({
          ...times,
          serverCpuMs: cpuOf([pid]) - cpu.server,
          databaseCpuMs: cpuOf(await backends(pool)) - cpu.database,
          ...(bare[name] && { bareMs: await runBare(databaseUrl, bare[name], ids) }),
        });
      }
      const least = (of: (it: BulkTimes) => number | undefined) => Math.min(...found.map((it) => of(it) ?? Infinity));
      actions[name] = {
        firstMs: least((it) => it.firstMs),
        ms: least((it) => it.ms),
        serverCpuMs: least((it) => it.serverCpuMs),
        databaseCpuMs: least((it) => it.databaseCpuMs),
        ...(bare[name] && { bareMs: least((it) => it.bareMs) }),
      };
      await removeAll(db);
    }
  } finally {
    await removeAll(db);
    await close();
  }
  return { rows: ROWS, actions };
}

const nameOf = ({ module, script }: ManyAction) => `${module}:${script}`;
const priceReview = manyActions.find((it) => it.module === 'rmaPriceBill') as ManyAction;

/** A field of the form that takes any text. */
function textField(module: string): string {
  const { fields, form = [], unique = [] } = definitionOf(module);
  const name = form.flat().find((it) => {
    const field = fields[it];
    return field?.type === 'String' && !field.unique && !field.readOnly && !unique.flat().includes(it) && !field.format;
  });
  if (!name) throw new Error(`${module} has no field of free text: tell bench/bulk.ts what to set`);
  return name;
}

async function preview(url: string, token: string, body: object): Promise<{ firstMs: number; ms: number }> {
  const began = performance.now();
  const reply = await fetch(url, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
  });
  let firstMs: number | undefined;
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of reply.body ?? []) {
    firstMs ??= performance.now() - began;
    text += decoder.decode(part, { stream: true });
  }
  const ms = performance.now() - began;
  const last = JSON.parse(
    text
      .trimEnd()
      .split('\n\n')
      .at(-1)
      ?.replace(/^data: /, '') ?? '{}',
  ) as { msg: string; data?: { doneCount: number; results: { msg: string; done: boolean }[] } };
  if (last.data?.doneCount !== ROWS) {
    const refused = last.data?.results?.find((it) => !it.done)?.msg;
    throw new Error(`${url} says ${last.msg} ${last.data?.doneCount} ${refused}`);
  }
  return { firstMs: firstMs ?? ms, ms };
}

/** With an entry of each row in the ledger. */
function runBare(databaseUrl: string, statement: string, ids: readonly number[]): Promise<number> {
  return withPool(databaseUrl, 1, async (pool) => {
    const client = await pool.connect();
    try {
      const began = performance.now();
      await client.query('BEGIN');
      await client.query(
        `WITH done AS (${statement})
         INSERT INTO ledger ("userId", "siteId", what, module, "recordId", after, "requestId")
         SELECT 'bench', 'SZ', 'bench', 'bench', id::text, to_jsonb(done), 'bench' FROM done`,
        [ids],
      );
      await client.query('ROLLBACK');
      return performance.now() - began;
    } finally {
      client.release(true);
    }
  });
}

/** The work that these processes have done, of Linux alone. */
function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, user = 0, system = 0] = /\) \S(?: \S+){10} (\d+) (\d+)/.exec(readStat(pid)) ?? [];
    // In hundredths of a second.
    return sum + 10 * (Number(user) + Number(system));
  }, 0);
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** The database's processes for those who are connected, where it runs on this machine. */
async function backends(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname IS NOT NULL');
  return rows.map((it) => it.pid);
}

/** The state in which a bill may be acted on, where it is no review. */
const states: Readonly<Record<string, object>> = {
  'rmaStockupBill:stopStockupBill': { status: '0' },
  'rmaStockupBill:resetStockupBill': { status: '3' },
  'rmaStockupBill:cancelStockupBill': { status: '0' },
};

/** So many rows that wait for the action, alike but for what is unique. */
async function fill(db: Db, action: ManyAction, isOneKind: boolean): Promise<number[]> {
  const { module, script } = action;
  const step = reviewStep(module, script);
  if (module === 'rmaCorrectionBill') return fillCorrections(db, step?.from ?? '');
  const own = { ...(step && { billStatus: step.from }), ...states[nameOf(action)] };
  const first = await insert(db, module, own);
  const unique = uniqueNames(definitionOf(module));
  const ids = [first, ...(await copy(db, module, first, unique, isOneKind ? followingDays : workOfItsOwn(module)))];
  if (module === 'rmaRepairFeeBill')
    await sql`INSERT INTO rma_repair_fee_bill_line ("rfbId", "isPriced", "includingTaxAmount", currency, "createBy")
              SELECT "rfbId", '1', 1, 'CNY', ${MAKER} FROM rma_repair_fee_bill, generate_series(1, 10) WHERE id = ANY(${ids})`.execute(
      db,
    );
  return ids;
}

/** A row that somebody else has made; what is unique is this run's own. */
async function insert(db: Db, module: string, own: object): Promise<number> {
  const definition = definitionOf(module);
  const mark = `B${Date.now().toString(36)}`;
  const isText = (name: string) => definition.fields[name]?.type === 'String';
  const sites = ['siteId', 'deliverSiteId'].filter((it) => it in definition.fields);
  const row = {
    ...alwaysOf(definition, definitions),
    ...Object.fromEntries(
      uniqueNames(definition)
        .filter((it) => definition.fields[it]?.type !== 'Month')
        .map((it) => [it, isText(it) ? mark : Date.now() % 1_000_000_000]),
    ),
    ...Object.fromEntries(sites.map((it) => [it, 'SZ'])),
    ...('currency' in definition.fields && { currency: 'CNY' }),
    createBy: MAKER,
    ...own,
  };
  const made = await insertRow(db, definition, row, definitions);
  if (!made) throw new Error(`${module}: a row like it is there already`);
  return Number(made.id);
}

const uniqueNames = ({ fields, number, unique = [] }: Definition): string[] => [
  ...new Set([
    ...Object.keys(fields).filter((it) => fields[it]?.unique),
    ...(number ? [number.field] : []),
    // One of several is enough.
    ...unique.map(
      (it) => it.findLast((name) => ['String', 'Integer', 'Month'].includes(fields[name]?.type ?? '')) ?? '',
    ),
  ]),
];

/** Each is for a kind of work of its own. */
const workOfItsOwn = (module: string): Record<string, string> =>
  module === 'rmaPriceBill' ? { repairProject: `to_jsonb('P' || n)` } : {};
/** Each begins on the day after the one before, and holds for ten. */
const followingDays: Record<string, string> = {
  effectiveDate: `to_jsonb('2030-01-01'::date + n)`,
  expirationDate: `to_jsonb('2030-01-10'::date + n)`,
};

/** Copies of a row, each told apart by its number in what is unique. */
async function copy(
  db: Db,
  module: string,
  id: number,
  unique: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  const { table, fields } = definitionOf(module);
  const { rows: columns } = await sql<{ name: string }>`
    SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = ${table} AND is_identity = 'NO' AND is_generated = 'NEVER'`.execute(
    db,
  );
  const names = sql.join(columns.map((it) => sql.ref(it.name)));
  const another = (name: string): string => {
    const value = `(it->>'${name}')`;
    switch (fields[name]?.type) {
      case 'Integer':
        return `${value}::bigint + n`;
      case 'Month':
        return `to_char('1000-01-01'::date + n * interval '1 month', 'YYYY-MM')`;
      default:
        return `${value} || n`;
    }
  };
  const changed = [
    ...unique.map((it) => sql`${sql.lit(it)}, ${sql.raw(another(it))}`),
    ...Object.entries(own).map(([name, value]) => sql`${sql.lit(name)}, ${sql.raw(value)}`),
  ];
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ${sql.table(table)} (${names})
    SELECT ${sql.join(columns.map((it) => sql`(made).${sql.ref(it.name)}`))}
      FROM (SELECT jsonb_populate_record(NULL::${sql.table(table)}, it || jsonb_build_object(${sql.join(changed)})) AS made
              FROM (SELECT to_jsonb(t) AS it FROM ${sql.table(table)} AS t WHERE id = ${id}) AS first,
                   generate_series(1, ${sql.lit(ROWS - 1)}) AS n OFFSET 0) AS copies
    RETURNING id`.execute(db);
  return rows.map((it) => Number(it.id));
}

/** Each corrects a line of a settled bill of its own. */
async function fillCorrections(db: Db, billStatus: string): Promise<number[]> {
  const no = `B${Date.now().toString(36)}`;
  const bill = await insert(db, 'rmaRepairFeeBill', { rfbId: no, billStatus: '6' });
  const settled = await insert(db, 'rmaRepairFeeBillLine', { rfbId: no, includingTaxAmount: '1' });
  const correction = await insert(db, 'rmaCorrectionBill', { crbId: no, rfbId: no, billStatus });
  const amount = { includingTaxAmount: '-0.01' };
  const line = await insert(db, 'rmaCorrectionBillLine', { crbId: no, lineId: settled, ...amount });
  await copy(db, 'rmaRepairFeeBill', bill, ['rfbId', 'recPeriod']);
  const lineIds = await copy(db, 'rmaRepairFeeBillLine', settled, uniqueNames(definitionOf('rmaRepairFeeBillLine')), {
    rfbId: `to_jsonb('${no}' || n)`,
  });
  const ids = await copy(db, 'rmaCorrectionBill', correction, ['crbId', 'rfbId']);
  await copy(db, 'rmaCorrectionBillLine', line, ['crbId'], { lineId: `to_jsonb((${sqlArray(lineIds)})[n])` });
  return [correction, ...ids];
}

const sqlArray = (ids: readonly number[]) => `ARRAY[${ids.join()}]::bigint[]`;

/** Whatever was made for this, by this run or one that was cut off: lines before their bills. */
async function removeAll(db: Db): Promise<void> {
  const lines = ['rmaCorrectionBillLine', 'rmaCorrectionBill', 'rmaRepairFeeBillLine'];
  for (const module of new Set([...lines, ...manyActions.map((it) => it.module)]))
    await sql`DELETE FROM ${sql.table(definitionOf(module).table)} WHERE "createBy" = ${MAKER}`.execute(db);
}
