import type { Step } from '#domain/workflow.ts';

/** Which module keeps the bills of a step, and which of its buttons opens the station; the right is of both names. */
export const stations: Readonly<Record<Step, { module: string; btnNo: string }>> = {
  receive: { module: 'rmaReceiveBill', btnNo: 'receive' },
  check: { module: 'rmaCheckBill', btnNo: 'check' },
  repair: { module: 'rmaRepairBill', btnNo: 'repair' },
  assemble: { module: 'rmaAssembleBill', btnNo: 'assemble' },
  aging: { module: 'rmaBurninBill', btnNo: 'burnin' },
  qc: { module: 'rmaExamineBill', btnNo: 'examine' },
  store: { module: 'rmaStoreBill', btnNo: 'store' },
  deliver: { module: 'rmaDeliverBill', btnNo: 'deliver' },
};
