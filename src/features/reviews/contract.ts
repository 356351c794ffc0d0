import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { reviewActions, reviewedModules, reviewStep, type ReviewAction, type ReviewedModule } from '#domain/review.ts';
import { OptionalCode, Remark, RowId } from '#domain/wire.ts';

/** A decision on a bill: 2 pass, 1 not pass; why not, in words. Rule: money#reviews. */
const decision = Type.Object({ id: RowId, result: OptionalCode, remark: Remark });
const decided = Type.Object({ id: Type.Integer(), billStatus: Type.String() });

/**
 * The nine paths of the reviews, each by POST and by GET. Those of a step need the right of its button; the four that no
 * bill has are refused to whoever may see the list.
 */
export const reviewCall = <Method extends 'GET' | 'POST'>(
  module: ReviewedModule,
  action: ReviewAction,
  method: Method,
) =>
  submit({
    method,
    path: `/api/${module}/${action}.json`,
    right: reviewStep(module, action) ? `${module}:${action}` : `${module}:list`,
    input: decision,
    data: decided,
  });

export const reviewCalls = reviewedModules.flatMap((module) =>
  reviewActions.flatMap((action) =>
    (['POST', 'GET'] as const).map((method) => ({ module, action, call: reviewCall(module, action, method) })),
  ),
);

/** A passed price no longer holds. Rule: money#price-bills. */
export const voidPriceBill = submit({
  path: '/api/rmaPriceBill/void.json',
  right: 'rmaPriceBill:void',
  input: Type.Object({ id: RowId }),
  data: decided,
});
