/**
 * What happened in a workshop, as those who did it wrote it down, and what the rules say that it costs. It shares nothing with
 * the product: neither its queries nor its tables.
 */
export type Site = 'SZ' | 'NB';
export const sites: readonly Site[] = ['SZ', 'NB'];

/** A customer's bill, and whether goods may still come in on it. */
export interface Bill {
  mtbId: string;
  site: Site;
  customer: string;
  isOpen: boolean;
}

interface Work {
  kind: 'check' | 'repair';
  at: number;
  site: Site;
  by: string;
  billId: string;
  /** Of a check: what it proposed, and what the supervisor said; of a repair nothing. */
  found: 'repair' | 'scrap' | 'nofault' | '';
  word: string | null;
  isReturned: boolean;
}
export type { Work };

/** A stay of a unit: from its receipt on, on whatever bill it stands by now. */
export interface Stay {
  unit: Unit;
  mtbliId: string;
  bill: Bill;
  site: Site;
  salesCode: string;
  sn: string;
  warranty: string;
  receivedAt: number;
  work: Work[];
  isScrap: boolean;
  /** Of goods of the site's own, for which nobody waits. */
  isOwn: boolean;
  ended: { how: 'delivered' | 'scrapped' | 'discarded' | 'bought'; at: number; sn: string } | null;
  /** Its delivery, as a deliver bill has it. */
  isSent: boolean;
  sentFrom: Site | null;
}

export interface Step {
  step: string;
  at: number;
  site: Site;
  fromSite: Site | null;
  from: string | null;
  to: string | null;
  stay: Stay | null;
  goneAt: number | null;
  undo: () => void;
}

export interface Unit {
  /** Its SN of now first. */
  names: string[];
  salesCode: string;
  /** What the archive says that it is, whatever it was corrected to on a bill. */
  archived: string;
  isBoard: boolean;
  site: Site;
  node: string | null;
  held: 'scrap' | 'nofault' | null;
  warrantyUntil: string | null;
  stay: Stay | null;
  stays: Stay[];
  past: Step[];
}

export interface Price {
  id: number;
  prbId: string;
  site: Site;
  status: string;
  supplier: string;
  currency: string;
  project: string;
  warranty: string;
  family: string;
  type: string;
  /** In millionths. */
  price: bigint;
  tax: bigint;
  from: string;
  agreed: string;
}

export interface Expense {
  id: number;
  mebId: string;
  site: Site;
  currency: string;
  gross: bigint;
  net: bigint;
  tax: bigint;
  auditedAt: number | null;
}

export interface Line {
  id: number;
  stay: Stay | null;
  expense: Expense | null;
  sn: string;
  project: string | null;
  warranty: string | null;
  isSecond: boolean;
  salesCode: string;
  day: string;
  /** When it was last repaired, as far as that stands. */
  repairedAt: number | null;
  prbId: string | null;
  supplier: string | null;
  reason: string;
  currency: string | null;
  gross: bigint;
  net: bigint;
  tax: bigint;
  previous: bigint | null;
  isChanged: boolean;
  /** What the prices said when somebody confirmed it. */
  confirmed: string | null;
  isRolledBack: boolean;
}

export interface FeeBill {
  id: number;
  rfbId: string;
  site: Site;
  month: string;
  supplier: string | null;
  currency: string | null;
  status: string;
  lines: Line[];
}

export interface Freight {
  id: number;
  lcbId: string;
  site: Site;
  month: string;
  currency: string;
  status: string;
  lines: { id: number; shipNo: string; charge: string; amount: bigint }[];
}

export interface Correction {
  id: number;
  crbId: string;
  of: FeeBill | Freight;
  status: string;
  month: string | null;
  lines: { lineId: number; gross: bigint; net: bigint }[];
}

/** A unit of the stock that is under way, and where it lay. */
interface Transfer {
  id: number;
  sktbId: string;
  unit: Unit;
  node: string;
  to: Site;
}

