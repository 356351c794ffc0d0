import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSinceLast } from './cpu.mjs';

/** The clone's folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const running = new Set();
let endedBy;

/**
 * Runs a program of this clone in its folder and waits for it; Ctrl+C ends it.
 * @param {string} program
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, timeout?: number }} [options]
 * `quiet` keeps what it prints instead of showing it; `timeout` ends it after so many ms in which it printed nothing
 * @returns {Promise<{ code: number, output: string, ms: number, cpu: number }>} `cpu`: ms of processor time
 */
export function run(program, args, { quiet = false, env = {}, timeout } = {}) {
  return new Promise((done) => {
    const started = Date.now();
    let output = '';
    let cpu = 0;
    // Of short programs that were not run by this.
    cpuSinceLast();
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    if (running.size === 0) listen(true);
    running.add(child);
    const end = (code) => {
      clearTimeout(timer);
      running.delete(child);
      if (running.size === 0) listen(false);
      if (!endedBy) done({ code, output, ms: Date.now() - started, cpu });
      else if (running.size === 0) process.exit(EXIT_CODES[endedBy]);
    };
    const idle = () => (timeout ? setTimeout(() => child.kill('SIGKILL'), timeout) : undefined);
    let timer = idle();
    const hear = (part) => {
      output += part;
      clearTimeout(timer);
      timer = idle();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', (error) => {
      output += error.message;
      end(127);
    });
    child.on('exit', () => (cpu = cpuSinceLast()));
    child.on('close', (code, signal) => end(code ?? (signal ? 1 : 0)));
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

/** Signals are ours only while a child runs: later they belong to the server that start.mjs becomes. */
function listen(on) {
  for (const signal of Object.keys(EXIT_CODES)) process[on ? 'on' : 'off'](signal, endAll);
}

/** Ctrl+C reaches every process of the terminal by itself; a second one would be taken for impatience. */
function endAll(signal) {
  endedBy = signal;
  const isTerminal = process.stdin.isTTY || process.stdout.isTTY;
  if (signal !== 'SIGINT' || !isTerminal) for (const child of running) child.kill(signal);
  const giveUp = () => {
    for (const child of running) child.kill('SIGTERM');
    process.exit(EXIT_CODES[signal]);
  };
  setTimeout(giveUp, 15_000).unref();
}
