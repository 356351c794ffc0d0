import { ComponentType } from '#domain/assembly.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { BillStatus, GoodsType } from '#domain/enums.ts';
import { joinUrls, splitUrls } from '#domain/images.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { validateNoneInHouse } from '#domain/maintainBill.ts';
import { validatePartInside } from '#domain/parts.ts';
import { refuseIfAny, Refusal, type Problem } from '#domain/refusal.ts';
import { NO_PART, normaliseNo, normaliseSn } from '#domain/sn.ts';
import { atSite, type Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { closeRest, openItemsOf } from '#server/workflow/bills.ts';
import { issueCodesOf, repairCodesOf, type IssueCode } from '#server/workflow/issueCodes.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import { namesOfOne, refuseFormer } from '#server/workflow/names.ts';
import { lockParts, partsBoundTo, putTogether, validateNewParts, type Part } from '#server/workflow/parts.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import { enumerationValues } from '#server/workflow/repairRecords.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import { readUnits, validateSnText, type Unit } from '#server/workflow/units.ts';
import { finishOnSiteRepair, onSiteRepair, onSiteValidateSn, queryDevice, visitReport } from './contract.ts';
import {
  admit,
  bomSlots,
  endBill,
  openBill,
  openVisits,
  placeOnBill,
  readArchived,
  recordVisit,
  visitBill,
  type VisitBill,
} from './queries.ts';
import {
  partsAfter,
  validateKinds,
  validatePartsOfVisit,
  validateVisit,
  validateVisitBill,
  validateVisitDevice,
  validateVisitRow,
  VISIT_PICTURES,
  visitCountOf,
  visitPartOf,
  visitSlotsOf,
  type DeviceKnown,
  type VisitPart,
  type VisitRow,
} from './rules.ts';
import { report } from './server.report.ts';

/** Devices are repaired where they stand, at their customer. Rule: on-site-repair#submit. */
export const onSiteRepairRoutes = [
  route(queryDevice, async (input, ctx) => ({ item: itemOf((await scan(input, ctx)).known) })),

  route(onSiteValidateSn, async (input, ctx) => {
    const { sn, mtbId, known } = await scan(input, ctx);
    const components = (await partsBoundTo(ctx, [sn])).map(({ deviceSn: _, ...it }) => it);
    return { sn, mtbId, item: itemOf(known), components };
  }),

  route(onSiteRepair, visit),
  route(finishOnSiteRepair, finish),
  route(visitReport, report),
];

const itemOf = ({ salesCode: code, name, itemId }: DeviceKnown) => ({ code, name, itemId });

const missingBill = (): Problem => ({
  key: 'required',
  field: 'mtbId',
  args: { fields: [{ module: 'rmaSiteRepairBill', field: 'mtbId' }] },
});

/** The device of one scan, if it may be repaired on this bill; reads only. */
async function scan(input: InputOf<typeof queryDevice>, ctx: Context) {
  const mtbId = normaliseNo(input.mtbId);
  const sn = normaliseSn(input.sn ?? '');
  refuseIfAny([...(mtbId === '' ? [missingBill()] : []), ...validateSnText(sn, 'sn')]);
  const bill = await visitBill(ctx, mtbId);
  refuseIfAny(validateVisitBill(bill));
  const known = await readArchived(ctx, sn);
  const unit = (await readUnits(ctx.db, [sn])).get(sn);
  return { sn, mtbId, known: await deviceOrRefuse(ctx, bill, sn, { known, unit }, 'sn') };
}

/** What the device is; refused where it may not be repaired on this bill. Rule: on-site-repair#devices. */
async function deviceOrRefuse(
  ctx: Context,
  bill: VisitBill,
  sn: string,
  { known: archived, unit }: { known: DeviceKnown | undefined; unit: Unit | undefined },
  field: string,
): Promise<DeviceKnown> {
  const known = archived ?? (unit && { ...unit, name: unit.itemName, itemId: null });
  if (!known) {
    await refuseFormer(ctx, [sn], () => field);
    throw new Refusal({ key: 'notFound', field, args: { what: 'SN', value: sn } });
  }
  const names = (await namesOfOne(ctx.db, sn)).all;
  const place = await placeOnBill(ctx, bill.mtbId, { names, salesCode: known.salesCode });
  refuseIfAny(validateVisitDevice(sn, known, unit, { mtbId: bill.mtbId, siteId: bill.siteId, place }, field));
  return known;
}

/** A record as it was sent, of a part or of a veneer. */
interface SentRow extends VisitRow {
  /** Where it stands in the body, and what its fields are called there. */
  at: string;
  nameOf: (field: string) => string;
  codes: readonly (number | string)[];
  repairMarking: string | null;
  spendItemDescription: string | null;
}

type Sent = InputOf<typeof onSiteRepair>;

/** The names that a record of a part has instead of those of the form. */
const partNames: Readonly<Record<string, string>> = {
  sn: 'componentSn',
  partsType: 'componentType',
  issueCodeIdList: 'repairIssueCodeIdList',
};

const plain = (text: string | null | undefined): string | null => text?.trim() || null;

const rowOf = (it: NonNullable<Sent['partsList']>[number]) => ({
  sn: normaliseSn(it.sn ?? ''),
  partsType: it.partsType ?? '',
  repairMethod: it.repairMethod ?? '',
  codes: it.issueCodeIdList ?? [],
  slot: it.slot ?? '',
  spendItemCount: it.spendItemCount ?? null,
  urls: it.repairUrls,
  repairMarking: plain(it.repairMarking),
  spendItemDescription: plain(it.spendItemDescription),
});

const partRows = (sent: Sent): SentRow[] =>
  (sent.repairInfoList ?? []).map((it, i) => ({
    ...rowOf({ ...it, sn: it.componentSn, partsType: it.componentType, issueCodeIdList: it.repairIssueCodeIdList }),
    at: `repairInfoList.${i}.`,
    nameOf: (field) => partNames[field] ?? field,
  }));

const veneerRows = (sent: Sent): SentRow[] =>
  (sent.partsList ?? []).map((it, i) => ({ ...rowOf(it), at: `partsList.${i}.`, nameOf: (field) => field }));

/** The slots of a veneer are in the bill of material that was chosen; a part has none of its own. Rule: on-site-repair#veneers. */
const rowProblems = (rows: readonly SentRow[], known: Parameters<typeof validateVisitRow>[1]): Problem[] =>
  rows.flatMap((row) =>
    validateVisitRow(row, known).map((it) => ({ ...it, field: row.at + row.nameOf(it.field ?? '') })),
  );

const partsField = (field: 'sn' | 'qrCode') => (field === 'sn' ? 'componentSn' : 'qrCodeNum');

/** The parts that were entered, each with where it stands in the body; empty positions say nothing. */
const enteredParts = (sent: Sent): (VisitPart & { name: string; at: string })[] =>
  (sent.assembleInfoList ?? [])
    .map((it, i) => ({
      ...visitPartOf(it.componentSn ?? '', it.componentType ?? '', it.qrCodeNum ?? ''),
      name: it.name?.trim() ?? '',
      at: `assembleInfoList.${i}.`,
    }))
    .filter((it) => it.sn !== '' || it.qrCodeNum !== '');

/**
 * One device was repaired at its customer: its records stand on the on-site bill of the order, which the first of them
 * makes; the parts that were put in are bound to it, and its history says so. It stays where it is.
 * Rule: on-site-repair#submit, on-site-repair#parts.
 */
async function visit(input: Sent, ctx: Context): Promise<DataOf<typeof onSiteRepair>> {
  const mtbId = normaliseNo(input.mtbId);
  const sn = normaliseSn(input.productSn ?? '');
  const checkIds = input.checkIssueCodeIdList ?? [];
  const [parts, veneers] = [partRows(input), veneerRows(input)];
  const rows = [...parts, ...veneers];
  const entered = enteredParts(input);
  refuseIfAny(validateVisit({ mtbId, sn, checkCodes: checkIds.length, rows: rows.length }));
  const slots = veneers.length > 0 ? await bomSlots(ctx, normaliseNo(input.bomId)) : null;
  const { repairMethods } = await enumerationValues(ctx);
  refuseIfAny([
    ...validateSnText(sn, 'productSn'),
    ...rowProblems(parts, { repairMethods, slots: null }),
    ...rowProblems(veneers, { repairMethods, slots }),
    ...validatePartsOfVisit(sn, entered, (i, what) => `${entered[i]?.at}${partsField(what)}`),
    ...validateKinds(entered, (i) => `${entered[i]?.at}componentType`),
  ]);

  const partSns = entered.map((it) => it.sn);
  await lockParts(ctx, [sn, ...partSns]);
  const bill = await visitBill(ctx, mtbId, { isHeld: true });
  refuseIfAny(validateVisitBill(bill));
  const there = atSite(ctx, bill.siteId);
  const archived = await readArchived(there, sn);
  if (archived?.type === GoodsType.Device) await admit(there, sn, archived);
  const unit = (await lockUnits(there.db, [sn, ...partSns])).get(sn);
  const known = await deviceOrRefuse(there, bill, sn, { known: archived, unit }, 'productSn');
  if (!unit) throw new Refusal({ key: 'stale' });
  const fieldOf = (i: number) => `${entered[i]?.at}componentSn`;
  refuseIfAny(await validateNewParts(there, sn, partSns, fieldOf, validatePartInside));
  const found = await issueCodesOf(there, checkIds, IssueCategory.Check, 'checkIssueCodeIdList');
  const ids = rows.flatMap((it) => it.codes);
  const codes = await repairCodesOf(there, ids, found, 'repairInfoList');
  const urls = rows.flatMap((it) => splitUrls(it.urls));
  await findPictures(there, urls, { field: 'repairUrls', max: rows.length * VISIT_PICTURES });
  await takePictures(there, urls, 'repairUrls');

  const open = await openVisits(there, mtbId);
  const osbId = open?.osbId ?? (await openBill(there, bill));
  const checkIcdIds = found.map((it) => it.code).join(',');
  const device = { productSn: sn, salesCode: known.salesCode, name: known.name, checkIcdIds };
  const lines = rows.map((row) => ({ ...device, ...recorded(row, codes) }));
  const deviceCount = await recordVisit(there, osbId, lines);
  const changed = await exchangeParts(there, { unit, isOnBill: unit.mtbId === mtbId, entered, osbId });
  const mtbliId = unit.mtbId === mtbId ? unit.mtbliId : null;
  const event = { unit: { sn, mtbId, mtbliId, ivyId: unit.ivyId }, to: unit.ivyId, note: checkIcdIds };
  await recordEvents(there, [event], 'onSiteRepair', osbId);
  await recordInLedger(there, {
    what: 'onSiteRepair',
    module: 'rmaSiteRepairBill',
    recordId: osbId,
    from: { sn, node: unit.ivyId, ...changed.from },
    to: { sn, mtbId, rows: rows.length, parts: changed.to },
  });
  return { osbId, mtbId, productSn: sn, deviceCount };
}

/** A record as it is kept: slots once each, the count that follows from them, codes by what they are called. */
const recorded = (row: SentRow, codes: ReadonlyMap<string, IssueCode>) => ({
  componentSn: row.sn,
  partsType: row.partsType,
  icdIds: [...new Set(row.codes.map(String))].flatMap((id) => codes.get(id)?.code ?? []).join(','),
  repairMethod: row.repairMethod,
  slot: visitSlotsOf(row.slot).join(','),
  repairMarking: row.repairMarking,
  spendItemDescription: row.spendItemDescription,
  spendItemCount: visitCountOf(row),
  repairUrls: joinUrls(splitUrls(row.urls)) || null,
});

/** The device consists of what was entered and of what was not exchanged; gives what it consisted of before and after. */
async function exchangeParts(
  ctx: Context,
  it: {
    unit: Unit;
    /** Its item on the order notes the power that is in it. */
    isOnBill: boolean;
    entered: readonly (VisitPart & { name: string })[];
    osbId: string;
  },
) {
  const { unit, entered, osbId } = it;
  const bound = await partsBoundTo(ctx, [unit.sn]);
  const before = bound.map((part): Part => ({ ...part, sn: part.componentSn }));
  const sns = before.map((part) => part.sn);
  if (entered.length === 0) return { from: { parts: sns, shelves: [] }, to: sns };
  const after = partsAfter(
    before.map(({ sn, componentType, qrCodeNum }) => ({ sn, componentType, qrCodeNum })),
    entered.map(({ sn, componentType, qrCodeNum, name }) => ({ sn, componentType, qrCodeNum, name })),
  );
  const hasPower = after.some((part) => part.componentType === ComponentType.Power);
  const device = { sn: unit.sn, mtbliId: it.isOnBill && hasPower ? unit.mtbliId : null };
  const { shelves } = await putTogether(ctx, device, after, { step: 'onSiteRepair', billId: osbId });
  return { from: { parts: sns, shelves }, to: after.map((part) => part.sn).filter((sn) => sn !== NO_PART) };
}

/**
 * The order is ended: its on-site bill, and the maintain bill, on which what has not come was not received. Refuses one
 * on which nothing was repaired on site, and one whose goods are still in the workshop. Rule: on-site-repair#end.
 */
async function finish(
  input: InputOf<typeof finishOnSiteRepair>,
  ctx: Context,
): Promise<DataOf<typeof finishOnSiteRepair>> {
  const mtbId = normaliseNo(input.mtbId);
  if (mtbId === '') throw new Refusal(missingBill());
  const bill = await visitBill(ctx, mtbId, { isHeld: true });
  const there = atSite(ctx, bill.siteId);
  const visits = await openVisits(there, mtbId);
  if (!visits?.deviceCount) {
    refuseIfAny(validateVisitBill(bill));
    throw new Refusal({ key: 'nothingRepaired', field: 'mtbId', args: { mtbId } });
  }
  const { osbId } = visits;
  const inHouse = await openItemsOf(there, mtbId);
  refuseIfAny(
    validateNoneInHouse(
      mtbId,
      inHouse.map((it) => it.sn),
    ),
  );
  const isFinished = bill.billStatus === BillStatus.Finished;
  const notReceivedCount = isFinished ? 0 : await closeRest(there, mtbId);
  await endBill(there, osbId);
  await recordInLedger(there, {
    what: 'finishOnSiteRepair',
    module: 'rmaSiteRepairBill',
    recordId: osbId,
    from: { mtbId, billStatus: bill.billStatus },
    to: { billStatus: BillStatus.Finished, deviceCount: visits.deviceCount, notReceivedCount },
  });
  return { osbId, mtbId, billStatus: BillStatus.Finished, notReceivedCount };
}
