import type { DataOf } from '#domain/call.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Registration } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { refuseUnknownRefs } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, type Route } from '#server/route.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import { lockParts } from '#server/workflow/parts.ts';
import { lockUnitBills } from '#server/workflow/unitLocks.ts';
import { readSns } from '#server/workflow/units.ts';
import {
  defectiveProductRepair,
  deleteRegistration,
  testAndStore,
  validateSn,
  validateSnByPost,
  validateSnForDefective,
  validateSnForDefectiveByPost,
} from './contract.ts';
import { deleteAll } from './server.delete.ts';
import {
  groupByCode,
  registered,
  validateDefective,
  validateOwnSite,
  validatePackage,
  validateRegistered,
  validateScanned,
  validateSent,
} from './rules.ts';
import {
  admitNew,
  devicesOf,
  readArchive,
  readSiteNames,
  readStored,
  writeBill,
  writeRegistration,
  type BilledUnit,
  type KnownSn,
  type StoredUnit,
} from './queries.ts';

/**
 * Own goods come on a bill of their own: defectives of the stock that are to be repaired, and packages that are to be
 * tested. Rule: bills#own-goods.
 */
export const defectiveRepairRoutes: Route[] = [
  route(validateSnForDefective, ({ sn }, ctx) => attempt(sn, 'defectiveProductRepair', ctx)),
  route(validateSnForDefectiveByPost, ({ sn }, ctx) => attempt(sn, 'defectiveProductRepair', ctx)),
  route(validateSn, ({ sn }, ctx) => attempt(sn, 'testAndStore', ctx)),
  route(validateSnByPost, ({ sn }, ctx) => attempt(sn, 'testAndStore', ctx)),
  route(deleteRegistration, deleteAll),

  /** Defectives of the stock wait for their first test on a bill of type 9. Rule: events#e39. */
  route(defectiveProductRepair, async (input, ctx) => {
    const form = {
      receiveShipId: input.receiveShipId?.trim() ?? '',
      receiveShipNo: normaliseNo(input.receiveShipNo),
      siteId: input.siteId?.trim() ?? '',
    };
    refuseIfAny(validateDefective(form));
    const scanned = input.lineRequestList.map((it, i) => ({ ...it, field: `lineRequestList.${i}.sn` }));
    return register(ctx, 'defectiveProductRepair', { ...form, remark: input.remark ?? '' }, scanned, 'lineRequestList');
  }),

  /** A package waits for its test on a bill of type 10. Rule: events#e40. */
  route(testAndStore, async (input, ctx) => {
    const form = { receiveShipId: '', receiveShipNo: '', siteId: input.siteId?.trim() ?? '' };
    refuseIfAny(validatePackage(form));
    const scanned = input.dataList.flatMap(({ salesCode, itemRequestList }, i) =>
      itemRequestList.map((it, j) => ({ ...it, salesCode, field: `dataList.${i}.itemRequestList.${j}.sn` })),
    );
    return register(ctx, 'testAndStore', { ...form, remark: input.remark ?? '' }, scanned, 'dataList');
  }),
];

async function attempt(
  scanned: string | undefined,
  step: Registration,
  ctx: Context,
): Promise<DataOf<typeof validateSn>> {
  const [sn] = readSns([scanned], () => 'sn') as [string];
  const facts = await readFacts(ctx, [sn], false);
  refuseIfAny(judge(sn, facts, step, ctx));
  const known = whatIs(sn, facts);
  const { itemObjectId, itemId, salesCode, name } = known;
  return { sn, itemObject: { itemObjectId, sn }, item: { salesCode, name, itemId } };
}

interface Scanned {
  sn: string;
  field: string;
  itemObjectId?: number | null | undefined;
  salesCode?: string | null | undefined;
}

interface Form {
  receiveShipId: string;
  receiveShipNo: string;
  siteId: string;
  remark: string;
}

