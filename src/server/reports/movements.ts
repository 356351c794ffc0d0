import { sql, type RawBuilder } from 'kysely';
import { OperateStatus, StorageType } from '#domain/enums.ts';
import { Node, nodes, storageTypeAt } from '#domain/nodes.ts';
import { stepsOnParts, transferSteps, type HistoryStep } from '#domain/workflow.ts';
import { inSites } from '#server/db/conditions.ts';
import { is, isOneOf } from '#domain/drill.ts';
import type { DrillRule } from '#domain/wire.ts';
import { endOfMoment } from './params.ts';
import type { Params } from './report.ts';

/** What a way into a storage type of a site is called, and a way out of it. Rule: reports#movements. */
export const waysIn = ['received', 'activated', 'repairedIn', 'transferredIn', 'scrappedIn', 'otherIn'] as const;
export const waysOut = ['delivered', 'transferredOut', 'scrapped', 'consumed', 'builtIn', 'otherOut'] as const;
export type WayIn = (typeof waysIn)[number];
export type WayOut = (typeof waysOut)[number];

const among = (steps: readonly string[]) => sql`t.step IN (${sql.join(steps.map((it) => sql.lit(it)))})`;
const isStep = (...steps: HistoryStep[]) => among(steps);

/**
 * Steps `t` that stand, or stood at the moment that is asked about. Those that were done after it are kept apart by their
 * time. Rule: reports#as-of.
 */
export const stands = ({ asOf, until }: Pick<Params, 'asOf' | 'until'>): RawBuilder<boolean> => {
  const standsNow = sql<boolean>`t."operateStatus" = ${sql.lit(OperateStatus.Normal)}`;
  return asOf
    ? sql`(${standsNow} OR (t."rolledBackTime" >= ${endOfMoment(asOf)} AND t."eventTime" < ${until}))`
    : standsNow;
};

/** The storage type that a node stands for; none where a unit is not in the workshop. */
export const toStorageType = (node: string): RawBuilder<string | null> =>
  sql`CASE ${sql.ref(node)} ${sql.join(
    nodes.map((it) => sql`WHEN ${sql.lit(it)} THEN ${sql.lit(storageTypeAt(it))}`),
    sql` `,
  )} END`;

/** The place has become scrap. */
const becomesScrap = sql`w.becomes = ${sql.lit(StorageType.Scraps)}`;

/** The first that fits is meant. Own goods that get a bill to be tested are taken from the shelf, as activated ones. */
const meaningIn: [WayIn, RawBuilder<unknown>][] = [
  ['received', isStep('receive')],
  ['activated', isStep('storeStart', 'testAndStore')],
  // A part that comes out of a donor was nowhere before: it is taken out, not repaired.
  ['repairedIn', sql`(${isStep('store')} OR ${isStep('outsourcingAccept')} AND t."fromNode" IS NOT NULL)`],
  ['transferredIn', among(transferSteps)],
  ['scrappedIn', becomesScrap],
];
const meaningOut: [WayOut, RawBuilder<unknown>][] = [
  // An administrator says of it that it was shipped: its item is, and is settled as such. Rule: events#e36.
  ['delivered', sql`(${isStep('deliver')} OR ${isStep('modifyNode')} AND t."toNode" = ${sql.lit(Node.Shipped)})`],
  ['transferredOut', among(transferSteps)],
  ['scrapped', becomesScrap],
  ['consumed', isStep('store', 'storeStart', 'testAndStore', 'outsourcingAccept')],
  // Parts that went into a device stand nowhere by themselves any more. Rule: events#e15, events#e17, events#e27.
  ['builtIn', sql`t."toNode" IS NULL AND ${among(stepsOnParts)}`],
];
const meant = (meanings: [string, RawBuilder<unknown>][], other: WayIn | WayOut) =>
  sql`CASE ${sql.join(
    meanings.map(([name, fits]) => sql`WHEN ${fits} THEN ${sql.lit(name)}`),
    sql` `,
  )} ELSE ${sql.lit(other)} END`;

type MovementParams = Pick<Params, 'sites' | 'asOf' | 'until'>;

