import { reviewStep } from '#domain/review.ts';

/** What a button may do without any code of its module: the engine does it on both sides. */
export const genericScripts = ['create', 'modify', 'deleteById', 'deleteAll', 'detail'] as const;

/** Row actions that need nothing but their row, so that a bulk run can make their call for each of many. */
const rowCalls: ReadonlySet<string> = new Set(
  ['stopStockupBill', 'resetStockupBill', 'cancelStockupBill'].map((it) => `rmaStockupBill:${it}`),
);

/** Whether a bulk run can do to many rows what a button does: change, delete, review, or make one of those calls. Rule: lists#bulk. */
export const takesMany = (module: string, script: string): boolean =>
  script === 'modify' ||
  script === 'deleteAll' ||
  reviewStep(module, script) !== undefined ||
  rowCalls.has(`${module}:${script}`);
