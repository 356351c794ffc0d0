import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Component, IssueCode, Nullable, OptionalCode, RepairRows, Sn, StationItem, Warning } from '#domain/wire.ts';

const right = 'rmaRepairBill:repair' as const;

/** Whether a unit waits for repair, and what its tests found. */
export const validateSn = lookup({
  method: 'POST',
  path: '/api/rmaRepairBill/validateSn.json',
  right,
  input: Type.Object({ sn: Sn, checkType: OptionalCode }),
  data: Type.Object({
    sn: Type.String(),
    type: Type.String(),
    item: Type.Object({ ...StationItem.properties, bomId: Nullable(Type.String()) }),
    mtbId: Nullable(Type.String()),
    checkIssueCodes: Type.Array(IssueCode),
    /** What aging or QC found when it sent the unit back. */
    lastFailIssueCodes: Type.Array(IssueCode),
    /** `1` for a machine of the site's own stock: its repair type is chosen. */
    repairTypeNeeded: Type.String(),
    /** The type that is proposed for it. Rule: events#e23. */
    repairType: Nullable(Type.String()),
    /** The slots of a part's bill of material; null where none is known. */
    slotList: Nullable(Type.Array(Type.String())),
    components: Type.Array(Component),
    warning: Warning,
  }),
});

/** The repair of one device or part; `checkType` says in which tab it was scanned. Rule: events#e15, events#e16. */
export const repair = submit({
  path: '/api/rmaRepairBill/repair.json',
  right,
  input: Type.Object({
    sn: Sn,
    checkType: OptionalCode,
    repairType: OptionalCode,
    partsList: RepairRows,
  }),
  data: Type.Object({ rpbId: Type.String(), sn: Type.String(), nextNode: Type.String() }),
});
