import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, Sn } from '#domain/wire.ts';

const Queued = Type.Object({ syncTime: Type.Number(), status: Type.String() });

/** A bill, or one line of it, is put in the queue for the website. Rule: parcels#website. */
export const syncBill = submit({
  path: '/api/rmaMaintainBill/syncToWeb.json',
  right: 'rmaMaintainBill:syncToWeb',
  input: Type.Object({ mtbId: OptionalCode }),
  data: Queued,
});
export const syncLine = submit({
  path: '/api/rmaMaintainBillLine/syncToWeb.json',
  right: 'rmaMaintainBillLine:syncToWeb',
  input: Type.Object({ mtblId: OptionalCode }),
  data: Queued,
});

/** The unit of an SN, as its latest bill knows it, is put in the queue. Rule: parcels#website. */
export const syncSn = submit({
  path: '/api/rmaMaintainBillLineItem/syncSn.json',
  right: 'rmaMaintainBillLineItem:syncSn',
  input: Type.Object({ sn: Sn }),
  data: Type.Object({ sn: Type.String(), syncTime: Type.Number() }),
});
