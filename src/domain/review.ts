import type { Problem } from './refusal.ts';
import { isUnseen } from './signs.ts';

/** The money bills, the states through which their reviews lead them, and who may not judge. Rule: money#reviews. */

/** The decision on the wire. */
export const ReviewResult = { NotPassed: '1', Passed: '2' } as const;
export type ReviewResult = (typeof ReviewResult)[keyof typeof ReviewResult];

export const PriceBillStatus = { AwaitingReview: '0', NotPassed: '1', Passed: '2', Voided: '3' } as const;
export const RepairFeeStatus = {
  AwaitingAfterSales: '0',
  Rejected: '1',
  AwaitingFinance: '3',
  AwaitingInvoice: '4',
  AwaitingAudit: '5',
  Settled: '6',
} as const;
export const LogisticsCostsStatus = {
  AwaitingCertificate: '0',
  AwaitingAudit: '1',
  Passed: '2',
  NotPassed: '3',
} as const;

/** What a line of a repair fee is for. Rule: money#repair-fees. */
export const RepairProject = {
  Device: '1',
  Board: '2',
  Power: '3',
  Controls: '4',
  CheckOnly: '5',
  ScrapCheck: '6',
} as const;
/** Why a line of a repair fee costs what it costs, or what its price is missing. Rule: money#repair-fees. */
export const PriceReason = {
  PriceBill: '1',
  SecondRepair: '2',
  NoFamily: '3',
  NoPrice: '4',
  Several: '5',
  Expense: '6',
} as const;
export const BusinessType = { InWarranty: '1', OutOfWarranty: '2', Stock: '3' } as const;
export const FeeType = { Material: '1', Labour: '2', Logistics: '3', Storage: '4', Customs: '5', Other: '9' } as const;

/** Of a bill that corrects a settled one. */
export const CorrectionStatus = { AwaitingReview: '0', Rejected: '1', AwaitingAudit: '2', Settled: '3' } as const;

/** Of other expenses. */
export const ExpenseStatus = { AwaitingAudit: '0', NotPassed: '1', Passed: '2' } as const;

export const reviewedModules = [
  'rmaPriceBill',
  'rmaRepairFeeBill',
  'rmaLogisticsCostsBill',
  'rmaMiscellaneousExpensesBill',
  'rmaCorrectionBill',
] as const;
export type ReviewedModule = (typeof reviewedModules)[number];
/** Whether the bills of a module are reviewed. */
export const isReviewed = (module: string): boolean => reviewedModules.some((it) => it === module);
export const reviewActions = ['financialReview', 'financialAudit', 'afterSalesReview', 'audit'] as const;
export type ReviewAction = (typeof reviewActions)[number];

export interface ReviewStep {
  module: ReviewedModule;
  action: ReviewAction;
  /** The state in which the bill waits for this review, and where each decision leads. */
  from: string;
  passed: string;
  notPassed: string;
  /** Where the reviewer and the time are written. */
  by: string;
  at: string;
  /**
   * Whoever stands in one of these fields may not judge: nobody reviews what they made or have reviewed in another part. Who
   * changed it besides, at any time, says the ledger.
   */
  notBy: readonly string[];
}

