import { sql, type Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { groupBy } from '#domain/group.ts';
import type { Tables } from '#server/db/tables.ts';
import { inventoryBalance } from '#server/reports/inventoryBalance.ts';
import type { Params } from '#server/reports/report.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { draw } from './commands.ts';
import { models, openWorkshop, sns, type Workshop } from './openWorkshop.ts';
import { OutsideModel } from './outsideModel.ts';
import { OK } from './workshopModel.ts';

/**
 * Random commands, done to the server and to a reference model: both must answer the same, keep the same, and the
 * invariants must hold after each. `npm run chaos -- simulation` is the long run; `SEED` and `EPISODE` repeat one.
 */
const COMMANDS = Number(process.env['COMMANDS'] ?? 300);
const SEED = Number(process.env['SEED'] ?? 20261121);
const FIRST = Number(process.env['EPISODE'] ?? 0);
/** A workshop gets slower to look at as it fills; each episode has one of its own. */
const EPISODE = 500;
/** So many commands do each thing, and are refused each. */
const MANY = 5000;
/** While the server of one episode computes, the database of the other does. */
const AT_ONCE = 2;

interface Run {
  /** How often each answer was heard. */
  refusals: Map<string, number>;
  trace: string[];
  /** The first difference, with the trace that leads to it. */
  wrong: string | null;
}

async function runEpisode(workshop: Workshop, episode: number, commands: number): Promise<Run> {
  const random = randomFrom(SEED + episode * 7919);
  const chance = { below: (n: number) => Math.floor(random() * n) };
  const model = new OutsideModel(new Map(sns.map(([salesCode, sn]) => [sn, salesCode])), models);
  const run: Run = { refusals: new Map(), trace: [], wrong: null };
  const all = sns.map(([, sn]) => sn);
  for (let n = 0; n < commands; n++) {
    const command = draw(model, all, chance);
    // The server is asked by what the model knew before.
    const code = await command.perform(workshop);
    const judged = command.judge();
    run.trace.push(`${n} ${command.says}: ${code}`);
    run.refusals.set(code, (run.refusals.get(code) ?? 0) + 1);
    const differences = code === judged ? await findDifferences(workshop, model) : [`the model says ${judged}`];
    if (differences.length > 0) {
      const where = `SEED=${SEED} EPISODE=${episode}, command ${n}`;
      return { ...run, wrong: [where, ...run.trace.slice(-40), ...differences].join('\n') };
    }
  }
  const differences = await findUnbalanced(workshop);
  if (differences.length > 0) {
    run.wrong = [`SEED=${SEED} EPISODE=${episode}, after it`, ...run.trace.slice(-40), ...differences].join('\n');
  }
  return run;
}

const everything: Params = {
  ...{
    startDate: '',
    endDate: '',
    from: new Date(0),
    until: new Date(0),
    asOf: null,
    sites: 'all',
    lang: 'en',
    timeZone: 'UTC',
  },
  ...{ reportType: '1', salesCodeDesc: '', mtbId: '', btmMtbId: '', btmUserId: '' },
};

/** What lies where is explained by what came and went. Rule: reports#stock. */
async function findUnbalanced({ testApp: { db } }: Workshop): Promise<string[]> {
  const day = 86_400_000;
  const [from, until] = [new Date(Date.now() - day), new Date(Date.now() + day)];
  const { rows } = await inventoryBalance.rows({ ...everything, from, until }).execute(db);
  const wrong = rows.filter((it) => it['difference'] !== 0).map((it) => `not balanced: ${JSON.stringify(it)}`);
  return wrong.length === 0 ? [] : [...wrong, ...(await findUnexplained(db))];
}

/** The units that do not stand where their steps that still stand have left them, each with these. */
async function findUnexplained(db: Kysely<Tables>): Promise<string[]> {
  const kind = (node: string) => sql`
    CASE WHEN ${sql.ref(node)} IS NULL OR ${sql.ref(node)} = '900' THEN '' WHEN ${sql.ref(node)} = '100' THEN 'goods'
         WHEN ${sql.ref(node)} = '40' THEN 'scrap' ELSE 'work' END`;
  const { rows } = await sql<{ says: string }>`
    WITH names AS (
      SELECT sn AS called, sn FROM rma_inventory
      UNION SELECT f.sn, o.sn FROM ubs_sn_change_log AS c JOIN ubs_item_object AS o ON o.id = c."itemObjectId"
             CROSS JOIN LATERAL (VALUES (c."oldSn"), (c."newSn")) AS f(sn)
             WHERE c."operateStatus" IS DISTINCT FROM 'Rollbacked'),
    steps AS (
      SELECT n.sn, t.id, t.step, t."siteId", t."fromSiteId", ${kind('t.fromNode')} AS "from", ${kind('t.toNode')} AS "to",
             t."operateStatus" = 'Normal' AS stands
        FROM rma_transaction AS t JOIN names AS n ON n.called = t.sn),
    moves AS (
      SELECT sn, "siteId" || ' ' || "to" AS place, 1 AS sign FROM steps WHERE stands AND "to" <> ''
      UNION ALL SELECT sn, coalesce("fromSiteId", "siteId") || ' ' || "from", -1 FROM steps WHERE stands AND "from" <> ''
      UNION ALL SELECT sn, "siteId" || ' ' || ${kind('ivyId')}, -1 FROM rma_inventory WHERE ${kind('ivyId')} <> '')
    SELECT 'not explained: ' || m.sn || ' ' || m.place || ' ' || sum(m.sign) || ' of '
           || (SELECT string_agg(s.step || ' ' || coalesce(s."fromSiteId" || '>', '') || s."siteId" || ' ' || s."from" || '>' || s."to"
                                 || CASE WHEN s.stands THEN '' ELSE ' (taken back)' END, ', ' ORDER BY s.id)
                 FROM steps AS s WHERE s.sn = m.sn) AS says
      FROM moves AS m GROUP BY m.sn, m.place HAVING sum(m.sign) <> 0`.execute(db);
  return rows.map((it) => it.says);
}

async function findDifferences(workshop: Workshop, model: OutsideModel): Promise<string[]> {
  const { state, broken } = await workshop.look();
  const meant = model.picture();
  const [had, has] = [new Set(meant), new Set(state)];
  return [
    ...state.filter((it) => !had.has(it)).map((it) => `the server keeps: ${it}`),
    ...meant.filter((it) => !has.has(it)).map((it) => `the model keeps: ${it}`),
    ...broken,
  ];
}

/** Runs episodes, some at a time, until all commands are done or one went wrong. */
async function run(commands: number, sabotage?: (workshop: Workshop) => Promise<void>): Promise<Run> {
  const episodes = Array.from({ length: Math.ceil(commands / EPISODE) }, (_, i) => i);
  const all: Run = { refusals: new Map(), trace: [], wrong: null };
  const work = async () => {
    for (let i = episodes.shift(); i !== undefined && !all.wrong; i = episodes.shift()) {
      const workshop = await openWorkshop();
      try {
        await sabotage?.(workshop);
        const { refusals, trace, wrong } = await runEpisode(
          workshop,
          FIRST + i,
          Math.min(commands - i * EPISODE, EPISODE),
        );
        for (const [code, times] of refusals) all.refusals.set(code, (all.refusals.get(code) ?? 0) + times);
        all.trace.push(...trace);
        all.wrong ??= wrong;
      } finally {
        await workshop.close();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return all;
}

/** How often each kind of command was done and was refused. */
function kindsOf(trace: readonly string[]): { kind: string; done: number; refused: number }[] {
  return [...groupBy(trace, (it) => it.split(' ')[1] as string)].map(([kind, all]) => {
    const done = all.filter((it) => it.endsWith(`: ${OK}`)).length;
    return { kind, done, refused: all.length - done };
  });
}

function summaryOf({ refusals, trace, wrong }: Run, ms: number): string {
  const refused = [...refusals].filter(([code]) => code !== OK).sort(([, a], [, b]) => b - a);
  return [
    `${trace.length} commands`,
    `${refusals.get(OK) ?? 0} done`,
    `${trace.length - (refusals.get(OK) ?? 0)} refused (${refused.map(([code, times]) => `${code} ${times}`).join(', ')})`,
    `done/refused: ${kindsOf(trace)
      .map((it) => `${it.kind} ${it.done}/${it.refused}`)
      .join(', ')}`,
    `${(ms / trace.length).toFixed(1)} ms a command`,
    wrong ? 'a difference' : '0 differences',
  ].join('; ');
}

describe('random commands', () => {
  it(
    `are answered and kept as the reference model does, ${COMMANDS} of them`,
    { timeout: 60_000 + COMMANDS * 200 },
    async () => {
      const began = performance.now();
      const result = await run(COMMANDS);
      if (process.env['COMMANDS']) process.stdout.write(`${summaryOf(result, performance.now() - began)}\n`);
      expect(result.wrong).toBeNull();
      expect(result.refusals.get(OK)).toBeGreaterThan(COMMANDS / 4);
      if (COMMANDS >= MANY) expect(kindsOf(result.trace).filter((it) => it.done === 0 || it.refused === 0)).toEqual([]);
    },
  );

  it('are the same, with the same answers, when their seed is', { timeout: 120_000 }, async () => {
    const [once, again] = [await run(60), await run(60)];
    expect(once.trace).toHaveLength(60);
    expect(again.trace).toEqual(once.trace);
  });

  it('find a count that is not recomputed, which shows that they look', { timeout: 120_000 }, async () => {
    const { wrong } = await run(EPISODE, async ({ testApp }) => {
      await sql`
        CREATE FUNCTION keep_count() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW."deliverCount" := OLD."deliverCount"; RETURN NEW; END $$`.execute(testApp.db);
      await sql`
        CREATE TRIGGER keep_count BEFORE UPDATE ON rma_maintain_bill_line
          FOR EACH ROW EXECUTE FUNCTION keep_count()`.execute(testApp.db);
    });
    expect(wrong).toContain('the counts of a line are those of its items');
  });

  it('find scrap that was used up for a repair and is free again', { timeout: 120_000 }, async () => {
    const { wrong } = await run(EPISODE, async ({ testApp }) => {
      await sql`
        CREATE FUNCTION let_go() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW."holdKind" := NULL; NEW."holdBillId" := NULL; NEW."holdTime" := NULL; RETURN NEW; END $$`.execute(
        testApp.db,
      );
      await sql`
        CREATE TRIGGER let_go BEFORE UPDATE ON rma_inventory
          FOR EACH ROW WHEN (NEW."holdKind" = 'consumed') EXECUTE FUNCTION let_go()`.execute(testApp.db);
    });
    expect(wrong).toMatch(/command \d+\n[^]*outsourcingAccept[^]*the model keeps: .* held consumed R/);
  });
});
