import { sql, type Kysely } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import { documentKinds, endingOf, endingsOfAll, type FileKind } from '#domain/uploads.ts';
import { createLoopTurns } from '#server/bodies.ts';
import type { Config } from '#server/config.ts';
import type { CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { readContent } from '#server/uploads/content.ts';
import { fileNameOf } from '#server/uploads/fileName.ts';
import { openFileStore, newFileId } from '#server/uploads/fileStore.ts';
import type { Sent } from '#server/uploads/multipart.ts';

/** To look through a large file takes a while: of many that come at once, what else is asked is answered in between. */
const takeTurn = createLoopTurns();

/** Where files are kept and who may see them there. */
interface FileAccess {
  kinds: readonly FileKind[];
  right?: string;
  siteId?: string;
  owner?: string | null;
}

interface UploadContext {
  db: Kysely<Tables>;
  config: Config;
  currentUser: CurrentUser;
}

/**
 * Keeps uploaded files: judged by content, named after it, counted against the user's daily quota; all of them or none.
 * Answers their addresses in the order in which they came. A file belongs to the site of who sent it and is seen under
 * `right` (none: by everybody of the site), or by its `owner` alone.
 */
export async function saveFiles(
  { db, config, currentUser }: UploadContext,
  sent: readonly Sent[],
  { kinds, right = '', siteId = currentUser.siteId, owner = null }: FileAccess,
): Promise<string[]> {
  const contents = await Promise.all(
    sent.map(async ({ name, bytes }) => {
      await takeTurn(bytes);
      return readContent(bytes, kindsFor(name, kinds));
    }),
  );
  const fileStore = openFileStore(config);
  const files = contents.map((content, i) => ({
    content,
    id: newFileId(),
    name: fileNameOf(sent[i]?.name ?? '', content.endings),
  }));
  await refuseOverQuota(
    { db, config, currentUser },
    files.reduce((sum, it) => sum + it.content.bytes.length, 0),
  );
  try {
    for (const it of files) await fileStore.put(it.id, it.content.bytes);
    const rows = files.map(({ id, name, content }) => ({
      id,
      name,
      right,
      owner,
      siteId,
      kind: content.kind,
      mime: content.mime,
      size: content.bytes.length,
      createBy: currentUser.userId,
    }));
    await db.insertInto('file').values(rows).execute();
  } catch (error) {
    await Promise.all(files.map((it) => fileStore.remove(it.id)));
    throw error;
  }
  return files.map(({ id, content }) => `/file/${id}${content.kind === 'picture' ? '' : `.${content.endings[0]}`}`);
}

/** Text can be anything: what calls itself a picture, a paper or a workbook is never taken for one. */
const kindsFor = (name: string, kinds: readonly FileKind[]): readonly FileKind[] =>
  kinds.filter(
    (it) => it !== 'text' || endingsOfAll(['picture', ...documentKinds]).every((end) => end !== endingOf(name)),
  );

/** So much may one user upload in 24 hours: far more than a shift's photos, far less than a disk. */
async function refuseOverQuota({ db, config, currentUser }: UploadContext, coming: number): Promise<void> {
  const max = config.uploadQuotaMb * 1024 * 1024;
  const { rows } = await sql<{ used: number }>`
    SELECT coalesce(sum(size), 0)::bigint AS used FROM file
     WHERE "createBy" = ${currentUser.userId} AND "createdAt" > now() - interval '24 hours'`.execute(db);
  if ((rows[0]?.used ?? 0) + coming > max)
    throw new Refusal({ key: 'uploadQuota', args: { max: config.uploadQuotaMb } });
}
