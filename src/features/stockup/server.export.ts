import type { DataOf, InputOf } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { LIST_EXPORT, type ListExport } from '#server/exports/listExport.ts';
import { startJobNow, waitForJob } from '#server/jobs/start.ts';
import { exportDirectNew } from './contract.ts';
import { packedOn, stockupIds } from './queries.ts';

const LINES = 'rmaStockupBillLine';
const columns = ['sn', 'salesCode', 'productName', 'mtbId', 'delivered'];

/** What stands on the selected bills, unit by unit; a job that is waited for a while. Rule: stock-up#packing-list. */
export async function exportPackingList(
  input: InputOf<typeof exportDirectNew>,
  ctx: Context,
): Promise<DataOf<typeof exportDirectNew>> {
  const what = { module: 'rmaStockupBill', field: 'skbId' };
  const asked = [...new Set(input.idList.map((it) => normaliseNo(String(it))).filter((it) => it !== ''))];
  if (asked.length === 0) throw new Refusal({ key: 'required', field: 'idList', args: { fields: [what] } });
  const found = await stockupIds(ctx, asked);
  const missing = asked.find((it) => !found.has(it));
  if (missing !== undefined) throw new Refusal({ key: 'notFound', field: 'idList', args: { what, value: missing } });
  const ids = await packedOn(ctx, [...found.values()]);
  const list: ListExport = { module: LINES, query: {}, columns, ids };
  const title = ctx.model.definitions.get('rmaStockupBill')?.label[ctx.lang] ?? LINES;
  const { right } = exportDirectNew;
  const jobId = await startJobNow(ctx, { kind: LIST_EXPORT, title, module: 'rmaStockupBill', right, input: list });
  const { state, fileId } = await waitForJob(ctx, jobId);
  return state === 'done' && fileId ? { jobId, path: `/file/${fileId}` } : { jobId };
}
