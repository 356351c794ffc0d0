import { endingOf } from '#domain/uploads.ts';

const LONGEST = 100;

/**
 * The name under which a file is handed out: shown to people only, so it is stripped of paths, of what could break a
 * header or turn its reading direction, and cut; and it ends as its content is, so that a page that was sent as
 * `photo.html` is not opened as one.
 */
export function fileNameOf(sent: string, endings: readonly [string, ...string[]]): string {
  const base = sent.split(/[/\\]/).at(-1) ?? '';
  const clean = [...base.normalize('NFC')].filter((it) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>:|?*]/u.test(it)).join('');
  const bare = clean.replace(/^[.\s]+/, '').trim();
  const named = endings.includes(endingOf(bare)) ? bare : `${bare || 'file'}.${endings[0]}`;
  if (named.length <= LONGEST) return named;
  const ending = `.${endingOf(named)}`;
  return [...named].slice(0, LONGEST - ending.length).join('') + ending;
}
