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

it('leads nowhere by what somebody typed: addresses of data come from `fileAddress` and `paperAddress` alone', () => {
  const addresses = linesWith(/(?:^|\s)(?:href|src)=\{/).filter(
    (it) => !/(?:href|src)=\{(?:file|paper)Address\(/.test(it),
  );
  expect(addresses).toEqual([
    // The demonstration of parts, for developers.
    'app/gallery/PartsPage.tsx: <Link href={it}>{it}</Link>',
    'app/gallery/PartsPage.tsx: <Box component="iframe" src={it} title={it} sx={{ flex: 1, border: 1, borderColor: \'divider\' }} />',
    // A file that the browser itself holds.
    'app/parts/UploadTiles.tsx: src={preview}',
    // A picture that the server drew, and an address of its settings.
    'app/sign-in/CaptchaPicture.tsx: src={captcha.captcha}',
    'app/sign-in/LoginPage.tsx: href={captcha.ssoLoginUrl}',
    // A page of the house, by the name of a list.
    "features/studio/PreviewFrame.tsx: src={`/${menuNo}${view === 'form' ? '/create' : ''}`}",
  ]);
});
