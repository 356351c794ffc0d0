import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, GoodsType, OperateStatus, StockupStatus } from '#domain/enums.ts';
import { codesOfText } from '#domain/issueCode.ts';
import { nextActions, type StandingUnit } from '#domain/nextActions.ts';
import type { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { namesToShow } from '#server/workflow/names.ts';
import { devicesAround } from '#server/workflow/parts.ts';
import { readSns, readUnits } from '#server/workflow/units.ts';
import { viewHistory } from './contract.ts';
import { boundAt } from './rules.ts';
import {
  findArchived,
  listBindings,
  readCheckPictures,
  codeNames,
  listEvents,
  findingsOn,
  isElsewhere,
  findItem,
  findLastStep,
  PAGE,
  listStays,
  findUnit,
  type FoundEvent,
  type FoundUnit,
} from './queries.ts';

export const inventoryRoutes = [
  /**
   * The life of an SN: where it is, what it is and was made of, each event with who did it, what this user may do with it
   * next. Another site's is not there.
   */
  route(viewHistory, readUnitHistory),
];

async function readUnitHistory(input: InputOf<typeof viewHistory>, ctx: Context): Promise<DataOf<typeof viewHistory>> {
  const [asked] = readSns([input.sn], () => 'sn') as [string];
  const { now: sn, all: names } = await namesToShow(ctx.db, asked);
  const unit = await findUnit(ctx, sn);
  const item = (unit && (await findItem(ctx, sn))) ?? null;
  const archive = await findArchived(ctx, sn);
  const parts = await listBindings(ctx, names, 'deviceSn');
  const holders = await listBindings(ctx, names, 'componentSn');
  const inside = (await devicesAround(ctx, [sn])).get(sn) ?? null;
  const rows = await listEvents(ctx, names, { mtbId: normaliseNo(input.mtbId), before: input.before ?? 0 });
  const isFree = unit === undefined && !(await isElsewhere(ctx, sn));
  const isKnown = unit !== undefined || (isFree && (archive !== undefined || holders.length > 0));
  if (!isKnown && rows.length === 0) {
    throw new Refusal({ key: 'notFound', field: 'sn', args: { what: 'SN', value: asked } });
  }
  const events = rows.slice(0, PAGE);
  const mtbIds = [...new Set(events.flatMap((it) => it.mtbId ?? []))];
  const standing = unit
    ? await readStanding(ctx, { sn, names }, unit)
    : isFree && archive
      ? outside(sn, archive.type)
      : null;
  return {
    sn,
    formerSns: names.filter((it) => it !== sn),
    unit: unit ? toUnitAnswer(sn, unit, standing?.held ?? null) : null,
    item: item
      ? { id: item.id, mtbliId: item.mtbliId, mtblId: item.mtblId, deliverPayment: item.deliverPayment }
      : null,
    archive: archive ? { ...archive, salesCode: archive.salesCode ?? '' } : null,
    events: await toEventAnswers(ctx, names, events, mtbIds),
    earlier: rows.length > PAGE,
    stays: await listStays(ctx, mtbIds),
    parts,
    holders,
    next: standing
      ? nextActions({ ...standing, item, partsCount: boundAt(parts, null).length, inside }, ctx.currentUser)
      : [],
    lastStepId: standing?.lastStep?.id ?? null,
  };
}

/** A unit apart from what else is read of it. */
type Standing = Omit<StandingUnit, 'item' | 'partsCount' | 'inside'>;

/** A unit of the workshop with all that decides what may be done with it. */
async function readStanding(
  ctx: Context,
  { sn, names }: { sn: string; names: readonly string[] },
  found: FoundUnit,
): Promise<Standing | null> {
  const unit = (await readUnits(ctx.db, [sn])).get(sn);
  if (!unit) return null;
  const { skbId, skbStatus, skbSiteId, delivered, talliedItemId, itemRowId } = found;
  const ships = skbStatus === StockupStatus.Open || skbStatus === StockupStatus.Partly;
  const isTallied = skbId !== null && ships && delivered !== Flag.Yes && talliedItemId === itemRowId;
  const last = await findLastStep(ctx, names);
  return {
    ...unit,
    tally: isTallied ? { skbId, siteId: skbSiteId, status: skbStatus } : null,
    lastStep: last ?? null,
  };
}

/** What only the archive knows: it may come in. */
const outside = (sn: string, type: string | null): Standing => ({
  sn,
  type: type ?? GoodsType.Board,
  siteId: null,
  ivyId: null,
  held: null,
  mtbId: null,
  billStatus: null,
  deliverStatus: null,
  deliverPriority: null,
  tally: null,
  lastStep: null,
});

function toUnitAnswer(sn: string, unit: FoundUnit, held: StandingUnit['held']) {
  const {
    skbId,
    skbStatus,
    skbSiteId: _site,
    delivered: _delivered,
    talliedItemId: _item,
    itemRowId: _row,
    ...it
  } = unit;
  return {
    ...it,
    sn,
    type: unit.type,
    salesCode: unit.salesCode ?? '',
    ivyId: unit.ivyId as Node | null,
    siteId: unit.siteId,
    held: held?.kind ?? null,
    heldBy: held?.billId ?? null,
    heldSince: held?.since ?? null,
    stockup: skbId === null ? null : { skbId, status: skbStatus },
  };
}

/** The events with what their bills keep of them: pictures and what was found. */
async function toEventAnswers(
  ctx: Context,
  names: readonly string[],
  events: readonly FoundEvent[],
  mtbIds: readonly string[],
) {
  const findings = await findingsOn(ctx, names, [...new Set(events.flatMap((it) => it.billId ?? []))]);
  const added = await readCheckPictures(ctx, names, mtbIds);
  const codesOf = ({ billId, note }: FoundEvent): string[] => {
    const found = findings.get(billId ?? '')?.codes ?? [];
    return [...new Set(found.length > 0 ? found : codesOfText(note))];
  };
  const findCodeName = await codeNames(ctx, events.flatMap(codesOf));
  const standing = standingChecks(events);
  return events.map((event) => {
    const { step } = event;
    const codes = codesOf(event).flatMap((code) => {
      const name = findCodeName(step, code);
      return name === undefined ? [] : [{ code, name }];
    });
    const urls = findings.get(event.billId ?? '')?.urls ?? [];
    const later = standing.has(event.id) ? (added.get(event.mtbId ?? '') ?? []) : [];
    return {
      ...event,
      userId: event.userId ?? '',
      codes,
      urls: [...new Set([...urls, ...later])],
    };
  });
}

/** The first test of each stay that still counts: images that were added to it later stand with it. */
function standingChecks(events: readonly FoundEvent[]): Set<number> {
  const ofStay = new Map<string | null, number>();
  for (const { id, mtbId, step, operateStatus } of events) {
    const counts = step === 'check' && operateStatus === OperateStatus.Normal;
    if (counts && !ofStay.has(mtbId)) ofStay.set(mtbId, id);
  }
  return new Set(ofStay.values());
}
