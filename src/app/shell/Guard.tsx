import { Fragment, useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { type Location, Navigate, useLocation } from 'react-router-dom';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { mayDo } from '#domain/rights.ts';
import { HOME, LOGIN } from '#app/authProvider.ts';
import { onceStayed } from '#app/leaving.ts';
import { useNotices } from '#app/notify.ts';
import { useObservable } from '#app/observable.ts';
import { followed, pauseAfter, shouldRetry } from '#app/queryClient.ts';
import { CallError } from '#app/send.ts';
import {
  currentLanguage,
  currentToken,
  loseToken,
  lostPage,
  pagesKey,
  rememberLostPage,
  resumeUser,
  useLanguage,
  useMenu,
  useToken,
  useUser,
} from '#app/session.ts';
import { loadMenu, loadUser } from '#app/sessionCalls.ts';
import { useNoScans } from '#app/shell/scansAtSignIn.ts';
import { ShellSkeleton } from '#app/shell/ShellSkeleton.tsx';

const CHANGE_PASSWORD = '/changePassword';

/** What a server misses is often back this soon. */
const ASK_AGAIN_MS = 5_000;

interface GuardProps {
  login: ReactNode;
  children: (at: Location | null) => ReactNode;
}

/**
 * Nothing but the login is reachable without a token. With one, who holds it is asked once before anything is shown;
 * where that fails the token is worth nothing and goes. Only where no answer came at all, or the server misses what it
 * needs to give one, does who was last signed in here go on, as a station does without a network. Whose pages were shown
 * keeps them behind whatever is shown instead: `children` is told nowhere then. Rule: sessions#guard.
 */
export function Guard({ login, children }: GuardProps) {
  const user = useUser();
  const location = useLocation();
  const instead = useInstead(location, login);
  useNoScans(useToken() === '');
  const whose = user && pagesKey(user);
  const [shown, setShown] = useState<string | null>(null);
  const next = instead && shown !== whose ? null : whose;
  if (next !== shown) setShown(next);

  return (
    <>
      {next && <Fragment key={next}>{children(instead ? null : location)}</Fragment>}
      {instead}
    </>
  );
}

/** What is shown instead of the pages, if anything. */
function useInstead({ pathname, search }: Location, login: ReactNode): ReactNode {
  const token = useToken();
  const user = useUser();
  const menu = useMenu();
  const lost = useLostPage(pathname);
  const isKnown = user?.token === token;
  const menuFailed = useLoadedSession(token, isKnown);

  if (pathname === LOGIN || token === '') {
    return (
      <>
        {pathname !== LOGIN && <ToLogin from={isWork(pathname) ? pathname + search : ''} />}
        {login}
      </>
    );
  }
  if (!isKnown) return <ShellSkeleton />;
  if (user.mustChangePassword && pathname !== CHANGE_PASSWORD) return <Navigate to={CHANGE_PASSWORD} replace />;
  if (menu === null && !user.mustChangePassword) return menuFailed ? <Navigate to="/500" replace /> : <ShellSkeleton />;
  if (lost !== '' && pathname === HOME) return <Navigate to={lost} replace />;
  return null;
}

/** A page to come back to: whoever has just changed the password has not been at work. */
const isWork = (pathname: string): boolean => ![HOME, LOGIN, CHANGE_PASSWORD].includes(pathname);

/**
 * Before the address is another one. The sign-in stands meanwhile: Back there empties none of its fields, and over kept
 * pages it leads to these and not out of the window in which they are.
 */
function ToLogin({ from }: { from: string }) {
  useLayoutEffect(() => rememberLostPage(from), [from]);
  const keepsPages = useUser() !== null;
  return <Navigate to={LOGIN} replace={!keepsPages} />;
}

/** Where a sign-in leads that begins at home; whoever is at another page has been there. Rule: sessions#login-page. */
function useLostPage(pathname: string): string {
  const lost = useObservable(lostPage);
  const isReached = lost !== '' && isWork(pathname);
  useEffect(() => {
    if (isReached) lostPage.set('');
  }, [isReached]);
  return lost;
}

/** For the pages outside of the layout, which need a token and nothing else. */
export function SignedIn({ children }: { children: ReactNode }) {
  return useToken() === '' ? <Navigate to={LOGIN} replace /> : children;
}

/** A route's access list against the user's access: one entry in common opens it, an empty list is open to everybody. */
export function Access({ list, children }: { list: readonly string[]; children: ReactNode }) {
  const user = useUser();
  return isOpenTo(list, user?.access ?? []) ? children : <Navigate to="/401" replace />;
}

export function isOpenTo(list: readonly string[], access: readonly string[]): boolean {
  if (list.length === 0) return true;
  const rights = new Set(access);
  return list.some((it) => rights.has(it) || (it.includes(':') && mayDo(rights, it)));
}

const asked = { staleTime: Infinity } as const;
/** The guard asks for it again itself, for as long as it takes. */
const userQuery = (token: string) => ({
  ...asked,
  ...followed,
  queryKey: ['session', token, 'user'],
  queryFn: loadUser,
});
const menuQuery = (token: string, language: string) => ({
  ...asked,
  queryKey: ['session', token, 'menu', language],
  queryFn: loadMenu,
});

/** Puts user and menu where the guard looks for them; where that fails, it asks itself. */
export function prefetchSession(client: QueryClient): Promise<unknown> {
  const token = currentToken.get();
  return Promise.all([
    client.prefetchQuery(userQuery(token)),
    client.prefetchQuery(menuQuery(token, currentLanguage.get())),
  ]);
}

/** The server said nothing of what it was asked, and will. */
const isSilent = (error: unknown): boolean =>
  error instanceof CallError && ([429, 503].includes(error.status) || (error.network && !error.unreached));

/** Asks for user and menu; the menu kept on this device serves until the fresh one is there. */
function useLoadedSession(token: string, userIsKnown: boolean): boolean {
  const translate = useTranslate();
  const notices = useNotices();
  const language = useLanguage();
  const user = useQuery({ ...userQuery(token), enabled: token !== '' && !userIsKnown });
  const menu = useQuery({
    ...menuQuery(token, language),
    enabled: token !== '',
    retry: (failures, error) => isSilent(error) || shouldRetry(failures, error),
    retryDelay: (failures, error) => (isSilent(error) ? ASK_AGAIN_MS : pauseAfter(failures, error)),
  });
  const client = useQueryClient();
  // The menu in front is in one language: whoever comes back to another one needs its menu read again.
  useEffect(
    () => () => client.removeQueries({ queryKey: menuQuery(token, language).queryKey }),
    [client, token, language],
  );
  const { error: userError, refetch } = user;
  useEffect(() => {
    if (!userError || token !== currentToken.get()) return undefined;
    // A server that misses its database knows nothing of the session, and so takes it from nobody.
    // One that took too long, was hidden by its gateway or was asked too often has said nothing of it either.
    const isWaiting = userError instanceof CallError && isSilent(userError);
    const mayGoOn = isWaiting || (userError instanceof CallError && userError.unreached);
    const goesOn = mayGoOn && resumeUser();
    if (!goesOn && !isWaiting) {
      // What a browser gave up with a page that is left takes the session from nobody.
      onceStayed(() => {
        if (token !== currentToken.get()) return;
        notices.failed(translate('shell.session.userInfo'), userError);
        loseToken();
      });
      return undefined;
    }
    if (!goesOn) notices.failed(translate('shell.session.userInfo'), userError);
    const askAgain = () => void refetch();
    const timer = isWaiting ? setTimeout(askAgain, ASK_AGAIN_MS) : undefined;
    window.addEventListener('online', askAgain);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', askAgain);
    };
  }, [userError, token, notices, translate, refetch]);
  return menu.isError;
}
