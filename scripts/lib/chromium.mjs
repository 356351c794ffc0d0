import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, run, runTool, say, took } from './run.mjs';

/** First the one that is made to be driven: without windows of its own, a page costs it half. */
const KNOWN = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const ADVICE =
  'no Chromium, and it could not be installed here: install one (Debian: apt-get install chromium-headless-shell fonts-noto-cjk) ' +
  'or set CHROMIUM_PATH to one, then run npm test again';

/**
 * The path of a Chromium that runs here: named by CHROMIUM_PATH, the system's, Playwright's own; installed where there is none.
 * @returns {Promise<string | null>} `null`: there is none; what to do was said
 */
export async function findChromium() {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (runs(named)) return named;
    say(`CHROMIUM_PATH is ${named}, and that does not run: name another, or unset it`);
    return null;
  }
  const found = await present();
  if (found) return found;

  say('no Chromium found, installing one …');
  const started = Date.now();
  for (const install of [byPlaywright, bySystem]) {
    await install();
    const installed = await present();
    if (!installed) continue;
    say(`installed Chromium in ${took(Date.now() - started)}`);
    return installed;
  }
  say(ADVICE);
  return null;
}

async function present() {
  return [...KNOWN, await playwrights()].find(runs) ?? null;
}

/** A distribution's chromium may be a mere hint to a shop for packages; one that tells its version is real. */
const runs = (path) => existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;

async function playwrights() {
  const entry = pathToFileURL(join(ROOT, 'node_modules', '@playwright', 'test', 'index.mjs')).href;
  const { chromium } = await import(entry);
  return chromium.executablePath();
}

/** Given up when a download says nothing for half a minute: behind many firewalls it never will. */
const byPlaywright = () =>
  runTool('@playwright/test/cli.js', ['install', 'chromium'], {
    quiet: true,
    timeout: 30_000,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '8000' },
  });

async function bySystem() {
  if (process.getuid?.() !== 0) return;
  const quiet = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  if (existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update', '-q'], quiet);
    const install = (...packages) => run('apt-get', ['install', '-yq', '--no-install-recommends', ...packages], quiet);
    // Where there is no package of Chinese letters, a browser alone still passes the journeys.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if ((await install(name, 'fonts-noto-cjk')).code === 0 || (await install(name)).code === 0) break;
    }
  } else if (existsSync('/usr/bin/dnf')) {
    const install = (...packages) => run('dnf', ['install', '-y', ...packages], quiet);
    if ((await install('chromium', 'google-noto-sans-cjk-fonts')).code !== 0) await install('chromium');
  }
}
