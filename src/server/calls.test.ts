import { expect, it } from 'vitest';
import { submitName } from '#server/calls.ts';
import { fixedRoutes } from '#tests/support/features.ts';

it('no two submits keep their keys under one name, but for a GET and a POST that are one call', () => {
  const submits = fixedRoutes.map((it) => it.call).filter((it) => it.writes);
  const others = (call: (typeof submits)[number]) =>
    submits.filter((it) => it !== call && submitName(it) === submitName(call));
  const shared = submits.filter((it) => others(it).length > 0);
  expect(shared.filter((call) => others(call).some((it) => it.input !== call.input))).toEqual([]);
  expect(shared.length).toBeGreaterThan(0);
});
