import { expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import { readModel, type PublishedChange } from '#server/definitions/read.ts';
import { asTold, badDefinitions, forLog } from '#server/definitions/refused.ts';
import { judge } from '#server/definitions/settle.ts';
import { notTaken } from '#server/definitions/tables.ts';
import { registers } from '#tests/support/features.ts';

const model = readModel(registers);
const refused = (code: string) => Object.assign(new Error('invalid input syntax for type numeric: "secret"'), { code });

it.each([
  ['22P02', 'ALTER TABLE "ubs_site" ALTER COLUMN "name" TYPE numeric USING "name"::numeric', 'name'],
  ['22003', 'ALTER TABLE "ubs_site" ADD COLUMN "sum" integer GENERATED ALWAYS AS ("a" * "b") STORED', 'sum'],
  ['22012', 'CREATE INDEX CONCURRENTLY "x" ON "ubs_site" ("name", "siteId", id)', 'name, siteId'],
])('what the database says of a value (%s) is told as a sentence with the fields, never with the value', (...given) => {
  const [code, statement, name] = given;
  const problem = notTaken(refused(code), statement, model);
  expect(problem).toMatchObject({ kind: 'NotApplied', rule: 'valuesUnfit', where: 'ubsSite', name });
  expect(problem?.path).toBe(`fields.${name.split(', ')[0]}`);
});

it('what the database refuses for any other reason is told by a sentence, and its words are for the log', () => {
  const problem = notTaken(refused('42501'), 'ALTER TABLE "ubs_site" ADD COLUMN "sum" integer', model);
  expect(problem).toMatchObject({ rule: 'notTaken', where: 'ubsSite', path: 'fields.sum', name: 'sum' });
  const told = problem ? [problem] : [];
  expect(JSON.stringify(told.map(asTold))).not.toContain('secret');
  expect(badDefinitions(told).problems[0]?.args?.['first']).toEqual({
    zh: zh.problems.notTaken,
    en: en.problems.notTaken,
  });
  expect(forLog(told)).toEqual([expect.stringContaining('secret')]);
});

it('what this version can’t even look at is told by a sentence, and what it broke on is for the log', () => {
  const unread: PublishedChange = {
    module: 'ubsSite',
    get change(): never {
      throw new Error('is not iterable');
    },
  };
  const { problems } = judge(registers, [unread], new Set());
  expect(problems).toMatchObject([{ rule: 'changeUnread', where: 'ubsSite', what: 'is not iterable' }]);
  expect(problems.map(asTold)).toEqual([
    { kind: 'NotApplied', rule: 'changeUnread', module: 'ubsSite', path: '', name: '' },
  ]);
});
