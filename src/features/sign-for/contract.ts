import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Code, Nullable, Remark, RowId } from '#domain/wire.ts';

/** A parcel is signed for at the gate. Rule: events#e01. */
export const signFor = submit({
  path: '/api/rmaArrivalBill/signFor.json',
  right: 'rmaArrivalBill:signFor',
  input: Type.Object({
    receiveShipNo: Code,
    receivePackageCount: Nullable(Type.Integer({ minimum: 0, maximum: 100_000 })),
    remark: Remark,
  }),
  data: Type.Object({
    id: Type.Integer(),
    abId: Type.String(),
    receiveShipNo: Type.String(),
    mtbId: Nullable(Type.String()),
  }),
});

/** The warehouse takes a signed parcel over; late goods open their bill for receipt again. Rule: events#e02. */
export const accept = submit({
  path: '/api/rmaArrivalBill/accept.json',
  right: 'rmaArrivalBill:accept',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    id: Type.Integer(),
    status: Type.String(),
    mtbId: Nullable(Type.String()),
    billStatus: Nullable(Type.String()),
  }),
});
