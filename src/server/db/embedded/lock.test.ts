import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeLock } from './lock.ts';
import { readStartTime, readPidSpace } from './processes.ts';

let folder: string;
let file: string;
const write = (holder: object) => writeFileSync(file, JSON.stringify(holder));

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'reflow-lock-'));
  file = join(folder, 'server.lock');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** What is said to whoever has waited for the holder long enough. */
async function waitInVain(): Promise<string> {
  const taking = takeLock(folder).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(20_000);
  return taking;
}

it('is given back once and taken again', async () => {
  const release = await takeLock(folder);
  expect(await waitInVain()).toContain(`process ${process.pid}`);
  release();
  const releaseAgain = await takeLock(folder);
  release();
  expect(await waitInVain(), 'the first holder gives back only its own').toContain('already works');
  releaseAgain();
  expect(readdirSync(folder)).toEqual([]);
});

it('is taken from a holder that is dead, or whose pid another process has now', async () => {
  const machine = readPidSpace();
  for (const dead of [
    { pid: 2 ** 22 + 1, birth: '1@boot', machine },
    { pid: process.pid, birth: '1@boot', machine },
  ]) {
    write(dead);
    (await takeLock(folder))();
  }
  write({ pid: process.pid, birth: readStartTime(process.pid), machine });
  expect(await waitInVain()).toContain('already works');
});

it('is taken when a power cut left the file empty', async () => {
  writeFileSync(file, '');
  (await takeLock(folder))();
});

it('of another container is held as long as it is touched', async () => {
  const old = new Date(Date.now() - 60_000);
  write({ pid: 7, birth: 'x', machine: 'elsewhere' });
  utimesSync(file, old, old);
  (await takeLock(folder))();

  write({ pid: 7, birth: 'x', machine: 'elsewhere' });
  const alive = setInterval(() => utimesSync(file, new Date(), new Date()), 50);
  expect(await waitInVain()).toContain('process 7');
  clearInterval(alive);
});
