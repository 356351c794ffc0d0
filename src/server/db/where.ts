import type { Config } from '#server/config.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { ROOT } from '#server/root.ts';

/** Calls `use` with the address of the database: the one that is configured, or our own, started for as long as needed. */
export async function withDatabaseUrl<T>(config: Config, use: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl);
  const embedded = await startEmbedded({ dataDir: config.dataDir, root: ROOT, log: () => undefined });
  try {
    return await use(embedded.url);
  } finally {
    await embedded.stop();
  }
}
