import { createHash } from 'node:crypto';
import type { InputOf } from '#domain/call.ts';
import { UserStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context, CurrentUser } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { ADDRESS_LIMIT, bucketOf, giveBack, rememberAddress, takeAddressAttempt } from '#server/session/attempts.ts';
import { validateTicket } from '#server/session/cas.ts';
import type { casLogin as casLoginCall } from '#server/session/contract.ts';
import { writingFailure } from '#server/session/failures.ts';
import { openSession, findCurrentUser } from '#server/session/sessions.ts';

/**
 * Opens a session for a ticket of the single sign-on. Refuses a `loginUrl` that is not the configured service (it is
 * compared, never fetched), a ticket that was tried before, one that the CAS server does not accept, and a user who is
 * unknown here or switched off. Rule: sessions#single-sign-on.
 */
export const casLogin = (input: InputOf<typeof casLoginCall>, ctx: Context): Promise<{ token: string; days: number }> =>
  writingFailure(ctx, '', () => opened(input, ctx));

async function opened(input: InputOf<typeof casLoginCall>, ctx: Context): Promise<{ token: string; days: number }> {
  const { db, config, request } = ctx;
  const { sso } = config;
  if (!sso) throw new Refusal({ key: 'ssoOff' });
  if (input.loginUrl !== sso.serviceUrl) throw new Refusal({ key: 'ssoService', field: 'loginUrl' });
  await takeAddressAttempt(db, 'cas', request.ip, ADDRESS_LIMIT);
  if (!(await isFresh(ctx, input.ticket))) throw new Refusal({ key: 'ssoTicket', field: 'ticket' });

  const answer = await validateTicket(sso, input.ticket);
  if ('unreachable' in answer) throw new Refusal({ key: 'ssoUnreachable', args: { why: answer.unreachable } });
  if ('refused' in answer) throw new Refusal({ key: 'ssoTicket', field: 'ticket' });

  const user = await db
    .selectFrom('admin_user')
    .select('userId')
    .where('userId', '=', answer.user)
    .where('status', '=', UserStatus.On)
    .executeTakeFirst();
  const userId = user?.userId;
  if (!userId) throw new Refusal({ key: 'ssoUser', args: { userId: answer.user } });

  await giveBack(db, { address: bucketOf('cas', request.ip) });
  return db.transaction().execute(async (trx) => {
    const opening = {
      userId,
      began: 'ticket',
      ip: request.ip,
      days: config.sessionDays,
      maxDays: config.sessionMaxDays,
    } as const;
    const token = await openSession(trx, opening);
    await rememberAddress(trx, userId, request.ip);
    const currentUser = (await findCurrentUser(trx, token)) as CurrentUser;
    const to = { began: opening.began };
    await recordInLedger({ ...ctx, db: trx, currentUser }, { what: 'login', module: 'session', recordId: userId, to });
    return { token, days: config.sessionDays };
  });
}

/** A ticket is tried once, by whichever server gets it first; the CAS server would say the same of the second time. */
async function isFresh({ db }: Context, ticket: string): Promise<boolean> {
  const ticketHash = createHash('sha256').update(ticket).digest();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sso_ticket')
    .values({ ticketHash })
    .onConflict((it) => it.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