/** What steps `t` mean at one of the sites that they concern. */
const movementsAt = (
  site: string,
  was: RawBuilder<unknown>,
  becomes: RawBuilder<unknown>,
  params: MovementParams,
) => sql`
  SELECT ${sql.ref(site)} AS "siteId", t.sn, t."eventTime", t."rolledBackTime", w.was, w.becomes,
         CASE WHEN w.becomes IS NOT NULL THEN ${meant(meaningIn, 'otherIn')} END AS "wayIn",
         CASE WHEN w.was IS NOT NULL THEN ${meant(meaningOut, 'otherOut')} END AS "wayOut"
    FROM rma_transaction AS t CROSS JOIN LATERAL (SELECT ${was} AS was, ${becomes} AS becomes) AS w
   WHERE ${stands(params)} AND ${sql.ref(site)} IS NOT NULL
     AND w.was IS DISTINCT FROM w.becomes AND ${inSites(site, params)}`;

/**
 * Every movement that stands, `t`, at each site that it concerns: as what the unit was kept there, as what it is
 * kept after (none: it is not there), and what each of the two ways means; a step that leaves a unit as what it was
 * is no movement. This alone says what a movement counts as. The two sites of a step are two queries: a list of values
 * for each step costs ten times as much. Rule: reports#movements.
 */
export const movements = (params: MovementParams): RawBuilder<unknown> => {
  const [from, to] = [toStorageType('t.fromNode'), toStorageType('t.toNode')];
  return sql`(
    ${movementsAt('t.siteId', sql`CASE WHEN t."fromSiteId" IS NULL THEN ${from} END`, to, params)}
     UNION ALL
    ${movementsAt('t.fromSiteId', from, sql`NULL::text`, params)})`;
};

/**
 * Movements `v` that were made before the end of the range and undone after the moment that is asked about: what lies there
 * now does not tell of them any more, what lay there then did.
 */
export const isUndoneSince = ({ asOf }: Pick<Params, 'asOf'>): RawBuilder<boolean> =>
  asOf ? sql`v."rolledBackTime" >= ${endOfMoment(asOf)}` : sql`false`;

/** Whether a storage type is work: what is in the workshop and no scrap. Rule: reports#months. */
const isWork = (storage: string): RawBuilder<boolean> =>
  sql`coalesce(${sql.ref(storage)} <> ${sql.lit(StorageType.Scraps)}, false)`;

/** What movements `v` bring into what is in work, and take out of it. Rule: reports#movements. */
export const entersWork = sql<boolean>`(NOT ${isWork('v.was')} AND ${isWork('v.becomes')})`;
export const leavesWork = sql<boolean>`(${isWork('v.was')} AND NOT ${isWork('v.becomes')})`;

/** A board that comes in beyond repair was received, and is scrap at once. Rule: events#e04. */
const comesAsScrap = sql`(v."wayIn" = 'received' AND v.becomes = ${sql.lit(StorageType.Scraps)})`;
export const isReceived = sql<boolean>`(v."wayIn" = 'received')`;
/** Scrap that goes to another site, or out for repair, was scrapped before. Rule: transfers#reports, scrap-repair#reports. */
export const isScrapped = sql<boolean>`(v."wayOut" = 'scrapped' OR ${comesAsScrap})`;

/** A step of the stations, wherever it led, or to one of these nodes. */
interface Work {
  step: HistoryStep;
  to?: readonly Node[];
}
/** What the stations do. Parts that go into a device have its step to no node, those that are taken out, to scrap. Rule: reports#movements. */
export const work = {
  checked: { step: 'check' },
  repaired: { step: 'repair', to: nodes.filter((it) => it !== Node.Scrapped) },
  nofault: { step: 'nofaultConfirm', to: [Node.AwaitingTest] },
  assembled: { step: 'assemble', to: nodes },
  agingPassed: { step: 'aging', to: [Node.AwaitingInspection] },
  agingFailed: { step: 'aging', to: [Node.AwaitingRepair] },
  qcPassed: { step: 'qc', to: [Node.AwaitingStorage] },
  qcFailed: { step: 'qc', to: [Node.AwaitingRepair] },
  stored: { step: 'store' },
} as const satisfies Record<string, Work>;

/** Whether a step `t` is such work. */
export const isWorkOf = ({ step, to }: Work): RawBuilder<boolean> =>
  to ? sql`(${isStep(step)} AND t."toNode" IN (${sql.join(to.map((it) => sql.lit(it)))}))` : sql`(${isStep(step)})`;
export const isRepaired = isWorkOf(work.repaired);

/** The steps that are such work, in the list of all of them. */
export const rulesOf = ({ step, to }: Work): DrillRule[] => [is('step', step), ...(to ? [isOneOf('toNode', to)] : [])];
