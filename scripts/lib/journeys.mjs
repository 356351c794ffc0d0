import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endDatabases } from './processes.mjs';
import { beforeEnd, runTool } from './run.mjs';
import { scratchFolder } from './scratch.mjs';

/**
 * Runs the browser journeys; the data of their servers lie in a folder that is removed afterwards.
 * @param {string} chromium path of the browser
 * @param {string[]} args for Playwright
 * @param {Record<string, string>} [more] of the environment
 * @param {{ after?: Promise<unknown> }} [options] for `run`
 */
export async function runJourneys(chromium, args, more = {}, options = {}) {
  const folder = mkdtempSync(join(scratchFolder(), 'reflow-e2e-'));
  // As root, the database runs as another user, who must pass through.
  chmodSync(folder, 0o755);
  const env = { CHROMIUM_PATH: chromium, E2E_FOLDER: folder, ...more };
  const tidy = async () => {
    // Where Playwright killed a server, nobody else ends its database.
    await endDatabases(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  const forget = beforeEnd(tidy);
  try {
    return await runTool('@playwright/test/cli.js', ['test', ...args], { ...options, env });
  } finally {
    forget();
    await tidy();
  }
}
