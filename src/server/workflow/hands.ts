import { sql, type RawBuilder } from 'kysely';
import { reviewActions, type ReviewedModule } from '#domain/review.ts';
import type { Context } from '#server/context.ts';

/** What is done to a bill that changes nothing of what is decided. All else that the ledger has of it is a hand in it. */
const judgements: readonly string[] = [...reviewActions, 'return', 'void'];

interface Hand {
  module: ReviewedModule;
  userId: string;
}

/** Of the ledger: what this user wrote about a bill that stands there under its id or its number. */
const isHand = ({ module, userId }: Hand, id: RawBuilder<unknown>, no: RawBuilder<unknown>) => sql`
  ledger.module = ${module} AND ledger."recordId" IN (${id}::text, ${no}) AND ledger."userId" = ${userId}
  AND ledger.what <> ALL(${sql.val(judgements)}::text[])`;

/** The expenses that stand on a fee bill are lines of it. */
const handsInExpenses = (userId: string, rfbId: RawBuilder<unknown>) => sql`
  SELECT ledger.at FROM rma_miscellaneous_expenses_bill AS e
    JOIN ledger ON ${isHand({ module: 'rmaMiscellaneousExpensesBill', userId }, sql`e.id`, sql`e."mebId"`)}
   WHERE e."rfbId" = ${rfbId}`;

/**
 * When this user changed a bill, its lines or its papers, however many have done so since: as the ledger says, which whatever
 * writes a bill writes. Rule: money#two-people.
 */
export const handsIn = (
  { module, userId }: Hand,
  { id, no }: { id: RawBuilder<unknown>; no: RawBuilder<unknown> },
): RawBuilder<{ at: number }> => sql`
  SELECT ledger.at FROM ledger WHERE ${isHand({ module, userId }, id, no)}
  ${module === 'rmaRepairFeeBill' ? sql`UNION ALL ${handsInExpenses(userId, no)}` : sql``}`;

/** When the user last had a hand in each of these bills, by its id and as epoch ms; none where they never had. Rule: money#two-people. */
export async function lastHands(
  { db, currentUser: { userId } }: Context,
  module: ReviewedModule,
  bills: readonly { id: number; no: string }[],
): Promise<ReadonlyMap<number, number>> {
  const hands = handsIn({ module, userId }, { id: sql.ref('b.id'), no: sql.ref('b.no') });
  const { rows } = await sql<{ id: number; at: number }>`
    SELECT b.id, h.at
      FROM unnest(${bills.map((it) => it.id)}::bigint[], ${bills.map((it) => it.no)}::text[]) AS b (id, no)
     CROSS JOIN LATERAL (SELECT max(h.at) AS at FROM (${hands}) AS h) AS h
     WHERE h.at IS NOT NULL`.execute(db);
  return new Map(rows.map((it) => [Number(it.id), it.at]));
}
