import type { Config } from '#server/config.ts';
import { findRunning, startEmbedded, type Embedded } from '#server/db/embedded.ts';
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
  return withEmbedded(config, ({ url }) => use(url), { beside });
}

/** Calls `use` with our own database, started for as long as needed; `beside` a server that runs on it likewise. */
export async function withEmbedded<T>(
  { dataDir, walArchive }: Config,
  use: (embedded: Pick<Embedded, 'url' | 'superuserUrl' | 'folder'>) => Promise<T>,
  { beside = false } = {},
): Promise<T> {
  const options = { dataDir, root: ROOT, log: () => undefined };
  const running = beside ? await findRunning(options) : null;
  if (running) return use(running);
  const embedded = await startEmbedded({ ...options, walArchive });
  try {
    return await use(embedded);
  } finally {
    await embedded.stop();
  }
}
