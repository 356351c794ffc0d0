import { Type } from 'typebox';
import { submit } from '#domain/call.ts';

const text = Type.Optional(Type.String({ maxLength: 10 }));

/**
 * Makes the repair-fee bill of a month, one for each site of the user; the answer names them. Rule: money#repair-fees.
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
        lineCount: Type.Integer(),
        unpricedCount: Type.Integer(),
        includingTaxAmount: Type.String(),
      }),
    ),
  }),
});

/** The same as a GET, for whoever expects it among the exports. Rule: money#repair-fees. */
export const generateFeeByGet = { ...generateFee, method: 'GET' as const };
