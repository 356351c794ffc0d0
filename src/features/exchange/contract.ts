import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Code } from '#domain/wire.ts';

/**
 * The units of a receipt are stocked up before they are ready, so that others go out in advance.
 * Rule: stock-up#advance.
 */
export const exchangeReceive = submit({
  method: 'GET',
  path: '/api/rmaReceiveBill/exchangeReceive.json',
  right: 'rmaReceiveBill:exchangeReceive',
  input: Type.Object({ id: Code }),
  data: Type.Object({
    id: Type.Integer(),
    rvbId: Type.String(),
    snList: Type.Array(Type.String()),
    skbIdList: Type.Array(Type.String()),
  }),
});
