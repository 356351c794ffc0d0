import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { RowId } from '#domain/wire.ts';

it('takes the id of a row from the first on, as far as a number says it exactly', () => {
  const ids = [0, 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, 1.5];
  expect(ids.filter((it) => Value.Check(RowId, it))).toEqual([1, Number.MAX_SAFE_INTEGER]);
});
