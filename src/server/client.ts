import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, partsFor } from '#domain/firstParts.ts';

/** The source of each part, as the build's manifest calls it. */
export const sourceOf: Record<Part, string> = {
  shell: 'src/app/shell/Shell.tsx',
  home: 'src/app/home/HomePage.tsx',
  moduleRoutes: 'src/app/shell/ModuleRoutes.tsx',
  list: 'src/app/engine/ListPage.tsx',
  detail: 'src/app/engine/DetailPage.tsx',
  form: 'src/app/engine/FormDialog.tsx',
};

type Manifest = Record<string, { file: string; imports?: string[] }>;

export interface Client {
  /** The page of an address; for who is signed in it names the scripts that will be needed next. */
  pageFor(pathname: string, isSignedIn: boolean): string;
}

/** The client that was built into this folder; null where none was. */
export function openClient(folder: string): Client | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  // One that was built by an earlier version names nothing.
  const named = join(folder, '.vite/manifest.json');
  const manifest = (existsSync(named) ? JSON.parse(readFileSync(named, 'utf8')) : {}) as Manifest;
  const pages = new Map<string, string>();
  return {
    pageFor(pathname, isSignedIn) {
      if (!isSignedIn) return page;
      const parts = partsFor(pathname);
      const key = parts.join();
      const known = pages.get(key);
      if (known) return known;
      const made = withPreloads(
        page,
        parts.map((it) => sourceOf[it]),
        manifest,
      );
      pages.set(key, made);
      return made;
    },
  };
}

function withPreloads(page: string, sources: readonly string[], manifest: Manifest): string {
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(add);
  };
  sources.forEach(add);
  const links = [...files].filter((it) => !page.includes(it)).map((it) => `<link rel="modulepreload" href="/${it}">`);
  return page.replace('</head>', `${links.join('')}</head>`);
}
