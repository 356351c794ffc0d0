import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { publishOf } from '#server/definitions/follow.ts';
import { changedOptions } from '#server/definitions/read.ts';
import { nameIn } from '#server/engine/describe.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route, type Route } from '#server/route.ts';
import { casLogin } from '#server/session/casLogin.ts';
import { changePassword } from '#server/session/changePassword.ts';
import * as calls from '#server/session/contract.ts';
import { giveCaptcha, login } from '#server/session/login.ts';
import { accessOf, buttonsFor, findDefinition, mayUse, menuFor } from '#server/session/menu.ts';
import { closeSession, secondsLeft } from '#server/session/sessions.ts';

/** Who somebody is and what is offered to them. Rule: rights#menu. */
export const sessionRoutes: readonly Route[] = [
  route(calls.captcha, (_, ctx) => giveCaptcha(ctx)),
  route(calls.login, login),
  route(calls.casLogin, casLogin),
  route(calls.logout, (_, ctx) => logout(ctx)),
  route(calls.endSession, (_, ctx) => logout(ctx)),
  route(calls.sessionLeft, async (_, { currentUser }) => ({ left: secondsLeft(currentUser) })),
  route(calls.prolongSession, async (_, { currentUser }) => ({ left: secondsLeft(currentUser) })),
  route(calls.userInfo, (_, ctx) => userInfo(ctx), { previews: true }),
  route(
    calls.queryTree,
    async (_, { model, currentUser, lang }) => ({ items: menuFor(model, currentUser.rights, lang) }),
    { previews: true },
  ),
  route(
    calls.queryByMenuNo,
    async ({ menuNo }, { model, currentUser, lang }) => {
      const definition = findDefinition(model, menuNo);
      if (!definition) throw new Refusal({ key: 'noSuchCall', field: 'menuNo', args: { path: menuNo } });
      if (!mayDo(currentUser.rights, `${definition.module}:list`)) throw new Refusal({ key: 'noRight' });
      return { items: buttonsFor(definition, currentUser.rights, lang) };
    },
    { previews: true },
  ),
  route(calls.updateByPassword, changePassword),
];

/** What is open to whoever must change the password first: to learn so, to change it, to leave. */
export const openBeforePasswordChange: ReadonlySet<string> = new Set(
  [
    calls.userInfo,
    calls.queryTree,
    calls.updateByPassword,
    calls.sessionLeft,
    calls.prolongSession,
    calls.logout,
    calls.endSession,
  ].map((it) => it.path),
);

async function logout(ctx: Context): Promise<object> {
  if (ctx.request.token) await closeSession(ctx.db, ctx.request.token);
  await recordInLedger(ctx, { what: 'logout', module: 'session', recordId: ctx.currentUser.userId });
  return {};
}

async function userInfo({ db, currentUser, lang, model, config }: Context) {
  const found = await db
    .selectFrom('admin_user as u')
    .leftJoin('ubs_site as s', 's.siteId', 'u.siteId')
    .select(nameIn(lang, 's.siteName').as('siteName'))
    .where('u.userId', '=', currentUser.userId)
    .executeTakeFirst();
  const began = currentUser.session?.began ?? 'password';
  return {
    userId: currentUser.userId,
    userName: currentUser.userName,
    orgId: currentUser.orgId,
    siteId: currentUser.siteId,
    siteName: found?.siteName ?? currentUser.siteId,
    access: accessOf(model, currentUser.rights),
    roleIds: currentUser.roleIds,
    timeZone: config.timeZone,
    began,
    left: secondsLeft(currentUser),
    logoutUrl: config.logoutUrl,
    errorLogIcon: config.errorLogIcon,
    labelPrinters: config.labelPrinters.map((it) => it.name),
    options: changedOptions(model, (it) => mayUse(it, currentUser.rights)),
    lastPublish: publishOf(model),
    ...(currentUser.mustChangePassword && { mustChangePassword: true as const }),
  };
}
