import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark } from '#domain/wire.ts';

/** A customer's bill is made: its header and what the customer declares. Rule: bills#creating. */
export const createMaintainBill = submit({
  path: '/api/rmaMaintainBill/create.json',
  right: 'rmaMaintainBill:create',
  input: Type.Object({
    receiveShipNo: OptionalCode,
    receivePackageCount: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100_000 }))),
    remark: Remark,
    receiveShipId: OptionalCode,
    btmMtbId: OptionalCode,
    btmUserId: OptionalCode,
    userName: OptionalText,
    mobile: OptionalText,
    countryId: OptionalCode,
    stateName: OptionalText,
    cityName: OptionalText,
    street: OptionalText,
    packConfirm: OptionalCode,
    rmaMaintainBillLineList: Type.Array(
      Type.Object({
        type: OptionalCode,
        salesCode: Type.Optional(Nullable(Code)),
        count: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 10_000 }))),
      }),
      { maxItems: 200 },
    ),
  }),
  data: Type.Object({ id: Type.Integer(), mtbId: Type.String() }),
});

/** Sales codes that begin so, with their names; at most 100. Rule: bills#lookups. */
export const getSaleCodeList = lookup({
  path: '/api/rmaMaintainBill/getSaleCodeList.json',
  right: 'rmaMaintainBill:list',
  input: Type.Object({ saleCode: Type.Optional(Code), type: Type.Optional(Code) }),
  data: Type.Object({
    saleCodeList: Type.Array(Type.Object({ salesCode: Type.String(), name: Type.String(), type: Type.String() })),
  }),
});

/** How far a bill has come: how many units stand before each step and at each end. Rule: bills#pipeline. */
export const billProgress = lookup({
  path: '/api/rmaMaintainBill/progress.json',
  right: 'rmaMaintainBillLineItem:list',
  input: Type.Object({ mtbId: Code }),
  data: Type.Object({
    /** Of stages at which something stands; `oldest`: since when, of those that wait. */
    stages: Type.Array(Type.Object({ stage: Type.String(), count: Type.Integer(), oldest: Nullable(Type.Number()) })),
    warranties: Type.Array(Type.Object({ warranty: Type.String(), count: Type.Integer() })),
    /** The waybills under which something has left, twenty at most. */
    shipments: Type.Array(Type.Object({ deliverShipNo: Type.String(), count: Type.Integer() })),
  }),
});

/**
 * The units of a bill over all its lines, by the page: where each stands, since when, what comes next, and which of the
 * office's actions it does not take and why. Rule: bills#detail.
 */
export const billUnits = lookup({
  path: '/api/rmaMaintainBill/units.json',
  right: 'rmaMaintainBillLineItem:list',
  input: Type.Object({
    mtbId: Code,
    mtblId: OptionalCode,
    stage: OptionalCode,
    pageStart: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    pageCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  data: Type.Object({
    itemTotal: Type.Integer(),
    /** With the columns of the item list besides. */
    items: Type.Array(
      Type.Object({
        id: Type.Integer(),
        mtbliId: Type.String(),
        mtblId: Type.String(),
        mtbId: Type.String(),
        sn: Nullable(Type.String()),
        salesCode: Nullable(Type.String()),
        itemName: Nullable(Type.String()),
        stage: Type.String(),
        /** Where its unit stands; none before it has come. */
        ivyId: Nullable(Type.String()),
        /** What a supervisor has to say a word about. */
        held: Nullable(Type.String()),
        since: Nullable(Type.Number()),
        /** The step that comes next; the page that does it, for whoever may. */
        next: Nullable(Type.Object({ action: Type.String(), address: Nullable(Type.String()) })),
        /** By the button of an action that would refuse it: the key of the refusal. */
        refused: Type.Record(Type.String(), Type.String()),
      }),
    ),
    /** The item list's own columns, and the words of their values. */
    columns: Type.Array(Type.Unknown()),
    labels: Type.Unknown(),
  }),
});
