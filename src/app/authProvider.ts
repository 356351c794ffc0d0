import type { AuthProvider } from 'ra-core';
import { CallError } from '#app/send.ts';
import { type Credentials, endSession, loadUser, logIn } from '#app/sessionCalls.ts';
import { closeSession, currentToken, currentUser, openSession } from '#app/session.ts';

export const LOGIN = '/login';
export const HOME = '/home';

/** Sign-in and sign-out as react-admin asks for them. */
export const authProvider: AuthProvider = {
  login: async (credentials: Credentials) => {
    const { token, days } = await logIn(credentials);
    openSession(token, days);
    return { redirectTo: HOME };
  },
  /** The client forgets the session whatever the server says: who leaves must be out. */
  logout: async () => {
    if (currentToken.get() !== '') await endSession().catch(() => undefined);
    closeSession();
    return LOGIN;
  },
  checkAuth: async () => {
    if (currentToken.get() === '') throw new Error('no session');
  },
  /** `send` has already ended the session when the server no longer knows it; any other no is not about the session. */
  checkError: async (error: unknown) => {
    if (error instanceof CallError && error.code === '401') throw new Error('no session');
  },
  getIdentity: async () => {
    const user = currentUser.get() ?? (await loadUser());
    return { id: user.userId, fullName: user.userName, avatar: user.avatar || undefined };
  },
};
