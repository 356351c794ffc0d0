import { sql, type RawBuilder } from 'kysely';
import en from '#i18n/en/queues.json' with { type: 'json' };
import zh from '#i18n/zh/queues.json' with { type: 'json' };
import { ArrivalStatus, BillStatus, Confirmation, shippingStockups } from '#domain/enums.ts';
import { isPicture, splitUrls } from '#domain/images.ts';
import { Node } from '#domain/nodes.ts';
import { itemNameIn } from '#domain/itemName.ts';
import { limitHours } from '#domain/queueLimits.ts';
import { queuesFor, rightOf, type Queue, type QueueItem } from '#domain/queues.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Language } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { hasNoHandIn } from '#server/workflow/hands.ts';
import { cachedFor } from './cached.ts';

/** What waits in each, by its module and button. */
const names: Record<Language, Record<string, Record<string, string>>> = { zh, en };

/** So many of a queue are named, the oldest first. */
const NAMED = 4;

interface Standing {
  count: number;
  short: number;
  days: number;
  long: number;
  oldest: number | null;
  items: FoundItem[];
}

/** With what the catalogue calls its product, by which it may be named in English. */
type FoundItem = QueueItem & { product: string | null };

/** What waits, and what is said of those that are named: `waiting` gives `id` and `since`, `shown` follows a join of `w`. */
interface Source {
  tables: readonly string[];
  waiting: RawBuilder<unknown>;
  columns: Partial<Record<Exclude<keyof FoundItem, 'id' | 'since'>, RawBuilder<unknown>>>;
  from: RawBuilder<unknown>;
}

const INVENTORY = 'rma_inventory';
const CHECK_LINES = 'rma_check_bill_line';
const CHECKS = 'rma_check_bill';
const BILLS = 'rma_maintain_bill';
const ARRIVALS = 'rma_arrival_bill';
const STOCKUPS = 'rma_stockup_bill';

/** The tables of the bills that wait row by row; of each, what stands beside its number. */
const shownOfBills: Record<string, { table: string; no: string; about?: string; mtbId?: true; amount?: string }> = {
  rmaArrivalBill: { table: ARRIVALS, no: 'receiveShipNo', mtbId: true },
  rmaUnhandledPackageBill: { table: 'rma_unhandled_package_bill', no: 'receiveShipNo', about: 'userName' },
  rmaSelfPickup: { table: 'rma_self_pickup', no: 'spkId', about: 'companyName', mtbId: true },
  rmaPriceBill: { table: 'rma_price_bill', no: 'prbId', about: 'machineType', amount: 'unitPriceWithTax' },
  rmaRepairFeeBill: { table: 'rma_repair_fee_bill', no: 'rfbId', about: 'recPeriod', amount: 'includingTaxAmount' },
  rmaLogisticsCostsBill: {
    ...{ table: 'rma_logistics_costs_bill', no: 'lcbId', about: 'recPeriod', amount: 'totalAmount' },
  },
  rmaMiscellaneousExpensesBill: {
    ...{
      table: 'rma_miscellaneous_expenses_bill',
      no: 'mebId',
      about: 'modelAbbreviation',
      amount: 'includingTaxAmount',
    },
  },
  rmaCorrectionBill: {
    ...{ table: 'rma_correction_bill', no: 'crbId', about: 'supplierName', amount: 'includingTaxAmount' },
  },
  icopWaferWorkOrder: { table: 'icop_wafer_work_order', no: 'workOrderNo', about: 'waferPn' },
  icopBumpingCpWorkOrder: { table: 'icop_bumping_cp_work_order', no: 'workOrderNo', about: 'waferPn' },
  icopAssemblyWorkOrder: { table: 'icop_assembly_work_order', no: 'workOrderNo', about: 'devicePn' },
  icopFtWorkOrder: { table: 'icop_ft_work_order', no: 'workOrderNo', about: 'devicePn' },
};

export const queueTables: readonly string[] = [
  ...[INVENTORY, CHECK_LINES, CHECKS, BILLS, STOCKUPS],
  ...Object.values(shownOfBills).map((it) => it.table),
];

/**
 * What waits for this user, the worst first: whose oldest has waited longest for what its queue allows. Stations, parcels
 * and deliveries are of the home site, as one works there; what is judged is of all sites that one sees.
 * Rule: screens#queues.
 */
