import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, filesIn, read } from './support/pages.ts';

const sources = ['src', 'tests', 'bench', 'scripts', 'definitions'].flatMap((it) =>
  filesIn(it, ['.ts', '.tsx', '.mjs', '.sql', '.json', '.md']),
);

/** The comments of a source, each run of lines as one text. */
function commentsOf(text: string): string[] {
  const runs = [''];
  for (const line of text.split('\n')) {
    const whole = /^\s*(?:\/\*\*?|\*\/?|\/\/|--|\{\/\*)(.*)$/.exec(line)?.[1];
    const behind = whole === undefined ? /\s(?:\/\/|\/\*\*?) (.*)$/.exec(line)?.[1] : undefined;
    if (whole === undefined) runs.push('');
    runs[runs.length - 1] += ` ${(whole ?? behind ?? '').replace(/\*\/\}?\s*$/, '').trim()}`;
  }
  return runs.map((it) => it.trim().replace(/ +/g, ' ')).filter((it) => it !== '');
}

const CITATION = /\bRule: ([a-z-]+#[a-z0-9-]+(?:, [a-z-]+#[a-z0-9-]+)*)/g;
const citationsOf = (comment: string): string[] =>
  [...comment.matchAll(CITATION)].flatMap(([, said = '']) => said.split(', '));

/** Words that begin like a citation and name no rule. */
const brokenIn = (comment: string): string[] =>
  [...comment.matchAll(/\bRule: (?![a-z-]+#[a-z0-9])\S*/g)].map(([said]) => said);

/** How papers were cited that nobody who reads this has. */
const oldSpellings = [
  /\b(?:design|spec(?:ification)?|decisions?|examples)(?:[- ]?[123])?,? (?:sections? \d|§|O-|E[0-3]\d|\d\.\d|[A-D]\.\d|part [A-G])/i,
  /\b(?:Spec|Specification|Decisions)[- ][123]\b/i,
  /§/,
  /\bO-(?:[A-Z]{2,3}\b|\d)/,
  /\bE[0-3]\d\b/,
  /\bsafety \d\.\d/i,
];
const oldIn = (comment: string): string[] =>
  oldSpellings.flatMap((it) => {
    const hit = it.exec(comment);
    return hit ? [comment.slice(Math.max(0, hit.index - 20), hit.index + 40)] : [];
  });

describe('what comments cite', () => {
  const comments = sources
    .filter((it) => it !== join('tests', 'citations.test.ts'))
    .flatMap((file) => commentsOf(read(file)).map((comment) => ({ file, comment })));

  it('is a rule that has its heading', () => {
    const cited = comments.flatMap(({ file, comment }) => citationsOf(comment).map((rule) => ({ file, rule })));
    expect(cited.filter(({ rule }) => !anchors.has(rule))).toEqual([]);
    expect(comments.flatMap(({ file, comment }) => brokenIn(comment).map((said) => `${file}: ${said}`))).toEqual([]);
    expect(cited.length).toBeGreaterThan(500);
  });

  it('is no paper that nobody has', () => {
    expect(comments.flatMap(({ file, comment }) => oldIn(comment).map((said) => `${file}: ${said}`))).toEqual([]);
  });

  it('is no paper in the requirements either, and each rule that they name has its heading', () => {
    const rows = read(join('tests', 'requirements.tsv')).split('\n');
    const papers = [...oldSpellings.filter((it) => !it.test('E01')), /\b(?:decisions?-\d|document \d)/i];
    expect(rows.filter((row) => papers.some((it) => it.test(row)))).toEqual([]);
    const named = rows.flatMap((row) => [...row.matchAll(/docs\/rules\/([a-z-]+)\.md#([a-z0-9-]+)/g)]);
    expect(named.map(([, page, anchor]) => `${page}#${anchor}`).filter((it) => !anchors.has(it))).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });

  it('would be found out if it were', () => {
    const wrong = [
      'Decisions 2 E38.',
      'Design section 6.',
      'Spec 2 §5 Repair.',
      'Moves it. E32.',
      'O-51.',
      'decisions-3 part E',
    ];
    expect(wrong.filter((it) => oldIn(it).length === 0)).toEqual([]);
    expect(brokenIn('Rule: events')).toEqual(['Rule: events']);
    expect(citationsOf('Moves it. Rule: events#e32, stock-up#advance.')).toEqual(['events#e32', 'stock-up#advance']);
    expect(commentsOf('/**\n * Moves it. Rule: a#b,\n * c#d.\n */\nconst a = 1; // Rule: e#f')).toEqual([
      'Moves it. Rule: a#b, c#d.',
      'Rule: e#f',
    ]);
  });
});
