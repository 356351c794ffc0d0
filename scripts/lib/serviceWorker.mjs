import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** What a station shows: the frame, its words, and the pages that features bring. Anything else is kept once it was opened. */
const NEEDED = [
  /^index\.html$/,
  /^src\/app\/shell\/\w+\.tsx$/,
  /^src\/app\/words\/\w+\.ts$/,
  /^src\/features\/[\w-]+\/\w+Page\.tsx$/,
];

/** @returns the paths that the service worker keeps of a built client: the page, and each needed script with what it imports */
export function filesToKeep(manifest) {
  const files = new Set(['/index.html']);
  const add = (name) => {
    const chunk = manifest[name];
    if (!chunk || files.has(`/${chunk.file}`)) return;
    files.add(`/${chunk.file}`);
    for (const it of chunk.css ?? []) files.add(`/${it}`);
    chunk.imports?.forEach(add);
  };
  Object.keys(manifest)
    .filter((name) => NEEDED.some((it) => it.test(name)))
    .forEach(add);
  return [...files];
}

/** Writes the service worker of a built client into its folder. */
export async function writeServiceWorker(folder) {
  const manifest = join(folder, '.vite/manifest.json');
  if (!existsSync(manifest)) throw new Error(`no manifest in ${folder}`);
  const files = filesToKeep(JSON.parse(readFileSync(manifest, 'utf8')));
  const told = files.join() + readFileSync(join(folder, 'index.html'), 'utf8');
  const version = createHash('sha256').update(told).digest('hex').slice(0, 12);
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/app/worker/serviceWorker.ts'],
    outfile: join(folder, 'sw.js'),
    bundle: true,
    minify: true,
    target: 'es2022',
    format: 'iife',
    define: { BUILD: JSON.stringify({ files, version }) },
    logLevel: 'error',
  });
}
