import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** What so many units come to, in the currency of their bill; decimals as text. */
export interface FeeSum {
  units: number;
  taxAmount: string;
  includingTaxAmount: string;
}

/** What the lines of a repair-fee bill add up to. */
export interface FeeSums {
  /** Of each repair project that the bill has units of, in the order of the projects. */
  projects: (FeeSum & { repairProject: string })[];
  /** Of all its units. */
  repairs: FeeSum;
  /** Of its expenses, which are of no project; null where it has none. */
  expenses: FeeSum | null;
  /** Of the whole bill: what its head says. */
  total: FeeSum;
}

/**
 * What a bill costs project by project: its page and its workbook both say it by this. A line without a project is an
 * expense, and no unit. Rule: money#sums-per-project.
 */
export async function sumFees({ db }: Pick<Context, 'db'>, rfbId: string): Promise<FeeSums> {
  const { rows } = await sql<FeeSum & { of: 'project' | 'repairs' | 'expenses' | 'total'; repairProject: string }>`
    SELECT CASE WHEN grouping(l."isExpense") = 1 THEN 'total' WHEN l."isExpense" THEN 'expenses'
                WHEN grouping(l."repairProject") = 1 THEN 'repairs' ELSE 'project' END AS of,
           l."repairProject", count(l."repairProject")::int AS units,
           coalesce(sum(l."taxAmount"), 0)::text AS "taxAmount",
           coalesce(sum(l."includingTaxAmount"), 0)::text AS "includingTaxAmount"
      FROM (SELECT *, "repairProject" IS NULL AS "isExpense" FROM rma_repair_fee_bill_line WHERE "rfbId" = ${rfbId}) AS l
     GROUP BY GROUPING SETS ((l."isExpense", l."repairProject"), (l."isExpense"), ())
     ORDER BY l."repairProject"`.execute(db);
  const sumOf = (of: string): FeeSum | undefined => rows.filter((it) => it.of === of).map(amountsOf)[0];
  return {
    projects: rows
      .filter((it) => it.of === 'project')
      .map((it) => ({ repairProject: it.repairProject, ...amountsOf(it) })),
    repairs: sumOf('repairs') ?? noFees,
    expenses: sumOf('expenses') ?? null,
    total: sumOf('total') ?? noFees,
  };
}

/** What nothing comes to. */
export const noFees: FeeSum = { units: 0, taxAmount: '0', includingTaxAmount: '0' };
const amountsOf = ({ units, taxAmount, includingTaxAmount }: FeeSum): FeeSum => ({
  units,
  taxAmount,
  includingTaxAmount,
});
