import { fileURLToPath } from 'node:url';
import type { ChunkingContext } from 'rolldown';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['REFLOW_SERVER'] ?? 'http://127.0.0.1:3000';

/**
 * What every page, the frame and a list have in common with other parts comes in one file each; left to itself it comes in
 * a hundred, and a browser waits longer for their hand-over than it computes.
 */
const groups = Object.entries({
  common: ['main/browser.tsx', 'main/browserStart.tsx'],
  commonOfFrame: ['app/shell/Shell.tsx'],
  commonOfLists: ['app/engine/ListPage.tsx'],
}).map(([name, files], i) => {
  const roots = files.map((it) => fileURLToPath(new URL(`src/${it}`, import.meta.url)));
  let needed: Set<string> | undefined;
  return {
    name: (id: string, chunking: ChunkingContext) => ((needed ??= neededBy(roots, chunking)).has(id) ? name : null),
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

export default defineConfig({
  plugins: [react({ compiler: { sources: drawnAtAScannersSpeed } })],
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
