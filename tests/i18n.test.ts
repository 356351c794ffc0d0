import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import englishMessages from 'ra-language-english';
import { describe, expect, it } from 'vitest';
import { queues } from '#domain/queues.ts';
import { refusals } from '#domain/refusal.ts';
import { placeholdersOf } from '#domain/say.ts';
import { languages, type Language } from '#domain/words.ts';
import { ROOT } from '#server/root.ts';

const folder = (lang: Language) => join(ROOT, 'i18n', lang);
const files = readdirSync(folder('zh')).sort();

/** react-admin's English words are its own package's. */
const isOfPackage = (lang: Language, file: string) => lang === 'en' && file === 'react-admin.json';
const textOf = (lang: Language, file: string) =>
  isOfPackage(lang, file) ? JSON.stringify(englishMessages) : readFileSync(join(folder(lang), file), 'utf8');

/** Every sentence of a file by its path: `station.verdict.ok`. */
function sentencesOf(lang: Language, file: string): Map<string, string> {
  const sentences = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'string') sentences.set(path, value);
    else for (const [name, it] of Object.entries(value as object)) visit(it, path ? `${path}.${name}` : name);
  };
  visit(JSON.parse(textOf(lang, file)), '');
  return sentences;
}

/** What needs no letters of its own: numbers, signs and placeholders. */
const isWordless = (text: string) => !/\p{L}/u.test(text.replace(/%\{\w+\}/g, ''));

describe('the words of the two languages', () => {
  it('are in the same files', () => {
    expect([...readdirSync(folder('en')), 'react-admin.json'].sort()).toEqual(files);
    expect(files).toContain('stations.json');
  });

  it.each(files)('have the same keys and placeholders in %s, and none is empty [W-COM-06]', (file) => {
    const [zh, en] = languages.map((lang) => sentencesOf(lang, file)) as [Map<string, string>, Map<string, string>];
    expect([...en.keys()].sort()).toEqual([...zh.keys()].sort());
    const wrong = [...zh].filter(([key, sentence]) => {
      const other = en.get(key) ?? '';
      return placeholdersOf(sentence).join() !== placeholdersOf(other).join();
    });
    expect(wrong).toEqual([]);
    // react-admin shows its `boolean.null` as nothing on purpose.
    const empty = [...zh, ...en].filter(([key, it]) => it.trim() === '' && key !== 'ra.boolean.null');
    expect(empty).toEqual([]);
  });

  it.each(files)('speak of one thing as of one in %s', (file) => {
    // There are always several of these.
    const many = ['delete.titleMany', 'tooManyRows'];
    const wrong = [...sentencesOf('en', file)].filter(
      ([key, it]) =>
        !it.includes('||||') && /%\{(count|n|done|units|lines)\} [a-z]+s\b/.test(it) && !many.includes(key),
    );
    expect(wrong).toEqual([]);
  });

  it('name every queue of work', () => {
    const named = [...sentencesOf('zh', 'queues.json').keys()];
    expect(named.sort()).toEqual(queues.map((it) => `${it.module}.${it.btnNo}`).sort());
  });

  it('name the parts of a count in the order of its numbers', () => {
    const zh = sentencesOf('zh', 'stations.json');
    const inOrder = (key: string) =>
      zh
        .get(key)
        ?.replace(/（.*?）/g, '')
        .replaceAll(' ', '');
    expect(inOrder('receive.expected')).toBe(inOrder('receive.receivedOf'));
    expect(inOrder('deliver.expected')).toBe(inOrder('deliver.scannedOf'));
  });

  it.each(files)('have no key twice in %s: the later would silently take the place of the earlier', (file) => {
    for (const lang of languages) {
      const text = textOf(lang, file);
      const withoutSpace = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
      expect(JSON.stringify(JSON.parse(text))).toBe(withoutSpace);
    }
  });

  it.each(files)('are Chinese on one side and not on the other in %s', (file) => {
    const isChinese = (text: string) => /[\u3400-\u9fff]/.test(text);
    const notChinese = [...sentencesOf('zh', file)].filter(
      ([, it]) => !isChinese(it) && !isWordless(it) && !isName(it),
    );
    expect(notChinese).toEqual([]);
    expect([...sentencesOf('en', file)].filter(([key, it]) => isChinese(it) && !isLanguageName(key))).toEqual([]);
  });

  it.each(files)('have no gaps in %s: no two blanks, and none before a stop', (file) => {
    for (const lang of languages) {
      expect([...sentencesOf(lang, file)].filter(([, it]) => /\S {2,}\S| [,;:!?，。；：](\s|$)/.test(it))).toEqual([]);
    }
  });

  it('are filled with nothing on purpose nowhere: an empty value has words of its own, or a dash', () => {
    const sources = sourcesUnder('src');
    const wrong = sources.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return fillings(text).flatMap((it) => (/(\?\?|\|\|) ''/.test(it) ? [`${path}: ${it}`] : []));
    });
    expect(wrong).toEqual([]);
    expect(sources.length).toBeGreaterThan(500);
  });

  it('are those of the trade: what was said otherwise once comes back nowhere', () => {
    const not = { zh: /机型族|开放/, en: /\bovertime\b/i };
    // The specification calls these reports so.
    const given = ['Unchecked overtime', 'Undelivered overtime', 'TAT overtime'];
    const texts = files.flatMap((file) =>
      languages.flatMap((lang) => [...sentencesOf(lang, file)].map(([key, text]) => ({ at: key, lang, text }))),
    );
    const wrong = [...texts, ...labels()].filter(({ lang, text }) => not[lang].test(text) && !given.includes(text));
    expect(wrong).toEqual([]);
  });

  it('begin large in English where they are a label; what a bin is called is a code', () => {
    expect(labels().filter(({ lang, text }) => lang === 'en' && /^(?!bin)[a-z]/.test(text))).toEqual([]);
    expect(labels().length).toBeGreaterThan(2000);
  });

  it('say every refusal of the register, and nothing else', () => {
    for (const lang of languages) {
      expect([...sentencesOf(lang, 'refusals.json').keys()].sort()).toEqual(Object.keys(refusals).sort());
    }
  });
});

