import type { Arg, Problem } from '#domain/refusal.ts';
import type { Words } from '#domain/words.ts';

/** What a check proposed, and a supervisor has to confirm. */
export type Proposed = 'scrap' | 'nofault';

/** A proposal that waits for a supervisor's word; its bill is the check that made it. Derived, no field. */
interface ProposalHold {
  kind: Proposed;
  billId: string;
  /** Epoch ms. */
  since: number;
  /** The unit's line of that check, which is the record of the confirmation. */
  lineId: number;
}

/** A bill beside the chain that speaks for a unit: `holdKind`, `holdBillId` and `holdTime` of the inventory. */
export interface BillHold {
  /** `consumed`: taken apart for another unit; nothing ends that. */
  kind: 'transfer' | 'scrapRepair' | 'consumed';
  billId: string;
  since: number;
  /** The sites of that bill: they may know of the unit, wherever it is. */
  siteIds: readonly string[];
}

/**
 * For what a unit is spoken for: by which bill, and since when. Nothing but what ends it may be done with such a unit.
 * Rule: units#hold.
 */
export type Hold = ProposalHold | BillHold;

/** What the question needs to know of a unit. */
export interface HeldUnit {
  sn: string;
  siteId: string | null;
  held: Hold | null;
}

export const isProposal = (hold: Hold | null): hold is ProposalHold =>
  hold?.kind === 'scrap' || hold?.kind === 'nofault';

/** A unit is of a site that it stands at, or whose bill speaks for it. Rule: guard#sites. */
export const isOfSite = ({ siteId: at, held }: Omit<HeldUnit, 'sn'>, siteId: string): boolean =>
  at === siteId || (held !== null && !isProposal(held) && held.siteIds.includes(siteId));

/** What forbids everything with a unit that is spoken for. Rule: guard#order. */
export const validateNotHeld = ({ sn, held }: Pick<HeldUnit, 'sn' | 'held'>, field: string): Problem[] =>
  held === null ? [] : [problemOf(sn, held, field)];

/** The same of what bills beside the chain speak for, asked before anything else of a unit. Rule: guard#order. */
export const validateNotOnBill = ({ sn, held }: Pick<HeldUnit, 'sn' | 'held'>, field: string): Problem[] =>
  held === null || isProposal(held) ? [] : [problemOf(sn, held, field)];

function problemOf(sn: string, hold: Hold, field: string): Problem {
  if (isProposal(hold)) return { key: 'held', field, args: { sn, ...wordsOfProposal(hold) } };
  if (hold.kind === 'consumed') return { key: 'usedUp', field, args: { sn, id: hold.billId } };
  return { key: 'spokenFor', field, args: { sn, kind: { options: 'holdKinds', value: hold.kind }, id: hold.billId } };
}

/** What is to be confirmed, as it is said to people. */
export const wordOfProposed = (kind: Proposed): Words =>
  kind === 'scrap' ? { zh: '报废', en: 'scrap' } : { zh: '无故障', en: 'no-fault' };

/** A proposal as it is said to people. */
export const wordsOfProposal = ({ kind, billId }: Pick<ProposalHold, 'kind' | 'billId'>): Record<string, Arg> => ({
  confirmation: wordOfProposed(kind),
  ckbId: billId,
});
