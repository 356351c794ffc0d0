import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Code } from '#domain/wire.ts';

/** Single-row actions on a stock-up bill, by its row id or its number. Spec 1 §7, decisions 2 E24. */
const action = (name: string) =>
  submit({
    method: 'GET',
    path: `/api/rmaStockupBill/${name}.json`,
    right: `rmaStockupBill:${name}`,
    input: Type.Object({ id: Code }),
    data: Type.Object({
      id: Type.Integer(),
      skbId: Type.String(),
      status: Type.String(),
      /** The bill that took over what was not delivered. */
      newSkbId: Type.Optional(Type.String()),
    }),
  });

export const stopStockupBill = action('stopStockupBill');
export const resetStockupBill = action('resetStockupBill');
export const cancelStockupBill = action('cancelStockupBill');
export const finishBill = action('finishBill');
