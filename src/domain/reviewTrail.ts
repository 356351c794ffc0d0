import {
  CorrectionStatus,
  ExpenseStatus,
  LogisticsCostsStatus,
  PriceBillStatus,
  RepairFeeStatus,
  reviewSteps,
  type ReviewedModule,
  type ReviewAction,
} from '#domain/review.ts';

/** One station of a money bill: made, judged, its papers handed in, no longer valid. */
export type TrailAction = 'create' | 'resubmit' | 'uploadInvoice' | 'uploadCertificate' | 'void' | ReviewAction;

interface TrailStep {
  action: TrailAction;
  /** The fields that say who did it and when. */
  by: string;
  at: string;
  /** The states in which the bill waits for it; none for what has always been done. */
  from: readonly string[];
  /** A no in the last word on the bill: in this state the step has refused it. */
  refused?: string;
  /** It is a step of those bills alone where somebody took it. */
  isOptional?: true;
}

const made: TrailStep = { action: 'create', by: 'createBy', at: 'createTime', from: [] };
const resubmitted: TrailStep = {
  ...{ action: 'resubmit', by: 'resubmitBy', at: 'resubmitTime', from: [], isOptional: true },
};
const review = (module: ReviewedModule, action: ReviewAction, refused?: string): TrailStep => {
  const { by, at, from } = reviewSteps.find(
    (it) => it.module === module && it.action === action,
  ) as (typeof reviewSteps)[number];
  return { action, by, at, from: [from], ...(refused !== undefined && { refused }) };
};

/** The way of each money bill, in its order. Rule: money#reviews, money#repair-fees, money#papers. */
const trails: Readonly<Record<ReviewedModule, readonly TrailStep[]>> = {
  rmaPriceBill: [made, review('rmaPriceBill', 'financialReview', PriceBillStatus.NotPassed)],
  rmaRepairFeeBill: [
    made,
    resubmitted,
    review('rmaRepairFeeBill', 'afterSalesReview', RepairFeeStatus.Rejected),
    review('rmaRepairFeeBill', 'financialReview'),
    {
      action: 'uploadInvoice',
      by: 'uploadInvoiceBy',
      at: 'uploadInvoiceTime',
      from: [RepairFeeStatus.AwaitingInvoice],
    },
    review('rmaRepairFeeBill', 'financialAudit'),
  ],
  rmaLogisticsCostsBill: [
    made,
    {
      action: 'uploadCertificate',
      by: 'uploadCertificateBy',
      at: 'uploadCertificateTime',
      from: [LogisticsCostsStatus.AwaitingCertificate, LogisticsCostsStatus.NotPassed],
    },
    review('rmaLogisticsCostsBill', 'financialAudit', LogisticsCostsStatus.NotPassed),
  ],
  rmaMiscellaneousExpensesBill: [made, review('rmaMiscellaneousExpensesBill', 'audit', ExpenseStatus.NotPassed)],
  rmaCorrectionBill: [
    made,
    resubmitted,
    review('rmaCorrectionBill', 'financialReview', CorrectionStatus.Rejected),
    review('rmaCorrectionBill', 'financialAudit'),
  ],
};

/** `refused`: somebody said no there, and the bill went back or ended. */
export interface PassedStep {
  action: TrailAction;
  state: 'done' | 'next' | 'refused' | 'later';
  /** Who did it, by account, and when; of a step that is still to come, nobody. */
  by: string | null;
  at: number | null;
}

/** What has been done with a bill, what comes next and what after that. */
export function reviewTrail(module: ReviewedModule, bill: Readonly<Record<string, unknown>>): PassedStep[] {
  const trail = trails[module].filter((it) => !it.isOptional || handOf(bill, it.by, it.at).who !== null);
  const status = String(bill['billStatus'] ?? '');
  const isVoid = module === 'rmaPriceBill' && status === PriceBillStatus.Voided;
  const next = trail.findIndex((it) => it.from.includes(status));
  const ended = trail.findIndex((it) => it.refused === status);
  const steps = trail.map(({ action, by, at, refused }, i): PassedStep => {
    const { who, when } = handOf(bill, by, at);
    if (i === next) return { action, state: 'next', by: null, at: null };
    if (refused === status) return { action, state: 'refused', by: who, at: when };
    const isBehind = next >= 0 ? i < next : ended < 0 || i < ended;
    if (isBehind) return { action, state: 'done', by: who, at: when };
    // It was judged there already, and sent back from there.
    return who === null
      ? { action, state: 'later', by: null, at: null }
      : { action, state: 'refused', by: who, at: when };
  });
  if (!isVoid) return steps;
  // Nothing is written on a voided bill any more: who wrote last has voided it.
  const { who, when } = handOf(bill, 'updateBy', 'updateTime');
  return [...steps, { action: 'void', state: 'refused', by: who, at: when }];
}

const handOf = (bill: Readonly<Record<string, unknown>>, by: string, at: string) => ({
  who: typeof bill[by] === 'string' && bill[by] !== '' ? bill[by] : null,
  when: typeof bill[at] === 'number' ? bill[at] : null,
});

/** The fields of a bill that say who took a step and when. */
export const trailFields = (module: ReviewedModule): string[] => trails[module].flatMap(({ by, at }) => [by, at]);

/** The amount that is judged, and what it is made of. */
export const amountsOf: Readonly<Record<ReviewedModule, { total: string; parts: readonly string[] }>> = {
  rmaPriceBill: { total: 'unitPriceWithTax', parts: ['unitPriceWithoutTax', 'taxRate'] },
  rmaRepairFeeBill: { total: 'includingTaxAmount', parts: ['excludingTaxAmount', 'taxAmount'] },
  rmaLogisticsCostsBill: { total: 'totalAmount', parts: [] },
  rmaMiscellaneousExpensesBill: { total: 'includingTaxAmount', parts: ['excludingTaxAmount', 'taxAmount', 'taxRate'] },
  rmaCorrectionBill: { total: 'includingTaxAmount', parts: ['excludingTaxAmount', 'taxAmount'] },
};

/** The fields of a bill that hold papers. Rule: money#papers. */
export const paperFields: Readonly<Record<ReviewedModule, readonly string[]>> = {
  rmaPriceBill: [],
  rmaRepairFeeBill: ['invoiceUrls', 'processingFeeReportUrl'],
  rmaLogisticsCostsBill: ['certificateUrls'],
  rmaMiscellaneousExpensesBill: [],
  rmaCorrectionBill: [],
};
