import type { Problem } from '#domain/refusal.ts';
import { LogisticsCostsStatus, RepairFeeStatus } from '#domain/review.ts';

/** A bill's papers: where they are kept, when they may come, and where they lead. Rule: money#papers. */
export interface DocumentStep {
  module: 'rmaRepairFeeBill' | 'rmaLogisticsCostsBill';
  field: 'invoiceUrls' | 'certificateUrls';
  from: readonly string[];
  to: string;
  by: string;
  at: string;
}

export const invoices: DocumentStep = {
  module: 'rmaRepairFeeBill',
  field: 'invoiceUrls',
  from: [RepairFeeStatus.AwaitingInvoice],
  to: RepairFeeStatus.AwaitingAudit,
  by: 'uploadInvoiceBy',
  at: 'uploadInvoiceTime',
};

export const certificates: DocumentStep = {
  module: 'rmaLogisticsCostsBill',
  field: 'certificateUrls',
  from: [LogisticsCostsStatus.AwaitingCertificate, LogisticsCostsStatus.NotPassed],
  to: LogisticsCostsStatus.AwaitingAudit,
  by: 'uploadCertificateBy',
  at: 'uploadCertificateTime',
};

/** A bill whose lines a new file of its month may still replace: not yet under audit, not yet passed. */
const replaceable: readonly string[] = [LogisticsCostsStatus.AwaitingCertificate, LogisticsCostsStatus.NotPassed];

/** What keeps a month's bill from getting the lines of another file. */
export function validateReplaced({ lcbId, billStatus }: { lcbId: string; billStatus: string | null }): Problem[] {
  if (replaceable.includes(String(billStatus))) return [];
  const wordOf = (value: string) => ({ options: 'logisticsCostsStatus', value });
  const args = { id: lcbId, status: wordOf(String(billStatus)), expected: replaceable.map(wordOf) };
  return [{ key: 'billState', args }];
}

/** Under its parcels a courier writes what they come to, where a waybill stands in other rows: `合计：`, `GRANDTOTAL`. Rule: money#logistics-costs. */
export const isSum = (waybill: string): boolean => /[合小总總共][计計]|总额|總額|^(\D*TOTAL|SUM)\D*$/.test(waybill);
