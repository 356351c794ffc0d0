import { sql, type RawBuilder } from 'kysely';
import { reviewActions, type ReviewedModule } from '#domain/review.ts';
import type { Context } from '#server/context.ts';

/** What is done to a bill that changes nothing of what is decided. All else that the ledger has of it is a hand in it. */
const judgements: readonly string[] = [...reviewActions, 'return', 'void'];

type Asking = Pick<Context, 'db'> & { currentUser: Pick<Context['currentUser'], 'userId'> };

interface Hand {
  module: ReviewedModule;
  userId: string;
}

/** Of the ledger: what this user wrote about bills of the module, under their ids or their numbers. */
const isHand = ({ module, userId }: Hand) => sql`
  ledger.module = ${module} AND ledger."userId" = ${userId} AND ledger.what <> ALL(${sql.val(judgements)}::text[])`;

/**
 * That this user never changed a bill, its lines or its papers, however many have done so since: as the ledger says, which
 * whatever writes a bill writes. The expenses that stand on a fee bill are lines of it. One name at a time, so that the database
 * may put what the user wrote in order once for all bills. Rule: money#two-people.
 */
export function hasNoHandIn(
  { module, userId }: Hand,
  { id, no }: { id: RawBuilder<unknown>; no: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const own = [sql`${id}::text`, no].map(
    (name) => sql`NOT EXISTS (SELECT FROM ledger WHERE ${isHand({ module, userId })} AND ledger."recordId" = ${name})`,
  );
  const ofExpenses = [sql`e.id::text`, sql`e."mebId"`].map(
    (name) => sql`NOT EXISTS (
      SELECT FROM rma_miscellaneous_expenses_bill AS e
        JOIN ledger ON ${isHand({ module: 'rmaMiscellaneousExpensesBill', userId })} AND ledger."recordId" = ${name}
       WHERE e."rfbId" = ${no})`,
  );
  return sql<boolean>`(${sql.join([...own, ...(module === 'rmaRepairFeeBill' ? ofExpenses : [])], sql` AND `)})`;
}

/** When the user last had a hand in each of these bills, by its id and as epoch ms; none where they never had. Rule: money#two-people. */
export async function lastHands(
  ctx: Asking,
  module: ReviewedModule,
  bills: readonly { id: number; no: string }[],
): Promise<ReadonlyMap<number, number>> {
  const { userId } = ctx.currentUser;
  const asked = sql`unnest(${bills.map((it) => it.id)}::bigint[], ${bills.map((it) => it.no)}::text[]) AS b (id, no)`;
  const own = sql`SELECT b.id, name FROM ${asked} CROSS JOIN LATERAL unnest(ARRAY[b.id::text, b.no]) AS name`;
  const hands = await readHands(ctx, { module, userId }, own);
  if (module !== 'rmaRepairFeeBill') return hands;
  const ofExpenses = await readHands(
    ctx,
    { module: 'rmaMiscellaneousExpensesBill', userId },
    sql`SELECT b.id, name FROM ${asked} JOIN rma_miscellaneous_expenses_bill AS e ON e."rfbId" = b.no
         CROSS JOIN LATERAL unnest(ARRAY[e.id::text, e."mebId"]) AS name`,
  );
  for (const [id, at] of ofExpenses) hands.set(id, Math.max(at, hands.get(id) ?? at));
  return hands;
}

/**
 * All at once: asked for one bill after the other, the database may take all that the user ever wrote for the shorter way to
 * each. `named` are the names in the ledger of what belongs to a bill, with its id.
 */
async function readHands({ db }: Asking, hand: Hand, named: RawBuilder<unknown>): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; at: number }>`
    WITH named AS MATERIALIZED (${named}),
         hands AS MATERIALIZED (SELECT ledger."recordId", ledger.at FROM ledger
                                  WHERE ${isHand(hand)} AND ledger."recordId" = ANY(ARRAY(SELECT name FROM named)))
    SELECT named.id, max(hands.at) AS at FROM named JOIN hands ON hands."recordId" = named.name GROUP BY named.id`.execute(
    db,
  );
  return new Map(rows.map((it) => [Number(it.id), it.at]));
}
