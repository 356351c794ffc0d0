import { isMonth, validatePeriod, REPAIR_FEE_DAYS } from '#domain/period.ts';
import type { Problem } from '#domain/refusal.ts';

export interface FeeInput {
  recPeriod?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

const label = { module: 'rmaRepairFeeBill', field: 'recPeriod' };

/** A month to settle and the days whose work it settles, at most two months of them. Rule: reports#range. */
export function validateFee({ recPeriod = '', ...period }: FeeInput): Problem[] {
  const ofMonth: Problem[] =
    recPeriod === ''
      ? [{ key: 'required', field: 'recPeriod', args: { fields: [label] } }]
      : isMonth(recPeriod)
        ? []
        : [{ key: 'format', field: 'recPeriod', args: { field: label } }];
  return [...ofMonth, ...validatePeriod(period, REPAIR_FEE_DAYS)];
}
