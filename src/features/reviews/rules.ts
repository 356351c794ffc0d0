import type { Problem } from '#domain/refusal.ts';
import { ReviewResult, type ReviewStep } from '#domain/review.ts';

/** The decision is 2 or 1, and a no says why when it comes from our screen. Rule: money#reviews. */
export function validateDecision(result: string): Problem[] {
  const field = { zh: '审核结论', en: 'The decision' };
  if (result === '') return [{ key: 'required', field: 'result', args: { fields: [field] } }];
  const isKnown = result === ReviewResult.Passed || result === ReviewResult.NotPassed;
  return isKnown ? [] : [{ key: 'format', field: 'result', args: { field } }];
}

/** Nobody judges what they made or have reviewed in another part. Rule: money#two-people. */
export const validateReviewer = (step: ReviewStep, bill: Record<string, unknown>, userId: string): Problem[] =>
  step.notBy.some((name) => bill[name] === userId) ? [{ key: 'samePerson' }] : [];

/** Where the decision leads the bill. */
export const statusAfter = (step: ReviewStep, result: string): string =>
  result === ReviewResult.Passed ? step.passed : step.notPassed;
