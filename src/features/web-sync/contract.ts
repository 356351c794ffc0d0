import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, Sn } from '#domain/wire.ts';

const Queued = Type.Object({ syncTime: Type.Number(), status: Type.String() });

/** A bill, or one line of it, is put in the queue for the website. Spec 1 §7, decisions 2 O-86. */
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

/** The unit of an SN, as its latest bill knows it, is put in the queue. Decisions 2, section 3. */
export const syncSn = submit({
  path: '/api/rmaMaintainBillLineItem/syncSn.json',
  right: 'rmaMaintainBillLineItem:syncSn',
  input: Type.Object({ sn: Sn }),
  data: Type.Object({ sn: Type.String(), syncTime: Type.Number() }),
});
