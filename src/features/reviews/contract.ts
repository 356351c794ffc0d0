import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { OtherCorrection } from '#domain/corrections.ts';
import { reviewPaths, reviewStep, type ReviewAction, type ReviewedModule } from '#domain/review.ts';
import { Nullable, OptionalCode, OptionalText, Remark, RowId, SeenVersion } from '#domain/wire.ts';

/**
 * A decision on a bill: 2 pass, 1 not pass; why not, in words. The audit of an expense calls it `auditStatus`.
 * Rule: money#reviews.
 */
const decision = Type.Object({
  id: RowId,
  version: SeenVersion,
  result: OptionalCode,
  auditStatus: OptionalCode,
  remark: Remark,
  /** What was told before of what passing a price does, or of what else corrects the lines of a correction, as `earlierPrice`, `otherCorrections` or a preview answers it. */
  foreseen: OptionalText,
});
const decided = Type.Object({ id: Type.Integer(), billStatus: Type.String() });
/** `notes` say what else the decision has done, as the keys of sentences; `foreseen` stands for those of a price or a correction. */
const reviewed = Type.Object({
  ...decided.properties,
  notes: Type.Optional(
    Type.Array(Type.Object({ key: Type.String(), args: Type.Record(Type.String(), Type.String()) }), {
      maxItems: 1000,
    }),
  ),
  foreseen: Type.Optional(Type.String()),
});

/**
 * A path of the reviews, by POST or by GET. That of a step needs the right of its button; one that no bill has is refused
 * to whoever may see the list.
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
    data: reviewed,
  });

export const reviewCalls = reviewPaths.flatMap(({ module, action }) =>
  (['POST', 'GET'] as const).map((method) => ({ module, action, call: reviewCall(module, action, method) })),
);

/** A passed price no longer holds. Rule: money#price-bills. */
export const voidPriceBill = submit({
  path: '/api/rmaPriceBill/void.json',
  right: 'rmaPriceBill:void',
  input: Type.Object({ id: RowId, version: SeenVersion }),
  data: decided,
});

/** Costs go back to their site to be corrected, from their audit or after it. Rule: money#return. */
export const returnCosts = submit({
  path: '/api/rmaLogisticsCostsBill/return.json',
  right: 'rmaLogisticsCostsBill:return',
  input: Type.Object({ id: RowId, version: SeenVersion, remark: Remark }),
  data: decided,
});

/** The same as a GET, as the specification has it. Rule: money#return. */
export const returnCostsByGet = { ...returnCosts, method: 'GET' as const };

/**
 * Who has had a hand in a bill, by name, and the last word of each of its reviews; when who asks last changed it, its lines or
 * its papers: they do not review it. Rule: money#reviews, money#two-people.
 */
export const reviewWords = (module: ReviewedModule) =>
  lookup({
    path: `/api/${module}/reviewWords.json`,
    right: `${module}:list`,
    input: Type.Object({ id: RowId }),
    data: Type.Object({
      /** Account → name. */
      people: Type.Record(Type.String(), Type.String()),
      words: Type.Array(
        Type.Object({
          action: Type.String(),
          userId: Type.String(),
          at: Type.Number(),
          result: Nullable(Type.String()),
          remark: Nullable(Type.String()),
        }),
      ),
      changedAt: Nullable(Type.Number()),
    }),
  });

/**
 * The price that held before for the same work; null where there was none. Of one that is not passed yet, which prices it
 * ends and on which day, the days that are left without a price then, and the prices of other suppliers or in other
 * currencies beside which none is taken, all as 2026-10-31; `foreseen` stands for all of that, and goes with the decision.
 * Rule: money#price-bills.
 */
export const earlierPrice = lookup({
  path: '/api/rmaPriceBill/earlierPrice.json',
  right: 'rmaPriceBill:list',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    earlier: Nullable(Type.Object({ prbId: Type.String(), unitPriceWithTax: Type.String() })),
    cuts: Type.Array(Type.Object({ prbId: Type.String(), expirationDate: Type.String(), until: Type.String() })),
    gaps: Type.Array(Type.Object({ from: Type.String(), until: Type.String() })),
    clashes: Type.Array(
      Type.Object({
        ...{ prbId: Type.String(), supplierName: Type.String(), currency: Type.String() },
        ...{ from: Type.String(), until: Type.String() },
      }),
    ),
    foreseen: Type.String(),
  }),
});

/**
 * What else corrects the lines of the settled bill that a correction is for, and is not rejected; `foreseen` stands for what of it
 * corrects the lines of this one, and goes with the decision. Rule: money#correction-bills.
 */
export const otherCorrectionsOf = lookup({
  path: '/api/rmaCorrectionBill/otherCorrections.json',
  right: 'rmaCorrectionBill:list',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    others: Type.Array(OtherCorrection),
    foreseen: Type.String(),
  }),
});

const FeeSum = Type.Object({ units: Type.Integer(), includingTaxAmount: Type.String() });

/**
 * What a repair-fee bill comes to for each repair project, what its expenses come to where it has any, and all of it, in
 * the currency of the bill. Rule: money#sums-per-project.
 */
export const projectSums = lookup({
  path: '/api/rmaRepairFeeBill/projectSums.json',
  right: 'rmaRepairFeeBill:list',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    projects: Type.Array(Type.Object({ repairProject: Type.String(), ...FeeSum.properties })),
    expenses: Nullable(FeeSum),
    total: FeeSum,
  }),
});
