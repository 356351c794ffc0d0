import { expect, it } from 'vitest';
import { undoableSteps } from '#domain/nextActions.ts';
import { findUndo } from './findUndo.ts';

it.each(undoableSteps)('knows the way back of %s, which the page of an SN offers', (step) => {
  expect(findUndo(step)).toBeTypeOf('function');
});
