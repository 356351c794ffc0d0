import { fileURLToPath } from 'node:url';
import type { ChunkingContext } from 'rolldown';
import react from '@vitejs/plugin-react';
import { build } from 'esbuild';
import { defineConfig, type Plugin, type ResolvedConfig } from 'vite';

const server = process.env['REFLOW_SERVER'] ?? 'http://127.0.0.1:3000';

/**
 * What every page, the frame and a list have in common with other parts comes in one file each; left to itself it comes in
 * a hundred, and a browser waits longer for their hand-over than it computes.
 */
/** The core of react-admin names all its parts in one file; these are for who is signed in. */
const behindSignIn =
  /ra-core\/.*\/(useGet|useList|useReference)|node_modules\/(query-string|split-on-first|filter-obj|decode-uri-component|strict-uri-encode)/;

const groups = Object.entries({
  common: ['main/browser.tsx', 'main/browserStart.tsx'],
  commonOfFrame: ['app/shell/Shell.tsx'],
  commonOfLists: ['app/engine/ListPage.tsx'],
}).map(([name, files], i) => {
  const roots = files.map((it) => fileURLToPath(new URL(`src/${it}`, import.meta.url)));
  let needed: Set<string> | undefined;
  return {
    name: (id: string, chunking: ChunkingContext) =>
      (needed ??= neededBy(roots, chunking)).has(id) && !(i === 0 && behindSignIn.test(id)) ? name : null,
    debugName: name,
    minShareCount: 2,
    priority: 2 - i,
  };
});

/** The first script needs it and nothing else of what a group holds. */
const dynamicImports = { name: 'dynamicImports', test: /preload-helper/, priority: groups.length };

/** These modules, and all that they cannot do without. */
function neededBy(roots: string[], chunking: ChunkingContext): Set<string> {
  const ids = new Set(roots);
  for (const id of ids) chunking.getModuleInfo(id)?.importedIds.forEach((it) => ids.add(it));
  return ids;
}

/** Stations draw only what a scan has changed: the compiler sees to that. Elsewhere it would cost more than it gives. */
const drawnAtAScannersSpeed = ['/src/app/parts/', '/src/features/'];

/**
 * The page itself holds the script that asks for the first data: a file of its own would come beside all the others. What
 * it does without, the page asks for later.
 */
function prefetch(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'prefetch',
    configResolved: (it) => void (config = it),
    transformIndexHtml: {
      order: 'post',
      handler: async (_, { bundle = {} }) => {
        const fileOf = (language: string) =>
          Object.values(bundle).find(
            (it) => it.type === 'chunk' && it.facadeModuleId?.endsWith(`/words/${language}.ts`),
          )?.fileName;
        const words = Object.fromEntries(['zh', 'en'].map((it) => [it, fileOf(it) && `/${fileOf(it)}`]));
        const { outputFiles } = await build({
          entryPoints: [fileURLToPath(new URL('src/main/prefetch.tsx', import.meta.url))],
          bundle: true,
          minify: true,
          write: false,
          format: 'iife',
          target: 'es2023',
          define: { 'import.meta.env': JSON.stringify(config.env), WORDS: JSON.stringify(words) },
        });
        return [{ tag: 'script', injectTo: 'head', children: outputFiles.map((it) => it.text.trim()).join('') }];
      },
    },
  };
}

export default defineConfig({
  resolve: {
    alias: { 'jsonexport/dist/index.js': fileURLToPath(new URL('src/app/browserExport.ts', import.meta.url)) },
  },
  plugins: [prefetch(), react({ compiler: { sources: drawnAtAScannersSpeed } })],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    sourcemap: true,
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: [...groups, dynamicImports] } } },
  },
  server: { port: 5173, proxy: { '/api': server, '/file': server, '/rest': server } },
});
