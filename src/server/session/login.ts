import { sql } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import type { InputOf } from '#domain/call.ts';
import { UserStatus } from '#domain/enums.ts';
import type { Sso } from '#server/config.ts';
import type { Context, CurrentUser } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import {
  ADDRESS_LIMIT,
  bucketOf,
  CAPTCHA_LIMIT,
  giveBack,
  rememberAddress,
  takeAccountAttempt,
  takeAddressAttempt,
  takeUnknownAddressAttempt,
} from '#server/session/attempts.ts';
import { newCaptcha, usesCaptcha } from '#server/session/captcha.ts';
import type { login as loginCall } from '#server/session/contract.ts';
import { DEMO_PASSWORD, demoUserIds } from '#server/session/demoUsers.ts';
import { writingFailure } from '#server/session/failures.ts';
import { fitsPassword } from '#server/session/passwords.ts';
import { openSession, findCurrentUser } from '#server/session/sessions.ts';

interface Opened {
  token: string;
  days: number;
}

/** The login page's first question: its picture, and whom the demonstration may be tried as. */
export async function giveCaptcha(ctx: Context) {
  const { sso } = ctx.config;
  const around = {
    ...(sso && { ssoLoginUrl: withService(sso) }),
    ...(ctx.demo ? { demo: true, demoUsers: await demoUsers(ctx), demoPassword: DEMO_PASSWORD } : { demo: false }),
  };
  if (!ctx.config.captcha) return { captcha: '', uuid: '', off: true as const, ...around };
  await takeAddressAttempt(ctx.db, 'captcha', ctx.request.ip, CAPTCHA_LIMIT);
  return { ...(await newCaptcha(ctx.db)), ...around };
}

/**
 * Opens a session for a user id, password and captcha; an attempt that fails is written down.
 * @throws Refusal captcha, tooMany, locked or credentials.
 */
export const login = (input: InputOf<typeof loginCall>, ctx: Context): Promise<Opened> =>
  writingFailure(ctx, input.userId, () => opened(input, ctx));

/**
 * The captcha is used up first; then the attempt is counted: for the address, for the account seen from that address
 * (so that nobody is locked out from elsewhere), and for the account over all addresses that it does not know (which
 * slows who guesses from many); only then is the password looked at. Unknown, switched off and wrong answer alike,
 * after the same time. Rule: sessions#sign-in.
 */
async function opened(input: InputOf<typeof loginCall>, ctx: Context): Promise<Opened> {
  const { db, config, request } = ctx;
  if (config.captcha && !(await usesCaptcha(db, input.uuid ?? '', input.captcha ?? ''))) {
    throw new Refusal({ key: 'captcha', field: 'captcha' });
  }
  const userId = input.userId.trim();
  const account = bucketOf(`login ${userId.toLowerCase()}`, request.ip);
  await takeAddressAttempt(db, 'login', request.ip, ADDRESS_LIMIT);
  await takeAccountAttempt(db, account, config.timeZone);
  const slot = await takeUnknownAddressAttempt(db, userId, request.ip);

  const user = await db
    .selectFrom('admin_user')
    .select(['userId', 'password'])
    .where('userId', '=', userId)
    .where('status', '=', UserStatus.On)
    .executeTakeFirst();
  const fits = await fitsPassword(user?.password, input.password);
  if (!user || !fits) throw new Refusal({ key: 'credentials', field: 'password' });

  await giveBack(db, { account, address: bucketOf('login', request.ip), ...slot });
  return db.transaction().execute(async (trx) => {
    const token = await openSession(trx, {
      userId,
      began: 'password',
      ip: request.ip,
      days: config.sessionDays,
      maxDays: config.sessionMaxDays,
    });
    await rememberAddress(trx, userId, request.ip);
    const currentUser = (await findCurrentUser(trx, token)) as CurrentUser;
    await recordInLedger({ ...ctx, db: trx, currentUser }, { what: 'login', module: 'session', recordId: userId });
    return { token, days: config.sessionDays };
  });
}

/** Where the single sign-on begins; it leads back to this installation's login page with a ticket. */
function withService({ loginUrl, serviceUrl }: Sso): string {
  const url = new URL(loginUrl);
  url.searchParams.set('service', serviceUrl);
  return url.href;
}

const demoUsers = (ctx: Context): Promise<{ userId: string; userName: string }[]> =>
  ctx.db
    .selectFrom('admin_user')
    .select(['userId', sql<string>`coalesce("userName", "userId")`.as('userName')])
    .where('userId', 'in', [...demoUserIds])
    .where('status', '=', UserStatus.On)
    .orderBy('id')
    .execute();
