import { sql } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import { imageLimits, joinUrls, splitUrls } from '#domain/images.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { ledger } from '#server/ledger.ts';
import { route, type Route } from '#server/route.ts';
import { picturesOf } from '#server/workflow/pictures.ts';
import { supplementCheckPicture, uploadCertificate, uploadInvoice } from './contract.ts';
import { certificates, invoices, type PaperStep } from './rules.ts';
import { claimPapers } from './store.ts';

/** Papers that finance asks for: they are uploaded first (RmaAppendix), then handed in with their bill. */
export const uploadRoutes: Route[] = [
  route(uploadInvoice, ({ id, invoiceUrls }, ctx) => handIn(ctx, invoices, id, invoiceUrls)),
  route(uploadCertificate, ({ id, certificateUrls }, ctx) => handIn(ctx, certificates, id, certificateUrls)),
  route(supplementCheckPicture, ({ id, checkUrls }, ctx) => addCheckPictures(ctx, id, checkUrls)),
];

async function handIn(ctx: Context, step: PaperStep, id: string, sent: string | readonly string[] | null | undefined) {
  const definition = ctx.model.definitions.get(step.module) as Definition;
  const before = await readRow(definition, id, readableNames(definition), ctx, true);
  if (!step.from.includes(String(before['billStatus']))) throw new Refusal({ key: 'stale' }, before);
  const urls = await claimPapers(ctx, sent, {
    module: step.module,
    siteId: String(before['siteId']),
    field: step.field,
    before: before[step.field] as string | null,
  });
  const { rows } = await sql<{ id: number }>`
    UPDATE ${sql.table(definition.table)}
       SET ${sql.ref(step.field)} = ${urls}, "billStatus" = ${step.to}, ${sql.ref(step.by)} = ${ctx.who.userId},
           ${sql.ref(step.at)} = now(), version = version + 1, "updateBy" = ${ctx.who.userId}, "updateTime" = now()
     WHERE id = ${before['id']} AND "billStatus" = ${before['billStatus']} RETURNING id`.execute(ctx.db);
  if (!rows[0]) throw new Refusal({ key: 'stale' }, before);
  await ledger(ctx, {
    what: step.field === 'invoiceUrls' ? 'uploadInvoice' : 'uploadCertificate',
    module: step.module,
    recordId: String(before['id']),
    from: { billStatus: before['billStatus'], [step.field]: before[step.field] },
    to: { billStatus: step.to, [step.field]: urls },
  });
  return { id: rows[0].id, billStatus: step.to };
}

async function addCheckPictures(ctx: Context, id: number, sent: string | readonly string[] | null | undefined) {
  const definition = ctx.model.definitions.get('rmaMaintainBillLineItem') as Definition;
  const item = await readRow(definition, id, readableNames(definition), ctx, true);
  const { urls, shown } = await picturesOf(ctx, sent, { field: 'checkUrls', max: imageLimits.makeup });
  if (shown === 0) throw new Refusal({ key: 'images', field: 'checkUrls', args: { min: 1, max: imageLimits.makeup } });
  if (item['checkTime'] === null)
    throw new Refusal({ key: 'notChecked', args: { sn: String(item['receiveSn'] ?? '') } });
  const checkUrls = joinUrls([...splitUrls(item['checkUrls'] as string | null), ...urls]);
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ checkUrls, version: sql`version + 1`, updateBy: ctx.who.userId, updateTime: sql`now()` })
    .where('id', '=', Number(item['id']))
    .execute();
  await ledger(ctx, {
    what: 'supplementCheckPicture',
    module: 'rmaMaintainBillLineItem',
    recordId: String(item['id']),
    from: { checkUrls: item['checkUrls'] },
    to: { checkUrls },
  });
  return { id, checkUrls };
}
