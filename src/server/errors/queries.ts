import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import type { Context } from '#server/context.ts';
import { anywhere } from '#server/db/conditions.ts';
import type { listErrors, saveErrorLogger } from '#server/errors/contract.ts';
import { rowsOf, textsOf } from '#server/restList.ts';
import { takeAddressAttempt } from '#server/session/attempts.ts';
import { findCurrentUser } from '#server/session/sessions.ts';

/** More than this from one address within a minute is noise. */
const ERROR_LIMIT = { max: 30, minutes: 1 };

/**
 * Stores an error that a browser reports. The user is that of the session, without one that of the entry. Of the token
 * only a hash is stored, which tells sessions apart; secrets in the address are removed. Refuses more than 30 a minute
 * from one address. Rule: screens#errors.
 */
export async function saveError(input: InputOf<typeof saveErrorLogger>, ctx: Context): Promise<object> {
  const { db, request } = ctx;
  await takeAddressAttempt(db, 'errors', request.ip, ERROR_LIMIT);
  const token = request.token ?? input.token ?? '';
  const currentUser = await findCurrentUser(db, token, { background: true });
  await db
    .insertInto('error_log')
    .values({
      type: asLine(input.type),
      code: asLine(input.code ?? ''),
      message: input.message,
      url: withoutSecrets(asLine(input.url)),
      time: new Date(input.time),
      userId: currentUser?.userId ?? asLine(input.userId ?? ''),
      userName: currentUser?.userName ?? asLine(input.userName ?? ''),
      sessionMark: token && createHash('sha256').update(`mark ${token}`).digest('hex').slice(0, 8),
      userAgent: asLine(request.userAgent).slice(0, 300),
      requestId: request.id,
    })
    .execute();
  return {};
}

/** All captured errors, newest first. */
export async function readErrors(
  { range, filter }: InputOf<typeof listErrors>,
  { db }: Context,
): Promise<DataOf<typeof listErrors>> {
  const { offset, limit } = rowsOf(range, 50);
  const { text = '' } = textsOf(filter, ['text']);
  const sought = anywhere(text.trim());
  const found = db
    .selectFrom('error_log')
    .$if(text.trim() !== '', (query) =>
      query.where(sql<boolean>`concat_ws(' ', code, message, url, "userId", "userName", "requestId") ILIKE ${sought}`),
    );
  const [items, count] = await Promise.all([
    found.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute(),
    found.select((it) => it.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items, total: count.total };
}

/** No control characters: a line stays one line wherever it is shown. */
const asLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

const withoutSecrets = (url: string): string => url.replace(/([?&](?:token|ticket|password)=)[^&#]*/gi, '$1…');
