import { expect, it } from 'vitest';
import { readAlike } from '#domain/definition/readAlike.ts';

it.each([
  [
    'tech',
    [
      'te\u0332ch',
      't\u00e9ch',
      't\u1eb9ch',
      'te\u0323ch',
      '\u1d1b\u1d07\u1d04\u029c',
      'tech\u02d9',
      'tech`',
      'T-e c.h',
    ],
  ],
  ['Admin', ['\u{1d400}dmin', '\uff21dmin', 'Adm|n', 'Adm\u01c0n', '\u0251dmin', 'АDМІN', 'adm\u0131n']],
  ['Room 10', ['Room IO', 'Room lO', 'R00M |0']],
  ['office', ['\u1d0f\ua730\ua730\u026a\u1d04\u1d07', '\u00f8ffice', '\u13beffice', 'o\u0192fice', 'offic\u0454']],
  ['Site manager', ['\u13daite mana\u01e5er', '\ua4e2ite mana\u0262er', 'Site manage\u0280']],
  ['tool', ['t\u0585\u0585l', 'T00L', 't\u03bf\u03bf1']],
  ['елка', ['ёлка', 'eлкa']],
])('%s reads like it with accents, other letters and signs that look the same', (words, others) => {
  for (const it of others) expect([it, readAlike(words, it)]).toEqual([it, true]);
});

it.each([
  ['C', 'C+'],
  ['C+', 'C++'],
  ['か', 'が'],
  ['维修', '维护'],
  ['Room 10', 'Room 11'],
  ['-', '.'],
  ['', '-'],
])('%s reads otherwise than %s', (one, other) => {
  expect(readAlike(one, other)).toBe(false);
});