/** All of the SNs get a bill, or none. Rule: bills#own-goods. */
async function register(
  ctx: Context,
  step: Registration,
  { siteId, remark, ...form }: Form,
  scanned: readonly Scanned[],
  list: string,
): Promise<DataOf<typeof defectiveProductRepair>> {
  const own = ctx.currentUser.siteId;
  refuseIfAny(validateOwnSite(siteId, own, siteId === own ? siteId : (await readSiteNames(ctx, siteId)).own));
  const receiveShipId = form.receiveShipId || null;
  const definition = requireDefinition(ctx.model, 'rmaDefectiveProductRepairBill');
  await refuseUnknownRefs(definition, { receiveShipId }, ctx);
  refuseIfAny(validateScanned(scanned.length, list));
  const fieldOf = (i: number) => scanned[i]?.field ?? list;
  const sns = readSns(
    scanned.map((it) => it.sn),
    fieldOf,
  );
  await lockParts(ctx, sns);
  await lockUnitBills(ctx.db, sns);
  const facts = await readFacts(ctx, sns, true);
  refuseIfAny(sns.flatMap((sn, i) => judge(sn, facts, step, ctx, fieldOf(i))));
  refuseIfAny(
    sns.flatMap((sn, i) => {
      const { itemObjectId = null, salesCode } = scanned[i] as Scanned;
      return validateSent(sn, { itemObjectId, salesCode: normaliseNo(salesCode) }, whatIs(sn, facts), fieldOf(i));
    }),
  );

  const fresh = sns.filter((sn) => !facts.units.has(sn));
  await admitNew(
    ctx,
    fresh.map((sn) => ({ sn, known: facts.archive.get(sn) as KnownSn })),
  );
  const units = await readStored(ctx, sns, true);
  const all = sns.map((sn): BilledUnit => ({ unit: units.get(sn) as StoredUnit, known: whatIs(sn, facts) }));
  const { billType } = registered[step];
  const dpbId = await ctx.numbers.next('DPB');
  const mtbId = await ctx.numbers.next('MTB');
  const text = remark.trim() || null;
  await moveUnits(
    ctx,
    all.map(({ unit }) => createMove({ ...unit, mtbId, mtbliId: null }, step)),
    step,
    dpbId,
  );
  await writeBill(
    ctx,
    {
      mtbId,
      billType,
      // No parcel has brought a test package: its number stands for it.
      receiveShipNo: form.receiveShipNo || dpbId,
      receiveShipId,
      remark: text,
      userName: (await readSiteNames(ctx, own)).both,
    },
    groupByCode(all.map((it) => ({ ...it, salesCode: it.known.salesCode }))),
  );
  const head = { dpbId, mtbId, billType, receiveShipId, receiveShipNo: form.receiveShipNo || null, remark: text };
  const id = await writeRegistration(ctx, head, all);
  const before = all.map(({ unit: { sn, mtbId: on, mtblId, mtbliId, siteId: at } }) => [
    sn,
    { mtbId: on, mtblId, mtbliId, siteId: at },
  ]);
  await recordInLedger(ctx, {
    what: step,
    module: 'rmaDefectiveProductRepairBill',
    recordId: dpbId,
    from: { units: Object.fromEntries(before) as object },
    to: { ...head, sns },
  });
  return { id, dpbId, mtbId, count: all.length };
}

interface Facts {
  archive: Map<string, KnownSn>;
  units: Map<string, StoredUnit>;
  devices: Map<string, string>;
}

const readFacts = async (ctx: Context, sns: readonly string[], hold: boolean): Promise<Facts> => ({
  units: await readStored(ctx, sns, hold),
  archive: await readArchive(ctx, sns),
  devices: await devicesOf(ctx, sns),
});

const judge = (sn: string, { archive, units, devices }: Facts, step: Registration, ctx: Context, field = 'sn') =>
  validateRegistered(
    sn,
    { archived: archive.get(sn), unit: units.get(sn), inside: devices.get(sn), siteId: ctx.currentUser.siteId },
    step,
    field,
  );

type What = Pick<KnownSn, 'type' | 'salesCode' | 'name' | 'productName' | 'itemId'> & { itemObjectId: number | null };

/** What an SN is: by the archive, else by what the unit says of itself. */
function whatIs(sn: string, { archive, units }: Facts): What {
  const known = archive.get(sn);
  const unit = units.get(sn);
  if (known && (known.salesCode !== '' || !unit)) return known;
  const { type = '', salesCode = '', itemName = '' } = unit ?? {};
  return {
    itemObjectId: known?.itemObjectId ?? null,
    itemId: known?.itemId ?? null,
    type,
    salesCode,
    name: itemName,
    productName: null,
  };
}
