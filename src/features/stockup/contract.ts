import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, RowId, SeenVersion } from '#domain/wire.ts';

/** Single-row actions on a stock-up bill, by its row id or its number. Rule: stock-up#actions, events#e24. */
const action = (name: string) =>
  submit({
    method: 'GET',
    path: `/api/rmaStockupBill/${name}.json`,
    right: `rmaStockupBill:${name}`,
    input: Type.Object({ id: Code, version: SeenVersion }),
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

/** The packing list of the selected stock-up bills, as a workbook. Rule: stock-up#packing-list. */
export const exportDirectNew = lookup({
  method: 'POST',
  path: '/api/rmaStockupBill/exportDirectNew.json',
  right: 'rmaStockupBill:exportDirectNew',
  input: Type.Object({ idList: Type.Array(Type.Union([RowId, Code]), { maxItems: 500 }) }),
  data: Type.Object({ jobId: Type.Integer(), path: Type.Optional(Type.String()) }),
});