export async function readQueues(ctx: Context) {
  const found = await Promise.all(
    queuesFor(ctx.currentUser.rights).map(async (queue) => ({ queue, standing: await readStanding(queue, ctx) })),
  );
  const now = Date.now();
  const badness = ({ queue, standing: { oldest } }: (typeof found)[number]) =>
    oldest === null ? -1 : Math.max(0, now - oldest) / limitHours(queue);
  return found
    .sort((a, b) => badness(b) - badness(a))
    .map(({ queue, standing: { count, oldest, items, ...waiting } }) => ({
      label: names[ctx.lang][queue.module]?.[queue.btnNo] ?? rightOf(queue),
      ...{ name: rightOf(queue), count, waiting, oldest, items: items.map((it) => namedIn(ctx.lang, it)) },
      limitHours: limitHours(queue),
    }));
}

const namedIn = (lang: Language, { product, ...item }: FoundItem): QueueItem => ({
  ...item,
  what: itemNameIn(lang, item.what, product),
});

function readStanding(queue: Queue, ctx: Context): Promise<Standing> {
  const { userId, siteId } = ctx.currentUser;
  const source = sourceOf(queue, ctx);
  // Nobody reviews what they made themselves, so that a review's queue is one's own.
  const key = `queue ${rightOf(queue)} ${siteId} ${'review' in queue ? userId : ''}`;
  return cachedFor(key, source.tables, ctx, async () => {
    const columns = (['no', 'what', 'product', 'mtbId', 'type', 'amount', 'currency', 'picture'] as const).map(
      (it) => sql`${source.columns[it] ?? sql`NULL`} AS ${sql.ref(it)}`,
    );
    const { rows } = await sql<Standing>`
      WITH waiting AS MATERIALIZED (${source.waiting}),
           named AS (
             SELECT w.id, floor(extract(epoch FROM w.since) * 1000)::float8 AS since, ${sql.join(columns)}
               FROM (SELECT id, since FROM waiting ORDER BY since, id LIMIT ${NAMED}) AS w ${source.from})
      SELECT count(*)::int AS count, count(*) FILTER (WHERE since > now() - interval '1 day')::int AS short,
             count(*) FILTER (WHERE since <= now() - interval '1 day' AND since > now() - interval '3 days')::int AS days,
             count(*) FILTER (WHERE since <= now() - interval '3 days')::int AS long,
             floor(extract(epoch FROM min(since)) * 1000)::float8 AS oldest,
             (SELECT coalesce(json_agg(named ORDER BY since, id), '[]') FROM named) AS items
        FROM waiting`.execute(ctx.db);
    const [standing] = rows as [Standing];
    return { ...standing, items: standing.items.map((it) => ({ ...it, picture: firstPicture(it.picture) })) };
  });
}

/** Where a row stands in a queue of this user, and which comes after it. */
export async function readPlace(name: string, id: number | null, ctx: Context) {
  const queue = queuesFor(ctx.currentUser.rights).find((it) => rightOf(it) === name);
  if (!queue) throw new Refusal({ key: 'noRight' });
  const { rows } = await sql<{ count: number; position: number | null; next: number | null }>`
    WITH waiting AS MATERIALIZED (
           SELECT w.id, (row_number() OVER (ORDER BY w.since, w.id))::int AS position
             FROM (${sourceOf(queue, ctx).waiting}) AS w),
         here AS (SELECT max(position) AS position FROM waiting WHERE id = ${id})
    SELECT (SELECT count(*)::int FROM waiting) AS count, here.position,
           (SELECT w.id::int FROM waiting AS w WHERE w.id IS DISTINCT FROM ${id}
             ORDER BY w.position < coalesce(here.position, 0), w.position LIMIT 1) AS next
      FROM here`.execute(ctx.db);
  return rows[0] as { count: number; position: number | null; next: number | null };
}

/** Of the catalogue, for what is named only: by the unique sales code. */
const productOf = (goods: 'u' | 'l') =>
  sql`(SELECT "productName" FROM ubs_item WHERE "salesCode" = ${sql.ref(`${goods}.salesCode`)})`;

const firstPicture = (urls: string | null): string | null => splitUrls(urls).find(isPicture) ?? null;

