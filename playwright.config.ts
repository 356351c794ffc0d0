import { defineConfig } from '@playwright/test';
import { UNHURRIED } from './tests/support/unhurried.ts';

const port = process.env['E2E_PORT'] ?? '3999';
const baseURL = `http://127.0.0.1:${port}`;
/** Pictures of screens are taken of data that no journey changes and that are the same on every day. */
const picturesPort = String(Number(port) + 1);
const picturesURL = `http://127.0.0.1:${picturesPort}`;
/** Where the journey about labels listens as a printer, and where nobody listens. */
const LABEL_PRINTERS = `bench-1=127.0.0.1:${Number(port) + 2}/203,bench-off=127.0.0.1:${Number(port) + 3}/300`;
const dataDir = process.env['E2E_DATA_DIR'] ?? '.cache/e2e';

const serverAt = (url: string, env: Record<string, string>) => ({
  command: 'node --enable-source-maps dist/server/main.js',
  url: `${url}/readyz`,
  timeout: 120_000,
  gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 } as const,
  stdout: 'ignore' as const,
  stderr: 'pipe' as const,
  env: { HOST: '127.0.0.1', NODE_ENV: 'test', DEMO: 'on', CAPTCHA: 'off', LOG_LEVEL: 'warn', ...UNHURRIED, ...env },
});

/** Journeys share one server and its data, so they run one after another; a test that needs a second try is broken. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 1,
  retries: 0,
  // They stop what hangs; how long a journey takes is the machine's.
  timeout: 600_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    baseURL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Journeys look at the server's own answers; the one about offline work lets the browser keep the client.
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
    // A step that hangs fails where it hangs, not when the journey's whole time is over.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // Writing one down takes as long as the journey itself: for whoever looks, by `--trace=retain-on-failure`.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] || undefined,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: [
    serverAt(baseURL, {
      PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: process.env['E2E_DATABASE_URL'] ?? '',
      LABEL_PRINTERS,
    }),
    serverAt(picturesURL, { PORT: picturesPort, DATA_DIR: `${dataDir}-pictures`, DEMO_AT: '2026-06-17T06:00:00Z' }),
  ],
  projects: [
    { name: 'journeys', testIgnore: 'pictures.spec.ts' },
    // A station at its worst, at length: by `npm run chaos -- browser` alone.
    ...(process.env['CHAOS'] ? [{ name: 'chaos', testDir: 'tests/chaos/browser' }] : []),
    { name: 'pictures', testMatch: 'pictures.spec.ts', use: { baseURL: picturesURL } },
  ],
  snapshotPathTemplate: 'tests/e2e/pictures/{arg}{ext}',
});
