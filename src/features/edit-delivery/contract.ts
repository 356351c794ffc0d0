import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode } from '#domain/wire.ts';

/** Whether, how soon and at whose cost an item is sent back. Rule: events#e35. */
export const editDeliver = submit({
  path: '/api/rmaMaintainBillLineItem/editDeliver.json',
  right: 'rmaMaintainBillLineItem:editDeliver',
  input: Type.Object({
    id: OptionalCode,
    deliverStatus: OptionalCode,
    deliverPriority: OptionalCode,
    deliverPayment: OptionalCode,
    returness: OptionalCode,
  }),
  data: Type.Object({
    id: Type.Integer(),
    deliverStatus: Type.String(),
    deliverPriority: Type.String(),
    stockup: Type.String(),
  }),
});
