import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { ROOT } from '#server/root.ts';

/** The pages of this repository as its tests read them. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const filesIn = (folder: string, endings: readonly string[]): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((it) => join(folder, it))
    .filter((it) => endings.includes(extname(it)))
    .sort();

export const pages = ['README.md', ...filesIn('docs', ['.md'])];
const pagesOf = (folder: string) => pages.filter((it) => dirname(it) === folder && !it.endsWith('README.md'));
const rules = join('docs', 'rules');
export const rulePages = pagesOf(rules);
export const records = pagesOf(join('docs', 'decisions'));

/** A page without its blocks of code. */
export const proseOf = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');
export const headingsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title);
/** The address of a heading, as readers of Markdown make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

/** Every rule as comments cite it: `page#anchor`. */
export const anchors: ReadonlySet<string> = new Set(
  rulePages.flatMap((page) => {
    const name = page.slice(rules.length + 1, -'.md'.length);
    return headingsOf(read(page)).map((it) => `${name}#${anchorOf(it)}`);
  }),
);
