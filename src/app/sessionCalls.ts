import { isRefusal, sendTo } from '#app/send.ts';
import {
  currentLanguage,
  currentToken,
  endOnPurpose,
  expireSession,
  type MenuEntry,
  saveMenu,
  saveUser,
  type UserState,
} from '#app/session.ts';

export interface Captcha {
  /** A picture as data URL. */
  captcha: string;
  uuid: string;
  /** This installation asks for no captcha. */
  off: boolean;
  /** Whom a visitor of the demonstration may sign in as, and with what; empty on every other installation. */
  demoUsers: readonly { userId: string; userName: string }[];
  demoPassword: string;
  /** Where internal users sign in; empty where single sign-on is not used. */
  ssoLoginUrl: string;
}

export interface Credentials {
  userId: string;
  password: string;
  captcha: string;
  uuid: string;
}

/** No token goes with it: it is asked before there is one. */
export async function fetchCaptcha(signal?: AbortSignal): Promise<Captcha> {
  type Answer = Partial<Captcha> & { image?: string };
  const path = '/api/captcha.json';
  const it = await sendTo<Answer>({ method: 'GET', path, writes: false }, {}, { anonymous: true, signal });
  return {
    captcha: pictureOf(it.captcha ?? it.image ?? ''),
    uuid: it.uuid ?? '',
    off: it.off === true,
    demoUsers: it.demoUsers ?? [],
    demoPassword: it.demoPassword ?? '',
    ssoLoginUrl: it.ssoLoginUrl ?? '',
  };
}

/** The user name is trimmed, password and captcha go as entered. Rule: sessions#sign-in. */
export async function logIn(credentials: Credentials): Promise<{ token: string; days?: number }> {
  const input = { ...credentials, userId: credentials.userId.trim() };
  const path = '/api/login.json';
  return sendTo<{ token: string; days?: number }>({ method: 'POST', path, writes: false }, input, {
    anonymous: true,
    form: true,
  });
}

/** What came back with the browser from the single sign-on. */
export interface Ticket {
  /** The address that the ticket was issued for: this login page, as the browser was sent to it. */
  loginUrl: string;
  ticket: string;
}

/** Signs in by a ticket; there is no token yet, so none goes with it. Rule: sessions#single-sign-on. */
export const logInByTicket = (ticket: Ticket) =>
  sendTo<{ token: string; days?: number }>(
    { method: 'POST', path: '/api/casLogin.json', writes: false },
    { ...ticket },
    { anonymous: true, form: true },
  );

const LOGOUT_MS = 5000;

/** Ends a session that began with a ticket. */
export const endTicketSession = () =>
  sendTo({ method: 'GET', path: '/api/logout.json', writes: false }, {}, { signal: AbortSignal.timeout(LOGOUT_MS) });

/** Ends a session that began with a password, not by `logout.json`. Rule: sessions#leaving. */
export const endSession = () =>
  sendTo({ method: 'DELETE', path: '/rest/session', writes: false }, {}, { signal: AbortSignal.timeout(LOGOUT_MS) });

/** Prolongs the session; what is left of it comes with the answer, as with every other. */
export const prolongSession = () => sendTo({ method: 'POST', path: '/rest/session', writes: false }, {});

/** Asks how long the session still lives without prolonging it: another tab may have. */
export const fetchSession = () =>
  sendTo({ method: 'GET', path: '/rest/session', writes: false }, {}, { background: true, quiet: true });

/** Asks who the holder of the token is, and keeps it, unless the session or its language is another one meanwhile. */
export async function loadUser(): Promise<UserState> {
  const asked = { token: currentToken.get(), language: currentLanguage.get() };
  const it = await sendTo<Partial<UserState>>({ method: 'GET', path: '/api/userInfo.json', writes: false }, {});
  const userId = it.userId ?? '';
  const access: unknown = it.access;
  const user: UserState = {
    userId,
    userName: it.userName || userId,
    avatar: it.avatar ?? '',
    orgId: it.orgId ?? '',
    siteId: it.siteId ?? '',
    siteName: it.siteName ?? '',
    roleIds: it.roleIds ?? [],
    access: Array.isArray(access)
      ? (access as string[])
      : String(access ?? '')
          .split(',')
          .filter(Boolean),
    token: asked.token,
    mustChangePassword: it.mustChangePassword === true,
    timeZone: it.timeZone,
    began: it.began ?? 'password',
    logoutUrl: it.logoutUrl,
    errorLogIcon: it.errorLogIcon !== false,
    labelPrinters: it.labelPrinters ?? [],
    options: it.options ?? {},
    lastPublish: it.lastPublish,
  };
  if (currentToken.get() === asked.token && currentLanguage.get() === asked.language) saveUser(user);
  return user;
}

/** The menu that this user has, in the present language; kept as the permission menu list. */
export async function loadMenu(): Promise<MenuEntry[]> {
  const path = '/api/sysMenu/queryTree.json';
  const token = currentToken.get();
  const { items } = await sendTo<{ items: MenuEntry[] }>({ method: 'GET', path, writes: false }, {});
  saveMenu(items, token);
  return items;
}

/** Ends all sessions of the user, this one as well. */
export async function changePassword(input: { userId: string; password: string; newpassword: string }): Promise<void> {
  const token = currentToken.get();
  const path = '/api/adminUser/updateByPassword.json';
  try {
    await endOnPurpose(() => sendTo({ method: 'POST', path, writes: true }, input));
  } catch (error) {
    if (isRefusal(error, 'noSession')) expireSession(token);
    throw error;
  }
}

const pictureOf = (text: string) => (text === '' || text.startsWith('data:') ? text : `data:image/png;base64,${text}`);
