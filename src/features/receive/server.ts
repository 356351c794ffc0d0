import { flag } from '#domain/enums.ts';
import { mayReceive } from '#domain/maintainBill.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { Node } from '#domain/nodes.ts';
import { route } from '#server/route.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { devicesAround, partsBoundTo } from '#server/workflow/parts.ts';
import { readSns, readUnits } from '#server/workflow/units.ts';
import { warningOf, type Warning } from '#server/workflow/warnings.ts';
import { createNonOfficial, deleteReceived, finishReceive, queryByShipNo, receive, validateSn } from './contract.ts';
import { isSecondHand, validateArrival, validateBillStatus, validateNotInDevice, warrantyOf } from './rules.ts';
import { billOrRefuse, refuseUnsigned } from './server.bill.ts';
import { enterNonOfficial } from './server.nonOfficial.ts';
import { receiveGoods } from './server.receive.ts';
import { closeReceipt, findDeletable, takeOff } from './server.close.ts';
import {
  findBillOfParcel,
  isParcelSigned,
  knownSns,
  readLines,
  mixedSns,
  readPast,
  readLocations,
  receivedOn,
} from './queries.ts';

export const receiveRoutes = [
  /** The bill of a parcel, every line starting with nothing received. Rule: receiving#bill. */
  route(queryByShipNo, async (input, ctx) => {
    const no = normaliseNo(input.receiveShipNo);
    if (no === '') {
      const args = { fields: [{ module: 'rmaMaintainBill', field: 'receiveShipNo' }] };
      throw new Refusal({ key: 'required', field: 'receiveShipNo', args });
    }
    const bill = await findBillOfParcel(ctx, no);
    if (!bill) throw new Refusal({ key: 'billNotFound', field: 'receiveShipNo', args: { no } });
    if (mayReceive(bill.billStatus)) await refuseUnsigned(ctx, no);
    const mtbId = bill.mtbId;
    const lines = await readLines(ctx, mtbId);
    const items = await receivedOn(ctx, mtbId);
    const waiting = items.flatMap((it) => (it.ivyId === Node.AwaitingCheck ? (it.receiveSn ?? []) : []));
    const deletable = await findDeletable(ctx, [...(await readUnits(ctx.db, waiting)).values()]);
    const warnings: Warning[] = (await isParcelSigned(ctx, no)) ? [] : [{ key: 'notSigned', args: { no } }];
    return {
      mtbId,
      receiveShipNo: bill.receiveShipNo,
      billStatus: bill.billStatus,
      userName: bill.userName,
      rmaMaintainBillLineList: lines.map((it) => ({ ...it, receiveCount: 0, receivedCount: it.receiveCount })),
      itemsReceived: items.map((it) => ({
        receiveSn: it.receiveSn ?? '',
        mtbliId: it.mtbliId,
        mtblId: it.mtblId,
        salesCode: it.salesCode ?? '',
        itemName: it.itemName,
        receiveTime: it.receiveTime,
        ivyId: it.ivyId,
        deletable: deletable.has(it.receiveSn ?? ''),
      })),
      ...warningOf(warnings, ctx.lang),
    };
  }),

  /** Whether an SN may come in on this bill, and what is known of its past. */
  route(validateSn, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const bill = await billOrRefuse(ctx, normaliseNo(input.mtbId));
    refuseIfAny(validateBillStatus(bill.billStatus));
    await refuseUnsigned(ctx, bill.receiveShipNo);
    const known = (await knownSns(ctx, [sn])).get(sn);
    if (!known) await refuseFormer(ctx, [sn]);
    const location = (await readLocations(ctx, [sn], false)).get(sn);
    refuseIfAny(validateArrival(sn, known, location, ctx.currentUser.siteId));
    refuseIfAny(validateNotInDevice(sn, (await devicesAround(ctx, [sn])).get(sn)));
    if (!known) throw new Refusal({ key: 'notInArchive', field: 'sn', args: { sn } });
    const past = (await readPast(ctx, [sn])).get(sn);
    const mixed = (await mixedSns(ctx, [sn])).has(sn);
    const recently = past?.recently === true;
    const maintains = past?.maintains ?? 0;
    const secondHand = isSecondHand(past?.lastUserId ?? null, bill.btmUserId);
    const warnings: Warning[] = [
      ...(maintains > 0 ? [{ key: 'repairedBefore' as const, args: { sn, count: maintains } }] : []),
      ...(recently ? [{ key: 'continues' as const, args: { sn } }] : []),
      ...(mixed ? [{ key: 'mixbound' as const, args: { sn } }] : []),
      ...(secondHand ? [{ key: 'secondHand' as const, args: { sn } }] : []),
    ];
    return {
      sn,
      item: {
        itemId: known.itemId,
        code: known.salesCode,
        name: known.name,
        deviceType: known.deviceType,
        slaveCodeList: known.slaveCodes,
      },
      warranty: warrantyOf({ inWarranty: known.inWarranty, recently }),
      maintains,
      continues: flag(recently),
      mixbound: flag(mixed),
      secondHand: flag(secondHand),
      components: (await partsBoundTo(ctx, [sn])).map(({ deviceSn: _, ...it }) => it),
      ...warningOf(warnings, ctx.lang),
    };
  }),

  route(createNonOfficial, enterNonOfficial),
  route(receive, receiveGoods),
  route(deleteReceived, takeOff),
  route(finishReceive, closeReceipt),
];
