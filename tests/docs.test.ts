import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusals } from '#domain/refusal.ts';
import { events } from '#domain/workflow.ts';
import { ROOT } from '#server/root.ts';
import { anchorOf, anchors, headingsOf, pages, proseOf, read, records, rulePages } from './support/pages.ts';
import { drawing, fileOf, type Hop, readHops } from './support/scanDrawing.ts';

describe('the rules', () => {
  it('have each a heading of its own and say something', () => {
    for (const page of rulePages) {
      const titles = headingsOf(read(page)).map(anchorOf);
      expect(titles.filter((it, at) => titles.indexOf(it) !== at)).toEqual([]);
      expect(read(page), page).not.toMatch(/^## [^\n]+\n+(?:## |$(?![\s\S]))/m);
    }
  });

  it('name every event of the chain and every code of a refusal', () => {
    expect(events.map((it) => it.id).filter((it) => !anchors.has(`events#${it.toLowerCase()}`))).toEqual([]);
    const documented = [...read(join('docs', 'rules', 'refusals.md')).matchAll(/^\| (\d+) +\|/gm)].map(
      ([, code]) => code,
    );
    const codes = [...new Set(Object.values(refusals).map((it) => it.code))];
    expect(documented.sort()).toEqual(codes.sort());
  });
});

describe('the drawing of one scan', () => {
  const hops = readHops();

  it('names files and functions that are there', () => {
    const files = [...drawing.matchAll(/[\w/-]+\.tsx?/g)].map(([file]) => fileOf(file));
    expect(files.filter((it) => !existsSync(join(ROOT, it)))).toEqual([]);
    const isMissing = ({ file, name }: Hop) => !new RegExp(`\\b${name}\\b`).test(read(file));
    expect(hops.filter(isMissing)).toEqual([]);
  });

  it('goes through few files and functions', () => {
    const files = new Set(hops.map((it) => it.file)).size;
    expect(read('README.md')).toContain(`This way has ${files} files and ${hops.length} hops`);
    expect(files).toBeLessThanOrEqual(25);
    expect(hops.length).toBeLessThanOrEqual(70);
  });
});

describe('the decisions', () => {
  it('are dated, the oldest first, and name the files that they shaped', () => {
    for (const page of records) {
      const [, ...found] = read(page).split(/^## /m);
      const dates = found.map((it) => /^(\d{4}-\d\d-\d\d): \S/.exec(it)?.[1] ?? `no date: ${it.slice(0, 60)}`);
      expect(dates, page).toEqual([...dates].sort());
      expect(
        found.filter((it) => !/^Shaped: \[/m.test(it)).map((it) => it.slice(0, 60)),
        page,
      ).toEqual([]);
    }
  });
});

describe('links of README and docs', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, to = '']) => to)
      .filter((to) => !/^[a-z]+:/.test(to))
      .map((to) => ({ page, to })),
  );

  it('lead to files and headings that are there', () => {
    const broken = links.filter(({ page, to }) => {
      const [path = '', anchor] = to.split('#');
      const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !headingsOf(read(relative(ROOT, file))).some((it) => anchorOf(it) === anchor);
    });
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(200);
  });

  it('reach every page from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const { to } of links.filter((it) => it.page === page)) {
        const file = relative(ROOT, resolve(ROOT, dirname(page), to.replace(/#.*/, '')));
        if (file.endsWith('.md')) reached.add(file);
      }
    }
    expect(pages.filter((it) => !reached.has(it))).toEqual([]);
  });
});