function sourceOf(queue: Queue, { currentUser }: Context): Source {
  const home = { sites: [currentUser.siteId] };
  switch (queue.of) {
    case 'units': {
      // What waits for a supervisor's word waits for no test.
      const isFree =
        queue.node === Node.AwaitingCheck
          ? sql`u.id NOT IN (${held('scrap', 'u.id', home)} UNION ALL ${held('nofault', 'u.id', home)})`
          : sql`true`;
      return {
        tables: queue.node === Node.AwaitingCheck ? [INVENTORY, CHECK_LINES] : [INVENTORY],
        waiting: sql`SELECT u.id, coalesce(u."updateTime", u."createTime") AS since FROM rma_inventory AS u
                      WHERE u."siteId" = ${currentUser.siteId} AND u."ivyId" = ${queue.node} AND ${isFree}`,
        columns: {
          no: sql`u.sn`,
          what: sql`coalesce(u."itemName", u."salesCode")`,
          product: productOf('u'),
          mtbId: sql`u."mtbId"`,
          type: sql`u.type`,
        },
        from: sql`JOIN rma_inventory AS u ON u.id = w.id`,
      };
    }
    case 'proposals':
      return {
        tables: [INVENTORY, CHECK_LINES, CHECKS],
        waiting: held(queue.field === 'scrapStatus' ? 'scrap' : 'nofault', 'line', currentUser),
        columns: {
          ...{ no: sql`l.sn`, what: sql`coalesce(l.name, l."salesCode")`, product: productOf('l') },
          ...{ mtbId: sql`b."mtbId"`, picture: sql`b."checkUrls"` },
        },
        from: sql`JOIN rma_check_bill_line AS l ON l.id = w.id LEFT JOIN rma_check_bill AS b ON b."ckbId" = l."ckbId"`,
      };
    case 'receipts':
      return {
        tables: [BILLS, ARRIVALS],
        waiting: sql`
          SELECT b.id, max(coalesce(a."updateTime", a."createTime")) AS since
            FROM rma_maintain_bill AS b
            JOIN rma_arrival_bill AS a ON a."mtbId" = b."mtbId" AND a."siteId" = b."siteId"
                                      AND a.status = ${ArrivalStatus.Accepted}
           WHERE b."siteId" = ${currentUser.siteId} AND b."billStatus" IN (${BillStatus.Awaiting}, ${BillStatus.ReceivedLater})
           GROUP BY b.id`,
        columns: { no: sql`coalesce(b."receiveShipNo", b."mtbId")`, what: sql`b."userName"`, mtbId: sql`b."mtbId"` },
        from: sql`JOIN rma_maintain_bill AS b ON b.id = w.id`,
      };
    case 'stockups':
      return {
        tables: [STOCKUPS],
        waiting: sql`SELECT id, "createTime" AS since FROM rma_stockup_bill
                      WHERE "siteId" = ${currentUser.siteId} AND status IN (${sql.join(shippingStockups)})`,
        columns: { no: sql`k."skbId"`, what: sql`k."deliveredCount" || ' / ' || k."allCount"`, mtbId: sql`k."mtbId"` },
        from: sql`JOIN rma_stockup_bill AS k ON k.id = w.id`,
      };
    default: {
      const { table, no, about, mtbId, amount } = shownOfBills[queue.module] as (typeof shownOfBills)[string];
      const { userId } = currentUser;
      const { module, notBy = [] } = queue.review ?? {};
      const others = notBy.map((it) => sql`AND ${sql.ref(it)} IS DISTINCT FROM ${userId}`);
      const of = (name: string) => sql.ref(`${table}.${name}`);
      // Nor does anybody judge what they changed. Rule: money#two-people.
      if (module) others.push(sql`AND ${hasNoHandIn({ module, userId }, { id: of('id'), no: of(no) })}`);
      return {
        tables: [table],
        waiting: sql`
          SELECT id, coalesce("updateTime", "createTime") AS since FROM ${sql.table(table)}
           WHERE ${sql.ref(queue.field)} = ${queue.state}
             AND ${inSites('siteId', queue.atHome ? home : currentUser)} ${sql.join(others, sql` `)}`,
        columns: {
          no: sql`b.${sql.ref(no)}`,
          ...(about && { what: sql`b.${sql.ref(about)}` }),
          ...(mtbId && { mtbId: sql`b."mtbId"` }),
          ...(amount && { amount: sql`b.${sql.ref(amount)}::text`, currency: sql`b.currency` }),
        },
        from: sql`JOIN ${sql.table(table)} AS b ON b.id = w.id`,
      };
    }
  }
}

/** Units that wait for a supervisor's word: of the latest check of each, its line or the unit. Rule: units#hold. */
const held = (
  confirmation: 'scrap' | 'nofault',
  gives: 'line' | 'u.id',
  scope: { sites: 'all' | readonly string[] },
): RawBuilder<unknown> => sql`
  SELECT ${gives === 'line' ? sql`l.id, coalesce(l."billTime", l."createTime") AS since` : sql`u.id`}
    FROM rma_check_bill_line AS l
    JOIN rma_inventory AS u ON u.sn = l.sn AND u."ivyId" = ${Node.AwaitingCheck} AND ${inSites('u.siteId', scope)}
   WHERE l.disposition = ${confirmation}
     AND ${sql.ref(confirmation === 'scrap' ? 'l.scrapStatus' : 'l.nofaultConfirmStatus')} = ${sql.lit(Confirmation.Waiting)}
     AND NOT EXISTS (SELECT FROM rma_check_bill_line AS later
                      WHERE later.sn = l.sn AND later.disposition IS NOT NULL AND later.id > l.id)`;
