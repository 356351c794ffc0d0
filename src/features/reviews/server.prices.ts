import { dayOf } from '#domain/day.ts';
import { groupBy } from '#domain/group.ts';
import { CURRENCY, moneyText } from '#domain/money.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { creating } from '#server/imports/creating.ts';
import type { Import, ImportCall, Importer, ImportRow } from '#server/imports/importer.ts';
import { findMetPrices, type ProposedPrice } from './queries.ts';

/**
 * Proposed prices of a workbook, each judged as in the form and besides by the prices that it meets: one that could not pass
 * beside another is refused, one that will end another says which. Rule: money#price-bills.
 */
export const pricesImport: Importer = {
  columns: (call, ctx) => creating.columns(call, ctx),
  forOwnSite: true,
  open: (call, ctx) => new PricesImport(call, ctx),
};

class PricesImport implements Import {
  readonly #call: ImportCall;
  readonly #created: Import;
  /** Those of the rows above, by the work that they are for. */
  readonly #above = new Map<string, ProposedPrice[]>();

  constructor(call: ImportCall, ctx: Context) {
    this.#call = call;
    this.#created = creating.open(call, ctx);
  }

  async check(rows: readonly ImportRow[], ctx: Context): Promise<void> {
    await this.#created.check(rows, ctx);
    const sound = rows.filter((it) => it.problems.length === 0);
    const proposed = sound.map((it) => this.#priceOf(it, ctx));
    const met = groupBy(await findMetPrices(ctx, proposed), (it) => String(it.row));
    for (const [i, row] of sound.entries()) {
      const price = proposed[i] as ProposedPrice;
      const above = this.#takeAbove(price);
      if (above) row.problems.push(problem('priceInRow', { row: above.row }));
      for (const { prbId: value, price: amount, from, isPassed, isEarlier } of met.get(String(row.number)) ?? []) {
        if (!isPassed) row.problems.push(problem('priceWaits', { value }));
        else if (!isEarlier) row.problems.push(problem('priceOverlaps', { value }));
        else row.notes.push(problem('priceEnds', { value, price: moneyText(amount, proposed[i]?.currency), from }));
      }
    }
  }

  write(ctx: Context): Promise<void> {
    return this.#created.write(ctx);
  }

  #priceOf({ number, values }: ImportRow, { currentUser, config }: Context): ProposedPrice {
    const { fields } = this.#call.definition;
    const said = (name: string) => String(values[name] ?? fields[name]?.default ?? '');
    const day = (name: string) => dayOf(Number(values[name]), config.timeZone);
    return {
      row: number,
      siteId: currentUser.siteId,
      supplierName: said('supplierName'),
      repairProject: said('repairProject'),
      machineType: said('machineType'),
      warranty: said('warranty'),
      repairType: said('repairType'),
      currency: said(CURRENCY),
      effectiveDate: day('effectiveDate'),
      expirationDate: day('expirationDate'),
    };
  }

  /** The first row above that is for the same work on one of the same days. */
  #takeAbove(price: ProposedPrice): ProposedPrice | undefined {
    const { row: _, effectiveDate, expirationDate, ...work } = price;
    const key = JSON.stringify(Object.values(work));
    const above = this.#above.get(key) ?? [];
    this.#above.set(key, [...above, price]);
    return above.find((it) => it.effectiveDate <= expirationDate && it.expirationDate >= effectiveDate);
  }
}

const problem = (key: Problem['key'], args: Problem['args']): Problem => ({
  key,
  field: 'effectiveDate',
  ...(args && { args }),
});
