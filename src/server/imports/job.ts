import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { pressedButton } from '#domain/definition/pressed.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { checkSheet, type Checked } from '#server/imports/checking.ts';
import type { Heads } from '#server/imports/heads.ts';
import type { ImportCall } from '#server/imports/importer.ts';
import type { Importers } from '#server/imports/importers.ts';
import { writeReport } from '#server/imports/report.ts';
import { jobHandler, type JobHandler, type JobResult, type RunningJob } from '#server/jobs/job.ts';
import { codeOf } from '#server/transaction.ts';
import { openFileStore, openKept } from '#server/uploads/fileStore.ts';

export const IMPORT_JOB = 'import';

export interface ImportInput {
  module: string;
  script: string;
  fileId: string;
  given: Record<string, string>;
  /** Only looks. */
  dryRun: boolean;
}

const SHOWN = 50;
/** Unique, and foreign key. */
const OVERTAKEN = new Set(['23505', '23503']);

/**
 * Imports a workbook, or only looks at it: every row is judged first, and they are written all together or not at all,
 * in the transaction that also says that the job is done. Bad rows are handed back in a workbook of their own.
 */
export const importJobOf = (importerOf: Importers): JobHandler =>
  jobHandler<ImportInput>(async (input, job) => {
    const look = input.dryRun ? undefined : await findLook(input, job.ctx);
    const call = { ...callOf(input, job.ctx), lookedAt: look?.at };
    const importer = importerOf(call);
    const bytes = await buffer(await openKept(openFileStore(job.ctx.config), { id: input.fileId, name: job.title }));
    const check = (ctx: Context) => checkSheet(bytes, importer, call, ctx, (rows) => job.progress(rows));
    const checked = input.dryRun ? await check(job.ctx) : await written(job, check, look);
    if (!checked) return {};
    if (checked.bad.length > 0) {
      const file = await job.openFile(`${job.title}.xlsx`);
      await writeReport(bytes, checked, file.stream, job.ctx);
    }
    return job.finish(async () => resultOf(checked, 0));
  });

/**
 * Judges everything, then writes it and finishes the job; or gives what was found when some row is bad. The last
 * transaction only writes, so that it is short: a row that came or went meanwhile breaks an index or a foreign key, one that
 * was changed is found by its value, and the next judgement names it. Nothing is replaced but what the preview has told.
 */
async function written(
  job: RunningJob,
  check: (ctx: Context) => Promise<Checked>,
  look: Look | undefined,
): Promise<Checked | null> {
  for (let attempt = 1; ; attempt++) {
    const checked = await check(job.ctx);
    if (look) refuseReadElse(look, checked.heads);
    if (checked.bad.length > 0) return checked;
    if (look && look.mark !== (checked.replaces?.mark ?? null)) throw replacesElse(checked);
    if (look && look.seen !== (checked.work.seen?.() ?? null)) throw new Refusal({ key: 'stale' });
    try {
      await job.finish(async (ctx) => {
        await checked.work.write(ctx);
        return resultOf(checked, checked.rows);
      });
      return null;
    } catch (error) {
      if (!isOvertaken(error) || attempt === 3) throw error;
    }
  }
}

const isOvertaken = (error: unknown): boolean =>
  OVERTAKEN.has(codeOf(error) ?? '') || (error instanceof Refusal && error.problems[0].key === 'stale');

const replacesElse = ({ replaces }: Checked): Refusal =>
  new Refusal({
    key: 'replacesElse',
    args: { told: replaces?.msg ?? { zh: '现在没有可替换的单据', en: 'There is nothing to replace by now' } },
  });

/** The field of each column, null where it is not read. */
const readIn = ({ columns }: Heads): (string | null)[] => columns.map((it) => it?.name ?? null);

/** @throws Refusal readElse where a publish has made other columns of the same heads. Rule: exports-and-jobs#imports. */
function refuseReadElse({ read }: Look, heads: Heads): void {
  const now = readIn(heads);
  const columns = heads.texts.filter((_, i) => (read?.[i] ?? null) !== (now[i] ?? null));
  if (columns.length > 0) throw new Refusal({ key: 'readElse', field: 'file', args: { columns: columns.join(', ') } });
}

const resultOf = ({ rows, bad, notes, heads, sample, replaces, work }: Checked, imported: number): JobResult => ({
  rows,
  imported,
  bad: bad.length,
  problems: bad.slice(0, SHOWN),
  notes: notes.slice(0, SHOWN),
  noted: notes.length,
  heads: heads.texts,
  ignored: heads.ignored,
  read: readIn(heads),
  sample,
  replaces,
  seen: work.seen?.(),
});

/**
 * When the user looked at the workbook that is imported now, how its columns were read, and the marks of what it was told to replace
 * and to change.
 */
interface Look {
  at: number;
  mark: string | null;
  seen: string | null;
  read: (string | null)[] | null;
}

/** The last look at the workbook, whatever stood beside it: what has changed since was not seen. */
async function findLook({ given: _, ...input }: ImportInput, { db, currentUser }: Context): Promise<Look | undefined> {
  const { rows } = await sql<Look>`
    SELECT "createdAt" AS at, result #>> '{replaces,mark}' AS mark, result ->> 'seen' AS seen,
           result -> 'read' AS read
      FROM job WHERE kind = ${IMPORT_JOB} AND "userId" = ${currentUser.userId} AND state = 'done'
       AND input @> ${JSON.stringify({ ...input, dryRun: true })}::jsonb ORDER BY id DESC LIMIT 1`.execute(db);
  return rows[0];
}

function callOf({ module, script, given }: ImportInput, ctx: Context): ImportCall {
  const definition = ctx.model.definitions.get(module);
  const button = definition && pressedButton(definition, [script], ctx.currentUser.rights);
  if (!definition || !button) throw new Refusal({ key: 'noSuchCall', args: { path: `/api/${module}/${script}.json` } });
  return { definition, button, given };
}
