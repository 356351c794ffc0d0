import { expect, it } from 'vitest';
import { reviewedModules, reviewSteps, type ReviewedModule } from './review.ts';
import { reviewTrail } from './reviewTrail.ts';

const said = (module: ReviewedModule, bill: Record<string, unknown>) =>
  reviewTrail(module, { createBy: 'office', createTime: 1, ...bill }).map(
    (it) => `${it.action} ${it.state} ${it.by ?? '-'}`,
  );

it.each<[what: string, ReviewedModule, Record<string, unknown>, string[]]>([
  ['a new price', 'rmaPriceBill', { billStatus: '0' }, ['create done office', 'financialReview next -']],
  [
    'a refused price',
    'rmaPriceBill',
    { billStatus: '1', financialReviewer: 'finance' },
    ['create done office', 'financialReview refused finance'],
  ],
  [
    'a voided price',
    'rmaPriceBill',
    { billStatus: '3', financialReviewer: 'finance', updateBy: 'ben', updateTime: 2 },
    ['create done office', 'financialReview done finance', 'void refused ben'],
  ],
  [
    'a fee at finance',
    'rmaRepairFeeBill',
    { billStatus: '3', afterSalesReviewBy: 'anna' },
    [
      ...['create done office', 'afterSalesReview done anna', 'financialReview next -', 'uploadInvoice later -'],
      'financialAudit later -',
    ],
  ],
  [
    'a fee that finance sent back',
    'rmaRepairFeeBill',
    { billStatus: '0', afterSalesReviewBy: 'anna', financialReviewBy: 'ben' },
    [
      ...['create done office', 'afterSalesReview next -', 'financialReview refused ben', 'uploadInvoice later -'],
      'financialAudit later -',
    ],
  ],
  [
    'a fee that after-sales rejected',
    'rmaRepairFeeBill',
    { billStatus: '1', afterSalesReviewBy: 'anna' },
    [
      ...['create done office', 'afterSalesReview refused anna', 'financialReview later -', 'uploadInvoice later -'],
      'financialAudit later -',
    ],
  ],
  [
    'a fee that was corrected and handed in again',
    'rmaRepairFeeBill',
    { billStatus: '0', resubmitBy: 'olga' },
    [
      ...['create done office', 'resubmit done olga', 'afterSalesReview next -', 'financialReview later -'],
      ...['uploadInvoice later -', 'financialAudit later -'],
    ],
  ],
  [
    'a settled fee',
    'rmaRepairFeeBill',
    {
      ...{ billStatus: '6', afterSalesReviewBy: 'anna', financialReviewBy: 'ben', uploadInvoiceBy: 'cleo' },
      financialAuditBy: 'dan',
    },
    [
      ...['create done office', 'afterSalesReview done anna', 'financialReview done ben', 'uploadInvoice done cleo'],
      'financialAudit done dan',
    ],
  ],
  [
    'costs whose audit said no',
    'rmaLogisticsCostsBill',
    { billStatus: '3', uploadCertificateBy: 'cleo', financialReviewer: 'dan' },
    ['create done office', 'uploadCertificate next -', 'financialAudit refused dan'],
  ],
  [
    'an expense that was refused',
    'rmaMiscellaneousExpensesBill',
    { billStatus: '1', auditBy: 'dan' },
    ['create done office', 'audit refused dan'],
  ],
  [
    'an expense that has passed',
    'rmaMiscellaneousExpensesBill',
    { billStatus: '2', auditBy: 'dan' },
    ['create done office', 'audit done dan'],
  ],
])('%s has this way', (_, module, bill, expected) => {
  expect(said(module, bill)).toEqual(expected);
});

it('every review is the next step in the state in which a bill waits for it', () => {
  for (const { module, action, from } of reviewSteps) {
    expect(reviewTrail(module, { billStatus: from }).find((it) => it.state === 'next')?.action).toBe(action);
  }
  expect(new Set(reviewSteps.map((it) => it.module))).toEqual(new Set(reviewedModules));
});
