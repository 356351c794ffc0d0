import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run.mjs';

/**
 * Runs the browser journeys; the data of their servers lie in a folder that is removed afterwards.
 * @param {string} chromium path of the browser
 * @param {string[]} args for Playwright
 * @param {Record<string, string>} [more] of the environment
 */
export async function runJourneys(chromium, args, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'reflow-e2e-'));
  // As root, the database runs as another user, who must pass through.
  chmodSync(folder, 0o755);
  const env = { CHROMIUM_PATH: chromium, E2E_FOLDER: folder, ...more };
  try {
    return await runTool('@playwright/test/cli.js', ['test', ...args], { env });
  } finally {
    // Where Playwright was killed, nobody else ends its servers.
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const it of left.filter((name) => name.endsWith('server.lock'))) await end(join(folder, it), 'SIGKILL');
    for (const it of left.filter((name) => name.endsWith('postmaster.pid'))) await end(join(folder, it), 'SIGINT');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends the process that wrote this file, and waits until it has gone. */
async function end(file, signal) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const pid = Number(/"pid":(\d+)/.exec(text)?.[1] ?? text.split('\n')[0]);
  for (let tries = 0; pid > 0 && tries < 50; tries++) {
    try {
      process.kill(pid, tries === 0 ? signal : 0);
    } catch {
      return;
    }
    await new Promise((go) => setTimeout(go, 200));
  }
}
