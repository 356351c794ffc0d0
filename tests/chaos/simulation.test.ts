import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { codeIdsOf } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { draw, type Server } from './commands.ts';
import { WorkshopModel } from './workshopModel.ts';

/**
 * Random commands, done to the server and to a reference model: both must answer the same, keep the same, and the
 * invariants must hold after each. `npm run chaos -- simulation` is the long run; `SEED` and `EPISODE` repeat one.
 */
const COMMANDS = Number(process.env['COMMANDS'] ?? 300);
const SEED = Number(process.env['SEED'] ?? 20261121);
const FIRST = Number(process.env['EPISODE'] ?? 0);
/** A workshop gets slower to look at as it fills; each episode has one of its own. */
const EPISODE = 500;

const sns = [
  ...Array.from({ length: 14 }, (_, i) => ['RX19', `RX19SIM${String(i).padStart(5, '0')}`] as const),
  ...Array.from({ length: 8 }, (_, i) => ['RX21', `RX21SIM${String(i).padStart(5, '0')}`] as const),
];

async function openServer(): Promise<Server> {
  const house = await startTestApp();
  await house.db
    .insertInto('ubs_item_object')
    .values(sns.map(([salesCode, sn]) => ({ sn, itemId: 1, salesCode, itemName: salesCode, type: '0', origin: '1' })))
    .execute();
  return { house, codes: await codeIdsOf(house), picture: await uploadPicture(house, 'tech') };
}

/** What the server keeps, in the words of `WorkshopModel.picture`. */
async function pictureOf({ db }: TestApp): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    SELECT 'bill ' || "receiveShipNo" || ' is ' || "billStatus" AS says FROM rma_maintain_bill
    UNION ALL
    SELECT 'unit ' || u.sn || ' at ' || coalesce(u."ivyId", 'none') || ' on ' || coalesce(b."receiveShipNo", 'none')
           || ' held ' || CASE WHEN u."ivyId" IS DISTINCT FROM '10' THEN 'no' WHEN c."scrapStatus" = '0' THEN 'scrap'
                               WHEN c."nofaultConfirmStatus" = '0' THEN 'nofault' ELSE 'no' END
      FROM rma_inventory AS u LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = u."mtbId"
      LEFT JOIN LATERAL (SELECT * FROM rma_check_bill_line WHERE sn = u.sn ORDER BY id DESC LIMIT 1) AS c ON true
     WHERE u.type = '0'
    UNION ALL
    SELECT 'line ' || b."receiveShipNo" || ' ' || l."salesCode" || ' counts '
           || concat_ws(' ', l."receiveCount", l."deliverCount", l."scrapCount", l."discardCount", l."buyOutCount")
      FROM rma_maintain_bill_line AS l JOIN rma_maintain_bill AS b ON b."mtbId" = l."mtbId"
     WHERE l."receiveCount" + l."deliverCount" + l."scrapCount" + l."discardCount" + l."buyOutCount" > 0
    UNION ALL
    SELECT 'item ' || b."receiveShipNo" || ' ' || i."receiveSn" || ' received ' || i."receiveStatus" || ' deliver '
           || i."deliverStatus" || ' priority ' || i."deliverPriority" || ' scrap ' || coalesce(i.scrap, '0')
           || ' stockup ' || coalesce(i.stockup, '0')
      FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
     WHERE i."receiveStatus" IN ('1', '3')
    UNION ALL
    SELECT 'stockup ' || b."receiveShipNo" || ' is ' || s.status || ' with '
           || coalesce((SELECT string_agg(l.sn || ':' || l.delivered, ' ' ORDER BY l.sn COLLATE "C", l.delivered)
                          FROM rma_stockup_bill_line AS l WHERE l."skbId" = s."skbId"), '')
      FROM rma_stockup_bill AS s JOIN rma_maintain_bill AS b ON b."mtbId" = s."mtbId"`.execute(db);
  return rows.map((it) => it.says).sort();
}

/** Runs one episode; gives what went wrong with the trace that leads to it, or how often each answer was heard. */
async function runEpisode(server: Server, episode: number, commands: number) {
  const random = randomFrom(SEED + episode * 7919);
  const chance = { below: (n: number) => Math.floor(random() * n) };
  const model = new WorkshopModel(new Map(sns.map(([salesCode, sn]) => [sn, salesCode])));
  const trace: string[] = [];
  const heard = new Map<string, number>();
  for (let n = 0; n < commands; n++) {
    const command = draw(
      model,
      sns.map(([, sn]) => sn),
      chance,
    );
    const answer = command.perform(server);
    // The server is asked by what the model knew before.
    const code = await answer;
    const judged = command.judge();
    trace.push(`${n} ${command.says}: ${code}`);
    heard.set(code, (heard.get(code) ?? 0) + 1);
    const differences = code === judged ? await differencesOf(server, model) : [`the model says ${judged}`];
    if (differences.length > 0) {
      const where = `SEED=${SEED} EPISODE=${episode}, command ${n}`;
      return { heard, wrong: [where, ...trace.slice(-40), ...differences].join('\n') };
    }
  }
  return { heard, wrong: null };
}

async function differencesOf({ house }: Server, model: WorkshopModel): Promise<string[]> {
  const [kept, meant] = [await pictureOf(house), model.picture()];
  const [had, has] = [new Set(meant), new Set(kept)];
  return [
    ...kept.filter((it) => !had.has(it)).map((it) => `the server keeps: ${it}`),
    ...meant.filter((it) => !has.has(it)).map((it) => `the model keeps: ${it}`),
    ...(await brokenInvariants(house.db)),
  ];
}

async function run(commands: number, sabotage?: (server: Server) => Promise<void>) {
  const heard = new Map<string, number>();
  for (let left = commands, episode = FIRST; left > 0; left -= EPISODE, episode++) {
    const server = await openServer();
    try {
      await sabotage?.(server);
      const result = await runEpisode(server, episode, Math.min(left, EPISODE));
      for (const [code, times] of result.heard) heard.set(code, (heard.get(code) ?? 0) + times);
      if (result.wrong) return { heard, wrong: result.wrong };
    } finally {
      await server.house.close();
    }
  }
  return { heard, wrong: null };
}

describe('random commands', () => {
  it(
    `are answered and kept as the reference model does, ${COMMANDS} of them`,
    { timeout: 60_000 + COMMANDS * 200 },
    async () => {
      const { heard, wrong } = await run(COMMANDS);
      if (process.env['COMMANDS']) process.stdout.write(`${JSON.stringify(Object.fromEntries(heard))}\n`);
      expect(wrong).toBeNull();
      expect(heard.get('000000')).toBeGreaterThan(COMMANDS / 4);
    },
  );

  it('find a count that is not recomputed, which shows that they look', { timeout: 120_000 }, async () => {
    const { wrong } = await run(EPISODE, async ({ house }) => {
      await sql`
        CREATE FUNCTION keep_count() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW."deliverCount" := OLD."deliverCount"; RETURN NEW; END $$`.execute(house.db);
      await sql`
        CREATE TRIGGER keep_count BEFORE UPDATE ON rma_maintain_bill_line
          FOR EACH ROW EXECUTE FUNCTION keep_count()`.execute(house.db);
    });
    expect(wrong).toContain('the counts of a line are those of its items');
  });
});
