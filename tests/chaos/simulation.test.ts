import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { groupBy } from '#domain/group.ts';
import { startTestApp } from '#tests/support/app.ts';
import { readCodeIds } from '#tests/support/guard.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { draw, type Server } from './commands.ts';
import { openDatabaseView, type DatabaseView } from './databaseView.ts';
import { OK, WorkshopModel, type Goods } from './workshopModel.ts';

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

const sns = [
  ...Array.from({ length: 14 }, (_, i) => ['RX19', `RX19SIM${String(i).padStart(5, '0')}`] as const),
  ...Array.from({ length: 8 }, (_, i) => ['RX21', `RX21SIM${String(i).padStart(5, '0')}`] as const),
];

/** All models that there are. */
const models = new Map<string, Goods>([
  ['RX19', 'device'],
  ['RX21', 'device'],
  ['HB19', 'board'],
  ['HB21', 'board'],
]);

interface Workshop extends Server, DatabaseView {}

async function openWorkshop(): Promise<Workshop> {
  // What nobody foresaw is told with its cause.
  const testApp = await startTestApp({ logLevel: 'error' });
  await testApp.db
    .insertInto('ubs_item_object')
    .values(sns.map(([salesCode, sn]) => ({ sn, itemId: 1, salesCode, itemName: salesCode, type: '0', origin: '1' })))
    .execute();
  const another = {
    itemId: 21,
    salesCode: 'HB21',
    name: 'RX21 board',
    productName: 'HB21',
    type: '1',
    deviceType: '1',
    snControl: '1',
  };
  await testApp.db.insertInto('ubs_item').values(another).execute();
  const { password, roleIds } = await testApp.db
    .selectFrom('admin_user')
    .select(['password', 'roleIds'])
    .where('userId', '=', 'supervisor')
    .executeTakeFirstOrThrow();
  const supervisor = { userId: 'superNB', userName: 'superNB', password, roleIds };
  await testApp.db
    .insertInto('admin_user')
    .values({ ...supervisor, siteId: 'NB', allSites: '0', status: '1' })
    .execute();
  const eye = await openDatabaseView(testApp.url);
  return {
    testApp,
    codes: await readCodeIds(testApp),
    pictures: { SZ: await uploadPicture(testApp, 'tech'), NB: await uploadPicture(testApp, 'techNB') },
    look: eye.look,
    close: async () => {
      await eye.close();
      await testApp.close();
    },
  };
}

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
  const model = new WorkshopModel(new Map(sns.map(([salesCode, sn]) => [sn, salesCode])), models);
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
  return run;
}

async function findDifferences(workshop: Workshop, model: WorkshopModel): Promise<string[]> {
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
});
