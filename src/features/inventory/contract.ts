import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { Nullable, OptionalCode, RowId, Sn } from '#domain/wire.ts';

const Moment = Nullable(Type.Number());

/** A part in a device, from when to when; without an end it is there now. */
const Binding = Type.Object({
  deviceSn: Type.String(),
  componentSn: Type.String(),
  componentType: Type.String(),
  qrCodeNum: Nullable(Type.String()),
  salesCode: Nullable(Type.String()),
  bindTime: Moment,
  unbindTime: Moment,
});

/**
 * The whole life of an SN in this workshop: where it is, what happened to it, what it is and was made of, what this user
 * may do with it next. One row an event. Rule: units#one-page.
 */
export const viewHistory = lookup({
  path: '/api/rmaMaintainBill/viewHistory.json',
  right: 'rmaInventory:viewHistory',
  input: Type.Object({
    sn: Sn,
    mtbId: OptionalCode,
    /** Only events before this one, for the next page of a long life. */
    before: Type.Optional(RowId),
  }),
  data: Type.Object({
    sn: Type.String(),
    /** What it was called before; each of them leads here. */
    formerSns: Type.Array(Type.String()),
    unit: Nullable(
      Type.Object({
        id: Type.Integer(),
        sn: Type.String(),
        type: Type.String(),
        salesCode: Type.String(),
        itemName: Nullable(Type.String()),
        ivyId: Nullable(Type.String()),
        siteId: Type.String(),
        siteName: Nullable(Type.String()),
        mtbId: Nullable(Type.String()),
        customer: Nullable(Type.String()),
        billStatus: Nullable(Type.String()),
        subinventoryCode: Nullable(Type.String()),
        storageType: Nullable(Type.String()),
        powerSn: Nullable(Type.String()),
        deliverStatus: Nullable(Type.String()),
        deliverPriority: Nullable(Type.String()),
        deliverTime: Moment,
        deliverShipNo: Nullable(Type.String()),
        returness: Nullable(Type.String()),
        warranty: Nullable(Type.String()),
        maintains: Nullable(Type.Integer()),
        depreciation: Nullable(Type.String()),
        updateTime: Moment,
        /** For what it is spoken for: `scrap` or `nofault` (a word is awaited), or a kind of `holdKinds`. */
        held: Nullable(Type.String()),
        /** The bill that speaks for it. */
        heldBy: Nullable(Type.String()),
        heldSince: Moment,
        /** The stock-up bill on which it stands or stood on this stay. */
        stockup: Nullable(Type.Object({ skbId: Type.String(), status: Nullable(Type.String()) })),
      }),
    ),
    /** The item of its bill for which it stands. */
    item: Nullable(
      Type.Object({
        id: Type.Integer(),
        mtbliId: Type.String(),
        mtblId: Type.String(),
        deliverPayment: Nullable(Type.String()),
      }),
    ),
    archive: Nullable(
      Type.Object({
        salesCode: Type.String(),
        itemName: Nullable(Type.String()),
        type: Nullable(Type.String()),
        origin: Nullable(Type.String()),
        productOrder: Nullable(Type.String()),
        customer: Nullable(Type.String()),
        outTime: Moment,
        warrantyUntil: Moment,
      }),
    ),
    /** Newest first, a page of them. */
    events: Type.Array(
      Type.Object({
        id: Type.Integer(),
        mtbId: Nullable(Type.String()),
        siteId: Type.String(),
        siteName: Nullable(Type.String()),
        step: Type.String(),
        billId: Nullable(Type.String()),
        fromNode: Nullable(Type.String()),
        toNode: Nullable(Type.String()),
        operateStatus: Type.String(),
        eventTime: Type.Number(),
        userId: Type.String(),
        userName: Nullable(Type.String()),
        note: Nullable(Type.String()),
        /** What was found, as the issue codes say it. */
        codes: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
        urls: Type.Array(Type.String()),
      }),
    ),
    /** Earlier events exist. */
    earlier: Type.Boolean(),
    /** Whose stays the events are, by bill: the customer. */
    stays: Type.Array(Type.Object({ mtbId: Type.String(), customer: Nullable(Type.String()) })),
    /** What was ever bound to it, and in what it was ever bound, the newest first. */
    parts: Type.Array(Binding),
    holders: Type.Array(Binding),
    /** What this user may do with it next, and the step that a rollback would undo. */
    next: Type.Array(Type.Object({ action: Type.String(), address: Nullable(Type.String()) })),
    lastStepId: Nullable(Type.Integer()),
  }),
});
