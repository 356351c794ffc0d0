import { expect, it } from 'vitest';
import { undoableSteps } from '#domain/nextActions.ts';
import { undoOf } from './undoOf.ts';

it.each(undoableSteps)('knows the way back of %s, which the page of an SN offers', (step) => {
  expect(undoOf(step)).toBeTypeOf('function');
});
