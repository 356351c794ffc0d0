import type { AuthProvider } from 'ra-core';
import { isRefusal } from '#app/send.ts';
import {
  type Credentials,
  endSession,
  endTicketSession,
  loadUser,
  logIn,
  logInByTicket,
  type Ticket,
} from '#app/sessionCalls.ts';
import { closeSession, currentToken, currentUser, openSession } from '#app/session.ts';

export const LOGIN = '/login';
export const HOME = '/home';

/** Sign-in and sign-out as react-admin asks for them. */
export const authProvider: AuthProvider = {
  login: async (credentials: Credentials | Ticket) => {
    const { token, days } = await ('ticket' in credentials ? logInByTicket(credentials) : logIn(credentials));
    openSession(token, days);
    return { redirectTo: HOME };
  },
  /**
   * How the session began decides how it is left: one of a ticket by `logout.json` and to the login page, one of a
   * password without that call and to the configured address. The client forgets the session whatever the server says:
   * who leaves must be out. Rule: sessions#leaving.
   */
  logout: async () => {
    const user = currentUser.get();
    const byTicket = user?.began === 'ticket';
    if (currentToken.get() !== '') await (byTicket ? endTicketSession() : endSession()).catch(() => undefined);
    closeSession();
    const target = byTicket ? LOGIN : (user?.logoutUrl ?? LOGIN);
    // react-admin leaves the application for a whole address only.
    return target === LOGIN ? LOGIN : new URL(target, window.location.origin).href;
  },
  checkAuth: async () => {
    if (currentToken.get() === '') throw new Error('no session');
  },
  /** `send` has already ended the session when the server no longer knows it; any other no is not about the session. */
  checkError: async (error: unknown) => {
    if (isRefusal(error, 'noSession')) throw new Error('no session');
  },
  getIdentity: async () => {
    const user = currentUser.get() ?? (await loadUser());
    return { id: user.userId, fullName: user.userName, avatar: user.avatar || undefined };
  },
};
