import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Part, partsFor } from '#domain/firstParts.ts';
import { isViewAddress } from '#domain/viewAddress.ts';
import { ROOT } from '#server/root.ts';

const CLIENT = join(ROOT, 'dist/client');

/** The source of each part, as the build's manifest calls it. */
export const sourceOf: Record<Part, string> = {
  product: 'src/main/browserStart.tsx',
  shell: 'src/app/shell/Shell.tsx',
  calls: 'src/app/moduleProvider.ts',
  home: 'src/app/home/HomePage.tsx',
  moduleRoutes: 'src/main/browserModules.tsx',
  list: 'src/app/engine/ListPage.tsx',
  detail: 'src/app/engine/DetailPage.tsx',
  form: 'src/app/engine/FormDialog.tsx',
};

type Manifest = Record<string, { file: string; imports?: string[] }>;

interface Page {
  text: string;
  etag: string;
  br: Buffer;
  gzip: Buffer;
}

interface Client {
  /** The page of an address; for who is signed in it names the scripts that will be needed next. */
  pageFor(pathname: string, isSignedIn: boolean): Page;
}

/** The scripts that stand in the page itself, for the policy that allows no others. */
export function inlineScripts(folder = CLIENT): string[] {
  const page = join(folder, 'index.html');
  const html = existsSync(page) ? readFileSync(page, 'utf8') : '';
  return [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}

/** The client that was built into this folder; null where none was. */
export function openClient(folder: string): Client | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  // One that was built by an earlier version names nothing.
  const named = join(folder, '.vite/manifest.json');
  const manifest = (existsSync(named) ? JSON.parse(readFileSync(named, 'utf8')) : {}) as Manifest;
  const pages = new Map<string, Page>();
  return {
    pageFor(pathname, isSignedIn) {
      const parts: Part[] = ['product', ...(isSignedIn ? partsFor(pathname) : [])];
      const key = parts.join();
      const known = pages.get(key);
      if (known) return known;
      const sources = parts.map((it) => sourceOf[it]);
      const made = pageOf(withPreloads(withFirstFrame(html, parts), sources, manifest));
      pages.set(key, made);
      return made;
    },
  };
}

const pageOf = (text: string): Page => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`,
  br: brotliCompressSync(text),
  gzip: gzipSync(text),
});

/** What is drawn before any script: the frame of who is signed in, with the shape of home or of another page. */
function withFirstFrame(page: string, parts: readonly Part[]): string {
  if (!parts.includes('shell')) return page;
  return page.replace('<html ', `<html class="signed-in${parts.includes('home') ? ' home' : ''}" `);
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

/** The built client: its files, and its page for whatever can be one of its views. */
export async function addClient(
  app: FastifyInstance,
  folder = CLIENT,
  refuse: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): Promise<void> {
  const client = openClient(folder);
  if (client) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        const forever = path.includes('/assets/');
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? request.url;
    if (client && ['GET', 'HEAD'].includes(request.method) && isViewAddress(path)) {
      // The cookie alone opens nothing; it tells which scripts the browser will want.
      const isSignedIn = /(^|; )token=[^;]/.test(request.headers.cookie ?? '');
      const page = client.pageFor(path, isSignedIn);
      reply.header('cache-control', 'no-cache').header('vary', 'cookie, accept-encoding').header('etag', page.etag);
      if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
      const taken = request.headers['accept-encoding'] ?? '';
      const encoding = (['br', 'gzip'] as const).find((it) => taken.includes(it));
      if (encoding) reply.header('content-encoding', encoding);
      return reply.type('text/html; charset=utf-8').send(encoding ? page[encoding] : page.text);
    }
    return refuse(request, reply);
  });
}
