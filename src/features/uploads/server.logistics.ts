import { sql } from 'kysely';
import { dayOf } from '#domain/day.ts';
import { findUnpayable } from '#domain/definition/fieldRules.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { flag } from '#domain/enums.ts';
import { asCompared, chargesOf } from '#domain/freight.ts';
import { digitsOf, moneyText, sumMoney } from '#domain/money.ts';
import { validateBegun } from '#domain/period.ts';
import { Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
import { LogisticsCostsStatus } from '#domain/review.ts';
import { normaliseWaybill } from '#domain/waybill.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { parseValue, toProblem } from '#server/engine/values.ts';
import type { Row } from '#server/engine/rows.ts';
import {
  firstRows,
  type Import,
  type ImportColumn,
  type Importer,
  type ImportRow,
  type Replaced,
} from '#server/imports/importer.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { isSum, validateReplaced } from './rules.ts';
import {
  billedParcels,
  costLines,
  countCostLines,
  knownShipNos,
  lockParcels,
  monthBill,
  readCouriers,
  usualCurrency,
} from './queries.ts';

const LINES = 'rmaLogisticsCostsBillLine';
const names = [
  'deliverShipNo',
  'logisticsProviders',
  'count',
  'weight',
  'amount',
  'productName',
  'chargeItems',
] as const;
const required: readonly string[] = ['deliverShipNo', 'amount'];

/**
 * The logistics costs of a site's month, one line a parcel: the workbook becomes the month's bill, or replaces the
 * lines of one that is not under audit, which the preview tells, all of it in one currency. A parcel is billed once for each charge. Sums are the server's; a delivery number that nobody
 * knows is marked, not refused. Rule: money#logistics-costs.
 */
export const logisticsImport: Importer = {
  asks: {
    recPeriod: { type: 'Month', label: { zh: '对账月份', en: 'Reconciliation month' }, required: true },
    currency: { type: 'select', label: { zh: '币种', en: 'Currency' }, options: 'currencies' },
  },
  suggests: async (ctx) => ({ currency: await usualCurrency(ctx, ctx.currentUser.siteId, '') }),
  columns: (_, ctx) => columnsOf(ctx),
  forOwnSite: true,
  currency: ({ given }, ctx) => currencyOf(given['currency'] || null, given['recPeriod'] ?? '', ctx),
  open: ({ given }) => new LogisticsImport(given['recPeriod'] ?? '', given['currency'] || null),
};

/** The one that was chosen, else the usual one of the month. */
const currencyOf = async (chosen: string | null, recPeriod: string, ctx: Context): Promise<string | null> =>
  chosen ?? (await usualCurrency(ctx, ctx.currentUser.siteId, recPeriod));

function columnsOf({ model }: Context): ImportColumn[] {
  const { fields } = requireDefinition(model, LINES);
  return names.map((name) => {
    const declared = fields[name] as Field;
    const { label } = declared;
    const field: Field = asWritten.includes(name) ? { type: 'String', label, maxLength: LONGEST } : declared;
    return { name, field, label, required: required.includes(name) };
  });
}

/** What an invoice calls its courier may be nothing that we know; what we know gets its code. */
const asWritten: readonly string[] = ['logisticsProviders'];
const LONGEST = 100;

/** A credit is no line of a month's bill. Rule: money#correction-bills. */
const isNegative = (name: string, { key }: Problem) => name === 'amount' && key === 'atLeast';

/** The codes of couriers and of charges by what they are called, in either language or by the code itself. */
async function readCodes(ctx: Context): Promise<Record<string, ReadonlyMap<string, string>>> {
  const couriers = await readCouriers(ctx);
  const charges = ctx.model.options['chargeItems'] ?? [];
  return {
    logisticsProviders: new Map(
      couriers.flatMap(({ shipId, name, nameEn }) =>
        [shipId, name, nameEn ?? shipId].map((it) => [asCompared(it), shipId] as const),
      ),
    ),
    chargeItems: new Map(
      charges.flatMap(({ value, label }) => [label.zh, label.en].map((it) => [asCompared(it), value] as const)),
    ),
  };
}

/** Stands for the bill that is replaced, and for the currency of what replaces it. */
const markOf = (bill: Awaited<ReturnType<typeof monthBill>>, currency: string | null): string | null =>
  bill ? [bill.lcbId, bill.version, currency].join(' ') : null;

class LogisticsImport implements Import {
  readonly #recPeriod: string;
  readonly #currency: string | null;
  readonly #lines: Row[] = [];
  readonly #once = firstRows();
  /** Of the bill that is replaced, as it was told. */
  #mark: string | null = null;

  constructor(recPeriod: string, currency: string | null) {
    this.#recPeriod = recPeriod;
    this.#currency = currency;
  }

  async check(rows: readonly ImportRow[], ctx: Context): Promise<void> {
    refuseIfAny(validateBegun(this.#recPeriod, dayOf(Date.now(), ctx.config.timeZone).slice(0, 7)));
    const month = await monthBill(ctx, ctx.currentUser.siteId, this.#recPeriod);
    if (month) refuseIfAny(validateReplaced(month));
    const currency = await this.#currencyOf(ctx);
    const columns = columnsOf(ctx);
    const codes = await readCodes(ctx);
    const numbers = rows.map((it) => normaliseWaybill(it.values['deliverShipNo']));
    const known = await knownShipNos(ctx, numbers);
    const billed = await this.#billed(ctx, numbers, month?.lcbId);
    const what = (requireDefinition(ctx.model, LINES).fields['deliverShipNo'] as Field).label;
    for (const row of rows) {
      const line: Row = {};
      const missing = columns.filter((it) => it.required && row.values[it.name] === undefined);
      if (missing.length > 0) {
        const fields = missing
          .filter(({ name }) => !row.problems.some((it) => it.field === name))
          .map((it) => it.label);
        if (fields.length > 0) row.problems.push({ key: 'required', args: { fields } });
      }
      for (const { name, field } of columns) {
        const raw = row.values[name];
        if (raw === undefined) continue;
        const parsed = parseValue(field, name, raw, ctx.config.timeZone);
        const unpayable = 'problem' in parsed ? null : findUnpayable(field, parsed.value, currency);
        if ('problem' in parsed)
          row.problems.push(isNegative(name, parsed.problem) ? { key: 'negativeCost', field: name } : parsed.problem);
        else if (unpayable) row.problems.push(toProblem(name, field.label, unpayable));
        else line[name] = codes[name]?.get(asCompared(parsed.value)) ?? parsed.value;
      }
      const value = String(line['deliverShipNo'] ?? '');
      if (isSum(value)) row.problems.push({ key: 'sumRow', field: 'deliverShipNo', args: { value } });
      else if (value !== '' && !known.has(value))
        row.notes.push({ key: 'unknownWaybill', field: 'deliverShipNo', args: { value } });
      if (!row.problems.some((it) => it.field === 'chargeItems')) this.#judgeParcel(row, line, billed, what);
      this.#lines.push({ ...line, isKnown: flag(known.has(String(line['deliverShipNo']))) });
    }
  }

  /** What the parcel is billed for stands neither on another bill nor in a row above. */
  #judgeParcel(row: ImportRow, line: Row, billed: ReadonlyMap<string, string>, what: Words): void {
    const value = String(line['deliverShipNo'] ?? '');
    const { length } = row.problems;
    for (const charge of value === '' ? [] : chargesOf(line)) {
      const id = billed.get(charge);
      if (id !== undefined) row.problems.push({ key: 'parcelBilled', field: 'deliverShipNo', args: { value, id } });
      else this.#once(charge, row, what, value);
      // Once for both that it is billed for.
      if (row.problems.length > length) return;
    }
  }

  /** The bill on which each charge stands already, of these parcels; the month's own is replaced. */
  async #billed(ctx: Context, numbers: readonly string[], own = ''): Promise<ReadonlyMap<string, string>> {
    const { chargeItems: codes } = await readCodes(ctx);
    // What had no code when it was written may have one by now.
    const toCode = (charge: string | null) => codes?.get(asCompared(charge)) ?? charge;
    const there = await billedParcels(ctx, numbers, own);
    return new Map(
      there.flatMap((it) =>
        chargesOf({ ...it, chargeItems: toCode(it.chargeItems) }).map((charge) => [charge, it.lcbId] as const),
      ),
    );
  }

  #currencyOf(ctx: Context): Promise<string | null> {
    return currencyOf(this.#currency, this.#recPeriod, ctx);
  }

  /** The month's bill as it stands, its lines and sum, and what comes instead. */
  async replaces(ctx: Context): Promise<Replaced | null> {
    const month = await monthBill(ctx, ctx.currentUser.siteId, this.#recPeriod);
    const currency = await this.#currencyOf(ctx);
    this.#mark = markOf(month, currency);
    if (!month || this.#mark === null) return null;
    const sumOf = (amounts: string[], of: string | null) => moneyText(sumMoney(amounts, digitsOf(of)), of);
    const amounts = this.#lines.map((it) => String(it['amount'] ?? 0));
    const args = {
      ...{ id: month.lcbId, period: this.#recPeriod, lines: await countCostLines(ctx, month.lcbId) },
      was: sumOf([month.totalAmount ?? '0'], month.currency),
      ...{ count: this.#lines.length, now: sumOf(amounts, currency) },
    };
    return { told: { key: 'replacesCosts', args }, mark: this.#mark };
  }

  async write(ctx: Context): Promise<void> {
    const { siteId, userId } = ctx.currentUser;
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`logistics ${siteId} ${this.#recPeriod}`}, 0))`.execute(
      ctx.db,
    );
    await lockParcels(ctx);
    const before = await monthBill(ctx, siteId, this.#recPeriod);
    const numbers = this.#lines.map((it) => String(it['deliverShipNo']));
    const billed = await this.#billed(ctx, numbers, before?.lcbId);
    for (const line of this.#lines) {
      const id = chargesOf(line).flatMap((it) => billed.get(it) ?? [])[0];
      if (id !== undefined)
        throw new Refusal({ key: 'parcelBilled', args: { value: String(line['deliverShipNo']), id } });
    }
    if (before) refuseIfAny(validateReplaced(before));
    const currency = await this.#currencyOf(ctx);
    // Somebody else brought or changed one since: the next look says so.
    if (markOf(before, currency) !== this.#mark) throw new Refusal({ key: 'stale' });
    const replaced = before && (await costLines(ctx, before.lcbId));
    const lcbId = before?.lcbId ?? (await ctx.numbers.next('LCB'));
    const id = before
      ? before.id
      : (
          await ctx.db
            .insertInto('rma_logistics_costs_bill')
            .values({
              lcbId,
              billStatus: LogisticsCostsStatus.AwaitingCertificate,
              siteId,
              recPeriod: this.#recPeriod,
              createBy: userId,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
    await ctx.db.deleteFrom('rma_logistics_costs_bill_line').where('lcbId', '=', lcbId).execute();
    await sql`
      INSERT INTO rma_logistics_costs_bill_line ("lcbId", "deliverShipNo", "logisticsProviders", count, weight, amount, currency,
                                                 "productName", "chargeItems", "isKnown", "createBy")
      SELECT ${lcbId}, "deliverShipNo", "logisticsProviders", count, weight, amount, ${currency}, "productName", "chargeItems", "isKnown", ${userId}
        FROM json_populate_recordset(NULL::rma_logistics_costs_bill_line, ${JSON.stringify(this.#lines)}::json)`.execute(
      ctx.db,
    );
    await sql`
      UPDATE rma_logistics_costs_bill AS bill
         SET "totalCount" = lines.count, "totalAmount" = lines.amount, currency = ${currency}, "billStatus" = ${LogisticsCostsStatus.AwaitingCertificate},
             "createBy" = ${userId}, version = version + ${before ? 1 : 0}, "updateBy" = ${userId}, "updateTime" = now()
        FROM (SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(amount), 0) AS amount
                FROM rma_logistics_costs_bill_line WHERE "lcbId" = ${lcbId}) AS lines
       WHERE bill.id = ${id}`.execute(ctx.db);
    await recordInLedger(ctx, {
      what: 'upload',
      module: 'rmaLogisticsCostsBill',
      recordId: String(id),
      from: before && {
        ...{ billStatus: before.billStatus, currency: before.currency, totalAmount: before.totalAmount },
        ...{ createBy: before.createBy, lines: replaced },
      },
      to: { lcbId, recPeriod: this.#recPeriod, currency, lines: this.#lines.length },
    });
  }
}
