import { Type } from 'typebox';
import { submit } from '#domain/call.ts';

const text = Type.Optional(Type.String({ maxLength: 10 }));

/**
 * Makes the repair-fee bills of a month, for each site of the user one a supplier and currency; the answer names them, and
 * what came too late for one that stands. Rule: money#whose-bill.
 */
export const generateFee = submit({
  path: '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json',
  right: 'rmaRepairFeeBill:generateMonthly',
  input: Type.Object({ recPeriod: text, startDate: text, endDate: text }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        rfbId: Type.String(),
        siteId: Type.String(),
        supplierName: Type.Union([Type.String(), Type.Null()]),
        currency: Type.Union([Type.String(), Type.Null()]),
        lineCount: Type.Integer(),
        unpricedCount: Type.Integer(),
        includingTaxAmount: Type.String(),
      }),
    ),
    late: Type.Array(
      Type.Object(
        { rfbId: Type.String(), lineCount: Type.Integer() },
        { description: 'Left for later: this bill stands.' },
      ),
    ),
  }),
});

/** The same as a GET, for whoever expects it among the exports. Rule: money#repair-fees. */
export const generateFeeByGet = { ...generateFee, method: 'GET' as const };
