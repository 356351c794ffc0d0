import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Nullable, OptionalCode, OptionalText, Remark, RowId, SeenVersion, Sn } from '#domain/wire.ts';

const ScannedSn = Type.Object({ sn: Type.Optional(Sn) });

/** What an SN is: its record in the archive, and its model. */
const KnownSn = Type.Object({
  sn: Type.String(),
  itemObject: Type.Object({ itemObjectId: Nullable(Type.Integer()), sn: Type.String() }),
  item: Type.Object({ salesCode: Type.String(), name: Type.String(), itemId: Nullable(Type.Integer()) }),
});

/** Whether an SN may be registered as a defective of the stock; stores nothing. Rule: events#e39. */
export const validateSnForDefective = lookup({
  path: '/api/rmaDefectiveProductRepairBill/validateSnForDefective.json',
  right: 'rmaDefectiveProductRepairBill:defectiveProductRepair',
  input: ScannedSn,
  data: KnownSn,
});
export const validateSnForDefectiveByPost = { ...validateSnForDefective, method: 'POST' as const };

/** Whether an SN may go into a test package; stores nothing. Rule: events#e40. */
export const validateSn = lookup({
  path: '/api/rmaDefectiveProductRepairBill/validateSn.json',
  right: 'rmaDefectiveProductRepairBill:testAndStore',
  input: ScannedSn,
  data: KnownSn,
});
export const validateSnByPost = { ...validateSn, method: 'POST' as const };

/** A registration is deleted with everything that it made. Rule: bills#own-goods. */
export const deleteRegistration = submit({
  path: '/api/rmaDefectiveProductRepairBill/deleteById.json',
  right: 'rmaDefectiveProductRepairBill:delete',
  input: Type.Object({
    id: Type.Union([RowId, Type.String({ maxLength: 64 })]),
    /** As a list has shown it. */
    version: Type.Optional(SeenVersion),
  }),
  data: Type.Object({ id: Type.Integer() }),
});

const RegisteredUnit = { itemObjectId: Type.Optional(Nullable(RowId)), sn: Sn };
const Registered = Type.Object({
  id: Type.Integer(),
  dpbId: Type.String(),
  mtbId: Type.String(),
  count: Type.Integer(),
});

/** Defectives of the stock get a bill by which they are repaired. Rule: events#e39. */
export const defectiveProductRepair = submit({
  path: '/api/rmaDefectiveProductRepairBill/defectiveProductRepair.json',
  right: 'rmaDefectiveProductRepairBill:defectiveProductRepair',
  input: Type.Object({
    receiveShipId: OptionalCode,
    receiveShipNo: OptionalCode,
    siteId: OptionalCode,
    remark: Remark,
    lineRequestList: Type.Array(Type.Object({ ...RegisteredUnit, salesCode: OptionalCode }), { maxItems: 1000 }),
  }),
  data: Registered,
});

/** A package of new parts or goods of the stock gets a bill by which it is tested and stored. Rule: events#e40. */
export const testAndStore = submit({
  path: '/api/rmaDefectiveProductRepairBill/testAndStore.json',
  right: 'rmaDefectiveProductRepairBill:testAndStore',
  input: Type.Object({
    dataList: Type.Array(
      Type.Object({
        salesCode: OptionalCode,
        name: OptionalText,
        itemId: Type.Optional(Nullable(RowId)),
        itemRequestList: Type.Array(Type.Object(RegisteredUnit), { maxItems: 1000 }),
      }),
      { maxItems: 200 },
    ),
    siteId: OptionalCode,
    remark: Remark,
  }),
  data: Registered,
});
