import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark } from '#domain/wire.ts';

const Quantity = Type.Integer({ minimum: 0, maximum: 100_000_000 });
const header = {
  processType: OptionalCode,
  lotType: OptionalCode,
  engineeringCode: OptionalText,
  supplierId: OptionalCode,
  inventoryOrg: OptionalCode,
  company: OptionalText,
  purposeOfBuild: OptionalText,
  shipToLocation: OptionalText,
  poNo: OptionalText,
  remark: Remark,
};
const made = Type.Object({ id: Type.Integer(), workOrderNo: Type.String() });

/** One wafer of a lot and how much of it goes in; 0 is all of it. Rule: wafer-bank#taking. */
export const WaferPick = Type.Object({ wipId: Code, waferId: Code, inputQty: Type.Optional(Quantity) });
const waferList = Type.Array(WaferPick, { maxItems: 2000 });
/** One bin of a lot; the lots of a group are tested together. */
export const FtPick = Type.Object({
  wipId: Code,
  group: Type.Integer({ minimum: 1, maximum: 1000 }),
  bin: Code,
  ftTestProgram: OptionalText,
  chipQty: Type.Optional(Quantity),
});

export const createWaferOrder = submit({
  path: '/api/icopWaferWorkOrder/create.json',
  right: 'icopWaferWorkOrder:create',
  input: Type.Object({
    ...header,
    waferPn: OptionalCode,
    waferMpn: OptionalCode,
    waferQty: Type.Optional(Nullable(Type.Integer())),
    expectedTime: Type.Optional(Nullable(Type.Number())),
  }),
  data: made,
});

/** Bumping, CP or both: wafers of the banks go to a supplier. Rule: wafer-bank#orders. */
export const createBumpingCpOrder = submit({
  path: '/api/icopBumpingCpWorkOrder/create.json',
  right: 'icopBumpingCpWorkOrder:create',
  input: Type.Object({
    ...header,
    waferPn: OptionalCode,
    waferMpn: OptionalCode,
    cpTestProgram: OptionalText,
    waferMapType: OptionalText,
    waferProbeType: OptionalText,
    waferList,
  }),
  data: made,
});

export const createAssemblyOrder = submit({
  path: '/api/icopAssemblyWorkOrder/create.json',
  right: 'icopAssemblyWorkOrder:create',
  input: Type.Object({
    ...header,
    ftType: OptionalCode,
    devicePn: OptionalCode,
    waferPn: OptionalCode,
    waferMpn: OptionalCode,
    packageType: OptionalText,
    bdNo: OptionalText,
    markingSpec: OptionalText,
    formOfPackRequired: OptionalText,
    waferList,
  }),
  data: made,
});

export const createFtOrder = submit({
  path: '/api/icopFtWorkOrder/create.json',
  right: 'icopFtWorkOrder:create',
  input: Type.Object({
    ...header,
    ftType: OptionalCode,
    ftBin: OptionalCode,
    devicePn: OptionalCode,
    waferPn: OptionalCode,
    packageType: OptionalText,
    markingSpec: OptionalText,
    formOfPackRequired: OptionalText,
    ftWorkOrderLineGroupList: Type.Array(FtPick, { maxItems: 500 }),
  }),
  data: made,
});

const Piece = Type.Object({ waferId: Type.String(), chipQty: Type.Integer() });
/** A lot in a bank with what can be taken of it: its wafers, or its bins. */
export const BankLot = Type.Object({
  wipId: Type.String(),
  waferLotId: Type.String(),
  stage: Type.String(),
  waferPn: Type.String(),
  waferMpn: Type.String(),
  devicePn: Type.String(),
  chipQty: Type.Integer(),
  waferIds: Type.String(),
  waferList: Type.Array(Piece),
  supplierId: Type.String(),
  supplierName: Type.String(),
  frontFtTestProgram: Type.String(),
  originalMarking: Type.String(),
});
const bank = Type.Object({ items: Type.Array(BankLot) });
const asked = { supplierId: Type.Optional(Code) };

/** Lots for bumping and CP: wafer bank and bumping bank. Rule: wafer-bank#banks. */
export const getWipWafer = lookup({
  path: '/api/icopBumpingCpWorkOrder/getWipWafer.json',
  right: 'icopBumpingCpWorkOrder:create',
  input: Type.Object({ ...asked, waferPn: Type.Optional(Code) }),
  data: bank,
});
export const getWaferLot = lookup({
  path: '/api/icopAssemblyWorkOrder/getWaferLot.json',
  right: 'icopAssemblyWorkOrder:create',
  input: Type.Object({ ...asked, waferPn: Type.Optional(Code) }),
  data: bank,
});
/** Lots for the final test, one by the bin. */
export const getFtLot = lookup({
  path: '/api/icopFtWorkOrder/getFtLot.json',
  right: 'icopFtWorkOrder:create',
  input: Type.Object({ ...asked, devicePn: Type.Optional(Code), waferPn: Type.Optional(Code) }),
  data: bank,
});
