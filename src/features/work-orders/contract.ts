import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { ftBins, type WorkOrderModule } from '#domain/wafer.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark, SeenVersion } from '#domain/wire.ts';
import { ORIGIN_LENGTH } from './rules.ts';

const Quantity = Type.Integer({ minimum: 0, maximum: 100_000_000 });
const header = {
  processType: OptionalCode,
  lotType: OptionalCode,
  engineeringCode: OptionalText,
  supplierId: OptionalCode,
  inventoryOrg: OptionalCode,
  btmSiteId: OptionalCode,
  repairOrg: OptionalText,
  correspondsWorkOrder: OptionalCode,
  taxRate: Type.Optional(Nullable(Type.Union([Type.String({ maxLength: 20 }), Type.Number()]))),
  company: OptionalText,
  purposeOfBuild: OptionalText,
  shipToLocation: OptionalText,
  poNo: OptionalText,
  remark: Remark,
};
/** The order that was made; site and supplier have their names in the user's language. */
const made = Type.Object({
  ...{ id: Type.Integer(), workOrderNo: Type.String() },
  ...{ siteId: Type.String(), siteName: Type.String(), supplierId: Type.String(), supplierName: Type.String() },
});

/** One wafer of a lot and how much of it goes in; 0 is all of it. Rule: wafer-bank#taking. */
export const WaferPick = Type.Object({
  ...{ wipId: Code, waferId: Code },
  inputQty: Type.Optional(Quantity),
  /** Of the lot's line: what its first wafer says. */
  remark: Remark,
});
const waferList = Type.Array(WaferPick, { maxItems: 2000 });
/** One bin of a lot; the lots of a group are tested together. */
export const FtPick = Type.Object({
  wipId: Code,
  group: Type.Integer({ minimum: 1, maximum: 1000 }),
  bin: Code,
  ftTestProgram: OptionalText,
  chipQty: Type.Optional(Quantity),
  originPlace: Type.Optional(Nullable(Type.String({ maxLength: ORIGIN_LENGTH }))),
  remark: Remark,
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
    ...{ abiNo: OptionalText, partNumbering: OptionalText, line1: OptionalText, line2: OptionalText },
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
    bdNo: OptionalText,
    markingSpec: OptionalText,
    formOfPackRequired: OptionalText,
    ftWorkOrderLineGroupList: Type.Array(FtPick, { maxItems: 500 }),
  }),
  data: made,
});

const Piece = Type.Object({ waferId: Type.String(), chipQty: Type.Integer() });
const lot = {
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
};
/** A lot in a bank with what can be taken of it: its wafers, or its bins. */
export const BankLot = Type.Object(lot);
const bank = Type.Object({ items: Type.Array(BankLot) });
/** One for the final test, with what each of its bins holds. */
const FtLot = Type.Object({
  ...lot,
  marking: Type.String(),
  binG: Type.Integer(),
  ...Object.fromEntries(ftBins.map((it) => [`bin${it}`, Type.Integer()] as const)),
});
/** What a draft order holds: its lots as they would lie in their banks without it, and what of them it has. */
export const toModifyLines = (module: WorkOrderModule) =>
  lookup({
    path: `/api/${module}/toModifyLines.json`,
    right: `${module}:modifyLines`,
    input: Type.Object({ id: OptionalCode }),
    data: Type.Object({
      version: Type.Integer(),
      suppliers: Type.Array(Type.Object({ value: Type.String(), optionName: Type.String() })),
      /** There are more than these. */
      hasMoreSuppliers: Type.Boolean(),
      lots: Type.Array(BankLot),
      lines: Type.Array(
        Type.Object({
          ...{ wipId: Type.String(), piece: Type.String(), inputQty: Type.Integer() },
          ...{ group: Nullable(Type.Integer()), ftTestProgram: Type.String() },
          ...{ originPlace: Type.String(), remark: Type.String() },
        }),
      ),
    }),
  });

const changed = {
  ...{ id: OptionalCode, version: SeenVersion, supplierId: OptionalCode },
  /** Who changes the supplier of an order that holds something says that it goes back to its banks. */
  linesGo: Type.Optional(Type.Boolean()),
};
const modified = Type.Object({ id: Type.Integer(), workOrderNo: Type.String(), chipQty: Type.Integer() });
const modifying = <M extends WorkOrderModule>(module: M) =>
  ({ path: `/api/${module}/modifyLines.json`, right: `${module}:modifyLines`, data: modified }) as const;

