import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import client from './vite.config.ts';

export default defineConfig({
  // What is tested is what is shipped: components as the compiler leaves them.
  plugins: client.plugins,
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts', 'tests/api/**/*.test.ts'].concat(
      // Kills, races and random histories take their time: by `npm run chaos` alone.
      process.env['CHAOS'] ? ['tests/chaos/*.test.ts'] : [],
    ),
    globalSetup: ['tests/support/globalSetup.ts'],
    setupFiles: ['tests/support/setup.ts', 'src/app/testing/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Two at once even on a machine of two processors: a file often waits for its database.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
