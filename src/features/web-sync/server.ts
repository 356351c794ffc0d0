import { sql } from 'kysely';
import { WebSyncStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readLines, readRow } from '#server/engine/rows.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { readSns } from '#server/workflow/units.ts';
import { syncBill, syncLine, syncSn } from './contract.ts';

export const webSyncRoutes = [
  /** The bill with its lines, as it is now, waits for the website. */
  route(syncBill, async (input, ctx) =>
    queue(ctx, 'rmaMaintainBill', 'mtbId', normaliseNo(input.mtbId), 'rmaMaintainBillLine'),
  ),

  /** One line with its units, as it is now. */
  route(syncLine, async (input, ctx) =>
    queue(ctx, 'rmaMaintainBillLine', 'mtblId', normaliseNo(input.mtblId), 'rmaMaintainBillLineItem'),
  ),

  /** The item that an SN fills now, as it is. */
  route(syncSn, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const { syncTime } = await queue(ctx, 'rmaMaintainBillLineItem', 'receiveSn', sn);
    return { sn, syncTime };
  }),
];

/** One entry waits for each record: what is put in again before it was sent replaces what had waited. */
async function queue(ctx: Context, module: string, by: string, number: string, lines?: string) {
  const what = { module, field: by };
  if (number === '') throw new Refusal({ key: 'required', field: by, args: { fields: [what] } });
  const definition = requireDefinition(ctx.model, module);
  const { rows } = await sql<{ id: number }>`
    SELECT t.id FROM ${sql.table(definition.table)} AS t
     WHERE ${sql.ref(`t.${by}`)} = ${number} AND ${createScopeCondition(definition, ctx.currentUser, ctx.model)}
     ORDER BY t.id DESC LIMIT 1 FOR NO KEY UPDATE`.execute(ctx.db);
  if (!rows[0]) throw new Refusal({ key: 'notFound', field: by, args: { what, value: number } });
  const record = await readRow(definition, rows[0].id, readableNames(definition), ctx);
  const parts = lines ? (await readLines(requireDefinition(ctx.model, lines), { by, value: number }, ctx)).rows : [];
  const bill = await ctx.db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'btmMtbId', 'siteId'])
    .where('mtbId', '=', String(record['mtbId']))
    .executeTakeFirstOrThrow();
  const payload = JSON.stringify({ module, btmMtbId: bill.btmMtbId, record, lines: parts });
  const syncTime = await addToQueue(ctx, { module, recordId: number, mtbId: bill.mtbId, siteId: bill.siteId, payload });
  await recordInLedger(ctx, { what: 'syncToWeb', module, recordId: number, to: { status: WebSyncStatus.Queued } });
  return { syncTime, status: WebSyncStatus.Queued };
}

interface Entry {
  module: string;
  recordId: string;
  mtbId: string | null;
  siteId: string | null;
  payload: string;
}

async function addToQueue({ db, currentUser }: Context, entry: Entry): Promise<number> {
  const replaced = await db
    .updateTable('rma_web_sync')
    .set({
      payload: entry.payload,
      queueTime: sql`now()`,
      attempts: 0,
      retryTime: null,
      error: null,
      ...touch(currentUser),
    })
    .where('module', '=', entry.module)
    .where('recordId', '=', entry.recordId)
    .where('status', '=', WebSyncStatus.Queued)
    .returning('queueTime')
    .executeTakeFirst();
  if (replaced) return Number(replaced.queueTime);
  const added = await db
    .insertInto('rma_web_sync')
    .values({ ...entry, status: WebSyncStatus.Queued, queueTime: sql<string>`now()`, createBy: currentUser.userId })
    .returning('queueTime')
    .executeTakeFirstOrThrow();
  return Number(added.queueTime);
}
