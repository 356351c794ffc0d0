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

/** Whether a parcel's number is on a bill already. Rule: bills#lookups. */
export const queryByReceiveShipNo = lookup({
  path: '/api/rmaMaintainBill/queryByReceiveShipNo.json',
  right: 'rmaMaintainBill:list',
  input: Type.Object({ receiveShipNo: Code }),
  data: Type.Object({
    mtbId: Nullable(Type.String()),
    billStatus: Nullable(Type.String()),
    userName: Nullable(Type.String()),
    warning: Type.Optional(Type.String()),
  }),
});
