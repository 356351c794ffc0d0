import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queues, queuesFor, rightOf } from '#domain/queues.ts';
import { kinds, ReportType, type Kind } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import { readQueues } from '#server/dashboard/queues.ts';
import { readReturns, readTurnaround } from '#server/dashboard/trends.ts';
import { readCards } from '#server/dashboard/units.ts';
import type { Tables } from '#server/db/tables.ts';
import { formatDefinition } from '#server/definitions/formatDefinition.ts';
import { ownersIn } from '#server/definitions/tables.ts';
import { createParams } from '#server/reports/params.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
let client: pg.Client;
let db: Kysely<Tables>;
let ran: CompiledQuery[] = [];
beforeAll(async () => {
  testApp = await startTestApp();
  client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
  const pool = { connect: () => Promise.resolve({ query: client.query.bind(client), release: () => undefined }) };
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { ...pool, end: () => Promise.resolve() } }),
    log: ({ query }) => void ran.push(query),
  });
});
afterAll(async () => {
  await client.end();
  await testApp.close();
});

/** A value as a query has it that takes none from outside. */
const inlined = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.map((it) => `"${String(it)}"`).join(',')}}`);
  return client.escapeLiteral(String(value));
};

/** The columns that a query reads, as the database itself knows them of a view of it. */
async function columnsIn({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<string[]> {
  const whole = sql.replace(/\$(\d+)/g, (_, n: string) => inlined(parameters[Number(n) - 1]));
  await client.query('BEGIN');
  try {
    await client.query(`CREATE TEMP VIEW read_here AS ${whole}`);
    const { rows } = await client.query<{ it: string }>(
      `SELECT DISTINCT c.relname || '.' || a.attname AS it
         FROM pg_rewrite AS r JOIN pg_depend AS d ON d.objid = r.oid AND d.classid = 'pg_rewrite'::regclass
         JOIN pg_class AS c ON c.oid = d.refobjid AND c.relname <> 'read_here'
         JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
        WHERE r.ev_class = 'read_here'::regclass`,
    );
    return rows.map((row) => row.it);
  } finally {
    await client.query('ROLLBACK');
  }
}

/** By module the fields among some columns. */
function fieldsIn(columns: readonly string[]): Record<string, string[]> {
  const found = ownersIn(testApp.model).map(({ module, table, fields }): [string, string[]] => [
    module,
    Object.keys(fields)
      .filter((name) => columns.includes(`${table}.${name}`))
      .toSorted(),
  ]);
  return Object.fromEntries(found.filter(([, it]) => it.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function readBy(read: () => Promise<unknown>): Promise<Record<string, string[]>> {
  ran = [];
  await read();
  const columns: string[] = [];
  for (const it of ran) columns.push(...(await columnsIn(it)));
  return fieldsIn(columns);
}

const contextOf = (lang: 'zh' | 'en', rights: ReadonlySet<string> = new Set(['*:*'])): Context =>
  ({
    ...{ db, search: db, lang, config: testApp.config, cache: undefined, model: testApp.model },
    currentUser: { userId: 'admin', siteId: 'SZ', sites: ['SZ'], rights },
  }) as unknown as Context;

/** In both languages, with everything that its dialog asks for. */
async function readByReport(kind: Kind): Promise<Record<string, string[]>> {
  const report = reportOf(kind);
  const range = { startDate: '2026-10-01', endDate: '2026-10-31' };
  const filled = { ...range, siteId: 'SZ', salesCodeDesc: 'a', mtbId: 'a', btmMtbId: 'a', btmUserId: 'a' };
  return readBy(async () => {
    for (const lang of ['zh', 'en'] as const) {
      for (const reportType of Object.values(ReportType)) {
        const params = createParams(kind, { ...filled, reportType }, contextOf(lang));
        await report.rows(params).execute(db);
        await report.footer?.(params).execute(db);
      }
    }
  });
}

it('what reports, the charts and the queues of the home page read is known, field by field', async () => {
  const found: Record<string, Record<string, Record<string, string[]>>> = { reports: {}, charts: {}, queues: {} };
  for (const kind of kinds) found['reports'] = { ...found['reports'], [kind]: await readByReport(kind) };
  const ctx = contextOf('en');
  for (const [name, read] of Object.entries({ cards: readCards, turnaround: readTurnaround, returns: readReturns }))
    found['charts'] = { ...found['charts'], [name]: await readBy(() => read(ctx)) };
  for (const queue of queues) {
    const rights = new Set([`${queue.module}:list`, rightOf(queue)]);
    expect(queuesFor(rights)).toEqual([queue]);
    found['queues'] = { ...found['queues'], [rightOf(queue)]: await readBy(() => readQueues(contextOf('en', rights))) };
  }
  // `npx vitest run src/server/reads.test.ts -u` writes it anew.
  await expect(await formatDefinition('reads.json', found)).toMatchFileSnapshot('reads.json');
});
