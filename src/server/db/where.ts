import type { Config } from '#server/config.ts';
import { findRunning, startEmbedded } from '#server/db/embedded.ts';
import { ROOT } from '#server/root.ts';

/**
 * Calls `use` with the address of the database: the one that is configured, or our own, started for as long as needed;
 * `beside` a server that runs on it, where that is harmless.
 */
export async function withDatabaseUrl<T>(
  config: Config,
  use: (url: string) => Promise<T>,
  { beside = false } = {},
): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl);
  const options = { dataDir: config.dataDir, root: ROOT, log: () => undefined };
  const running = beside ? await findRunning(options) : null;
  if (running) return use(running);
  const embedded = await startEmbedded(options);
  try {
    return await use(embedded.url);
  } finally {
    await embedded.stop();
  }
}
