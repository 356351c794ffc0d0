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

interface Party {
  supplierName: string | null;
  currency: string | null;
}
interface Part extends Party {
  isExpense: boolean;
}
interface Bill extends Party {
  rfbId: string;
  isRejected: boolean;
}
interface Deal<P> {
  party: Party;
  parts: P[];
  /** The bill that the parts go on; a new one where there is none. */
  rfbId: string | null;
  /** Its bill is judged already: the parts came too late for it. */
  isLate: boolean;
}

const isSame = (a: Party, b: Party) => a.supplierName === b.supplierName && a.currency === b.currency;

/**
 * Deals the lines of a month out to bills, one a supplier and currency: expenses to that of the only supplier who is paid in
 * their currency, as long as it is being made, otherwise to the site's own. A rejected bill keeps its number for its own
 * supplier and currency, or lends it to others that have none. Rule: money#whose-bill.
 */
export function dealOut<P extends Part>(parts: readonly P[], bills: readonly Bill[]): Deal<P>[] {
  const standing = bills.filter((it) => !it.isRejected);
  const suppliers = (currency: string | null) => [
    ...new Set([...parts, ...standing].filter((it) => it.currency === currency).flatMap((it) => it.supplierName ?? [])),
  ];
  const partyOf = ({ isExpense, supplierName, currency }: P): Party => {
    if (!isExpense) return { supplierName, currency };
    const [only = null, ...others] = suppliers(currency);
    const party = { supplierName: others.length > 0 ? null : only, currency };
    return standing.some((it) => isSame(it, party)) ? { supplierName: null, currency } : party;
  };
  const deals: Deal<P>[] = [];
  for (const part of parts) {
    const party = partyOf(part);
    const deal = deals.find((it) => isSame(it.party, party));
    if (deal) deal.parts.push(part);
    else {
      const bill = bills.find((it) => isSame(it, party));
      deals.push({ party, parts: [part], rfbId: bill?.rfbId ?? null, isLate: bill?.isRejected === false });
    }
  }
  const spare = bills.filter((it) => it.isRejected && !deals.some((deal) => deal.rfbId === it.rfbId));
  for (const deal of deals) deal.rfbId ??= spare.shift()?.rfbId ?? null;
  return deals;
}
