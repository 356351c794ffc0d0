import type { AuthProvider } from 'ra-core';
import { mayDo } from '#domain/rights.ts';
import { moduleOf } from '#app/engine/module.ts';
import {
  type Credentials,
  endSession,
  endTicketSession,
  logIn,
  logInByTicket,
  type Ticket,
} from '#app/sessionCalls.ts';
import { closeSession, currentToken, currentUser, endOnPurpose, openSession, type UserState } from '#app/session.ts';

export const LOGIN = '/login';
export const HOME = '/home';

/** What react-admin calls an action, by the buttons that do it; every other action is a button's own name. */
const buttonsOf: Readonly<Record<string, readonly string[]>> = {
  show: ['list'],
  create: ['add', 'create'],
  edit: ['modify'],
};

/** Sign-in and sign-out as react-admin asks for them, and who may do what. */
export const authProvider: AuthProvider = {
  login: async (credentials: Credentials | Ticket) => {
    const { token, days } = await ('ticket' in credentials ? logInByTicket(credentials) : logIn(credentials));
    openSession(token, days);
    return { redirectTo: HOME };
  },
  /**
   * How the session began decides how it is left: one of a ticket by `logout.json` and to the login page, one of a
   * password without that call and to the configured address. The client forgets the session whatever the server says:
   * who leaves must be out. Whose session is over already has nothing to end. Rule: sessions#leaving.
   */
  logout: async ({ isOver = false }: { isOver?: boolean } = {}) => {
    const user = currentUser.get();
    const byTicket = user?.began === 'ticket';
    if (!isOver && currentToken.get() !== '')
      await endOnPurpose(byTicket ? endTicketSession : endSession).catch(() => undefined);
    closeSession();
    const target = byTicket ? LOGIN : (user?.logoutUrl ?? LOGIN);
    // react-admin leaves the application for a whole address only.
    return target === LOGIN ? LOGIN : new URL(target, window.location.origin).href;
  },
  checkAuth: async () => {
    if (currentToken.get() === '') throw new Error('no session');
  },
  /** `send` has already ended the session when the server no longer knows it, and the pages stay for who comes back. */
  checkError: async () => undefined,
  /** A resource is a menu number or a module; the right is `module:btnNo`. Rule: rights#calls. */
  canAccess: async ({ resource, action }) => {
    const { access } = await signedIn();
    const rights = new Set(access);
    return (buttonsOf[action] ?? [action]).some((it) => mayDo(rights, `${moduleOf(resource)}:${it}`));
  },
  /** The rights as the server tells them, stars included. */
  getPermissions: async () => (await signedIn()).access,
  getIdentity: async () => {
    const user = await signedIn();
    return { id: user.userId, fullName: user.userName, avatar: user.avatar || undefined };
  },
};

/** Who is signed in, as soon as that is known: the guard asks, once. */
function signedIn(): Promise<UserState> {
  const user = currentUser.get();
  if (user) return Promise.resolve(user);
  return new Promise((resolve) => {
    const stop = currentUser.subscribe(() => {
      stop();
      resolve(signedIn());
    });
  });
}
