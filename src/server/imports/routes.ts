import { contentHash } from '#server/uploads/contentHash.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { momentText } from '#domain/day.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { Flag } from '#domain/enums.ts';
import { fileIdOf } from '#domain/images.ts';
import { Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
import { LARGEST_WORKBOOK } from '#domain/uploads.ts';
import { success } from '#server/answer.ts';
import { isEmpty, parseValue } from '#server/engine/values.ts';
import { IMPORT_JOB, type ImportInput } from '#server/imports/job.ts';
import { importScripts, type Importers } from '#server/imports/importers.ts';
import { startJob, waitForJob } from '#server/jobs/start.ts';
import { inTransaction } from '#server/transaction.ts';
import { enterModule, keyOf, type Enter, type ModuleCall } from '#server/uploads/byModule.ts';
import { saveFiles } from '#server/uploads/saveFiles.ts';
import { readMultipart } from '#server/uploads/multipart.ts';

/** What an upload of rows was sent: the file kept under `url`, the fields beside it, and whether only to look. */
interface Sent {
  url: string;
  /** The same for the same workbook, so that a repeated request is known as one. */
  hash: string;
  given: Record<string, string>;
  dryRun: boolean;
}

/**
 * `upload.json` and `uploadSignForTime.json` of a module: multipart with the workbook imports it, with `dryRun=1` it is
 * only looked at; JSON with the `url` of a workbook that was looked at imports that one. The work is a job; what it
 * found is answered when it is done within 10 s, else the client follows the job. Rule: exports-and-jobs#imports.
 */
export function mountImports(app: FastifyInstance, enter: Enter, importerOf: Importers): void {
  for (const script of importScripts) {
    app.post(`/api/:module/${script}.json`, { config: { right: 'byModule' } }, async (request) => {
      const call = await enterModule(request, script, enter);
      const asks = importerOf(call).asks ?? {};
      const sent = request.isMultipart() ? await uploaded(call, asks, request) : await confirmed(call, asks, request);
      const jobId = await start(call, sent, keyOf(request));
      const { state, result, fileId } = await waitForJob(call.ctx, jobId);
      return success({ url: sent.url, jobId, state, ...result, report: fileId && `/file/${fileId}` });
    });
  }
}

async function uploaded(call: ModuleCall, asks: Asks, request: FastifyRequest): Promise<Sent> {
  const { ctx } = call;
  const asked = Object.keys(asks);
  const { files, fields } = await readMultipart(request, {
    maxFiles: 1,
    maxBytes: LARGEST_WORKBOOK,
    fields: [...asked, 'dryRun'],
  });
  const { dryRun, ...given } = fields;
  refuseIfAny(validateGiven(call, asks, given));
  const [url = ''] = await saveFiles(ctx, files, { kinds: ['workbook'], owner: ctx.currentUser.userId });
  return {
    url,
    hash: await contentHash((files[0] as (typeof files)[number]).bytes),
    given,
    dryRun: dryRun === Flag.Yes,
  };
}

/** A workbook is confirmed by who uploaded it, within a day. */
async function confirmed(call: ModuleCall, asks: Asks, request: FastifyRequest): Promise<Sent> {
  const { url, lang: _, ...given } = (request.body ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(given).find((it) => !Object.hasOwn(asks, it));
  if (unknown !== undefined) throw new Refusal({ key: 'unknownField', field: unknown, args: { field: unknown } });
  if (isEmpty(url)) throw new Refusal({ key: 'noFile', field: 'file' });
  const texts = Object.fromEntries(Object.entries(given).map(([name, it]) => [name, String(it)]));
  refuseIfAny(validateGiven(call, asks, texts));
  const id = fileIdOf(String(url));
  const { db, currentUser } = call.ctx;
  const { rows } = await sql`
    SELECT 1 FROM file WHERE id = ${id} AND owner = ${currentUser.userId} AND kind = 'workbook'
       AND "createdAt" > now() - interval '1 day'`.execute(db);
  if (rows.length === 0) {
    const what = { zh: '已上传的文件', en: 'The uploaded file' };
    throw new Refusal({ key: 'notFound', field: 'url', args: { what, value: String(url).slice(0, 60) } });
  }
  return { url: String(url), hash: id, given: texts, dryRun: false };
}

/** The fields that must come beside the file. */
type Asks = Readonly<Record<string, Field>>;

function validateGiven(call: ModuleCall, asks: Asks, given: Record<string, string>): Problem[] {
  return Object.entries(asks).flatMap(([name, field]): Problem[] => {
    if (isEmpty(given[name])) {
      return field.required ? [{ key: 'required', field: name, args: { fields: [field.label] } }] : [];
    }
    const options = field.options && call.ctx.model.options[field.options];
    if (options && !options.some((it) => it.value === given[name])) {
      return [{ key: 'format', field: name, args: { field: field.label } }];
    }
    const parsed = parseValue(field, name, given[name], call.ctx.config.timeZone);
    return 'problem' in parsed ? [parsed.problem] : [];
  });
}

/**
 * Starts the job under the request's idempotency key. A workbook that was imported for the same is not imported once more under
 * another one: nobody knows whether what it brought still stands. Rule: exports-and-jobs#imports.
 */
function start({ ctx, definition, button }: ModuleCall, { url, hash, given, dryRun }: Sent, key: string | undefined) {
  const { module } = definition;
  const input: ImportInput = { module, script: button.script, fileId: fileIdOf(url), given, dryRun };
  const repeatable = {
    userId: ctx.currentUser.userId,
    route: `/api/${module}/${button.script}.json`,
    key,
    input: { given, dryRun, hash },
  };
  return inTransaction(ctx.db, repeatable, async (db) => {
    const { rows } = await sql<{ at: number }>`
      SELECT "finishedAt" AS at FROM job WHERE kind = ${IMPORT_JOB} AND "userId" = ${ctx.currentUser.userId}
         AND state = 'done' AND input = ${JSON.stringify(input)}::jsonb AND NOT ${dryRun}::boolean
         AND (result ->> 'imported')::int > 0 ORDER BY id DESC LIMIT 1`.execute(db);
    if (rows[0]) {
      const args = { at: momentText(rows[0].at, ctx.config.timeZone) };
      throw new Refusal({ key: 'importedBefore', field: 'file', args });
    }
    const title = `${definition.label[ctx.lang]} ${button.label[ctx.lang]}`;
    const right = `${module}:${button.btnNo}` as const;
    return startJob({ ...ctx, db, cache: undefined }, { kind: IMPORT_JOB, title, module, right, input });
  });
}
