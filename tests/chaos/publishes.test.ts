import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyChange, fillAwkwardly, tryToPublish } from '#tests/support/anyChanges.ts';
import { openWorkshop, type Workshop } from '#tests/support/serverProcess.ts';
import { randomFrom } from '#tests/support/stations.ts';

/**
 * Any changes, most of them wrong, over rows that nobody tidied: each is done or refused in words, and the server starts
 * after all of them without leaving one out. `npm run chaos -- publishes` is the long run; `SEED` repeats one.
 */
const COMMANDS = Math.min(500, Number(process.env['COMMANDS'] ?? 60));
const SEED = Number(process.env['SEED'] ?? 20261129);
const BATCH = 25;

let workshop: Workshop;
let client: pg.Client;
beforeAll(async () => {
  workshop = await openWorkshop();
  client = new pg.Client({ connectionString: workshop.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await workshop.close();
});

it(`lets a server start after ${COMMANDS} of them, whatever they say`, async () => {
  const random = randomFrom(SEED);
  const counting: number[] = [];
  for (let n = 1; n <= COMMANDS; n++) {
    const back = random() < 0.2 ? counting.at(Math.floor(random() * counting.length)) : undefined;
    const given = back === undefined ? { changes: [anyChange(random)] } : { takesBack: [back] };
    const id = await tryToPublish(workshop.url, given);
    if (id !== undefined) counting.push(id);
    await fillAwkwardly(client);
    if (n % BATCH !== 0) continue;
    const server = await workshop.start();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const { rows } = await client.query(`SELECT id, trouble FROM definition_publish WHERE trouble IS NOT NULL`);
    expect(rows, `after ${n}`).toEqual([]);
    await server.kill();
  }
  expect(counting.length).toBeGreaterThan(COMMANDS / 10);
});
