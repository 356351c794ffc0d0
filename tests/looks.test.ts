import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The lines of the browser's sources that would draw something its own way, with their files. */
function linesWith(what: RegExp): string[] {
  const root = new URL('../src/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((it) => /(?<!\.test)\.tsx$/.test(it));
  return files.flatMap((file) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .flatMap((it) => (what.test(it) ? [`${file}: ${it.trim()}`] : [])),
  );
}

it('draws what files are dropped on in the outline of a control', () => {
  expect(linesWith(/px dashed.*'divider'/)).toEqual([]);
});

it('leaves the height of a dialog on a phone to the theme', () => {
  expect(linesWith(/\bfullScreen\b/)).toEqual([]);
});
