import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import ShuffledFiles from './scripts/lib/shuffledFiles.mjs';
import { testKindsOf } from './scripts/lib/testKinds.mjs';
import client from './vite.config.ts';

const seed = process.env['SHUFFLE_SEED'];
const kinds = testKindsOf(import.meta.dirname);

const watched = 'tests/support/setup.ts';
const inPage = {
  setupFiles: [watched, 'src/app/testing/setup.ts'],
  // What is waited for is looked for many times, and each time the page would be printed in vain. To see it where a test fails: 7000.
  env: { DEBUG_PRINT_LIMIT: process.env['DEBUG_PRINT_LIMIT'] ?? '0' },
};
const onDatabase = { globalSetup: ['tests/support/globalSetup.ts'] };

/**
 * A project for each kind of test file, by what it needs (scripts/lib/testKinds.mjs). Loading modules takes longer than
 * most files take to run, so a worker loads them once for all of its files: all modules, or, where pages are drawn, those of
 * packages (src/app/testing/setup.ts). Files that replace modules load their own.
 */
const projects = [
  { name: 'pure', include: kinds.pure, setupFiles: [watched] },
  { name: 'browser', include: kinds.browser, environment: 'jsdom', ...inPage },
  { name: 'database', include: kinds.database, setupFiles: [watched], ...onDatabase },
  { name: 'pages', include: kinds.pages, ...inPage, ...onDatabase },
  { name: 'isolated', include: kinds.isolated, isolate: true, ...inPage, ...onDatabase },
];
/** Kills, races and random histories take their time: by `npm run chaos` alone. */
const chaos = {
  name: 'chaos',
  include: ['tests/chaos/*.test.ts'],
  isolate: true,
  setupFiles: [watched],
  ...onDatabase,
};

export default defineConfig({
  // What is tested is what is shipped: components as the compiler leaves them.
  plugins: client.plugins,
  test: {
    // They stop what hangs; how long a test takes is the machine's.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    isolate: false,
    // npm test -- --shuffle
    ...(seed && { sequence: { sequencer: ShuffledFiles, seed: Number(seed) } }),
    // Two at once even on a machine of two processors: a file often waits for its database.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [...projects, ...(process.env['CHAOS'] ? [chaos] : [])].map((test) => ({ extends: true, test })),
  },
});
