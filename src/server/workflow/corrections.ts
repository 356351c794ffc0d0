import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { OtherCorrection } from '#domain/corrections.ts';
import { groupBy } from '#domain/group.ts';
import { digitsOf, moneyText, sumMoney } from '#domain/money.ts';
import { Refusal } from '#domain/refusal.ts';
import { CorrectionStatus, LogisticsCostsStatus, PriceReason, RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { clockText } from '#server/db/days.ts';
import { touchSql } from '#server/touch.ts';

/** How a bill that settles is corrected: the field of its number, when it is settled, and what its lines `l` say. */
interface Settled {
  number: 'rfbId' | 'lcbId';
  table: string;
  status: string;
  lines: string;
  /** What the bill comes to, and who is paid by it. */
  total: string;
  supplier: RawBuilder<unknown>;
  gross: RawBuilder<unknown>;
  net: RawBuilder<unknown>;
  tax: RawBuilder<unknown>;
  sn: RawBuilder<unknown>;
  deliverShipNo: RawBuilder<unknown>;
  settledFor: RawBuilder<unknown>;
  /** What a courier charged a parcel for. */
  chargeItems: RawBuilder<unknown>;
}

/** The bills that settle. An expense does so as a line of a repair-fee bill. Rule: money#correction-bills. */
export const settledBills = {
  rmaRepairFeeBill: {
    number: 'rfbId',
    table: 'rma_repair_fee_bill',
    status: RepairFeeStatus.Settled,
    lines: 'rma_repair_fee_bill_line',
    total: 'includingTaxAmount',
    supplier: sql`"supplierName"`,
    gross: sql`coalesce(l."includingTaxAmount", 0)`,
    net: sql`coalesce(l."excludingTaxAmount", 0)`,
    tax: sql`coalesce(l."taxRate", 0)`,
    sn: sql`l.sn`,
    deliverShipNo: sql`NULL`,
    settledFor: sql`CASE WHEN l."priceReason" = ${sql.lit(PriceReason.Expense)} THEN l.remark ELSE l."salesName" END`,
    chargeItems: sql`NULL`,
  },
  rmaLogisticsCostsBill: {
    number: 'lcbId',
    table: 'rma_logistics_costs_bill',
    status: LogisticsCostsStatus.Passed,
    lines: 'rma_logistics_costs_bill_line',
    total: 'totalAmount',
    supplier: sql`NULL`,
    gross: sql`coalesce(l.amount, 0)`,
    net: sql`coalesce(l.amount, 0)`,
    tax: sql`0`,
    sn: sql`NULL`,
    deliverShipNo: sql`l."deliverShipNo"`,
    settledFor: sql`l."productName"`,
    chargeItems: sql`l."chargeItems"`,
  },
} as const satisfies Record<string, Settled>;
export type SettledModule = keyof typeof settledBills;
const modules = Object.keys(settledBills) as SettledModule[];

/** The settled bill that a correction is for. Refused: one that names none. Rule: money#correction-bills. */
export function settledOf(correction: Readonly<Record<string, unknown>>): { module: SettledModule; no: string } {
  const module = modules.find((it) => correction[settledBills[it].number] != null);
  if (!module) throw new Refusal({ key: 'correctsNothing', args: { value: String(correction['crbId']) } });
  return { module, no: String(correction[settledBills[module].number]) };
}

/** The versions of the bills of corrections, by number and as long as they are settled; they are held until the end of the transaction. */
export async function holdSettled(
  { db }: Context,
  module: SettledModule,
  nos: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { number, table, status } = settledBills[module];
  const { rows } = await sql<{ no: string; version: number }>`
    SELECT ${sql.ref(number)} AS no, version FROM ${sql.table(table)}
     WHERE ${sql.ref(number)} = ANY(${nos}) AND "billStatus" = ${status}
     ORDER BY id FOR NO KEY UPDATE`.execute(db);
  return new Map(rows.map((it) => [it.no, it.version]));
}

/** What corrects the lines of settled bills and is not rejected, besides the correction `but`; the oldest first. */
export async function otherCorrections(
  { db }: Pick<Context, 'db'>,
  module: SettledModule,
  nos: readonly string[],
  but = '',
): Promise<OtherCorrection[]> {
  const { rows } = await sql<OtherCorrection>`
    SELECT k."lineId"::int AS "lineId", b."crbId", b."billStatus", k."includingTaxAmount"::text AS amount
      FROM rma_correction_bill AS b JOIN rma_correction_bill_line AS k ON k."crbId" = b."crbId"
     WHERE b.${sql.ref(settledBills[module].number)} = ANY(${nos}) AND b."crbId" <> ${but}
       AND b."billStatus" <> ${CorrectionStatus.Rejected}
     ORDER BY b.id, k."lineId"`.execute(db);
  return rows;
}

/** What else corrects the lines of a correction, in words, and a mark that stands for it line by line; both are empty where nothing does. */
interface Beside {
  told: string;
  foreseen: string;
}
/** As much of the words as a mark repeats. */
const MOST_TOLD = 200;
const MARK = 16;

type Correction = Readonly<Record<string, unknown>>;

/** What else corrects the lines of this correction. Rule: money#correction-bills. */
export async function besideCorrection(ctx: Pick<Context, 'db'>, correction: Correction): Promise<Beside> {
  return (await readBeside(ctx, [correction]))(correction, new Set());
}

/**
 * What else corrects the lines of each of these corrections, but for those that are rejected in between. The mark goes with the
 * decision and begins with what another one tells apart; behind it are the words, so that a refusal can say what they were.
 * Rule: money#correction-bills.
 */
export async function readBeside(
  ctx: Pick<Context, 'db'>,
  corrections: readonly Correction[],
): Promise<(correction: Correction, rejected: ReadonlySet<string>) => Beside> {
  const query = ctx.db
    .selectFrom('rma_correction_bill_line')
    .select(['crbId', 'lineId'])
    .where('crbId', '=', anyOf(corrections.map((it) => String(it['crbId']))));
  const linesOf = groupBy(await query.execute(), (it) => String(it.crbId));
  const byLine = new Map<string, { n: number; other: OtherCorrection }[]>();
  for (const module of modules) {
    const nos = corrections.map(settledOf).flatMap((it) => (it.module === module ? it.no : []));
    if (nos.length === 0) continue;
    const others = (await otherCorrections(ctx, module, [...new Set(nos)])).map((other, n) => ({ n, other }));
    for (const [key, those] of groupBy(others, (it) => `${module} ${it.other.lineId}`)) byLine.set(key, those);
  }
  return (correction, rejected) => {
    const { module } = settledOf(correction);
    const crbId = String(correction['crbId']);
    const lineIds = new Set((linesOf.get(crbId) ?? []).map((it) => Number(it.lineId)));
    const those = [...lineIds].flatMap((it) => byLine.get(`${module} ${it}`) ?? []);
    const others = those.sort((a, b) => a.n - b.n).map((it) => it.other);
    return tellBeside(
      others.filter((it) => it.crbId !== crbId && !rejected.has(it.crbId)),
      correction['currency'] as string | null,
    );
  };
}

function tellBeside(others: readonly OtherCorrection[], currency: string | null): Beside {
  if (others.length === 0) return { told: '', foreseen: '' };
  const told = nameCorrections(others, currency).join(', ');
  const lines = others.map((it) => [it.lineId, it.crbId, it.amount]);
  const mark = createHash('sha256').update(JSON.stringify(lines)).digest('base64url').slice(0, MARK);
  return { told, foreseen: `${mark}${told.slice(0, MOST_TOLD)}` };
}

/** The words of such a mark. */
export const toldBy = (foreseen: string): string => foreseen.slice(MARK);

/** Corrections by their numbers, each with what it comes to on these lines. */
export const nameCorrections = (others: readonly OtherCorrection[], currency: string | null): string[] =>
  [...groupBy(others, (it) => it.crbId)].map(([crbId, those]) => {
    const amount = sumMoney(
      those.map((it) => it.amount),
      digitsOf(currency),
    );
    return `${crbId} (${moneyText(amount, currency)})`;
  });

/** What is left of a line of a settled bill. */
export interface LeftOfLine {
  lineId: number;
  left: string;
  /** Its own, else that of its bill; null where neither says one. */
  currency: string | null;
}

/**
 * The lines `l` of a settled bill and what is left of each: credits count from the day they are asked for, debits once they
 * are settled, so that however the reviews end, no line falls below nothing. `but` is a correction that does not count.
 */
export const leftOf = (module: SettledModule, no: string, but = ''): RawBuilder<unknown> => {
  const { number, table, lines, gross, net, tax, sn, deliverShipNo, settledFor, chargeItems } = settledBills[module];
  return sql`
  (SELECT l.id AS "lineId", ${gross} AS gross, ${tax} AS tax,
          coalesce(nullif(l.currency, ''), nullif(h.currency, '')) AS currency, ${sn} AS sn, ${deliverShipNo} AS "deliverShipNo",
          ${settledFor} AS "settledFor", ${chargeItems} AS "chargeItems", c.n > 0 AS "isCorrected", ${gross} + coalesce(c.gross, 0) AS "left",
          ${net} + coalesce(c.net, 0) AS "leftNet"
     FROM ${sql.table(lines)} AS l
     JOIN ${sql.table(table)} AS h ON h.${sql.ref(number)} = l.${sql.ref(number)}
     LEFT JOIN (SELECT k."lineId", count(*) AS n, sum(k."includingTaxAmount") AS gross, sum(k."excludingTaxAmount") AS net
                  FROM rma_correction_bill AS b JOIN rma_correction_bill_line AS k ON k."crbId" = b."crbId"
                 WHERE b.${sql.ref(number)} = ${no} AND b."crbId" <> ${but}
                   AND (b."billStatus" = ${CorrectionStatus.Settled}
                        OR b."billStatus" <> ${CorrectionStatus.Rejected} AND k."includingTaxAmount" < 0)
                 GROUP BY k."lineId") AS c ON c."lineId" = l.id
    WHERE l.${sql.ref(number)} = ${no})`;
};

/** Corrections have passed their audit: from here on they count, in the month of this day. Rule: money#correction-bills. */
export async function settleCorrections({ db, currentUser, config }: Context, ids: readonly number[]): Promise<void> {
  await sql`
    UPDATE rma_correction_bill SET "recPeriod" = ${clockText(sql`now()`, config.timeZone, 'YYYY-MM')}
     WHERE id = ANY(${ids})`.execute(db);
  for (const { number, table } of Object.values(settledBills)) {
    await sql`
      UPDATE ${sql.table(table)} AS h
         SET "correctionAmount" = coalesce(h."correctionAmount", 0) + c.amount, ${touchSql(currentUser, 'h')}
        FROM (SELECT ${sql.ref(number)} AS no, sum(coalesce("includingTaxAmount", 0)) AS amount
                FROM rma_correction_bill WHERE id = ANY(${ids}) GROUP BY 1) AS c
       WHERE h.${sql.ref(number)} = c.no`.execute(db);
  }
}

/** A correction of this bill that is not rejected, if there is one: what it is about stays as it is. */
export async function standingCorrection({ db }: Context, lcbId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('rma_correction_bill')
    .select('crbId')
    .where('lcbId', '=', lcbId)
    .where('billStatus', '<>', CorrectionStatus.Rejected)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found?.crbId;
}
