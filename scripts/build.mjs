// The server as one file that plain node runs (dist/server/main.js), the commands beside it, the client as vite builds it
// (dist/client).
import { build } from 'esbuild';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommands } from './lib/commands.mjs';
import { compressFolder } from './lib/compress.mjs';
import { BUILT } from './lib/freshness.mjs';
import { readOptions } from './lib/options.mjs';
import { ROOT, runTool, say, took } from './lib/run.mjs';
import { copyThreads, serverBundle } from './lib/serverBundle.mjs';
import { writeServiceWorker } from './lib/serviceWorker.mjs';

readOptions('node scripts/build.mjs');
const started = Date.now();
const mark = join(ROOT, BUILT);
rmSync(mark, { force: true });

const [server, client] = await Promise.allSettled([
  Promise.all([build(serverBundle('dist/server')), buildCommands()]),
  runTool('vite/bin/vite.js', ['build', '--outDir', join(ROOT, 'dist', 'client'), '--emptyOutDir'], { quiet: true }),
]);

if (client.status === 'fulfilled') console.log(client.value.output);
if (server.status === 'rejected' || client.status === 'rejected' || client.value.code !== 0) process.exit(1);
copyThreads('dist/server');
await writeServiceWorker(join(ROOT, 'dist', 'client'));
compressFolder(join(ROOT, 'dist', 'client'));
mkdirSync(join(ROOT, 'dist'), { recursive: true });
// The time of the start: a source that changed while it was built is newer.
writeFileSync(mark, '');
utimesSync(mark, new Date(started), new Date(started));
say(`built server and client in ${took(Date.now() - started)}`);
