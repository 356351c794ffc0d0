import { startEmbedded } from '#server/db/embedded.ts';
import { ROOT } from '#server/root.ts';

/** A server's process, as far as its database goes: holds DATA_DIR (its argument) until it is killed. */
const [, , dataDir = '', elsewhere] = process.argv;
try {
  const { url, reused } = await startEmbedded({ dataDir, root: ROOT, elsewhere, log: () => undefined, durable: false });
  process.stdout.write(`${JSON.stringify({ url, reused })}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: (error as Error).message })}\n`);
  process.exit(1);
}
