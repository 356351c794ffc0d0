import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run.mjs';

/**
 * Runs the browser journeys on servers of their own: free ports, data in a folder that is removed afterwards.
 * @param {string} chromium path of the browser
 * @param {string[]} args for Playwright
 * @param {Record<string, string>} [more] of the environment
 */
export async function runJourneys(chromium, args, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'reflow-e2e-'));
  // As root, the database runs as another user, who must pass through.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const env = { CHROMIUM_PATH: chromium, E2E_DATA_DIR: dataDir, E2E_PORT: String(await freePorts()), ...more };
  try {
    return await runTool('@playwright/test/cli.js', ['test', ...args], { env });
  } finally {
    await endDatabase(dataDir);
    await endDatabase(`${dataDir}-pictures`);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the server could not stop its database (Playwright killed it), nobody else will. */
async function endDatabase(dataDir) {
  const file = join(dataDir, 'db', 'postmaster.pid');
  for (let tries = 0; existsSync(file) && tries < 50; tries++) {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    try {
      if (pid > 0) process.kill(pid, tries === 0 ? 'SIGINT' : 0);
    } catch {
      return;
    }
    await new Promise((go) => setTimeout(go, 200));
  }
}

/**
 * The first of four neighbouring free ports: of the two servers, of a label printer, and of nobody. They lie below the range from which systems take ports for outgoing
 * connections and for servers that leave the choice to them (32,768 on Linux), or the journeys' own database could
 * take the second one before its server does.
 */
async function freePorts() {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20_000 + 4 * randomInt(2_500);
    const free = await Promise.all([0, 1, 2, 3].map((it) => isFree(port + it)));
    if (free.every(Boolean)) return port;
  }
  throw new Error('No four neighbouring free ports between 20000 and 30000');
}

/** @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((done) => {
    const server = createServer().on('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
