import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, CodeIds, Component, Nullable, OptionalCode, Sn, Urls, Warning } from '#domain/wire.ts';

const right = 'rmaReceiveBill:receive' as const;
const Count = Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100_000 })));

const ReceiveLine = Type.Object({
  mtblId: Type.String(),
  type: Type.String(),
  salesCode: Type.String(),
  itemName: Nullable(Type.String()),
  productName: Nullable(Type.String()),
  count: Type.Integer(),
  /** What this form has received so far: nothing yet. Rule: receiving#bill. */
  receiveCount: Type.Integer(),
  /** What has been received before. */
  receivedCount: Type.Integer(),
});

/** The bill of a parcel, to receive on. */
export const queryByShipNo = lookup({
  path: '/api/rmaReceiveBill/queryByShipNo.json',
  right,
  input: Type.Object({ receiveShipNo: Code }),
  data: Type.Object({
    mtbId: Type.String(),
    receiveShipNo: Nullable(Type.String()),
    billStatus: Type.String(),
    userName: Nullable(Type.String()),
    rmaMaintainBillLineList: Type.Array(ReceiveLine),
    /** The units that are on the bill already. */
    itemsReceived: Type.Array(
      Type.Object({
        receiveSn: Type.String(),
        mtbliId: Type.String(),
        mtblId: Type.String(),
        salesCode: Type.String(),
        itemName: Nullable(Type.String()),
        receiveTime: Nullable(Type.Integer()),
        ivyId: Nullable(Type.String()),
        /** Still at its first test and never checked here, so that it may be taken off again. */
        deletable: Type.Boolean(),
      }),
    ),
    warning: Warning,
  }),
});

const SnLookupInput = Type.Object({ sn: Type.Optional(Sn), mtbId: Code });

/** Whether an SN may be received on this bill, and what it is. */
export const validateSn = lookup({
  method: 'POST',
  path: '/api/rmaReceiveBill/validateSn.json',
  right,
  input: SnLookupInput,
  data: Type.Object({
    sn: Type.String(),
    item: Type.Object({
      itemId: Nullable(Type.Integer()),
      code: Type.String(),
      name: Type.String(),
      deviceType: Type.String(),
      slaveCodeList: Type.Array(Type.String()),
    }),
    warranty: Type.String(),
    maintains: Type.Integer(),
    continues: Type.String(),
    mixbound: Type.String(),
    secondHand: Type.String(),
    components: Type.Array(Component),
    warning: Warning,
  }),
});

/** An SN that is not the company's own becomes known; it is received as any other from then on. Rule: events#e05. */
export const createNonOfficial = submit({
  path: '/api/ubsItemObject/createNonOfficial.json',
  right: 'ubsItemObject:createNonOfficial',
  input: Type.Object({ sn: Type.Optional(Nullable(Sn)), type: OptionalCode }),
  data: validateSn.data,
});

const MachineEntry = Type.Object({
  itemId: Type.Optional(Nullable(Type.Integer())),
  salesCode: OptionalCode,
  receiveSn: Sn,
  issueCodeIdList: Type.Optional(Nullable(CodeIds)),
  depreciation: OptionalCode,
  receiveUrls: Urls,
  type: OptionalCode,
  slaveCodeList: Type.Optional(Nullable(Type.Array(Code, { maxItems: 50 }))),
});

const ReceiveLineRequest = Type.Object({
  itemId: Type.Optional(Nullable(Type.Integer())),
  /** Empty for a line that the receipt itself makes. */
  mtblId: OptionalCode,
  type: OptionalCode,
  count: Count,
  receiveCount: Count,
  salesCode: OptionalCode,
  repairableCount: Count,
  unRepairableCount: Count,
  snControl: OptionalCode,
  itemSalesCode: OptionalCode,
  rmaReceiveBillLineItemRequestList: Type.Optional(Nullable(Type.Array(MachineEntry, { maxItems: 1000 }))),
});

const LineCounts = Type.Array(Type.Object({ mtblId: Type.String(), receiveCount: Type.Integer() }));

/** Devices and boards come into the workshop. Rule: events#e03, events#e04. */
export const receive = submit({
  path: '/api/rmaReceiveBill/receive.json',
  right,
  input: Type.Object({
    mtbId: Code,
    payment: OptionalCode,
    payAmount: Type.Optional(Nullable(Type.Union([Type.String({ maxLength: 30 }), Type.Number()]))),
    rmaReceiveBillLineRequestList: Type.Array(ReceiveLineRequest, { maxItems: 500 }),
  }),
  data: Type.Object({
    rvbId: Type.String(),
    mtbId: Type.String(),
    receivedCount: Type.Integer(),
    /** What was scanned, then the SNs that repairable boards were given, for their labels. */
    snList: Type.Array(Type.String()),
    lineList: LineCounts,
    warning: Warning,
  }),
});

/** Takes units off a receipt that is still open. Rule: events#e06. */
export const deleteReceived = submit({
  path: '/api/rmaReceiveBill/deleteReceived.json',
  right,
  input: Type.Object({
    mtbId: Code,
    rmaReceiveBillLineRequestList: Type.Array(
      Type.Object({
        count: Type.Optional(Nullable(Type.Number())),
        mtblId: OptionalCode,
        snList: Type.Array(Sn, { maxItems: 1000 }),
      }),
      { maxItems: 500 },
    ),
  }),
  data: Type.Object({ deletedCount: Type.Integer(), lineList: LineCounts }),
});

/** Closes the receipt of a bill. Rule: events#e07. */
export const finishReceive = submit({
  path: '/api/rmaReceiveBill/finishReceive.json',
  right,
  input: Type.Object({ maintainBillId: OptionalCode }),
  data: Type.Object({ mtbId: Type.String(), billStatus: Type.String() }),
});