/** The eight reviews that exist. Rule: money#reviews. */
export const reviewSteps: readonly ReviewStep[] = [
  {
    module: 'rmaPriceBill',
    action: 'financialReview',
    from: PriceBillStatus.AwaitingReview,
    passed: PriceBillStatus.Passed,
    notPassed: PriceBillStatus.NotPassed,
    by: 'financialReviewer',
    at: 'financialReviewTime',
    notBy: ['createBy'],
  },
  {
    module: 'rmaRepairFeeBill',
    action: 'afterSalesReview',
    from: RepairFeeStatus.AwaitingAfterSales,
    passed: RepairFeeStatus.AwaitingFinance,
    notPassed: RepairFeeStatus.Rejected,
    by: 'afterSalesReviewBy',
    at: 'afterSalesReviewTime',
    notBy: ['createBy', 'financialReviewBy'],
  },
  {
    module: 'rmaRepairFeeBill',
    action: 'financialReview',
    from: RepairFeeStatus.AwaitingFinance,
    passed: RepairFeeStatus.AwaitingInvoice,
    notPassed: RepairFeeStatus.AwaitingAfterSales,
    by: 'financialReviewBy',
    at: 'financialReviewTime',
    notBy: ['createBy', 'afterSalesReviewBy'],
  },
  {
    module: 'rmaRepairFeeBill',
    action: 'financialAudit',
    from: RepairFeeStatus.AwaitingAudit,
    passed: RepairFeeStatus.Settled,
    notPassed: RepairFeeStatus.AwaitingInvoice,
    by: 'financialAuditBy',
    at: 'financialAuditTime',
    notBy: ['createBy', 'afterSalesReviewBy', 'financialReviewBy'],
  },
  {
    module: 'rmaLogisticsCostsBill',
    action: 'financialAudit',
    from: LogisticsCostsStatus.AwaitingAudit,
    passed: LogisticsCostsStatus.Passed,
    notPassed: LogisticsCostsStatus.NotPassed,
    by: 'financialReviewer',
    at: 'financialReviewTime',
    notBy: ['createBy'],
  },
  {
    module: 'rmaMiscellaneousExpensesBill',
    action: 'audit',
    from: ExpenseStatus.AwaitingAudit,
    passed: ExpenseStatus.Passed,
    notPassed: ExpenseStatus.NotPassed,
    by: 'auditBy',
    at: 'auditTime',
    notBy: ['createBy'],
  },
  {
    module: 'rmaCorrectionBill',
    action: 'financialReview',
    from: CorrectionStatus.AwaitingReview,
    passed: CorrectionStatus.AwaitingAudit,
    notPassed: CorrectionStatus.Rejected,
    by: 'financialReviewBy',
    at: 'financialReviewTime',
    notBy: ['createBy', 'financialAuditBy'],
  },
  {
    module: 'rmaCorrectionBill',
    action: 'financialAudit',
    from: CorrectionStatus.AwaitingAudit,
    passed: CorrectionStatus.Settled,
    notPassed: CorrectionStatus.AwaitingReview,
    by: 'financialAuditBy',
    at: 'financialAuditTime',
    notBy: ['createBy', 'financialReviewBy'],
  },
];

export const reviewStep = (module: string, action: string): ReviewStep | undefined =>
  reviewSteps.find((it) => it.module === module && it.action === action);

/**
 * The paths on which reviews are asked for: the specification's nine, four of which no bill has, that of expenses, and those
 * of corrections.
 */
export const reviewPaths: readonly { module: ReviewedModule; action: ReviewAction }[] = reviewedModules.flatMap(
  (module) =>
    reviewActions
      .filter((action) =>
        module === 'rmaCorrectionBill'
          ? reviewStep(module, action) !== undefined
          : (action === 'audit') === (module === 'rmaMiscellaneousExpensesBill'),
      )
      .map((action) => ({ module, action })),
);

/** The decision is 2 or 1, and a no says why: whoever corrects the bill has nothing else to go by. Rule: money#reviews. */
export function validateDecision(result: string, remark: string | null): Problem[] {
  const field = { zh: '审核结论', en: 'The decision' };
  if (result === '') return [{ key: 'required', field: 'result', args: { fields: [field] } }];
  if (result === ReviewResult.Passed) return [];
  if (result !== ReviewResult.NotPassed) return [{ key: 'format', field: 'result', args: { field } }];
  const reason = { zh: '不通过的原因', en: 'Why it does not pass' };
  return !isUnseen(remark ?? '') ? [] : [{ key: 'required', field: 'remark', args: { fields: [reason] } }];
}
