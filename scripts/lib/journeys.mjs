import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run.mjs';

/**
 * Runs the browser journeys on a server of their own: a free port, data in a folder that is removed afterwards.
 * @param {string} chromium path of the browser
 * @param {string[]} args for Playwright
 */
export async function runJourneys(chromium, args) {
  const dataDir = mkdtempSync(join(tmpdir(), 'reflow-e2e-'));
  // As root, the database runs as another user, who must pass through.
  chmodSync(dataDir, 0o755);
  const env = { CHROMIUM_PATH: chromium, E2E_DATA_DIR: dataDir, E2E_PORT: String(await freePort()) };
  try {
    return await runTool('@playwright/test/cli.js', ['test', ...args], { env });
  } finally {
    await endDatabase(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
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

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
