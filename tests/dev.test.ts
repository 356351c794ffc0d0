import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest';
import { watchDefinitions } from '#domain/definitionVersion.ts';
import { ROOT } from '#server/root.ts';
import { MAX_STREAMS } from '#server/streams/plugin.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { processesMarked } from '#tests/support/marked.ts';
import { PASSWORD } from '#tests/support/world.ts';

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-dev-'));
  database = await createTestDatabase({ template: inject('template') });
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

function dev(env: Record<string, string>) {
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      CAPTCHA: 'off',
      LOG_LEVEL: 'error',
      EXPORT_WAIT_MS: '60000',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let said = '';
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const says = (words: RegExp) =>
    new Promise<void>((done, fail) => {
      const hear = () => (words.test(said) ? done() : undefined);
      for (const it of [child.stdout, child.stderr]) it.on('data', hear);
      void exited.then(([code]) => fail(new Error(`npm run dev ended with ${String(code)}:\n${said}`)));
      hear();
    });
  for (const it of [child.stdout, child.stderr]) it.on('data', (part: Buffer) => (said += part.toString()));
  return { says, said: () => said, exited, end: (signal: NodeJS.Signals) => child.kill(signal) };
}

it('npm run dev serves the client, hands on a stream as it comes, works an export to its file, and leaves no process behind', async () => {
  const [port, clientPort] = [await freePort(), await freePort()];
  const { says, exited, end } = dev({ PORT: port, CLIENT_PORT: clientPort });
  await Promise.all([says(/Reflow is at/), says(/ready in/)]);
  const client = `http://127.0.0.1:${clientPort}`;
  expect(await (await fetch(client)).text()).toContain('/@vite/client');

  const call = async (path: string, init: RequestInit) => {
    const answer = (await (await fetch(`${client}${path}`, init)).json()) as {
      code: string;
      data: Record<string, string>;
    };
    expect(answer).toMatchObject({ code: '000000' });
    return answer.data;
  };
  const { token = '' } = await call('/api/login.json', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: 'office', password: PASSWORD }),
  });
  const headers = { token };
  // More than a user may have at once: whoever has gone here has gone at the server as well.
  const readFirst = async () => {
    const leaving = new AbortController();
    const reply = await fetch(`${client}${watchDefinitions.path}`, { headers, signal: leaving.signal });
    const first = await reply.body?.getReader().read();
    leaving.abort();
    return [reply.status, Buffer.from(first?.value ?? []).toString()];
  };
  for (let i = 0; i <= MAX_STREAMS; i += 1) {
    await vi.waitFor(async () => expect(await readFirst()).toEqual([200, 'data: {"last":0}\n\n']));
  }
  const { path } = await call('/api/rmaInventory/export.json?columns=sn,ivyId', { headers });
  const file = Buffer.from(await (await fetch(`${client}${path}`, { headers })).arrayBuffer());
  expect((await readXlsx(file)).sheets[0]?.rows[0]).toHaveLength(2);

  expect(processesMarked(`DATA_DIR=${folder}`).length).toBeGreaterThanOrEqual(3);
  end('SIGINT');
  expect(await exited).toEqual([130, null]);
  await vi.waitFor(() => expect(processesMarked(`DATA_DIR=${folder}`)).toEqual([]));
});

it('npm run dev that cannot start says why, and leaves no process behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { exited, said } = dev({ PORT: await freePort(), CLIENT_PORT: String(port) });
  expect(await exited).toEqual([1, null]);
  taken.close();
  expect(said()).toContain(`Port ${port} is already in use`);
  await vi.waitFor(() => expect(processesMarked(`DATA_DIR=${folder}`)).toEqual([]));
});
