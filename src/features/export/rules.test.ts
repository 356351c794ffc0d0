import { expect, it } from 'vitest';
import { validateColumns } from './rules.ts';

const columns = (count: number) => Array.from({ length: count }, (_, i) => `column${i}`);

it.each([
  ['no column', 0, true, 'least'],
  ['no column of any list', 0, false, 'least'],
  ['one column', 1, true, null],
  ['48 columns of the wafer WIP list', 48, true, null],
  ['49 columns of the wafer WIP list', 49, true, 'most'],
  ['49 columns of another list', 49, false, null],
] as const)('%s [P-EXP-09]', (_, count, isWip, problem) => {
  expect(validateColumns(columns(count), isWip)).toBe(problem);
});
