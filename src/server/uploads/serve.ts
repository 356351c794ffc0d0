import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { parseLanguage, type Language } from '#domain/words.ts';
import { addressOf } from '#server/address.ts';
import type { Config } from '#server/config.ts';
import { seesSite, type CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { recordDownload } from '#server/ledger.ts';
import { findCurrentUser } from '#server/session/sessions.ts';
import { isFileId, openFileStore, openKept } from '#server/uploads/fileStore.ts';

/**
 * `GET /file/{id}`: a file for whoever may see it, by its 128-bit id, its site and its right checked each time. Only
 * pictures that we encoded are shown; everything else is a download. Rule: uploads#serving.
 */
export function mountFile(app: FastifyInstance, { db, config }: { db: Kysely<Tables>; config: Config }): void {
  const fileStore = openFileStore(config);
  const why = 'Each file has a site, and a right or an owner, and all are asked at each reading';
  app.get<{ Params: { id: string }; Querystring: { lang?: unknown } }>(
    '/file/:id',
    { config: { right: 'signedIn', why } },
    async (request, reply) => {
      const currentUser = await authenticateReader(request, db);
      // A paper's address ends as its name does.
      const id = request.params.id.replace(/\.[a-z]{1,4}$/, '');
      const file = await readFile(db, id, parseLanguage(request.query.lang));
      if (!file || !isSeenBy(file, currentUser))
        throw new Refusal({ key: 'noSuchCall', args: { path: `/file/${id.slice(0, 40)}` } });
      const content = await openKept(fileStore, file);
      const how = file.kind === 'picture' ? 'inline' : 'attachment';
      // Pictures are part of the screens that show them.
      if (how === 'attachment')
        await recordDownload({ db, currentUser, request: { id: request.id, ip: addressOf(request) } }, file);
      return reply
        .type(file.mime)
        .headers({
          'content-length': file.size,
          'content-disposition': `${how}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
        })
        .send(content);
    },
  );
}

/** A file by its id; one that is there in both languages, in the reader's. */
async function readFile(db: Kysely<Tables>, id: string, lang: Language) {
  if (!isFileId(id)) return undefined;
  const files = db.selectFrom('file').selectAll();
  const file = await files.where('id', '=', id).executeTakeFirst();
  if (lang !== 'en' || !file?.englishId) return file;
  return files.where('id', '=', file.englishId).executeTakeFirst();
}

/** The owner of files whose account or row is gone: no account is called so. They wait to be taken from the disk. */
export const NOBODYS = '';

/** What has an owner is the owner's alone, as long as they may read it. */
const isSeenBy = (file: Selectable<Tables['file']>, currentUser: CurrentUser): boolean =>
  (file.owner === null || (file.owner !== NOBODYS && file.owner === currentUser.userId)) && mayRead(file, currentUser);

/** Every file belongs to a site, or to all of them together (`''`), and some need a right; both are asked as they stand now. */
export const mayRead = (
  { siteId, right }: Pick<Selectable<Tables['file']>, 'siteId' | 'right'>,
  currentUser: CurrentUser,
): boolean => seesSite(currentUser, siteId) && (right === '' || mayDo(currentUser.rights, right));

/**
 * The one place where a cookie counts: an `<img>` can't send a header. It only reads, and only for our own pages; a
 * browser that says that another site asks gets the answer of nobody. Rule: sessions#tokens.
 */
async function authenticateReader(request: FastifyRequest, db: Kysely<Tables>): Promise<CurrentUser> {
  const header = request.headers['token'];
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  const token = typeof header === 'string' && header !== '' ? header : isOwn ? cookieToken(request) : null;
  const currentUser = await findCurrentUser(db, token);
  if (!currentUser) throw new Refusal({ key: 'noSession' });
  if (currentUser.mustChangePassword) throw new Refusal({ key: 'changePasswordFirst' });
  return currentUser;
}

function cookieToken(request: FastifyRequest): string | null {
  const cookies = (request.headers.cookie ?? '').split(';').map((it) => it.trim());
  return cookies.find((it) => it.startsWith('token='))?.slice('token='.length) ?? null;
}
