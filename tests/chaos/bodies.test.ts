import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app.ts';
import { callsOf, type Called } from '#tests/support/calls.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';
import { bodyKinds, type Kind } from '#tests/chaos/bodyKinds.ts';

/**
 * Fifty hostile bodies of each kind at once, and how long `/healthz` takes meanwhile: never over 200 ms. The kinds are made of
 * the calls that there are. `npm run chaos -- bodies` is the long run; `--episode=` is a regular expression for the names of
 * those that are sent.
 */
const CONNECTIONS = 50;
const BAR_MS = 200;
const ATTEMPTS = 3;
const EPISODE = process.env['EPISODE'];
/** In the short run one of so many kinds is sent. */
const STRIDE = process.env['CHAOS'] === 'long' || EPISODE ? 1 : 23;

let workshop: Workshop;
let server: ServerProcess;
let calls: Called[];
let worker: Worker;
beforeAll(async () => {
  const testApp = await startTestApp();
  calls = callsOf(testApp);
  await testApp.close();
  workshop = await openWorkshop();
  server = await workshop.start({ UPLOAD_QUOTA_MB: '100000' });
  worker = new Worker(new URL('./sendBodies.mjs', import.meta.url));
});
afterAll(async () => {
  await worker?.terminate();
  await workshop?.close();
});

interface Taken {
  /** As a clock has it, in milliseconds. */
  clock: number;
  /** Without what the processor gave to others meanwhile: what it would have been on a machine that does nothing else. */
  own: number;
  /** What the server's event loop had of the processor meanwhile. */
  used: number;
}

/** What the main thread of a process has had of the processor, and how long it waited for it, in milliseconds. */
function processorOf(pid: number): { used: number; waited: number } {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  // Only Linux tells; of another machine the clock has to do.
  if (!existsSync(path)) return { used: 0, waited: 0 };
  const [used = 0, waited = 0] = readFileSync(path, 'utf8')
    .split(' ')
    .map((it) => Number(it) / 1e6);
  return { used, waited };
}

/** How long one `/healthz` takes. */
async function askHealth(agent: Agent): Promise<Taken> {
  const [ours, its] = [processorOf(process.pid), processorOf(server.pid)];
  const began = performance.now();
  const [answer] = (await once(get(`${server.url}/healthz`, { agent }), 'response')) as [IncomingMessage];
  await text(answer);
  const clock = performance.now() - began;
  expect(answer.statusCode).toBe(200);
  const [oursNow, itsNow] = [processorOf(process.pid), processorOf(server.pid)];
  const waited = oursNow.waited - ours.waited + itsNow.waited - its.waited;
  const used = itsNow.used - its.used;
  return { clock, own: Math.max(clock - waited, used), used };
}

interface Measured {
  statuses: Record<string, number>;
  /** Of all `/healthz`, on a connection of its own and on a new one each time. */
  longest: Taken;
}

const longer = (one: Taken, other: Taken): Taken => ({
  clock: Math.max(one.clock, other.clock),
  own: Math.max(one.own, other.own),
  used: Math.max(one.used, other.used),
});

async function send({ name: _, pieces, ...volley }: Kind): Promise<Measured> {
  // Before anything is measured: that takes time as well.
  const made = pieces();
  const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: false })];
  let isOver = false;
  const watched = agents.map(async (agent) => {
    let longest: Taken = { clock: 0, own: 0, used: 0 };
    while (!isOver) longest = longer(longest, await askHealth(agent));
    return longest;
  });
  worker.postMessage({ ...volley, pieces: made, port: Number(new URL(server.url).port), connections: CONNECTIONS });
  const [statuses] = (await once(worker, 'message')) as [Record<string, number>];
  isOver = true;
  const longest = (await Promise.all(watched)).reduce(longer);
  for (const it of agents) it.destroy();
  return { statuses, longest };
}

async function pictures(): Promise<Record<string, Buffer>> {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#336699' } });
  const noise = sharp({
    create: {
      width: 1200,
      height: 1200,
      channels: 3,
      background: '#336699',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
  return {
    'a picture of many pixels': await plain(5000, 4990).png().toBuffer(),
    'a picture of too many pixels': await plain(9000, 9000).png().toBuffer(),
    'a picture of noise': await noise.png().toBuffer(),
    'a wide picture': await plain(16_000, 1_000).jpeg().toBuffer(),
    'half a picture': (await noise.jpeg().toBuffer()).subarray(0, 50_000),
  };
}

it(`answers /healthz within ${BAR_MS} ms while ${CONNECTIONS} bodies of each kind are sent`, async () => {
  const known = { token: await workshop.openToken('admin'), secret: 'x'.repeat(43) };
  const kinds = bodyKinds(known, calls, await pictures()).filter(({ name }, n) =>
    EPISODE ? new RegExp(EPISODE).test(name) : n % STRIDE === 0,
  );
  const slow: string[] = [];
  const broken: string[] = [];
  for (const it of kinds) {
    let measured = await send(it);
    for (let attempt = 1; attempt < ATTEMPTS && measured.longest.own > BAR_MS; attempt++) {
      const again = await send(it);
      if (again.longest.own < measured.longest.own) measured = again;
    }
    const { statuses, longest } = measured;
    const told = Object.entries(statuses).map(([status, count]) => `${status} ${count}`);
    const { own, clock, used } = longest;
    const figures = `${Math.round(own)} ms (${Math.round(clock)} by the clock, ${Math.round(used)} of the server)`;
    const line = `${figures} ${told.join(', ')}: ${it.name}`;
    process.stdout.write(`${line}\n`);
    if (longest.own > BAR_MS) slow.push(line);
    if ('500' in statuses) broken.push(line);
  }
  expect(slow).toEqual([]);
  expect(broken, 'and none of them is a fault of the server').toEqual([]);
  expect(kinds.length).toBeGreaterThan(0);
});
