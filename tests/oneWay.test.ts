import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((it) => /\.tsx?$/.test(it) && !/\.test\.tsx?$/.test(it) && !it.startsWith('testing/'))
    .map((it) => join(folder, it));
const files = ['src/app', 'src/features', 'src/main'].flatMap(filesOf);
const textOf = new Map(files.map((it) => [it, readFileSync(join(ROOT, it), 'utf8')]));
const filesWith = (what: RegExp) => files.filter((it) => what.test(textOf.get(it) ?? '')).sort();

describe('what has one way in the browser', () => {
  it('is told where it is done', () => {
    expect(files.length).toBeGreaterThan(700);
    for (const [what, sample] of [
      [OPENS, "window.open(path, '_blank')"],
      [SAVES, 'link.download = name;'],
      [SAVES, '<Link download="x">'],
      [ENTERS, "if (event.key !== 'Enter') return;"],
      [ENTERS, "['Enter', ' '].includes(event.key)"],
      [ENTERS, 'if (event.isComposing) return;'],
      [COPIES, 'navigator.clipboard.writeText(text)'],
      [COPIES, "document.execCommand('copy')"],
    ] as const) {
      expect(sample).toMatch(what);
    }
  });

  // Rule: exports-and-jobs#downloads.
  it('no window is opened, and a file is saved by one link', () => {
    expect(filesWith(OPENS)).toEqual([]);
    expect(filesWith(SAVES)).toEqual(['src/app/parts/download.ts']);
  });

  // Rule: screens#copies.
  it('a text is copied by one function', () => {
    expect(filesWith(COPIES)).toEqual(['src/app/fields/copyText.ts']);
    const buttons = files.flatMap((it) => textOf.get(it)?.match(/\bcopyText\((?!\n?\s*text: string)/g) ?? []);
    expect(buttons).toHaveLength(4);
  });

  // Rule: screens#enter.
  it('an Enter is asked by one function whether an input method ends a word with it', () => {
    expect(filesWith(ENTERS)).toEqual([
      'src/app/parts/enter.ts',
      // A scanner's Enter ends its code under an input method as well.
      'src/app/parts/scan/ScanField.tsx',
      'src/app/parts/scan/rhythm.ts',
      'src/app/parts/scan/scanner.ts',
      'src/app/parts/scan/wedge.ts',
      // Their names, for who reads them.
      'src/app/shell/shortcuts.ts',
    ]);
    const asked = files.flatMap((it) => textOf.get(it)?.match(/\b(isEnter|isPlainEnter|atEnter)\((?!event: )/g) ?? []);
    expect(asked.length).toBeGreaterThan(25);
  });
});

const OPENS = /\b(window|globalThis|self)\s*(\?\.|\.|\[['"])open\b|(?<![.\w])open\(\s*['"`]/;
const ENTERS = /(['"`])(Numpad)?Enter\1|\.isComposing\b|\.keyCode\b|\bevent\.which\b/;
const COPIES = /navigator\.clipboard|execCommand/;
const SAVES = /\.download\s*=[^=]|\sdownload=|setAttribute\(['"]download/;