/** Every label of the definitions, and of the lists of values, in both languages. */
function labels(): { at: string; lang: Language; text: string }[] {
  const visit = (value: unknown, at: string): { at: string; lang: Language; text: string }[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { zh, en } = value as Record<string, unknown>;
    if (typeof zh === 'string' && typeof en === 'string')
      return languages.map((lang) => ({ at, lang, text: String((value as Record<string, unknown>)[lang]) }));
    return Object.entries(value).flatMap(([name, it]) => visit(it, `${at}.${name}`));
  };
  return readdirSync(join(ROOT, 'definitions'), { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.json') && !it.includes('schema'))
    .flatMap((it) => visit(JSON.parse(readFileSync(join(ROOT, 'definitions', it), 'utf8')), it));
}

const sourcesUnder = (path: string) =>
  readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((it) => /\.tsx?$/.test(it) && !/\.test\.tsx?$/.test(it))
    .map((it) => join(path, it));
/** What stands in the braces behind `translate('…', {`, and behind `args: {` of a refusal. */
const fillings = (text: string): string[] =>
  [...text.matchAll(/(?:\btranslate\([^()]*?, |\bargs: )(\{[^{}]*\})/g)].map((it) => it[1] ?? '');

/** SN, QC, PCB: as they are in both languages. */
const isName = (text: string) => /^(Reflow|English|[A-Z]{2,4})$/.test(text.replace(/%\{\w+\}|[\s→/·:]/g, ''));
/** A language is named in itself, so that who speaks it finds it. */
const isLanguageName = (key: string) => /lang/i.test(key);
