import { sql } from 'kysely';
import { ArrivalStatus, BillStatus } from '#domain/enums.ts';
import { opensAgain } from '#domain/maintainBill.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { lockParcel } from '#server/workflow/parcels.ts';
import { accept, signFor } from './contract.ts';
import { validateSignFor } from './rules.ts';
import { changeBill, hasShortLine, isSignedHere, lockArrival, lockBill, lockBillOfParcel } from './queries.ts';

export const signForRoutes = [
  /**
   * The parcel is there. A number without a bill is signed for as well; a second time it is refused. Rule: events#e01.
   */
  route(signFor, async (input, ctx) => {
    const receiveShipNo = normaliseNo(input.receiveShipNo);
    const { receivePackageCount } = input;
    refuseIfAny(validateSignFor({ receiveShipNo, receivePackageCount }));
    await lockParcel(ctx, ctx.currentUser.siteId, receiveShipNo);
    if (await isSignedHere(ctx, receiveShipNo)) {
      throw new Refusal({ key: 'parcelSigned', field: 'receiveShipNo', args: { no: receiveShipNo } });
    }
    const bill = await lockBillOfParcel(ctx, receiveShipNo);
    const abId = await ctx.numbers.next('ABL');
    const { id } = await ctx.db
      .insertInto('rma_arrival_bill')
      .values({
        abId,
        receiveShipNo,
        receivePackageCount,
        remark: input.remark?.trim() || null,
        signTime: sql<string>`now()`,
        status: ArrivalStatus.Signed,
        mtbId: bill?.mtbId ?? null,
        siteId: ctx.currentUser.siteId,
        userId: ctx.currentUser.userId,
        createBy: ctx.currentUser.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (bill && receivePackageCount) await changeBill(ctx, bill.mtbId, { receivePackageCount });
    await recordInLedger(ctx, {
      what: 'signFor',
      module: 'rmaArrivalBill',
      recordId: abId,
      to: { receiveShipNo, receivePackageCount, mtbId: bill?.mtbId ?? null },
    });
    return { id, abId, receiveShipNo, mtbId: bill?.mtbId ?? null };
  }),

  /**
   * The warehouse takes the parcel over; goods that come late open the receipt of their bill again. Rule: events#e02.
   */
  route(accept, async ({ id }, ctx) => {
    const arrival = await lockArrival(ctx, id);
    if (!arrival) throw new Refusal({ key: 'notFound', field: 'id', args: { what: parcel, value: id } });
    if (arrival.status !== ArrivalStatus.Signed) throw new Refusal({ key: 'doneBefore', args: { what: parcel } });
    const bill = await findBillOfArrival(arrival, ctx);
    if (bill?.billStatus === BillStatus.Finished) {
      throw new Refusal({ key: 'billFinished', args: { id: bill.mtbId } });
    }
    const opens = bill !== null && opensAgain(bill.billStatus, await hasShortLine(ctx, bill.mtbId));
    const billStatus = opens ? BillStatus.ReceivedLater : (bill?.billStatus ?? null);
    if (bill && opens) await changeBill(ctx, bill.mtbId, { billStatus: BillStatus.ReceivedLater });
    await ctx.db
      .updateTable('rma_arrival_bill')
      .set({
        status: ArrivalStatus.Accepted,
        mtbId: bill?.mtbId ?? null,
        ...touch(ctx.currentUser),
      })
      .where('id', '=', id)
      .execute();
    await recordInLedger(ctx, {
      what: 'accept',
      module: 'rmaArrivalBill',
      recordId: arrival.abId,
      from: { status: arrival.status, billStatus: bill?.billStatus ?? null },
      to: { status: ArrivalStatus.Accepted, billStatus },
    });
    return { id, status: ArrivalStatus.Accepted, mtbId: bill?.mtbId ?? null, billStatus };
  }),
];

const parcel = { zh: '签收单', en: 'The arrival bill' };

/** The bill to which the parcel was linked, or that has come since. */
const findBillOfArrival = (arrival: { mtbId: string | null; receiveShipNo: string | null }, ctx: Context) =>
  arrival.mtbId ? lockBill(ctx, arrival.mtbId) : lockBillOfParcel(ctx, arrival.receiveShipNo ?? '');
