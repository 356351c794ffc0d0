import { fileIdOf as idOf, splitUrls } from '#domain/images.ts';
import { Refusal, type Arg } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';

interface Pictures {
  urls: string[];
  /** How many of them show something; a machine log does not. Rule: wire#pictures. */
  shown: number;
}

/** The pictures of a submit: no more than the limit, and each one uploaded here before. */
export async function findPictures(
  ctx: Context,
  sent: string | readonly string[] | null | undefined,
  input: { field: string; max: number },
): Promise<Pictures> {
  const urls = [...new Set(splitUrls(sent))];
  if (urls.length === 0) return { urls, shown: 0 };
  if (urls.length > input.max) {
    throw new Refusal({ key: 'images', field: input.field, args: { min: 0, max: input.max } });
  }
  const kinds = await readKinds(ctx, urls);
  const stray = urls.find((url) => !kinds.has(idOf(url)));
  if (stray !== undefined) {
    throw new Refusal({ key: 'notFound', field: input.field, args: { what: picture, value: stray } });
  }
  return { urls, shown: urls.filter((url) => kinds.get(idOf(url))?.startsWith('image/')).length };
}

const picture: Arg = { zh: '图片', en: 'Picture' };

async function readKinds({ db, currentUser }: Context, urls: readonly string[]): Promise<Map<string, string>> {
  const ids = urls.map(idOf).filter((it) => it !== '');
  if (ids.length === 0) return new Map();
  const query = db
    .selectFrom('file')
    .select(['id', 'mime'])
    .where('id', '=', anyOf(ids))
    .where('owner', 'is', null)
    .where(inSites('siteId', currentUser));
  return new Map((await query.execute()).map((it) => [it.id, it.mime]));
}
