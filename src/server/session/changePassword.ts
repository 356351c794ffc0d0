import type { InputOf } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { giveBack, takeAccountAttempt } from '#server/session/attempts.ts';
import type { updateByPassword } from '#server/session/contract.ts';
import { namesAround } from '#server/session/accounts.ts';
import { fitsPassword, hashNewPassword } from '#server/session/passwords.ts';
import { closeAllSessions } from '#server/session/sessions.ts';
import { touch } from '#server/touch.ts';

/**
 * Changes the own password; whose, the session says and not the input. Refuses a wrong old one (five times, then for a
 * while), one that breaks the rule, one that everybody knows or that says whose it is, and the same again. Every
 * session of the user is dead at once, this one too. Rule: sessions#passwords.
 */
export async function changePassword(input: InputOf<typeof updateByPassword>, ctx: Context): Promise<object> {
  const { db, config, currentUser } = ctx;
  const bucket = `password ${currentUser.userId}`;
  await takeAccountAttempt(db, bucket, config.timeZone);
  const user = await db
    .selectFrom('admin_user')
    .select(['id', 'password', 'version', 'userId', 'userName', 'siteId'])
    .where('userId', '=', currentUser.userId)
    .executeTakeFirstOrThrow();
  if (!(await fitsPassword(user.password, input.password))) {
    throw new Refusal({ key: 'credentials', field: 'password' });
  }
  await giveBack(db, { account: bucket });
  if (input.newpassword === input.password) throw new Refusal({ key: 'passwordSame', field: 'newpassword' });
  const names = ctx.demo ? [] : await namesAround(user, ctx);
  const password = await hashNewPassword(input.newpassword, 'newpassword', config.passwordMin, names);

  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('admin_user')
      .set({ password, ...touch(currentUser) })
      .where('id', '=', user.id)
      .where('version', '=', user.version)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new Refusal({ key: 'stale' });
    await closeAllSessions(trx, currentUser.userId);
    await recordInLedger(
      { ...ctx, db: trx },
      { what: 'updateByPassword', module: 'adminUser', recordId: currentUser.userId },
    );
  });
  return {};
}
