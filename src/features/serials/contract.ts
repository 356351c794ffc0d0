import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, RowId, Sn } from '#domain/wire.ts';

const print = 'ubsItem:printSerial' as const;
const reprint = 'ubsItemObject:reprintSerial' as const;

/** Production orders of an item that are still open and begin so. Rule: labels#orders. */
export const openOrders = lookup({
  path: '/api/ubsProductOrder/queryOpen.json',
  right: print,
  input: Type.Object({ salesCode: Code, orderNo: OptionalCode }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({ orderNo: Type.String(), productVer: Nullable(Type.String()), qty: Type.Integer() }),
    ),
  }),
});

/** New SNs of an item, entered into the archive, for their labels. Rule: labels#printing. */
export const printBarcode = submit({
  path: '/api/printBarcode.json',
  right: print,
  input: Type.Object({
    saleItemId: Type.Optional(Nullable(Type.Integer())),
    modelCode: OptionalText,
    saleDesc: OptionalText,
    type: OptionalCode,
    productVer: OptionalCode,
    qty: Type.Optional(Nullable(Type.Integer())),
    productVerType: OptionalCode,
    orderNo: OptionalCode,
    mode: Type.Optional(Nullable(Type.Number())),
    barcodeType: OptionalCode,
  }),
  data: Type.Object({
    snList: Type.Array(Type.String()),
    modelCode: Type.String(),
    barcodeType: Type.String(),
  }),
});

/** What is known of an SN whose label is printed again. Rule: labels#reprinting. */
export const getSnDetail = lookup({
  path: '/api/getSnDetail.json',
  right: reprint,
  input: Type.Object({ sn: Sn, barcodeType: OptionalCode }),
  data: Type.Object({
    salesCode: Nullable(Type.String()),
    saleItemDesc: Nullable(Type.String()),
    productVer: Nullable(Type.String()),
    modelCode: Nullable(Type.String()),
    productVerType: Nullable(Type.String()),
    orderNo: Nullable(Type.String()),
    snDetailId: Type.Integer(),
  }),
});

/** The label of an SN is printed once more. Rule: labels#reprinting. */
export const reprintBarCode = submit({
  method: 'GET',
  path: '/api/reprintBarCode.json',
  right: reprint,
  input: Type.Object({ snDetailId: RowId, barcodeType: OptionalCode, orderNo: OptionalCode }),
  data: Type.Object({ sn: Type.String(), modelCode: Type.String(), barcodeType: Type.String() }),
});
