import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { RowId, SeenVersion, Urls } from '#domain/wire.ts';

const Saved = Type.Object({ id: RowId, billStatus: Type.String() });

/** The invoices of a repair-fee bill that finance has reviewed: it goes on to its audit. Rule: money#papers. */
export const uploadInvoice = submit({
  path: '/api/rmaRepairFeeBill/uploadInvoice.json',
  right: 'rmaRepairFeeBill:uploadInvoice',
  input: Type.Object({ id: Type.String({ maxLength: 30 }), version: SeenVersion, invoiceUrls: Urls }),
  data: Saved,
});

/** The certificates of a logistics-cost bill: it goes on to its audit. Rule: money#papers. */
export const uploadCertificate = submit({
  path: '/api/rmaLogisticsCostsBill/uploadCertificate.json',
  right: 'rmaLogisticsCostsBill:uploadCertificate',
  input: Type.Object({ id: Type.String({ maxLength: 30 }), version: SeenVersion, certificateUrls: Urls }),
  data: Saved,
});
