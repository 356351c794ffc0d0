import { expect, it } from 'vitest';
import { validateKeys } from '#domain/definition/keys.ts';
import { readModel } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';

it('what is shipped is seen through what no two rows share, and no value of some sites is unique', () => {
  const shipped = readModel(registers);
  expect(validateKeys({ ...shipped, definitions: new Map() }, shipped, shipped.definitions.keys())).toEqual([]);
});
