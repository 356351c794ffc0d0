import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, PartsList, RowId, Sn, StationItem } from '#domain/wire.ts';

const right = 'rmaDeliverBill:deliver' as const;

/** A stock-up bill by its ship no or its own number, with what still waits on it. */
export const loadStockupBill = lookup({
  method: 'POST',
  path: '/api/rmaStockupBill/loadStockupBill.json',
  right,
  input: Type.Object({ deliverShipNo: Code }),
  data: Type.Object({
    bill: Type.Object({
      id: Type.Integer(),
      skbId: Type.String(),
      mtbId: Nullable(Type.String()),
      status: Type.String(),
      deliverShipNo: Nullable(Type.String()),
      deliverShipId: Nullable(Type.String()),
      allCount: Type.Integer(),
      deliveredCount: Type.Integer(),
      userName: Nullable(Type.String()),
      mobile: Nullable(Type.String()),
      address: Nullable(Type.String()),
      rmaStockupBillLineList: Type.Array(
        Type.Object({
          skblId: Type.String(),
          /** The line item's id, the submit's deliverItemId. Rule: delivering#own-item. */
          itemId: Type.Integer(),
          sn: Type.String(),
          mtblId: Type.String(),
          salesCode: Type.String(),
          productName: Nullable(Type.String()),
          delivered: Type.String(),
          deliverPriority: Nullable(Type.String()),
        }),
      ),
    }),
    maintainBillLines: Type.Array(
      Type.Object({
        mtbId: Type.String(),
        mtblId: Type.String(),
        type: Type.String(),
        salesCode: Type.String(),
        productName: Nullable(Type.String()),
        userName: Nullable(Type.String()),
        deliverCount: Type.Integer(),
        shouldDeliverCount: Type.Integer(),
      }),
    ),
  }),
});

/** Whether a unit may leave on this stock-up bill; stores nothing. Rule: guard#attempts. */
export const checkDelivery = lookup({
  method: 'POST',
  path: '/api/rmaDeliverBill/attemptDeliver.json',
  right,
  input: Type.Object({ sn: Sn, skbId: Code }),
  data: Type.Object({
    sn: Type.String(),
    deliverItemId: Type.Integer(),
    sklId: Type.String(),
    mtblId: Type.String(),
    salesCode: Type.String(),
    name: Type.String(),
    /** `1` for a device to which no parts are bound. Rule: assembling#make-up. */
    needRebind: Type.String(),
  }),
});

/** Whether an SN is the one that its item waits for. */
export const validateSn = lookup({
  method: 'POST',
  path: '/api/rmaDeliverBill/validateSn.json',
  right,
  input: Type.Object({ sn: Sn, deliverItemId: RowId }),
  data: Type.Object({ sn: Type.String(), item: StationItem }),
});

/** Units leave the workshop: device by device, or all boards of a line by their count. Rule: events#e25, events#e26. */
export const submitDeliverBill = submit({
  path: '/api/rmaDeliverBill/submitDeliverBill.json',
  right,
  input: Type.Object({
    skbId: Code,
    submitType: Code,
    rmaDeliverBillLineList: Type.Array(
      Type.Object({
        deliverItemId: Type.Optional(Nullable(RowId)),
        /** Left out for boards that leave by their count. */
        deliverSn: Type.Optional(Nullable(Sn)),
        sklId: OptionalCode,
        skblId: OptionalCode,
        submitCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
        salesCode: OptionalText,
        deliverSalesCode: OptionalText,
      }),
      { maxItems: 1000 },
    ),
  }),
  data: Type.Object({
    dvbId: Type.String(),
    deliveredCount: Type.Integer(),
    remainCount: Type.Integer(),
    stockupStatus: Type.String(),
  }),
});

/** The parts of a device on the shelf are made up for. Rule: events#e27. */
export const rebindSn = submit({
  path: '/api/rmaDeliverBill/rebindSn.json',
  right,
  input: Type.Object({ sn: Sn, partsList: PartsList }),
  data: Type.Object({ sn: Type.String(), partsCount: Type.Integer() }),
});
