import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { asStale, refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, type Route } from '#server/route.ts';
import { touchSql } from '#server/touch.ts';
import { uploadCertificate, uploadInvoice } from './contract.ts';
import { certificates, invoices, type DocumentStep } from './rules.ts';
import { claimDocuments } from './queries.ts';

/** Papers that finance asks for: they are uploaded first (RmaAppendix), then handed in with their bill. */
export const uploadRoutes: Route[] = [
  route(uploadInvoice, ({ invoiceUrls, ...bill }, ctx) => handIn(ctx, invoices, bill, invoiceUrls)),
  route(uploadCertificate, ({ certificateUrls, ...bill }, ctx) => handIn(ctx, certificates, bill, certificateUrls)),
];

async function handIn(
  ctx: Context,
  step: DocumentStep,
  { id, version }: { id: string; version: number },
  sent: string | readonly string[] | null | undefined,
) {
  const definition = requireDefinition(ctx.model, step.module);
  const before = await readRow(definition, id, readableNames(definition), ctx, true);
  if (!step.from.includes(String(before['billStatus']))) throw wrongState(definition, before, step.from);
  refuseUnseen(definition, before, version);
  const urls = await claimDocuments(ctx, sent, {
    module: step.module,
    siteId: String(before['siteId']),
    field: step.field,
    before: before[step.field] as string | null,
  });
  const { rows } = await sql<{ id: number }>`
    UPDATE ${sql.table(definition.table)}
       SET ${sql.ref(step.field)} = ${urls}, "billStatus" = ${step.to}, ${sql.ref(step.by)} = ${ctx.currentUser.userId},
           ${sql.ref(step.at)} = now(), ${touchSql(ctx.currentUser)}
     WHERE id = ${before['id']} AND "billStatus" = ${before['billStatus']} RETURNING id`.execute(ctx.db);
  if (!rows[0]) throw asStale(definition, before);
  await recordInLedger(ctx, {
    what: step.field === 'invoiceUrls' ? 'uploadInvoice' : 'uploadCertificate',
    module: step.module,
    recordId: String(before['id']),
    from: { billStatus: before['billStatus'], [step.field]: before[step.field] },
    to: { billStatus: step.to, [step.field]: urls },
  });
  return { id: rows[0].id, billStatus: step.to };
}
