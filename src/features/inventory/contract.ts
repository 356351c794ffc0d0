import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { Component, Nullable, OptionalCode, Sn } from '#domain/wire.ts';

const Moment = Nullable(Type.Number());

/** The whole life of an SN in this house. Spec 3 "SN repair history", one row an event. */
export const viewHistory = lookup({
  path: '/api/rmaMaintainBill/viewHistory.json',
  right: 'rmaInventory:viewHistory',
  input: Type.Object({ sn: Sn, mtbId: OptionalCode }),
  data: Type.Object({
    sn: Type.String(),
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
        mtbRowId: Nullable(Type.Integer()),
        subinventoryCode: Nullable(Type.String()),
        storageType: Nullable(Type.String()),
        powerSn: Nullable(Type.String()),
        deliverStatus: Nullable(Type.String()),
        warranty: Nullable(Type.String()),
        maintains: Nullable(Type.Integer()),
        depreciation: Nullable(Type.String()),
        updateTime: Moment,
        /** What a confirmation is awaited for, if one is: `scrap` or `nofault`. */
        held: Nullable(Type.String()),
      }),
    ),
    archive: Nullable(
      Type.Object({
        salesCode: Type.String(),
        itemName: Nullable(Type.String()),
        origin: Nullable(Type.String()),
        productOrder: Nullable(Type.String()),
        customer: Nullable(Type.String()),
        outTime: Moment,
        warrantyUntil: Moment,
      }),
    ),
    /** Newest first. */
    events: Type.Array(
      Type.Object({
        id: Type.Integer(),
        mtbId: Nullable(Type.String()),
        siteId: Type.String(),
        step: Type.String(),
        billId: Nullable(Type.String()),
        fromNode: Nullable(Type.String()),
        toNode: Nullable(Type.String()),
        operateStatus: Type.String(),
        eventTime: Type.Number(),
        userId: Type.String(),
        userName: Nullable(Type.String()),
        note: Nullable(Type.String()),
        urls: Type.Array(Type.String()),
      }),
    ),
    components: Type.Array(
      Type.Object({ ...Component.properties, salesCode: Nullable(Type.String()), bindTime: Moment }),
    ),
    /** The device in which this SN is a part now. */
    boundTo: Nullable(Type.String()),
  }),
});
