import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from './lock.ts';
import { readStartTime, readPidSpace } from './processes.ts';

let folder: string;
let file: string;
const write = (holder: object) => writeFileSync(file, JSON.stringify(holder));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-lock-'));
  file = join(folder, 'server.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is given back once and taken again', async () => {
  const release = await takeLock(folder);
  await expect(takeLock(folder)).rejects.toThrow(`process ${process.pid}`);
  release();
  const releaseAgain = await takeLock(folder);
  release();
  await expect(takeLock(folder), 'the first holder gives back only its own').rejects.toThrow('already works');
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
  await expect(takeLock(folder)).rejects.toThrow('already works');
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
  await expect(takeLock(folder)).rejects.toThrow('process 7');
  clearInterval(alive);
});
