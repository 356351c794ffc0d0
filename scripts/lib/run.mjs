import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSinceLast } from './cpu.mjs';
import { endTree } from './processes.mjs';

/** The clone's folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const running = new Set();
const actions = new Set();
let isEnding = false;

/**
 * Runs a program of this clone in its folder and waits for it. It leads a process group, and whatever it started is gone
 * when it is over: a signal that ends this process, or an abort, ends it with all of them.
 * @param {string} program
 * @param {string[]} args
 * @param {{ quiet?: boolean, after?: Promise<unknown>, env?: Record<string, string>, timeout?: number, abort?: AbortSignal }}
 * [options] `quiet` keeps what it prints instead of showing it, `after` until then; `timeout` ends it after so many ms in which
 * it printed nothing
 * @returns {Promise<{ code: number, output: string, ms: number, cpu: number }>} never, once this process is ending; `cpu`: ms of
 * processor time
 */
export function run(program, args, { quiet = false, after, env = {}, timeout, abort } = {}) {
  return new Promise((done) => {
    if (isEnding) return;
    const started = Date.now();
    let output = '';
    let cpu = 0;
    // Of short programs that were not run by this.
    cpuSinceLast();
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: quiet || after ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      detached: hasGroups,
    });
    if (running.size === 0) listen(true);
    running.add(child);
    const end = (code, ended = Date.now()) => {
      clearTimeout(timer);
      abort?.removeEventListener('abort', onAbort);
      running.delete(child);
      if (isEnding) return;
      if (running.size === 0) listen(false);
      done({ code, output, ms: ended - started, cpu });
    };
    const onAbort = () => void endTree(child.pid);
    abort?.addEventListener('abort', onAbort);
    const idle = () =>
      timeout ? setTimeout(() => void endTree(child.pid, { signal: 'SIGKILL' }), timeout) : undefined;
    let timer = idle();
    let isShown = false;
    const hear = (part) => {
      output += part;
      if (isShown) process.stdout.write(part);
      clearTimeout(timer);
      timer = idle();
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    const shown = after?.then(() => {
      isShown = true;
      process.stdout.write(output);
    });
    child.on('error', (error) => {
      output += error.message;
      end(127);
    });
    let left = Promise.resolve();
    child.on('exit', () => {
      cpu = cpuSinceLast();
      if (leavesSome(child)) left = endTree(child.pid);
    });
    child.on('close', (code, signal) => {
      const ended = Date.now();
      void Promise.all([left, shown]).then(() => end(code ?? (signal ? 1 : 0), ended));
    });
  });
}

/** Runs a JavaScript tool that npm installed, by the file that its package names. */
export const runTool = (file, args, options) =>
  run(process.execPath, [join(ROOT, 'node_modules', file), ...args], options);

/** `1.3 s`, `2 min 05 s` */
export function took(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

export const say = (sentence) => console.log(`reflow: ${sentence}`);

/** What is to be done before a signal ends this process, when all that it ran is over; @returns what takes that back */
export function beforeEnd(action) {
  actions.add(action);
  return () => void actions.delete(action);
}

/** Ends all that runs, then this process. A second signal finds it ending: npm hands on the one that the terminal sent. */
export async function endAll(code, signal = 'SIGTERM') {
  if (isEnding) return;
  isEnding = true;
  await Promise.all([...running].map((child) => endTree(child.pid, { signal })));
  for (const action of actions) await action();
  process.exit(code);
}

/** npm ends by a signal together with the shell that it runs us in, which does not hand it on. */
export function endWithParent() {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

const hasGroups = process.platform !== 'win32';

function leavesSome(child) {
  try {
    return hasGroups && process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

/** A terminal that is closed means the end, which servers do not know by SIGHUP. */
const onSignal = (signal) => void endAll(EXIT_CODES[signal], signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');

/** Signals are ours only while a child runs: later they belong to the server that start.mjs becomes. */
function listen(on) {
  for (const signal of Object.keys(EXIT_CODES)) process[on ? 'on' : 'off'](signal, onSignal);
  process[on ? 'on' : 'off']('exit', onExit);
}

/** For an error of our own, which leaves no time to wait. */
function onExit() {
  for (const child of running) {
    try {
      process.kill(hasGroups ? -child.pid : child.pid, 'SIGTERM');
    } catch {
      // It has ended meanwhile.
    }
  }
}
