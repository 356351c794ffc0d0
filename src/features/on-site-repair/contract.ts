import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import {
  Code,
  CodeIds,
  Component,
  Nullable,
  OptionalCode,
  OptionalText,
  QrCode,
  RepairedPart,
  RepairFields,
  Sn,
} from '#domain/wire.ts';

/**
 * Codes, kinds of boards, methods and bills of material are asked for by the calls of every repair: `queryByCode`,
 * `loadIssueCodeList`, `allPartsTypes`, `allRepairMethods`, `queryBomByName` and `queryBomItemByBomId`.
 */
const BILLS = '/api/rmaSiteRepairBill';
const right = 'rmaSiteRepairBill:onSiteRepair' as const;
const Spoken = Type.Union([Type.Literal('zh'), Type.Literal('en')]);
const Device = Type.Object({ mtbId: OptionalCode, sn: Type.Optional(Nullable(Sn)) });
const Item = Type.Object({ code: Type.String(), name: Type.String(), itemId: Nullable(Type.Integer()) });

/** What the device at hand is, asked by the bill and its SN; stores nothing. Rule: on-site-repair#devices. */
export const queryDevice = lookup({
  path: `${BILLS}/queryDevice.json`,
  right,
  input: Device,
  data: Type.Object({ item: Item }),
});

/** Whether a device may be repaired on this bill, and what is in it; stores nothing. Rule: on-site-repair#devices. */
export const onSiteValidateSn = lookup({
  method: 'POST',
  path: `${BILLS}/onSiteValidateSn.json`,
  right,
  input: Device,
  data: Type.Object({ sn: Type.String(), mtbId: Type.String(), item: Item, components: Type.Array(Component) }),
});

/** What was done to one part of the device. Rule: on-site-repair#records. */
const RepairedComponent = Type.Object({
  componentSn: Type.Optional(Nullable(Sn)),
  /** The type of board, 1 to 10. */
  componentType: OptionalCode,
  repairIssueCodeIdList: Type.Optional(Nullable(CodeIds)),
  ...RepairFields,
});

/** One device of a bill was repaired where it stands, at its customer. Rule: on-site-repair#submit. */
export const onSiteRepair = submit({
  path: `${BILLS}/onSiteRepair.json`,
  right,
  input: Type.Object({
    mtbId: OptionalCode,
    productSn: Type.Optional(Nullable(Sn)),
    checkIssueCodeIdList: Type.Optional(Nullable(CodeIds)),
    repairInfoList: Type.Optional(Nullable(Type.Array(RepairedComponent, { maxItems: 100 }))),
    /** The bill of material that the slots of `partsList` are of. */
    bomId: OptionalCode,
    /** What was done to veneers, whose slots are those of a bill of material. Rule: on-site-repair#veneers. */
    partsList: Type.Optional(Nullable(Type.Array(RepairedPart, { maxItems: 100 }))),
    assembleInfoList: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            componentSn: Type.Optional(Nullable(Sn)),
            qrCodeNum: Type.Optional(Nullable(QrCode)),
            label: OptionalText,
            /** The position: `power`, `controls`, `board1` … `board4`. */
            name: OptionalCode,
            componentType: OptionalCode,
          }),
          { maxItems: 20 },
        ),
      ),
    ),
  }),
  data: Type.Object({
    osbId: Type.String(),
    mtbId: Type.String(),
    productSn: Type.String(),
    /** How many devices of the bill have been repaired so. */
    deviceCount: Type.Integer(),
  }),
});

/** The order is ended: nothing more is repaired on it. Rule: on-site-repair#end. */
export const finishOnSiteRepair = submit({
  path: `${BILLS}/finishOnSiteRepair.json`,
  right,
  input: Type.Object({ mtbId: OptionalCode }),
  data: Type.Object({
    osbId: Type.String(),
    mtbId: Type.String(),
    /** Of the maintain bill. */
    billStatus: Type.String(),
    notReceivedCount: Type.Integer(),
  }),
});

const Named = Type.Object({ code: Type.String(), name: Type.String() });
const ReportedPart = Type.Object({ kind: Type.String(), sn: Type.String() });

/** What was done on an order at its customer, told in the customer's language or the one asked for. Rule: on-site-repair#report. */
export const visitReport = lookup({
  path: `${BILLS}/visitReport.json`,
  right: 'rmaSiteRepairBill:visitReport',
  input: Type.Object({ osbId: Code, language: Type.Optional(Spoken) }),
  data: Type.Object({
    language: Spoken,
    osbId: Type.String(),
    mtbId: Type.String(),
    isEnded: Type.Boolean(),
    startTime: Type.Number(),
    finishTime: Nullable(Type.Number()),
    customer: Type.Object({ name: Type.String(), place: Type.String() }),
    workshop: Type.Object({ name: Type.String(), address: Type.String(), phone: Type.String() }),
    devices: Type.Array(
      Type.Object({
        sn: Type.String(),
        salesCode: Type.String(),
        name: Type.String(),
        technician: Type.String(),
        time: Type.Number(),
        checkIssues: Type.Array(Named),
        records: Type.Array(
          Type.Object({
            componentSn: Type.String(),
            kind: Type.String(),
            method: Type.String(),
            issues: Type.Array(Named),
            slot: Type.String(),
            marking: Type.String(),
            material: Type.String(),
            count: Nullable(Type.Integer()),
            urls: Type.Array(Type.String()),
          }),
        ),
        /** Parts that were put in, and those in whose place they are. */
        putIn: Type.Array(ReportedPart),
        takenOut: Type.Array(ReportedPart),
      }),
    ),
    /** More was done than one report tells. */
    isCut: Type.Boolean(),
  }),
});