export interface Journal {
  bills: Bill[];
  units: Unit[];
  prices: Price[];
  expenses: Expense[];
  fees: FeeBill[];
  freight: Freight[];
  corrections: Correction[];
  transfers: Transfer[];
  families: ReadonlyMap<string, string | null>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The day of a moment in the workshop, which has no summer time. */
export const dayAt = (moment: number): string => new Date(moment + 8 * HOUR).toISOString().slice(0, 10);
export const monthAt = (moment: number): string => dayAt(moment).slice(0, 7);
/** The first moment of a day. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00+08:00`);
export const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
export const daysAfter = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * DAY).toISOString().slice(0, 10);
const daysBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / DAY;

/** Half up, away from nothing. */
export const rounded = (of: bigint, by: bigint): bigint =>
  of < 0n ? -((-2n * of + by) / (2n * by)) : (2n * of + by) / (2n * by);
/** What of an amount in cents is no tax, at a rate in millionths of a percent. */
export const netOf = (gross: bigint, tax: bigint): bigint => rounded(gross * 100_000_000n, 100_000_000n + tax);
export const micro = (text: string): bigint => {
  const [whole = '0', rest = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(rest.padEnd(6, '0'));
};
export const inCents = (cents: bigint): string => {
  const plain = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '-' : ''}${plain / 100n}.${String(plain % 100n).padStart(2, '0')}`;
};

export const isAgreed = ({ status }: FeeBill): boolean => ['4', '5', '6'].includes(status);

/** A customer's device is within its own warranty, else within that of a repair of the last 90 days. */
export function warrantyOf(unit: Unit, moment: number): string {
  const today = dayAt(moment);
  if (unit.warrantyUntil !== null && today <= unit.warrantyUntil) return '1';
  return leftLately(unit, today, () => true) ? '2' : '0';
}

const leftLately = (unit: Unit, day: string, fits: (stay: Stay) => boolean): boolean =>
  unit.stays.some(
    (it) =>
      it.ended?.how === 'delivered' &&
      unit.names.includes(it.ended.sn) &&
      fits(it) &&
      daysBetween(dayAt(it.ended.at), day) <= 90,
  );

/** What came back to the site that had sent it within 90 days costs nothing. */
const isSecond = (stay: Stay): boolean =>
  leftLately(
    stay.unit,
    dayAt(stay.receivedAt),
    (it) => it !== stay && it.site === stay.site && (it.ended?.at ?? 0) < stay.receivedAt,
  );

/** What was done last for a stay says what is paid for it. */
export function projectOf(stay: Stay): string {
  if (stay.ended?.how === 'scrapped' || stay.ended?.how === 'discarded') return '6';
  const last = stay.work.findLast((it) => !it.isReturned);
  if (last?.kind === 'check' && last.word === '1') return last.found === 'scrap' ? '6' : '5';
  return stay.unit.isBoard ? '2' : '1';
}

/** The last day of a price: one that passed later ends it, as long as it holds itself. */
export const untilOf = (price: Price, prices: readonly Price[]): string =>
  prices
    .filter((it) => it.status === '2' && it.from > price.from && isSameWork(it, price))
    .map((it) => daysAfter(it.from, -1))
    .concat(price.agreed)
    .toSorted()[0] as string;

export const isSameWork = (a: Price, b: Price): boolean =>
  (['site', 'supplier', 'currency', 'project', 'warranty', 'family', 'type'] as const).every((it) => a[it] === b[it]);

type Work1 = Pick<Line, 'project' | 'warranty' | 'isSecond' | 'salesCode' | 'day'>;
type Priced = Pick<Line, 'prbId' | 'supplier' | 'reason' | 'currency' | 'gross' | 'net' | 'tax'>;

/** What a unit costs by the prices that are passed now. */
export function pricedNow(journal: Journal, site: Site, work: Work1): Priced {
  const family = journal.families.get(work.salesCode) ?? null;
  const holding = journal.prices.filter(
    (it) =>
      it.site === site &&
      it.status === '2' &&
      it.family === family &&
      it.project === work.project &&
      it.warranty === work.warranty &&
      it.type === '2' &&
      it.from <= work.day &&
      work.day <= untilOf(it, journal.prices),
  );
  const price = holding.length === 1 ? holding[0] : undefined;
  const gross = work.isSecond || !price ? 0n : rounded(price.price, 10_000n);
  const tax = price?.tax ?? 0n;
  const missing = family === null ? '3' : holding.length > 1 ? '5' : '4';
  return {
    prbId: price?.prbId ?? null,
    supplier: price?.supplier ?? null,
    currency: price?.currency ?? null,
    reason: work.isSecond ? '2' : price ? '1' : missing,
    gross,
    net: netOf(gross, tax),
    tax,
  };
}

export const isPriced = ({ reason }: Line): boolean => ['1', '2', '6'].includes(reason);
/** What was bought from its customer has neither left nor is it scrap. */
export const isUndone = ({ stay }: Line): boolean =>
  stay !== null && (stay.ended === null || stay.ended.how === 'bought');
export const isOpenLine = (line: Line): boolean =>
  !isPriced(line) || isUndone(line) || (line.isChanged && line.confirmed === null);

/** What a line says that it cost before, once it costs what the prices say `now`. */
export const previousOf = (line: Line, now: Pick<Line, 'gross' | 'currency'>): bigint | null =>
  now.gross === line.gross && now.currency === line.currency ? line.previous : line.gross;

/** What was done for a stay, as it stands now. */
const workOf = (stay: Stay) => ({
  project: projectOf(stay),
  warranty: stay.warranty,
  isSecond: isSecond(stay),
  salesCode: stay.salesCode,
  day: dayAt(scrappedAt(stay) ?? stay.ended?.at ?? 0),
  repairedAt: stay.work.findLast((it) => it.kind === 'repair' && !it.isReturned)?.at ?? null,
});

/** When it was confirmed that it is scrap, which it is however it came to lie there in the end. */
const scrappedAt = (stay: Stay): number | undefined =>
  stay.ended?.how === 'delivered'
    ? undefined
    : stay.unit.past.findLast(
        (it) => it.stay === stay && it.step === 'scrapConfirm' && it.to === '40' && it.goneAt === null,
      )?.at;

const isRepair = ({ project }: Pick<Line, 'project'>) => project === '1' || project === '2';
/** Marked for a repair that has gone, whatever the prices say. */
const isOfNoRepair = (line: Line): boolean =>
  line.isChanged && line.isRolledBack && line.repairedAt === null && isRepair(line);

const costsTheSame = (line: Line, now: Priced): boolean =>
  now.gross === line.gross &&
  now.currency === line.currency &&
  (now.prbId === line.prbId || (now.net === line.net && now.supplier !== null && now.supplier === line.supplier));

/** A stay has come to its end, maybe anew: its line on a bill that finance has not passed says what stands, and is marked where it costs else. */
export function endsAnew(journal: Journal, stay: Stay): void {
  for (const bill of journal.fees.filter((it) => !isAgreed(it)))
    for (const line of bill.lines.filter((it) => it.stay === stay)) {
      const work = workOf(stay);
      if (Object.entries(work).every(([key, it]) => line[key as keyof typeof work] === it)) continue;
      const hasGone = isRepair(work) && work.repairedAt === null && (line.repairedAt !== null || isOfNoRepair(line));
      const isChanged = isPriced(line) && (hasGone || !costsTheSame(line, pricedNow(journal, bill.site, work)));
      Object.assign(line, work, { isChanged, confirmed: null });
    }
}

/** The line of a stay, as it is settled now. */
function lineOf(journal: Journal, stay: Stay): Line {
  const work = workOf(stay);
  const fresh = { previous: null, isChanged: false, confirmed: null, isRolledBack: false };
  return { id: 0, stay, expense: null, sn: stay.sn, ...work, ...pricedNow(journal, stay.site, work), ...fresh };
}

const expenseLine = (expense: Expense): Line => ({
  id: 0,
  stay: null,
  expense,
  sn: '',
  ...{ project: null, warranty: null, isSecond: false, salesCode: '', day: '', repairedAt: null },
  ...{
    prbId: null,
    supplier: null,
    reason: '6',
    currency: expense.currency,
    gross: expense.gross,
    net: expense.net,
    tax: expense.tax,
  },
  ...{ previous: null, isChanged: false, confirmed: null, isRolledBack: false },
});

export const allStays = (journal: Journal): Stay[] => journal.units.flatMap((it) => it.stays);

/** What a month of a site is settled as: whose lines are made, and for which bills that stand they come too late. */
export function settlementOf(
  journal: Journal,
  site: Site,
  { month, from, to }: { month: string; from: string; to: string },
): { made: { supplier: string | null; currency: string | null; lines: Line[] }[]; late: Line[]; there: FeeBill[] } {
  const ofMonth = journal.fees.filter((it) => it.site === site && it.month === month);
  const anew = ofMonth.filter((it) => it.status === '1');
  const there = ofMonth.filter((it) => it.status !== '1');
  const billed = journal.fees.filter((it) => !anew.includes(it)).flatMap((it) => it.lines);
  const [first, end] = [startOf(from), startOf(daysAfter(to, 1))];
  const units = allStays(journal)
    .filter((it) => it.site === site && it.ended && ['delivered', 'scrapped'].includes(it.ended.how))
    .filter((it) => (it.ended?.at ?? 0) >= first && (it.ended?.at ?? 0) < end)
    .filter((it) => !billed.some((line) => line.stay === it))
    .map((it) => lineOf(journal, it))
    .map((it) => {
      const old = anew.flatMap((of) => of.lines).find((line) => line.stay === it.stay);
      return old ? { ...it, previous: previousOf(old, it) } : it;
    });
  const expenses = journal.expenses
    .filter((it) => it.site === site && it.auditedAt !== null && !billed.some((line) => line.expense === it))
    .filter((it) => {
      const audited = monthAt(it.auditedAt ?? 0);
      const stood = journal.fees.some((of) => of.site === site && of.month === audited && of.status !== '1');
      return audited === month || (audited < month && stood);
    })
    .map(expenseLine);
  const paid = (currency: string | null) => {
    const parties = [...units, ...there].filter((it) => it.currency === currency);
    return [...new Set(parties.flatMap((it) => it.supplier ?? []))];
  };
  for (const line of expenses) {
    const [only = null, ...others] = paid(line.currency);
    const isTaken = there.some((it) => it.supplier === only && it.currency === line.currency);
    line.supplier = others.length > 0 || isTaken ? null : only;
  }
  const made: { supplier: string | null; currency: string | null; lines: Line[] }[] = [];
  const late: Line[] = [];
  for (const line of [...units, ...expenses]) {
    const isOf = (it: { supplier: string | null; currency: string | null }) =>
      it.supplier === line.supplier && it.currency === line.currency;
    if (there.some(isOf)) late.push(line);
    else {
      const found = made.find(isOf);
      if (found) found.lines.push(line);
      else made.push({ supplier: line.supplier, currency: line.currency, lines: [line] });
    }
  }
  return { made, late, there };
}

/** What the prices say of a line now, as whoever confirms it reads it. */
export const saidNow = ({ prbId, gross, currency }: Priced): string | null =>
  prbId === null ? null : `${prbId} ${inCents(gross)} ${currency}`;

/** A price was passed or voided: lines of its work that cost something else by now wait for a word. */
export function markChanged(journal: Journal, price: Price): void {
  const open = journal.fees.filter((it) => it.site === price.site && !isAgreed(it)).flatMap((it) => it.lines);
  for (const line of open) {
    if (line.reason !== '1' || line.project !== price.project || line.warranty !== price.warranty || price.type !== '2')
      continue;
    const now = pricedNow(journal, price.site, line);
    const isChanged = !costsTheSame(line, now) || isOfNoRepair(line);
    if (isChanged !== line.isChanged || line.confirmed !== (saidNow(now) ?? 'none')) line.confirmed = null;
    line.isChanged = isChanged;
  }
}

/** What is left of a line of a settled bill: credits count until they are rejected, debits once they are settled. */
export function leftOf(journal: Journal, of: FeeBill | Freight, lineId: number, but?: Correction) {
  const line = of.lines.find((it) => it.id === lineId);
  const own = line && 'gross' in line ? line : { gross: line?.amount ?? 0n, net: line?.amount ?? 0n, tax: 0n };
  const counted = journal.corrections
    .filter((it) => it.of === of && it !== but)
    .flatMap((it) =>
      it.lines.filter((l) => l.lineId === lineId && (it.status === '3' || (it.status !== '1' && l.gross < 0n))),
    );
  return {
    gross: counted.reduce((sum, it) => sum + it.gross, own.gross),
    net: counted.reduce((sum, it) => sum + it.net, own.net),
    tax: own.tax,
  };
}
