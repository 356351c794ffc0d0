import { defineConfig } from '@playwright/test';

/** Each worker has a server and data of its own; a test that needs a second try is broken. */
export default defineConfig<object, { data: 'journeys' | 'pictures' }>({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 2,
  // Each journey may run beside any other: no file keeps one worker busy while the other has nothing left to do.
  fullyParallel: true,
  retries: 0,
  // They stop what hangs; how long a journey takes is the machine's.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Journeys look at the server's own answers; the one about offline work lets the browser keep the client.
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // A step that hangs fails where it hangs, not when the journey's whole time is over.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    // Writing one down takes as long as the journey itself: for whoever looks, by `--trace=retain-on-failure`.
    trace: 'off',
    launchOptions: {
      // A pop-up is blocked as it is for people.
      ignoreDefaultArgs: ['--disable-popup-blocking'],
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
  projects: [
    { name: 'journeys', testIgnore: 'pictures.spec.ts' },
    // A station at its worst, at length: by `npm run chaos -- browser` alone.
    ...(process.env['CHAOS'] ? [{ name: 'chaos', testDir: 'tests/chaos/browser' }] : []),
    // Firefox and WebKit, where `npm run e2e -- --browser=…` has found one.
    ...(process.env['E2E_BROWSER'] ? [{ name: 'browsers', testDir: 'tests/browsers' }] : []),
    // Pictures of screens are taken of data that no journey changes and that are the same on every day.
    { name: 'pictures', testMatch: 'pictures.spec.ts', use: { data: 'pictures' } },
  ],
  snapshotPathTemplate: 'tests/e2e/pictures/{arg}{ext}',
});