/** What a draft order holds, and of which supplier it is. Rule: wafer-bank#drafts. */
export const modifyBumpingCpLines = submit({
  ...modifying('icopBumpingCpWorkOrder'),
  input: Type.Object({ ...changed, waferList }),
});
export const modifyAssemblyLines = submit({
  ...modifying('icopAssemblyWorkOrder'),
  input: Type.Object({ ...changed, waferList }),
});
export const modifyFtLines = submit({
  ...modifying('icopFtWorkOrder'),
  input: Type.Object({ ...changed, ftWorkOrderLineGroupList: Type.Array(FtPick, { maxItems: 500 }) }),
});

const supplierId = Type.Optional(Code);
const waferPn = Type.Optional(Code);

/** Lots for bumping and CP: wafer bank and bumping bank. Rule: wafer-bank#banks. */
export const getWipWafer = lookup({
  path: '/api/icopBumpingCpWorkOrder/getWipWafer.json',
  right: 'icopBumpingCpWorkOrder:create',
  input: Type.Object({ supplierId, waferPn }),
  data: bank,
});
export const getWaferLot = lookup({
  path: '/api/icopAssemblyWorkOrder/getWaferLot.json',
  right: 'icopAssemblyWorkOrder:create',
  input: Type.Object({ supplierId, waferPn }),
  data: bank,
});
/** Lots for the final test, by where they were assembled and the days on which they came. Rule: wafer-bank#lookups. */
export const getFtLot = lookup({
  path: '/api/icopFtWorkOrder/getFtLot.json',
  right: 'icopFtWorkOrder:create',
  input: Type.Object({
    ...{ supplierId, waferPn, devicePn: Type.Optional(Code), assySiteId: Type.Optional(Code) },
    ...{ startDate: Type.Optional(Code), endDate: Type.Optional(Code) },
  }),
  data: Type.Object({ items: Type.Array(FtLot) }),
});

/** What share of what went in came out good, of the latest orders of this kind and part that are done. Rule: wafer-bank#foresight. */
export const usualYield = (module: WorkOrderModule) =>
  lookup({
    path: `/api/${module}/usualYield.json`,
    right: `${module}:create`,
    input: Type.Object({ part: Code, processType: OptionalCode, ftType: OptionalCode }),
    data: Type.Object({ orders: Type.Integer(), yield: Nullable(Type.Number()) }),
  });

/** The wafer part numbers of which orders can be made. Rule: wafer-bank#lookups. */
export const getWaferPn = lookup({
  path: '/api/icopBumpingCpWorkOrder/getWaferPn.json',
  right: 'icopBumpingCpWorkOrder:create',
  input: Type.Object({}),
  data: Type.Object({ items: Type.Array(Type.Object({ waferPn: Type.String(), waferMpn: Type.String() })) }),
});
/** The CP test programs of a wafer part: its own, then those of its latest orders. Rule: wafer-bank#lookups. */
export const getCpTestProgram = lookup({
  path: '/api/icopBumpingCpWorkOrder/getCpTestProgram.json',
  right: 'icopBumpingCpWorkOrder:create',
  input: Type.Object({ waferPn: Code, supplierId }),
  data: Type.Object({ items: Type.Array(Type.Object({ waferPn: Type.String(), cpTestProgram: Type.String() })) }),
});
/** Where lots may have been assembled. Rule: wafer-bank#lookups. */
export const getAssemblySiteList = lookup({
  path: '/api/icopFtWorkOrder/getAssemblySiteList.json',
  right: 'icopFtWorkOrder:create',
  input: Type.Object({}),
  data: Type.Object({ items: Type.Array(Type.Object({ siteId: Type.String(), siteName: Type.String() })) }),
});
/** The stores for chips at a site, at the user's own where none is said. Rule: wafer-bank#stores. */
export const queryStoresBySiteId = lookup({
  path: '/api/icopStore/queryBySiteId.json',
  right: 'icopStore:list',
  input: Type.Object({ siteId: Type.Optional(Type.String({ maxLength: 64 })) }),
  data: Type.Object({
    items: Type.Array(Type.Object({ btmId: Type.String(), name: Type.String(), remark: Type.String() })),
  }),
});
/** Device parts with the wafers that they are made of, a page at a time. Rule: wafer-bank#lookups. */
export const queryAllDeviceParts = lookup({
  path: '/api/icopPartNumberLine/queryAll.json',
  right: 'icopPartNumberLine:list',
  input: Type.Object({
    /** Only this one. */
    devicePn: OptionalCode,
    pageStart: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    pageCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        devicePn: Type.String(),
        waferPn: Type.String(),
        waferMpn: Type.String(),
        deviceErpCode: Type.String(),
        packageType: Type.String(),
      }),
    ),
  }),
});
