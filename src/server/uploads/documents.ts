import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { joinUrls, splitUrls } from '#domain/images.ts';
import { Refusal } from '#domain/refusal.ts';
import { LARGEST_FILE, MAX_PAPERS, documentKinds } from '#domain/uploads.ts';
import { success } from '#server/answer.ts';
import { refuseUnallowed, refuseUnwritten } from '#server/engine/allowed.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { refuseHidden } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import { touchSql } from '#server/touch.ts';
import { inTransaction } from '#server/transaction.ts';
import { enterModule, keyOf, type Enter, type ModuleCall } from '#server/uploads/byModule.ts';
import { contentHash } from '#server/uploads/contentHash.ts';
import { saveFiles } from '#server/uploads/saveFiles.ts';
import { readMultipart, type Sent } from '#server/uploads/multipart.ts';

/** The calls that add one paper to one row, by the scripts of their buttons. */
export const documentScripts = ['uploadOne', 'uploadDocument'] as const;

/**
 * `uploadOne.json?id` and `uploadDocument.json` (multipart file and id): one paper for one row, added to the field that
 * the button names; it then belongs to the row's site and is seen by whoever sees the list. Rule: uploads#papers.
 */
export function mountDocuments(app: FastifyInstance, enter: Enter): void {
  for (const script of documentScripts) {
    app.post(`/api/:module/${script}.json`, { config: { right: 'byModule' } }, async (request) => {
      const call = await enterModule(request, script, enter);
      const { files, fields } = await readMultipart(request, { maxFiles: 1, maxBytes: LARGEST_FILE, fields: ['id'] });
      const id = (request.query as { id?: string }).id ?? fields['id'];
      return success(await addDocument(call, id, files[0] as Sent, request));
    });
  }
}

async function addDocument({ ctx, definition, button }: ModuleCall, id: unknown, sent: Sent, request: FastifyRequest) {
  const field = button.field;
  refuseUnwritten(definition, button);
  if (field === undefined) throw new Error(`${definition.module}: button ${button.btnNo} names no field`);
  const repeatable = {
    userId: ctx.currentUser.userId,
    route: `/api/${definition.module}/${button.script}.json`,
    key: keyOf(request),
    input: { id, hash: await contentHash(sent.bytes) },
  };
  return inTransaction(ctx.db, repeatable, async (db) => {
    const inside = { ...ctx, db, cache: undefined };
    const row = await readRow(definition, id, readableNames(definition), inside, true);
    refuseUnallowed(definition, button, row, inside);
    await refuseHidden(definition, field, row['id'], inside);
    const before = splitUrls(row[field] as string | null);
    if (before.length >= MAX_PAPERS) {
      throw new Refusal({ key: 'images', field: 'file', args: { min: 0, max: MAX_PAPERS } });
    }
    const siteId = typeof row['siteId'] === 'string' && row['siteId'] !== '' ? row['siteId'] : ctx.currentUser.siteId;
    const [url = ''] = await saveFiles(inside, [sent], {
      kinds: documentKinds,
      right: `${definition.module}:list`,
      siteId,
    });
    await sql`UPDATE ${sql.table(definition.table)}
                 SET ${sql.ref(field)} = ${joinUrls([...before, url])}, ${touchSql(ctx.currentUser)}
               WHERE id = ${row['id']}`.execute(db);
    await recordInLedger(inside, {
      what: button.script,
      module: definition.module,
      recordId: String(row['id']),
      to: { [field]: url },
    });
    return { url };
  });
}
