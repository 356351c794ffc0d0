import { sql } from 'kysely';
import type { Kind } from '#domain/reports.ts';
import { readRows } from '#tests/support/reports.ts';
import {
  allStays,
  dayAt,
  daysAfter,
  inCents,
  isPriced,
  lastDayOf,
  micro,
  sites,
  startOf,
  untilOf,
  type Journal,
  type Line,
  type Site,
  type Stay,
  type Step,
  type Unit,
} from './monthsJournal.ts';
import type { Play } from './monthsSteps.ts';

type Text = Record<string, string | null>;
const inMicros = (text: string | null | undefined) =>
  text == null ? null : micro(text.replace('-', '')) * (text.startsWith('-') ? -1n : 1n);
const asCents = (text: string | null | undefined) => {
  const micros = inMicros(text);
  return micros === null ? '-' : micros % 10_000n === 0n ? inCents(micros / 10_000n) : `${text} (a fraction of a cent)`;
};
const flag = (is: boolean) => (is ? '1' : '0');

/** What one side has and the other has not. */
function differences(what: string, kept: readonly string[], meant: readonly string[]): string[] {
  const left = [...meant];
  const stray = kept.filter((it) => {
    const at = left.indexOf(it);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...stray.map((it) => `${what}, kept: ${it}`), ...left.map((it) => `${what}, meant: ${it}`)];
}

const sumOf = (lines: readonly Line[], of: 'gross' | 'net') => inCents(lines.reduce((sum, it) => sum + it[of], 0n));

/** All that is kept of money otherwise than it was written down. */
export async function findInMoney({ testApp: { db }, journal }: Play): Promise<string[]> {
  const read = async (query: ReturnType<typeof sql<Text>>) => (await query.execute(db)).rows;
  const lines = await read(sql<Text>`
    SELECT l.id::text, l."rfbId", coalesce(l."mtbliId", l.remark) AS of, l."repairProject", l.warranty, l."repairType",
           l."isSecondRepair", l."settledOn"::text AS day, l."prbId", l."priceReason", l."isPriced", l.currency,
           l."includingTaxAmount"::text AS gross, l."excludingTaxAmount"::text AS net, l."taxAmount"::text AS tax,
           l."previousAmount"::text AS previous, coalesce(l."priceChanged", '0') AS changed,
           (l."priceConfirmBy" IS NOT NULL)::int::text AS confirmed, coalesce(l."rolledBack", '0') AS "rolledBack"
      FROM rma_repair_fee_bill_line AS l`);
  const keptLines = lines.map((it) =>
    [
      ...[it['id'], it['rfbId'], it['priceReason'] === '6' ? '' : it['of'], it['repairProject'], it['warranty']],
      ...[
        it['priceReason'] === '6' ? null : it['isSecondRepair'],
        it['day'],
        it['prbId'],
        it['priceReason'],
        it['isPriced'],
        it['currency'],
      ],
      ...[asCents(it['net']), asCents(it['tax']), asCents(it['gross']), asCents(it['previous'])],
      ...[it['changed'], it['confirmed'], it['rolledBack']],
    ].join(' '),
  );
  const meantLines = journal.fees.flatMap((bill) =>
    bill.lines.map((it) =>
      [
        ...[
          it.id,
          bill.rfbId,
          it.stay?.mtbliId ?? '',
          it.project,
          it.warranty,
          it.stay && flag(it.isSecond),
          it.day || null,
        ],
        ...[it.prbId, it.reason, flag(isPriced(it)), it.currency],
        ...[
          inCents(it.net),
          inCents(it.gross - it.net),
          inCents(it.gross),
          it.previous === null ? '-' : inCents(it.previous),
        ],
        ...[flag(it.isChanged), flag(it.confirmed !== null), flag(it.isRolledBack)],
      ].join(' '),
    ),
  );
  const correctedBy = (of: object) =>
    journal.corrections.filter((it) => it.of === of && it.status === '3').flatMap((it) => it.lines.map((l) => l.gross));
  const correction = (of: object) => {
    const amounts = correctedBy(of);
    return amounts.length === 0 ? '-' : inCents(amounts.reduce((sum, it) => sum + it, 0n));
  };
  const bills = await read(sql<Text>`
    SELECT "rfbId", "siteId", "recPeriod", "supplierName", currency, "billStatus", "lineCount"::text, "excludingTaxAmount"::text AS net,
           "taxAmount"::text AS tax, "includingTaxAmount"::text AS gross, "correctionAmount"::text AS correction
      FROM rma_repair_fee_bill`);
  const keptBills = bills.map((it) =>
    [
      ...[
        it['rfbId'],
        it['siteId'],
        it['recPeriod'],
        it['supplierName'],
        it['currency'],
        it['billStatus'],
        it['lineCount'],
      ],
      ...[asCents(it['net']), asCents(it['tax']), asCents(it['gross']), asCents(it['correction'])],
    ].join(' '),
  );
  const meantBills = journal.fees.map((it) => {
    const [net, gross] = [sumOf(it.lines, 'net'), sumOf(it.lines, 'gross')];
    const tax = inCents(it.lines.reduce((sum, l) => sum + l.gross - l.net, 0n));
    const head = [it.rfbId, it.site, it.month, it.supplier, it.currency, it.status, it.lines.length];
    return [...head, net, tax, gross, correction(it)].join(' ');
  });
  const prices = await read(sql<Text>`
    SELECT "prbId", "billStatus", "effectiveDate"::text AS "from", "expirationDate"::text AS until, "unitPriceWithTax"::text AS price
      FROM rma_price_bill WHERE "billStatus" = '2'`);
  const keptPrices = prices.map((it) => `${it['prbId']} ${it['from']} ${it['until']} ${inMicros(it['price'])}`);
  const meantPrices = journal.prices
    .filter((it) => it.status === '2')
    .map((it) => `${it.prbId} ${it.from} ${untilOf(it, journal.prices)} ${it.price}`);
  const corrections = await read(sql<Text>`
    SELECT h."crbId", h."billStatus", h."recPeriod", coalesce(h."rfbId", h."lcbId") AS of, h."includingTaxAmount"::text AS sum,
           h."excludingTaxAmount"::text AS "netSum", l."lineId"::text, l."includingTaxAmount"::text AS gross,
           l."excludingTaxAmount"::text AS net, l."taxAmount"::text AS tax
      FROM rma_correction_bill AS h JOIN rma_correction_bill_line AS l ON l."crbId" = h."crbId"`);
  const keptCorrections = corrections.map((it) =>
    [
      ...[
        it['crbId'],
        it['billStatus'],
        it['recPeriod'],
        it['of'],
        asCents(it['sum']),
        asCents(it['netSum']),
        it['lineId'],
      ],
      ...[asCents(it['gross']), asCents(it['net']), asCents(it['tax'])],
    ].join(' '),
  );
  const meantCorrections = journal.corrections.flatMap((bill) => {
    const total = (of: 'gross' | 'net') => inCents(bill.lines.reduce((sum, it) => sum + it[of], 0n));
    const head = [
      bill.crbId,
      bill.status,
      bill.month,
      'rfbId' in bill.of ? bill.of.rfbId : bill.of.lcbId,
      total('gross'),
      total('net'),
    ];
    return bill.lines.map((it) =>
      [...head, it.lineId, inCents(it.gross), inCents(it.net), inCents(it.gross - it.net)].join(' '),
    );
  });
  const freight = await read(sql<Text>`
    SELECT h."lcbId", h."siteId", h."recPeriod", h."billStatus", h.currency, h."totalAmount"::text AS sum,
           h."correctionAmount"::text AS correction, l."deliverShipNo", l."chargeItems", l.amount::text
      FROM rma_logistics_costs_bill AS h JOIN rma_logistics_costs_bill_line AS l ON l."lcbId" = h."lcbId"`);
  const keptFreight = freight.map((it) =>
    [
      ...[it['lcbId'], it['siteId'], it['recPeriod'], it['billStatus'], it['currency'], asCents(it['sum'])],
      ...[asCents(it['correction']), it['deliverShipNo'], it['chargeItems'], asCents(it['amount'])],
    ].join(' '),
  );
  const meantFreight = journal.freight.flatMap((it) => {
    const sum = inCents(it.lines.reduce((all, l) => all + l.amount, 0n));
    const head = [it.lcbId, it.site, it.month, it.status, it.currency, sum, correction(it)];
    return it.lines.map((l) => [...head, l.shipNo, l.charge, inCents(l.amount)].join(' '));
  });
  return [
    ...differences('fee line', keptLines, meantLines),
    ...differences('fee bill', keptBills, meantBills),
    ...differences('price', keptPrices, meantPrices),
    ...differences('correction', keptCorrections, meantCorrections),
    ...differences('freight', keptFreight, meantFreight),
  ];
}

/** What is never so, whatever was done, by the rows alone. */
async function findImpossible({ testApp: { db } }: Play): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    SELECT 'an item is settled twice: ' || "mtbliId" AS says FROM rma_repair_fee_bill_line
     WHERE "mtbliId" IS NOT NULL GROUP BY "mtbliId" HAVING count(*) > 1
     UNION ALL
    SELECT 'an expense is settled twice: ' || remark FROM rma_repair_fee_bill_line
     WHERE "priceReason" = '6' GROUP BY remark HAVING count(*) > 1
     UNION ALL
    SELECT 'net and tax are not the amount: line ' || id FROM rma_repair_fee_bill_line
     WHERE "excludingTaxAmount" + "taxAmount" <> "includingTaxAmount" OR "taxAmount" < 0
     UNION ALL
    SELECT 'a bill is not its lines: ' || h."rfbId" FROM rma_repair_fee_bill AS h
     WHERE h."includingTaxAmount" <> (SELECT coalesce(sum(l."includingTaxAmount"), 0) FROM rma_repair_fee_bill_line AS l WHERE l."rfbId" = h."rfbId")
     UNION ALL
    SELECT 'a parcel is billed twice for ' || "chargeItems" || ': ' || "deliverShipNo" FROM rma_logistics_costs_bill_line
     GROUP BY "deliverShipNo", "chargeItems" HAVING count(*) > 1
     UNION ALL
    SELECT 'a line is credited below nothing: ' || l.id
      FROM rma_repair_fee_bill_line AS l JOIN rma_correction_bill_line AS c ON c."lineId" = l.id
      JOIN rma_correction_bill AS h ON h."crbId" = c."crbId" AND h."rfbId" = l."rfbId" AND h."billStatus" = '3'
     GROUP BY l.id, l."includingTaxAmount" HAVING l."includingTaxAmount" + sum(c."includingTaxAmount") < 0
     UNION ALL
    SELECT 'a settled line is for what is in work: ' || l.id
      FROM rma_repair_fee_bill_line AS l JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId" AND h."billStatus" IN ('4', '5', '6')
      JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = l."mtbliId" WHERE i."deliverStatus" NOT IN ('2', '3')`.execute(
    db,
  );
  return rows.map((it) => it.says);
}

const moment = (at: number | null | undefined) => (at == null ? '-' : new Date(at).toISOString());

const itemEnds = { delivered: '2', scrapped: '3', discarded: '3', bought: '4' } as const;

/** Where the units are, and what became of their stays. */
async function findInUnits({ testApp: { db }, journal }: Play): Promise<string[]> {
  const { rows: units } = await sql<Text>`
    SELECT sn, "siteId", "ivyId", "mtbId", "mtbliId", "salesCode" FROM rma_inventory WHERE "ivyId" IS NOT NULL`.execute(
    db,
  );
  const kept = units.map((it) =>
    [it['sn'], it['siteId'], it['ivyId'], it['mtbId'], it['mtbliId'], it['salesCode']].join(' '),
  );
  const meant = journal.units
    .filter((it) => it.node !== null)
    .map((it) => [it.names[0], it.site, it.node, it.stay?.bill.mtbId, it.stay?.mtbliId, it.salesCode].join(' '));
  const { rows: items } = await sql<Text & Record<'received' | 'delivered', number | null>>`
    SELECT i."mtbliId", i."mtbId", i."siteId", i."receiveSn", i.warranty, i."receiveTime" AS received, i.scrap, l."salesCode",
           i."deliverStatus", i."deliverTime" AS delivered, i."deliverSn"
      FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
     WHERE i."receiveTime" IS NOT NULL`.execute(db);
  const keptItems = items.map((it) =>
    [
      ...[
        it['mtbliId'],
        it['mtbId'],
        it['siteId'],
        it['receiveSn'],
        it['salesCode'],
        it['warranty'],
        moment(it['received']),
      ],
      ...[
        it['scrap'],
        ['2', '3', '4'].includes(it['deliverStatus'] ?? '') ? it['deliverStatus'] : '-',
        moment(it['delivered']),
        it['deliverSn'],
      ],
    ].join(' '),
  );
  const meantItems = allStays(journal).map(({ ended, ...it }) => {
    const left = ended?.how === 'delivered' ? ended : null;
    return [
      ...[
        it.mtbliId,
        it.bill.mtbId,
        it.site,
        it.sn,
        it.salesCode,
        it.warranty,
        moment(it.receivedAt),
        flag(it.isScrap),
      ],
      ...[ended ? itemEnds[ended.how] : '-', moment(left?.at), left?.sn],
    ].join(' ');
  });
  return [...differences('unit', kept, meant), ...differences('item', keptItems, meantItems)];
}

/** The records of a month as the supplier statistics list them. */
async function findInRecords(play: Play, month: string): Promise<string[]> {
  const { testApp, journal } = play;
  const [from, end] = [startOf(`${month}-01`), startOf(daysAfter(lastDayOf(month), 1))];
  const isIn = (at: number) => at >= from && at < end;
  const found: string[] = [];
  for (const site of sites) {
    const rowsOf = (reportType: string) =>
      readRows(testApp, 'exportSupplierStatistics', {
        startDate: `${month}-01`,
        endDate: lastDayOf(month),
        sites: [site],
        reportType,
      });
    const told = (it: Record<string, unknown>, ...more: unknown[]) =>
      [it['mtbId'], it['sn'], it['warranty'], it['salesCode'], ...more].join(' ');
    const meant = (it: Stay, ...more: unknown[]) =>
      [it.bill.mtbId, it.sn, it.warranty, it.salesCode, ...more].join(' ');
    const stays = allStays(journal);
    const at = (it: unknown) => moment(it as number);
    found.push(
      ...differences(
        `receipt of ${site}`,
        (await rowsOf('1')).map((it) => told(it, at(it['receiveTime']))),
        stays
          .filter((it) => it.site === site && !it.isOwn && isIn(it.receivedAt))
          .map((it) => meant(it, moment(it.receivedAt))),
      ),
      ...differences(
        `check of ${site}`,
        (await rowsOf('2')).map((it) =>
          told(it, at(it['checkTime']), it['scrapStatus'], it['nofaultStatus'], it['operator']),
        ),
        stays.flatMap((stay) =>
          stay.work
            .filter((it) => it.kind === 'check' && it.site === site && isIn(it.at))
            .map((it) =>
              meant(
                stay,
                moment(it.at),
                it.found === 'scrap' ? it.word : null,
                it.found === 'nofault' ? it.word : null,
                it.by,
              ),
            ),
        ),
      ),
      ...differences(
        `delivery of ${site}`,
        (await rowsOf('3')).map((it) => told(it, at(it['deliverTime']), it['deliverSn'])),
        stays
          .filter((it) => it.isSent && it.ended && it.sentFrom === site && isIn(it.ended.at))
          .map((it) => meant(it, moment(it.ended?.at), it.ended?.sn)),
      ),
      ...differences(
        `repair of ${site}`,
        (await rowsOf('4')).map((it) => told(it, at(it['repairTime']), it['isReturned'], it['operator'])),
        stays.flatMap((stay) =>
          stay.work
            .filter((it) => it.kind === 'repair' && it.site === site && isIn(it.at))
            .map((it) => meant(stay, moment(it.at), flag(it.isReturned), it.by)),
        ),
      ),
    );
  }
  return found;
}

const SECOND = 1000;

type Storage = '0' | '1' | '2' | null;
const storageOf = (node: string | null): Storage =>
  node === null || node === '900' ? null : node === '100' ? '0' : node === '40' ? '2' : '1';
const isWork = (storage: Storage) => storage === '0' || storage === '1';

interface Movement {
  unit: Unit;
  step: Step;
  site: Site;
  was: Storage;
  becomes: Storage;
}

/** What steps do at the sites that they concern. */
const movementsOf = (unit: Unit, step: Step): Movement[] => {
  const [was, becomes] = [storageOf(step.from), storageOf(step.to)];
  return step.fromSite === null
    ? [{ unit, step, site: step.site, was, becomes }]
    : [
        { unit, step, site: step.site, was: null, becomes },
        { unit, step, site: step.fromSite, was, becomes: null },
      ];
};

/** What was done before `until` and not rolled back, or only from `since` on. */
const standing = ({ units }: Journal, until: number, since: number | null) =>
  units.flatMap((unit) =>
    unit.past
      .filter((it) => it.at < until && (it.goneAt === null || (since !== null && it.goneAt >= since)))
      .flatMap((step) => movementsOf(unit, step)),
  );

const counted: Record<string, (it: Movement) => boolean> = {
  received: ({ step, becomes }) => step.step === 'receive' && becomes !== null,
  delivered: ({ step, was, becomes }) =>
    isWork(was) && becomes === null && ['deliver', 'modifyNode'].includes(step.step),
  scrapped: ({ step, was, becomes }) => becomes === '2' && (was !== null || step.step === 'receive'),
  transferredIn: ({ step, becomes }) => isWork(becomes) && ['transferIn', 'transferReturn'].includes(step.step),
  transferredOut: ({ step, was }) => isWork(was) && step.step === 'transferOut',
  // No station does it: a node set by hand, a change of store.
  otherIn: ({ step, was, becomes }) =>
    !isWork(was) && isWork(becomes) && ['modifyNode', 'updateSiteId'].includes(step.step),
  otherOut: ({ step, was, becomes }) => isWork(was) && !isWork(becomes) && step.step === 'updateSiteId',
};
/** Of what stations do, each step once, at its own site. */
const workCounted: Record<string, (it: Step) => boolean> = {
  checked: ({ step }) => step === 'check',
  repaired: ({ step }) => step === 'repair',
  nofault: ({ step, to }) => step === 'nofaultConfirm' && to === '70',
  assembled: ({ step }) => step === 'assemble',
  agingPassed: ({ step, to }) => step === 'aging' && to === '80',
  agingFailed: ({ step, to }) => step === 'aging' && to === '50',
  qcPassed: ({ step, to }) => step === 'qc' && to === '90',
  qcFailed: ({ step, to }) => step === 'qc' && to === '50',
  stored: ({ step }) => step === 'store',
};

/** What a site did in a month, and had in work before and after; as of a second, as it stood when that was over. */
function monthOf(journal: Journal, site: Site, month: string, asOf: number | null): Record<string, number> {
  const from = startOf(`${month}-01`);
  const end = startOf(daysAfter(lastDayOf(month), 1));
  const over = asOf === null ? null : asOf + SECOND;
  const until = over === null ? end : Math.min(end, over);
  const all = standing(journal, until, over).filter((it) => it.site === site);
  const gained = (some: readonly Movement[]) =>
    some.reduce((sum, it) => sum + Number(isWork(it.becomes)) - Number(isWork(it.was)), 0);
  const within = all.filter((it) => it.step.at >= from);
  const own = within.filter((it) => it.step.site === site && (it.step.fromSite === null || it.becomes !== null));
  return {
    opening: gained(all.filter((it) => it.step.at < from)),
    ...Object.fromEntries(Object.entries(counted).map(([name, is]) => [name, within.filter(is).length])),
    ...Object.fromEntries(
      Object.entries(workCounted).map(([name, is]) => [name, own.filter((it) => is(it.step)).length]),
    ),
    closing: gained(all),
  };
}

const siteNames: Record<Site, string> = { SZ: '深圳维修中心', NB: '宁波维修中心' };
const tenths = (ms: number) => Math.round((ms / 86_400_000) * 10) / 10;

/** What the statistics of a month count otherwise than the steps that were made. */
async function findInMonth({ testApp, journal }: Play, month: string, asOf: number | null): Promise<string[]> {
  const range = { startDate: `${month}-01`, endDate: lastDayOf(month) };
  const clock =
    asOf === null ? {} : { asOf: new Date(asOf + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ') };
  const rows = await readRows(testApp, 'exportMonthStatistics', { ...range, ...clock });
  return sites.flatMap((site) => {
    const row = rows.find((it) => it['site'] === siteNames[site]) ?? {};
    const meant = monthOf(journal, site, month, asOf);
    const told = Object.entries(meant)
      .filter(([name, n]) => row[name] !== undefined && Number(row[name]) !== n)
      .map(
        ([name, n]) =>
          `${name} of ${site} ${month}${asOf === null ? '' : ` as of ${moment(asOf)}`}: ${String(row[name])}, not ${n}`,
      );
    if (asOf !== null) return told;
    const [from, end] = [startOf(`${month}-01`), startOf(daysAfter(lastDayOf(month), 1))];
    const left = allStays(journal).flatMap((it) =>
      it.site === site && it.ended?.how === 'delivered' && it.ended.at >= from && it.ended.at < end
        ? [it.ended.at - it.receivedAt]
        : [],
    );
    const tat = left.length === 0 ? null : tenths(left.reduce((sum, it) => sum + it, 0) / left.length);
    return Math.abs(Number(row['averageTat'] ?? 0) - (tat ?? 0)) < 0.11
      ? told
      : [...told, `average TAT of ${site} ${month}: ${String(row['averageTat'])}, not ${tat}`];
  });
}

/** What lies where, by its movements. */
async function findInBalance({ testApp, journal }: Play, month: string): Promise<string[]> {
  const [from, end] = [startOf(`${month}-01`), startOf(daysAfter(lastDayOf(month), 1))];
  const kind: Kind = 'exportInventoryBalance';
  const rows = await readRows(testApp, kind, { startDate: `${month}-01`, endDate: lastDayOf(month) });
  const all = standing(journal, end, null);
  const kept = rows
    .map((it) =>
      [it['site'], it['salesCode'], it['storageType'], it['opening'], it['closing'], it['difference']].join(' '),
    )
    .filter((it) => !it.endsWith(' 0 0 0'));
  const places = new Map<string, [number, number]>();
  for (const { unit, step, site, was, becomes } of all)
    for (const [storage, sign] of [
      [becomes, 1],
      [was, -1],
    ] as const) {
      if (storage === null) continue;
      const key = `${siteNames[site]} ${unit.salesCode} ${storage}`;
      const [opening, closing] = places.get(key) ?? [0, 0];
      places.set(key, [opening + (step.at < from ? sign : 0), closing + sign]);
    }
  const meant = [...places]
    .map(([key, [opening, closing]]) => `${key} ${opening} ${closing} 0`)
    .filter((it) => !it.endsWith(' 0 0 0'));
  return differences(`balance of ${month}`, kept, meant);
}

/** A midnight and the second of something that was done or rolled back, after `from` and over by now. */
function secondsAsked({ journal, now, below }: Play, from: number): number[] {
  const moments = journal.units.flatMap(({ past }) => past.flatMap((it) => [it.at, it.goneAt ?? it.at]));
  const lately = moments.filter((it) => it > from);
  const drawn = lately[below(lately.length)] ?? now;
  return [startOf(daysAfter(dayAt(now), -below(40))), drawn - (drawn % SECOND)].filter(
    (it) => it > from && it + SECOND <= now,
  );
}

/** All that is kept or told otherwise than it was done; of a month, and of an earlier one as it stood once. */
export async function findDifferences(play: Play, month: string, earlier: string | null): Promise<string[]> {
  const asked = earlier ? secondsAsked(play, startOf(`${earlier}-01`)) : [];
  const asStood: string[] = [];
  for (const asOf of asked) asStood.push(...(await findInMonth(play, earlier ?? '', asOf)));
  return [
    ...(await findInUnits(play)),
    ...(await findInMoney(play)),
    ...(await findImpossible(play)),
    ...(await findInRecords(play, month)),
    ...(await findInMonth(play, month, null)),
    ...(earlier ? [...(await findInMonth(play, earlier, null)), ...(await findInRecords(play, earlier))] : []),
    ...asStood,
    ...(await findInBalance(play, month)),
  ];
}
