import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import {
  Code,
  CodeIds,
  Component,
  IssueCode,
  Nullable,
  OptionalCode,
  PartsList,
  Remark,
  RepairRows,
  SeenVersion,
  Sn,
  StationItem,
} from '#domain/wire.ts';
import { DEPARTMENT_LENGTH, SCRAP_MAX } from './rules.ts';

const BILLS = '/api/rmaScrapRepairBill';
const combineRight = 'rmaScrapRepairBill:combineRepair' as const;
const acceptRight = 'rmaScrapRepairBill:outsourcingAccept' as const;
const Text = Nullable(Type.String());

/** The sites whose scrap the user may send out. Rule: scrap-repair#sites. */
export const getSiteList = lookup({
  path: `${BILLS}/getSiteList.json`,
  right: combineRight,
  input: Type.Object({}),
  data: Type.Object({ ubsSiteList: Type.Array(Type.Object({ siteId: Type.String(), name: Type.String() })) }),
});

/** Whether an SN is scrap of the site that may go out for repair; stores nothing. Rule: scrap-repair#scrap. */
export const validateSnForCombineRepair = lookup({
  path: `${BILLS}/validateSnForCombineRepair.json`,
  right: combineRight,
  input: Type.Object({ sn: Sn, siteId: OptionalCode }),
  data: Type.Object({
    sn: Type.String(),
    item: Type.Object({ salesCode: Type.String(), name: Type.String(), itemId: Nullable(Type.Integer()) }),
  }),
});

/** Scrap goes out for repair: a bill that speaks for it. Rule: scrap-repair#combining. */
export const combineRepair = submit({
  path: `${BILLS}/combineRepair.json`,
  right: combineRight,
  input: Type.Object({
    siteId: OptionalCode,
    count: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
    department: Type.Optional(Nullable(Type.String({ maxLength: DEPARTMENT_LENGTH }))),
    remark: Remark,
    scrapRepairLineRequestList: Type.Optional(
      Type.Array(Type.Object({ salesCode: OptionalCode, sn: Sn }), { maxItems: SCRAP_MAX }),
    ),
  }),
  data: Type.Object({ id: Type.Integer(), srbId: Type.String(), count: Type.Integer() }),
});

const RepairedPart = Type.Object({
  partsType: Type.String(),
  repairMethod: Type.String(),
  codes: Type.Array(Type.String()),
  slot: Type.String(),
  spendCount: Nullable(Type.Integer()),
  replaceSn: Text,
  repairMarking: Text,
  urls: Type.Array(Type.String()),
});

/** A bill by its number or its row, with its SNs and the units that came back. Rule: scrap-repair#detail. */
export const loadScrapRepair = lookup({
  path: `${BILLS}/loadScrapRepair.json`,
  right: 'rmaScrapRepairBill:list',
  input: Type.Object({ srbId: Code }),
  data: Type.Object({
    id: Type.Integer(),
    srbId: Type.String(),
    billType: Type.String(),
    billStatus: Type.String(),
    siteId: Type.String(),
    siteName: Type.String(),
    count: Type.Integer(),
    department: Text,
    remark: Text,
    createBy: Type.String(),
    createTime: Nullable(Type.Integer()),
    acceptBy: Text,
    acceptTime: Nullable(Type.Integer()),
    rmaScrapRepairBillLineList: Type.Array(
      Type.Object({
        sn: Type.String(),
        salesCode: Type.String(),
        name: Type.String(),
        snRole: Type.String(),
        productSn: Text,
      }),
    ),
    unitList: Type.Array(
      Type.Object({
        productSn: Type.String(),
        salesCode: Type.String(),
        name: Type.String(),
        checkIssueCodes: Type.Array(IssueCode),
        assistSnList: Type.Array(Type.String()),
        repairInfoList: Type.Array(RepairedPart),
        assembleInfoList: Type.Array(Component),
      }),
    ),
  }),
});

/** Whether an SN is one of a bill that waits for its units; stores nothing. Rule: scrap-repair#accepting. */
export const validateSnForAccept = lookup({
  path: `${BILLS}/validateSnForAccept.json`,
  right: acceptRight,
  input: Type.Object({ sn: Sn, srbId: OptionalCode }),
  data: Type.Object({
    sn: Type.String(),
    type: Type.String(),
    item: Type.Object({ ...StationItem.properties, bomId: Text }),
    components: Type.Array(Component),
  }),
});

/** One unit that came back: what was made of which SNs, and how. */
const AcceptedUnit = Type.Object({
  productSn: Sn,
  checkIssueCodeIdList: CodeIds,
  repairInfoList: RepairRows,
  assembleInfoList: PartsList,
  assistSnList: Type.Array(Sn, { maxItems: SCRAP_MAX }),
});

/** Whether one unit could be accepted as it is entered; stores nothing. Rule: scrap-repair#units. */
export const attemptAccept = lookup({
  method: 'POST',
  path: `${BILLS}/attemptAccept.json`,
  right: acceptRight,
  input: Type.Object({ srbId: OptionalCode, item: AcceptedUnit }),
  data: Type.Object({ productSn: Type.String() }),
});

/** What outsourcing made of the scrap comes back, and the bill is ended. Rule: scrap-repair#accepting. */
export const outsourcingAccept = submit({
  path: `${BILLS}/outsourcingAccept.json`,
  right: acceptRight,
  input: Type.Object({
    srbId: OptionalCode,
    siteId: OptionalCode,
    list: Type.Optional(Type.Array(AcceptedUnit, { maxItems: SCRAP_MAX })),
  }),
  data: Type.Object({
    srbId: Type.String(),
    billStatus: Type.String(),
    unitCount: Type.Integer(),
    /** Those that were used up, and those that are scrap as before. */
    consumedCount: Type.Integer(),
    freedCount: Type.Integer(),
  }),
});

/** A bill that nothing came back on is given up. Rule: scrap-repair#cancelling. */
export const cancelScrapRepair = submit({
  path: `${BILLS}/cancelScrapRepair.json`,
  right: 'rmaScrapRepairBill:cancelScrapRepair',
  input: Type.Object({ id: OptionalCode, version: SeenVersion }),
  data: Type.Object({ id: Type.Integer(), srbId: Type.String(), billStatus: Type.String() }),
});
