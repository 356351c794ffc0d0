import { sql } from 'kysely';
import { fileIdOf as idOf, splitUrls } from '#domain/images.ts';
import { Refusal, type Arg } from '#domain/refusal.ts';
import { pictureKinds } from '#domain/uploads.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';

interface Pictures {
  urls: string[];
  /** How many of them show something; a machine log does not. Rule: wire#pictures. */
  shown: number;
}

/**
 * The pictures of a submit: no more than the limit, each one a picture or a machine log that its sender uploaded here before and that
 * belongs to no row yet. Whoever writes them takes them. Rule: uploads#one-row.
 */
export async function findPictures(
  ctx: Context,
  sent: string | readonly string[] | null | undefined,
  input: { field: string; max: number },
): Promise<Pictures> {
  const { field } = input;
  const urls = [...new Set(splitUrls(sent))];
  if (urls.length === 0) return { urls, shown: 0 };
  if (urls.length > input.max) throw new Refusal({ key: 'images', field, args: { min: 0, max: input.max } });
  const files = await readFiles(ctx, urls);
  for (const url of urls) {
    const file = files.get(idOf(url));
    if (!file) throw new Refusal({ key: 'notFound', field, args: { what: picture, value: url } });
    if (file.inUse || file.right !== '') throw fileInUse(url, field);
    if (!pictureKinds.some((it) => it === file.kind)) throw new Refusal({ key: 'imageFormat', field });
  }
  return { urls, shown: urls.filter((url) => files.get(idOf(url))?.mime.startsWith('image/')).length };
}

/**
 * These pictures, which were found, belong to the row that is written. Rule: uploads#one-row.
 * @throws Refusal fileInUse where another one was faster.
 */
export async function takePictures({ db }: Context, urls: readonly string[], field: string): Promise<void> {
  const ids = [...new Set(urls.map(idOf))].sort();
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    UPDATE file SET "inUse" = true WHERE id = ANY(${ids}) AND NOT "inUse" RETURNING id`.execute(db);
  const taken = new Set(rows.map((it) => it.id));
  const stray = urls.find((it) => !taken.has(idOf(it)));
  if (stray !== undefined) throw fileInUse(stray, field);
}

/** A file of another row. Rule: uploads#one-row. */
export const fileInUse = (url: string, field: string) =>
  new Refusal({ key: 'fileInUse', field, args: { value: url.slice(0, 60) } });

const picture: Arg = { zh: '图片', en: 'Picture' };

async function readFiles({ db, currentUser }: Context, urls: readonly string[]) {
  const ids = urls.map(idOf).filter((it) => it !== '');
  if (ids.length === 0) return new Map<string, never>();
  const query = db
    .selectFrom('file')
    .select(['id', 'mime', 'kind', 'inUse', 'right'])
    .where('id', '=', anyOf(ids))
    .where('owner', 'is', null)
    .where('createBy', '=', currentUser.userId)
    .where(inSites('siteId', currentUser));
  return new Map((await query.execute()).map((it) => [it.id, it]));
}
