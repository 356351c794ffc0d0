import { sql } from 'kysely';
import type { InputOf } from '#domain/call.ts';
import { isOffered } from '#domain/definition/options.ts';
import { PackageStatus } from '#domain/enums.ts';
import { imageLimits, joinUrls } from '#domain/images.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { seesSite, type Context } from '#server/context.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { readRow } from '#server/engine/rows.ts';
import { refuseUnknownRefs } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { lockParcel } from '#server/workflow/parcels.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import { warningOf } from '#server/workflow/warnings.ts';
import { createUnhandledPackageBill, editInSiteStatus, findBills, queryByReceiveShipNo } from './contract.ts';
import { findBillByShipNo, findBillsFor, findOpenPackage, findState, type Sender } from './queries.ts';
import { validateParcel, type Parcel } from './rules.ts';

const MODULE = 'rmaUnhandledPackageBill';

export const pendingPackageRoutes = [
  /** A parcel becomes a pending package, once while it is open; a bill with its number is told. Rule: parcels#registering. */
  route(createUnhandledPackageBill, async (input, ctx) => {
    const parcel = parcelOf(input);
    refuseIfAny(validateParcel(parcel));
    const siteId = input.siteId?.trim() || ctx.currentUser.siteId;
    await refuseUnknownPlaces(parcel, siteId, ctx);
    const pictures = await findOnlyPictures(ctx, input.urlName);
    await lockParcel(ctx, siteId, parcel.receiveShipNo);
    await refuseOpenPackage(ctx, siteId, parcel.receiveShipNo);

    await takePictures(ctx, pictures, 'urlName');
    const upbId = await ctx.numbers.next('UPB');
    const repairInfo = input.repairInfo?.trim() || null;
    const values = { ...withoutBlanks(parcel), repairInfo, urlName: joinUrls(pictures) || null, siteId };
    const { id } = await ctx.db
      .insertInto('rma_unhandled_package_bill')
      .values({
        ...values,
        upbId,
        status: PackageStatus.Pending,
        pendingTime: sql<string>`now()`,
        createBy: ctx.currentUser.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordInLedger(ctx, { what: 'createUnhandledPackage', module: MODULE, recordId: upbId, to: values });
    return { id, upbId, ...warningOfBill(await findBillByShipNo(ctx, parcel.receiveShipNo), parcel, ctx) };
  }),

  route(queryByReceiveShipNo, async (input, ctx) => {
    const receiveShipNo = normaliseNo(input.receiveShipNo);
    await refuseOpenPackage(ctx, ctx.currentUser.siteId, receiveShipNo);
    const bill = await findBillByShipNo(ctx, receiveShipNo);
    return {
      mtbId: bill?.mtbId ?? null,
      billStatus: bill?.billStatus ?? null,
      userName: bill?.userName ?? null,
      ...warningOfBill(bill, { receiveShipNo }, ctx),
    };
  }),

  route(findBills, async ({ id, search }, ctx) => {
    const definition = requireDefinition(ctx.model, MODULE);
    const names = ['siteId', 'receiveShipNo', 'userName', 'mobile'] as const;
    const row: unknown = await readRow(definition, id.trim(), names, ctx);
    return { items: await findBillsFor(ctx, row as Sender, search?.trim() ?? '') };
  }),

  /**
   * The status of a pending package is set. Matched, it names its maintain bill: the one that is given, else the one
   * that waits for the same parcel; refused where there is none. Any other status forgets the bill. Open again, it is the
   * only one of its parcel that is. Rule: parcels#pending.
   */
  route(editInSiteStatus, async (input, ctx) => {
    const bill = await holdRow(ctx, MODULE, input.id);
    const status = (input.status ?? '').trim();
    const field = { module: MODULE, field: 'status' };
    if (status === '') throw new Refusal({ key: 'required', field: 'status', args: { fields: [field] } });
    if (!isOffered(ctx.model.options, 'packageStatus', status))
      throw new Refusal({ key: 'format', field: 'status', args: { field } });
    if (status === bill['status']) {
      const args = { status: { options: 'packageStatus', value: status } };
      throw new Refusal({ key: 'sameStatus', field: 'status', args });
    }
    const isPending = status === PackageStatus.Pending;
    if (isPending) await refuseSecondOpen(ctx, bill);
    const mtbId = status === PackageStatus.Matched ? await billFor(ctx, bill, normaliseNo(input.mtbId)) : null;
    await ctx.db
      .updateTable('rma_unhandled_package_bill')
      .set({ status, mtbId, pendingTime: isPending ? sql<string>`now()` : null, ...touch(ctx.currentUser) })
      .where('id', '=', Number(bill['id']))
      .execute();
    await recordInLedger(ctx, {
      what: 'editInSiteStatus',
      module: MODULE,
      recordId: String(bill['upbId']),
      from: { status: bill['status'], mtbId: bill['mtbId'] },
      to: { status, mtbId },
    });
    return { id: Number(bill['id']), status, mtbId };
  }),
];

const textOf = (text: string | null | undefined): string => text?.trim() ?? '';

const parcelOf = (it: InputOf<typeof createUnhandledPackageBill>): Parcel => ({
  languageType: textOf(it.languageType),
  receiveShipId: textOf(it.receiveShipId),
  receiveShipNo: normaliseNo(it.receiveShipNo),
  repairableCount: it.repairableCount ?? null,
  userName: textOf(it.userName),
  mobile: textOf(it.mobile),
  phone: textOf(it.phone),
  fax: textOf(it.fax),
  countryCode: textOf(it.countryCode),
  stateCode: textOf(it.stateCode),
  stateName: textOf(it.stateName),
  cityName: textOf(it.cityName),
  street: textOf(it.street),
  zipcode: textOf(it.zipcode),
});

/** What is left empty is nothing. */
const withoutBlanks = (it: Parcel) =>
  Object.fromEntries(Object.entries(it).map(([name, value]) => [name, value === '' ? null : value])) as {
    [Name in keyof Parcel]: Name extends Kept ? NonNullable<Parcel[Name]> : string | null;
  };
type Kept =
  | 'languageType'
  | 'receiveShipId'
  | 'receiveShipNo'
  | 'repairableCount'
  | 'userName'
  | 'mobile'
  | 'countryCode';

/** Courier, country and state are those of the lookups, the state one of the country, and the site one of the user's. */
async function refuseUnknownPlaces(parcel: Parcel, siteId: string, ctx: Context): Promise<void> {
  const { receiveShipId, countryCode, stateCode } = parcel;
  const unknown = (field: string, value: string) =>
    new Refusal({ key: 'notFound', field, args: { what: { module: MODULE, field }, value } });
  if (!seesSite(ctx.currentUser, siteId)) throw unknown('siteId', siteId);
  await refuseUnknownRefs(requireDefinition(ctx.model, MODULE), { receiveShipId, countryCode, siteId }, ctx);
  if (stateCode === '') return;
  const state = await findState(ctx, countryCode, stateCode);
  if (!state) throw unknown('stateCode', stateCode);
  parcel.stateName ||= state.name;
}

/** A log or a paper proves nothing of a parcel. */
async function findOnlyPictures(ctx: Context, sent: string | readonly string[] | null | undefined): Promise<string[]> {
  const { urls, shown } = await findPictures(ctx, sent, { field: 'urlName', max: imageLimits.generic });
  if (shown < urls.length) throw new Refusal({ key: 'imageFormat', field: 'urlName' });
  return urls;
}

async function refuseOpenPackage(ctx: Context, siteId: string, receiveShipNo: string): Promise<void> {
  const open = await findOpenPackage(ctx, siteId, receiveShipNo);
  if (!open) return;
  throw new Refusal({ key: 'packageOpen', field: 'receiveShipNo', args: { no: receiveShipNo, upbId: open.upbId } });
}

async function refuseSecondOpen(ctx: Context, bill: Record<string, unknown>): Promise<void> {
  const [siteId, receiveShipNo] = [String(bill['siteId']), String(bill['receiveShipNo'])];
  await lockParcel(ctx, siteId, receiveShipNo);
  await refuseOpenPackage(ctx, siteId, receiveShipNo);
}

const warningOfBill = (
  bill: { mtbId: string } | undefined,
  { receiveShipNo: no }: { receiveShipNo: string },
  ctx: Context,
) => warningOf(bill ? [{ key: 'onBill', args: { no, mtbId: bill.mtbId } }] : [], ctx.lang);

/** The maintain bill of the package's own site, by its number or by the parcel's. */
async function billFor({ db }: Context, parcel: Record<string, unknown>, mtbId: string): Promise<string> {
  const receiveShipNo = normaliseNo(parcel['receiveShipNo'] as string | null);
  const found = await db
    .selectFrom('rma_maintain_bill')
    .select('mtbId')
    .where(mtbId === '' ? 'receiveShipNo' : 'mtbId', '=', mtbId === '' ? receiveShipNo : mtbId)
    .where('siteId', '=', String(parcel['siteId']))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found?.mtbId) return found.mtbId;
  throw new Refusal({ key: 'billNotFound', field: 'mtbId', args: { no: mtbId || receiveShipNo } });
}
