import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';
import { processesMarked } from '#tests/support/marked.ts';

/** What the commands start is gone when they are: nothing goes on behind their backs. */
interface Processes {
  endTree(leader: number, options?: { signal?: NodeJS.Signals; grace?: number }): Promise<void>;
  endDatabases(folder: string): Promise<void>;
}
interface Installing {
  takeTurn(file: string, onWait: (pid: string) => void): Promise<() => void>;
  usersOfPackages(root: string): { pid: number }[];
}
const script = <Shape>(name: string): Promise<Shape> => import(join(ROOT, 'scripts/lib', name)) as Promise<Shape>;
const { endTree, endDatabases } = await script<Processes>('processes.mjs');
const { takeTurn, usersOfPackages } = await script<Installing>('installing.mjs');

/** Each says that it is up when nothing can go wrong with it any more. */
const UP = `setInterval(() => undefined, 60_000); console.log('up');`;
const startsOther = (file: string, ...args: string[]) =>
  `require('node:child_process').spawn(process.execPath, ${JSON.stringify([file, ...args])}, { detached: true, stdio: 'inherit' });`;

let folder: string;
let mark: string;
const put = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'reflow-processes-')));
  mark = `REFLOW_MARK=${folder}`;
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function start(file: string, count: number, args: string[] = []) {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'], REFLOW_MARK: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const pid = child.pid as number;
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  let said = '';
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(part);
    if (said.split('up\n').length > count) break;
  }
  child.stdout.resume();
  return { pid, exited, said: () => said };
}

/** Bears a database's name, and tells by which signal it ended; those that would lose data among them. */
const database = () =>
  put(
    'postgres',
    `for (const it of ['SIGTERM', 'SIGINT']) process.on(it, () => {
  require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ended'))}, it); process.exit(); }); ${UP}`,
  );
const dataIn = (name: string) => {
  mkdirSync(join(folder, name, 'db'), { recursive: true });
  return ['-D', join(folder, name, 'db'), '-c', 'port=1'];
};
const endedBy = () => (existsSync(join(folder, 'ended')) ? readFileSync(join(folder, 'ended'), 'utf8') : null);

describe('a command', () => {
  const runs = (program: string, after = '') =>
    put(
      'command.mjs',
      `import { run, beforeEnd } from ${JSON.stringify(join(ROOT, 'scripts/lib/run.mjs'))};
      beforeEnd(() => console.log('tidied'));
      await run(process.execPath, [${JSON.stringify(program)}]);
      ${after}`,
    );

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('that is ended by %s ends its children and theirs, and stops their databases', async (signal, code) => {
    const grandchild = put('grandchild.cjs', UP);
    const child = put('child.cjs', `${startsOther(grandchild)} ${startsOther(database(), ...dataIn('data'))} ${UP}`);
    const command = await start(runs(child, `console.log('next');`), 3);
    expect(processesMarked(mark)).toHaveLength(4);
    process.kill(command.pid, signal);
    process.kill(command.pid, signal);
    expect(await command.exited).toEqual([code, null]);
    expect(processesMarked(mark)).toEqual([]);
    expect(endedBy()).toBe('SIGINT');
  });

  it('goes on when its program is over, and whatever that left is gone', async () => {
    const left = put('left.cjs', UP);
    const program = put(
      'program.cjs',
      `require('node:child_process').spawn(process.execPath, [${JSON.stringify(left)}], { stdio: ['ignore', 'pipe', 'inherit'] })
        .stdout.once('data', () => process.exit());`,
    );
    const command = await start(runs(program, UP), 1);
    expect(processesMarked(mark)).toEqual([expect.stringContaining('command.mjs')]);
    await endTree(command.pid);
  });
});

describe('ending a program', () => {
  it('kills who does not go in time, yet never a database', async () => {
    const stubborn = put(
      'stubborn.cjs',
      `process.on('SIGTERM', () => undefined); ${startsOther(database(), ...dataIn('data'))} ${UP}`,
    );
    const { pid, exited } = await start(stubborn, 2);
    await endTree(pid, { grace: 200 });
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(processesMarked(mark)).toEqual([]);
    expect(endedBy()).toBe('SIGINT');
  });

  it('stops the databases whose data lie below a folder, and no other', async () => {
    const file = database();
    const [inside, beside] = [await start(file, 1, dataIn('run')), await start(file, 1, dataIn('run-2'))];
    await endDatabases(join(folder, 'run'));
    await inside.exited;
    expect(processesMarked(mark)).toEqual([expect.stringContaining('run-2')]);
    await endTree(beside.pid);
  });
});

describe('an install', () => {
  it('waits for one that is under way, and for none that was killed in it', async () => {
    const file = join(folder, '.cache/installing');
    const waits: string[] = [];
    const first = await takeTurn(file, (pid) => waits.push(pid));
    let isTaken = false;
    let second: Promise<() => void> | undefined;
    await new Promise<void>((goOn) => {
      second = takeTurn(file, (pid) => {
        waits.push(pid);
        goOn();
      }).finally(() => (isTaken = true));
    });
    expect([waits, isTaken]).toEqual([[String(process.pid)], false]);
    first();
    (await second)?.();

    const other = put(
      'turn.mjs',
      `import { takeTurn } from ${JSON.stringify(join(ROOT, 'scripts/lib/installing.mjs'))};
      await takeTurn(${JSON.stringify(file)}, () => undefined); ${UP}`,
    );
    const killed = await start(other, 1);
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
    expect(existsSync(file)).toBe(true);
    (await takeTurn(file, () => expect.unreachable()))();
    expect(existsSync(file)).toBe(false);
  });

  it('knows who runs from the packages, and who only runs in the clone', async () => {
    mkdirSync(join(folder, 'node_modules'));
    const outside = await start(put('outside.cjs', UP), 1);
    expect(usersOfPackages(folder)).toEqual([]);
    const inside = await start(put('node_modules/inside.cjs', UP), 1);
    expect(usersOfPackages(folder)).toMatchObject([{ pid: inside.pid }]);
    await Promise.all([endTree(inside.pid), endTree(outside.pid)]);
    expect(usersOfPackages(folder)).toEqual([]);
  });
});
