import { expect, it } from 'vitest';
import { readModel } from '#server/definitions/read.ts';
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
