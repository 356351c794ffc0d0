import { DAY_MS, dayOf } from '#domain/day.ts';
import { PriceBillStatus } from '#domain/review.ts';

/** A price bill as far as it decides which price holds on a day. Days are counted from that of the epoch. */
export interface PlacedPrice {
  id: number;
  prbId: string;
  siteId: string | null;
  repairProject: string | null;
  machineType: string | null;
  warranty: string | null;
  repairType: string | null;
  supplierName: string | null;
  currency: string | null;
  billStatus: string;
  from: number;
  until: number;
  /** The last day that was agreed, where another price ended it before. */
  agreed: number | null;
}

/** A price that ends on another day than it did. */
interface CutPrice {
  prbId: string;
  expirationDate: string;
  until: string;
}
interface PriceGap {
  from: string;
  until: string;
}
interface PriceClash extends PriceGap {
  prbId: string;
  supplierName: string;
  currency: string;
}

const dayText = (day: number) => dayOf(day * DAY_MS, 'UTC');

/** The work that a price is for; null where something of it is not said, and it is the same as no other. */
const placeOf = (it: PlacedPrice) => keyOf([it.siteId, it.repairProject, it.machineType, it.warranty, it.repairType]);
/** By whom it is done, and in which money it is paid. */
const sellerOf = (it: PlacedPrice) => keyOf([it.supplierName, it.currency]);
const keyOf = (parts: readonly (string | null)[]) => (parts.includes(null) ? null : JSON.stringify(parts));
const inOrder = (a: PlacedPrice, b: PlacedPrice) => a.from - b.from || a.id - b.id;

/**
 * Price bills and what passing them does to each other, one after the other: of the same work for the same money one price holds on a
 * day, and the later ends the earlier. Rule: money#price-bills.
 */
export class PricesOfPlaces {
  readonly #all: ReadonlyMap<number, PlacedPrice>;
  /** Those that passed, by their work and then by supplier and currency, as they begin. */
  readonly #passed = new Map<string, Map<string, PlacedPrice[]>>();

  constructor(prices: readonly PlacedPrice[]) {
    this.#all = new Map(prices.map((it) => [it.id, { ...it }]));
    const passed = [...this.#all.values()].filter((it) => it.billStatus === PriceBillStatus.Passed);
    for (const it of passed.sort(inOrder)) this.#ofSame(it).push(it);
  }

  /** The passed price that begins while this one is to hold; undefined where none does. */
  overlapping(id: number): string | undefined {
    const price = this.#all.get(id);
    if (!price) return undefined;
    return this.#ofSame(price).find((it) => it.id !== id && it.from >= price.from && it.from <= price.until)?.prbId;
  }

  /** What it ends, the days that no price is left for, and the prices beside which none would be taken. Of one that waits. */
  told(id: number): { cuts: CutPrice[]; gaps: PriceGap[]; clashes: PriceClash[] } {
    const price = this.#all.get(id);
    const waits =
      price && [PriceBillStatus.AwaitingReview, PriceBillStatus.NotPassed].includes(price.billStatus as never);
    if (!waits) return { cuts: [], gaps: [], clashes: [] };
    const same = this.#ofSame(price);
    const cuts = same.filter((it) => it.from < price.from && it.until >= price.from);
    return {
      cuts: cuts.map((it) => ({
        ...{ prbId: it.prbId, expirationDate: dayText(it.until), until: dayText(price.from - 1) },
      })),
      gaps: gapsAfter(price, same).map(([from, until]) => ({ from: dayText(from), until: dayText(until) })),
      clashes: this.#clashesOf(price),
    };
  }

  /** It passes: those for the same work that began before hold until the day before the next one, at most as long as was agreed. */
  pass(id: number): void {
    const price = this.#all.get(id);
    if (!price) return;
    price.billStatus = PriceBillStatus.Passed;
    const same = this.#ofSame(price);
    const at = same.findIndex((it) => inOrder(it, price) > 0);
    same.splice(at === -1 ? same.length : at, 0, price);
    let next = Infinity;
    for (const [i, it] of [...same.entries()].reverse()) {
      const later = same[i + 1];
      if (later && later.from > it.from) next = later.from;
      if (it.from >= price.from) continue;
      const agreed = it.agreed ?? it.until;
      const until = Math.min(agreed, next - 1);
      if (until === it.until) continue;
      it.until = until;
      it.agreed = until < agreed ? agreed : null;
    }
  }

  #ofSame(price: PlacedPrice): PlacedPrice[] {
    const [place, seller] = [placeOf(price), sellerOf(price)];
    if (place === null || seller === null) return [];
    const sellers = this.#passed.get(place) ?? new Map<string, PlacedPrice[]>();
    this.#passed.set(place, sellers);
    const same = sellers.get(seller) ?? [];
    sellers.set(seller, same);
    return same;
  }

  #clashesOf(price: PlacedPrice): PriceClash[] {
    const [place, seller] = [placeOf(price), sellerOf(price)];
    if (place === null || seller === null) return [];
    const others = [...(this.#passed.get(place) ?? [])].flatMap(([of, prices]) => (of === seller ? [] : prices));
    return others
      .filter((it) => it.from <= price.until && it.until >= price.from)
      .sort(inOrder)
      .map((it) => ({
        prbId: it.prbId,
        supplierName: String(it.supplierName),
        currency: String(it.currency),
        from: dayText(Math.max(it.from, price.from)),
        until: dayText(Math.min(it.until, price.until)),
      }));
  }
}

/** The days after a price on which one that it ends would have held, and no other that passed does. In their order. */
function gapsAfter(price: PlacedPrice, same: readonly PlacedPrice[]): [from: number, until: number][] {
  const beyond = same.filter((it) => it.until > price.until);
  const last = Math.max(...beyond.filter((it) => it.from < price.from).map((it) => it.until));
  const gaps: [number, number][] = [];
  let from = price.until + 1;
  for (const it of beyond) {
    if (it.from < price.from || it.until < from) continue;
    if (it.from > last) break;
    if (it.from > from) gaps.push([from, it.from - 1]);
    from = it.until + 1;
  }
  if (from <= last) gaps.push([from, last]);
  return gaps;
}
