import type { OptionLists } from '#domain/definition/grammar.ts';
import { type Language, parseLanguage } from '#domain/words.ts';
import { configuration } from '#app/configuration.ts';
import { type Observable, createObservable, useObservable } from '#app/observable.ts';
import { preview } from '#app/preview.ts';

/** Who is signed in, as the server told it. */
export interface UserState {
  userId: string;
  userName: string;
  avatar: string;
  orgId: string;
  siteId: string;
  siteName: string;
  roleIds: readonly string[];
  /** Menu numbers and rights (`module:button`), compared with the access list of a route. */
  access: readonly string[];
  token: string;
  mustChangePassword: boolean;
  /** The workshop's: a calendar day is read in it. */
  timeZone?: string;
  /** How the session began decides how it is left. */
  began?: 'password' | 'ticket';
  /** Where somebody who signed in with a password goes after signing out. */
  logoutUrl?: string;
  /** The header shows the icon of captured errors. */
  errorLogIcon?: boolean;
  /** By name: where a workplace may print its labels, besides the browser's dialog. */
  labelPrinters?: readonly string[];
  /** The option lists that are published otherwise than they are shipped with the client. */
  options?: OptionLists;
  /** The number of the publish by which this was answered. */
  lastPublish?: number | undefined;
}

export interface MenuEntry {
  menuNo: string;
  menuName: string;
  icon?: string;
  module?: string;
  /** What one of its rows is called; left out, as the list. */
  recordName?: string;
  /** How the numbers begin by which its rows open. */
  prefix?: string;
  /** What its views are called that a button opens, by the button's script. */
  views?: Readonly<Record<string, string>>;
  otherName?: string;
  /** What its toolbar does without a row, by the script: its name in this language and in the other. */
  actions?: Readonly<Record<string, readonly [name: string, otherName: string]>>;
  /** Who may open it; left out, everybody to whom the server sends the entry. */
  access?: string[];
  children?: MenuEntry[];
}

/** The keys of local storage. Rule: sessions#storage. */
export const storageKeys = {
  userId: 'userId',
  orgId: 'orgId',
  siteId: 'siteId',
  language: 'local',
  tabs: 'tagNavList',
  menu: 'menuList',
} as const;

/** Who was signed in when the server last said it, for a reload without a network. */
const SAVED_USER_KEY = 'userKept';

/** Whose session was lost, what was open and what stood in front, for the same user's next sign-in. */
const LOST_TABS_KEY = 'tagNavList.lost';

export const currentToken: Observable<string> = createObservable(readTokenCookie());
/** When the session ends if nothing is done, by `performance.now()`; null until the server has said it. */
export const sessionEnd: Observable<number | null> = createObservable<number | null>(null);
export const currentUser: Observable<UserState | null> = createObservable<UserState | null>(null);
export const currentMenu: Observable<MenuEntry[] | null> = createObservable(readSavedMenu());
export const currentLanguage: Observable<Language> = createObservable(
  preview?.language ?? parseLanguage(localStorage.getItem(storageKeys.language)),
);

/** Where the user was when the session was lost: there the same user's next sign-in leads. */
export const lostPage: Observable<string> = createObservable('');

export const useToken = () => useObservable(currentToken);
export const useUser = () => useObservable(currentUser);
export const useMenu = () => useObservable(currentMenu);
export const useLanguage = () => useObservable(currentLanguage);

/** Keeps the token of a fresh sign-in for as many days as the server says, else as configured; what an earlier user left behind goes first. */
export function openSession(token: string, days = configuration.sessionDays): void {
  forgetStored();
  dropToken();
  writeCookie(token, days * 24 * 60 * 60);
  currentToken.set(token);
}

/** Forgets the token and everything of this user on this device except the language (what a station or a form keeps stays). */
export function closeSession(): void {
  // Another window of theirs may have learnt of it before this one.
  const isOwn = isOwnStore();
  const owner = currentUser.get()?.userId ?? lost?.[0] ?? (isOwn ? localStorage.getItem(storageKeys.userId) : null);
  if (!preview && owner !== null && readLost()?.[0] === owner) localStorage.removeItem(LOST_TABS_KEY);
  lost = null;
  currentUser.set(null);
  currentMenu.set(null);
  dropToken(isOwn);
}

/**
 * The same, but this window still knows whose pages stand behind the sign-in. Only what belongs to its own session goes: by
 * now another window may have begun a new one. Rule: sessions#login-page.
 */
export function dropToken(isOwn = isOwnStore()): void {
  if (isOwn) forgetStored();
  // No page stands behind the sign-in, so nobody comes back to this menu.
  if (!currentUser.get()) currentMenu.set(null);
  sessionEnd.set(null);
  currentToken.set('');
  window.prefetched?.drop();
}

function forgetStored(): void {
  // A preview has cookies and storage in common with the window around it, which learns of its session itself.
  if (preview) return;
  writeCookie('', 0);
  for (const key of ['userId', 'orgId', 'siteId', 'tabs', 'menu'] as const) localStorage.removeItem(storageKeys[key]);
  localStorage.removeItem(SAVED_USER_KEY);
}

/** The same where nobody has signed out: the same user's next sign-in finds the tabs, and the page that was in front. */
export function loseToken(): void {
  const stored = isOwnCookie(currentToken.get()) && !preview ? localStorage.getItem(storageKeys.userId) : null;
  const userId = currentUser.get()?.userId ?? stored;
  // What another window has put away, of this user who left it or lost the session there first, is not this one's to write.
  const isOwn = userId !== null && userId === stored;
  lost = userId === null ? null : [userId, (isOwn && localStorage.getItem(storageKeys.tabs)) || ''];
  dropToken();
  if (isOwn) localStorage.setItem(LOST_TABS_KEY, JSON.stringify(lost));
}

/** The cookie is of this session, or has run out. */
const isOwnCookie = (token: string): boolean => ['', token].includes(readTokenCookie());

/** What is stored is this window's to write and to remove: of its session, or where the cookie has run out of its user. */
export function isOwnStore(): boolean {
  if (readTokenCookie() !== '') return isOwnCookie(currentToken.get());
  const [own, stored] = [currentUser.get()?.userId, localStorage.getItem(storageKeys.userId)];
  return own === undefined || stored === null || own === stored;
}

/** Each answer says how many seconds the session still lives; where use has prolonged it, the cookie lives on as well. */
export function updateSessionEnd(token: string, secondsLeft: string | null): void {
  const seconds = secondsLeft === null ? NaN : Number(secondsLeft);
  if (!Number.isFinite(seconds) || token !== currentToken.get()) return;
  const end = performance.now() + seconds * 1000;
  const before = sessionEnd.get();
  if (before !== null && Math.abs(end - before) < 2000) return;
  if (isOwnCookie(token)) writeCookie(token, seconds);
  sessionEnd.set(end);
}

export function saveUser(user: UserState): void {
  if (preview) return currentUser.set(user);
  if (isOwnStore()) {
    for (const key of ['userId', 'orgId', 'siteId'] as const) localStorage.setItem(storageKeys[key], user[key]);
    localStorage.setItem(SAVED_USER_KEY, JSON.stringify({ ...user, token: '' }));
  }
  restoreTabs(user.userId);
  const before = currentUser.get();
  if (before && pagesKey(before) !== pagesKey(user)) {
    currentUser.set(null);
    if (menuToken !== user.token) currentMenu.set(null);
  }
  currentUser.set(user);
}

/** Whose the pages of this window are: nobody else comes back to them, nor does who works at another site by now. */
export const pagesKey = ({ userId, siteId }: UserState): string => JSON.stringify([userId, siteId]);

/**
 * Of what is asked now: tells, once its answer is there, whether it is for who is here. Where the session was lost meanwhile
 * that waits for the next sign-in: the same user hears of it at the page where it was asked, and nobody else does.
 */
export function watchAsker(): () => Promise<boolean> {
  const token = currentToken.get();
  const asker = currentUser.get();
  const isHere = (): boolean | undefined => {
    if (!asker || token === '' || token === currentToken.get()) return true;
    const user = currentUser.get();
    if (!user || pagesKey(user) !== pagesKey(asker)) return false;
    return user.token === currentToken.get() && lostPage.get() === '' ? true : undefined;
  };
  return () =>
    new Promise((done) => {
      const look = () => {
        const is = isHere();
        if (is === undefined) return;
        stops.forEach((stop) => stop());
        done(is);
      };
      const stops = [currentToken, currentUser, lostPage].map((it) => it.subscribe(look));
      look();
    });
}

/** Goes on as the user who last signed in here, until the server can be asked; false where nobody is known. */
export function resumeUser(): boolean {
  const saved = localStorage.getItem(SAVED_USER_KEY);
  if (!saved || currentToken.get() === '') return false;
  currentUser.set({ ...(JSON.parse(saved) as UserState), token: currentToken.get() });
  return true;
}

type Lost = [userId: string, tabs: string, page?: string];

const readLost = () => JSON.parse(localStorage.getItem(LOST_TABS_KEY) ?? 'null') as Lost | null;

/** What this window has lost; what is stored of it, by the first window that lost it, is for windows that are loaded anew. */
let lost: Lost | null = null;

/** Whoever is led to the sign-in by a lost session comes back to this page by it, wherever they go before they sign in. */
export function rememberLostPage(page: string): void {
  if (!lost || lost.length > 2) return;
  const isOwn = localStorage.getItem(LOST_TABS_KEY) === JSON.stringify(lost);
  lost = [lost[0], lost[1], page];
  if (isOwn) localStorage.setItem(LOST_TABS_KEY, JSON.stringify(lost));
}

function restoreTabs(userId: string): void {
  const stored = readLost();
  if (isOwnStore() || stored?.[0] === userId) localStorage.removeItem(LOST_TABS_KEY);
  const [own, other] = [lost, stored].filter((it) => it?.[0] === userId);
  lost = null;
  lostPage.set(own?.[2] ?? '');
  const tabs = own?.[1] || other?.[1];
  if (tabs && isOwnStore() && !localStorage.getItem(storageKeys.tabs)) localStorage.setItem(storageKeys.tabs, tabs);
}

/** The session by which the menu was last read. */
let menuToken = '';

/** Keeps the menu that was asked for by this session, unless it is another one's turn meanwhile. */
export function saveMenu(menu: MenuEntry[], token: string): void {
  if (token !== currentToken.get()) return;
  menuToken = token;
  // What a draft would make of it is nothing that the other windows begin with.
  if (!preview && isOwnStore()) localStorage.setItem(storageKeys.menu, JSON.stringify(menu));
  currentMenu.set(menu);
}

export function chooseLanguage(language: Language): void {
  if (!preview) localStorage.setItem(storageKeys.language, language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  currentLanguage.set(language);
}

type LossListener = () => void;
const lossListeners = new Set<LossListener>();

/** Tells who listens that the server no longer knows the token; returns how to stop listening. */
export function onSessionLost(listener: LossListener): () => void {
  lossListeners.add(listener);
  return () => lossListeners.delete(listener);
}

/** Somebody is ending the session by what they do. */
let isEnding = false;

/** Who ends the session on purpose, as by leaving, is not told that it is lost. */
export async function endOnPurpose<Data>(end: () => Promise<Data>): Promise<Data> {
  isEnding = true;
  try {
    return await end();
  } finally {
    isEnding = false;
  }
}

/**
 * Several calls in flight learn of the same expiry: only the first, and only one that was made under the token still
 * held, ends the session and says so. Where the same user has signed in anew in another window, this one goes on with that.
 */
export function expireSession(callToken: string): void {
  if (isEnding || callToken === '' || callToken !== currentToken.get()) return;
  const newer = isOwnCookie(callToken) ? '' : readTokenCookie();
  if (newer && !preview && isStoredUser()) {
    sessionEnd.set(null);
    return currentToken.set(newer);
  }
  loseToken();
  lossListeners.forEach((it) => it());
}

/**
 * Where this window is at the sign-in and its user signs in in another one, as by the single sign-on, it goes on with
 * that session; returns how to stop. Rule: sessions#login-page.
 */
export function followOtherWindows(): () => void {
  const look = ({ key }: StorageEvent) => {
    const token = readTokenCookie();
    if (key === SAVED_USER_KEY && currentToken.get() === '' && token !== '' && !preview && isStoredUser())
      currentToken.set(token);
  };
  window.addEventListener('storage', look);
  return () => window.removeEventListener('storage', look);
}

/** Whose pages stand here has no session now, or one that is being asked about. */
export const isSessionLost = (): boolean => currentUser.get()?.token !== currentToken.get();

/** Whose pages stand in this window is who last signed in in this browser. */
const isStoredUser = (): boolean => {
  const user = currentUser.get();
  return (['userId', 'siteId'] as const).every((key) => user?.[key] === localStorage.getItem(storageKeys[key]));
};

function readTokenCookie(): string {
  const pair = document.cookie.split('; ').find((it) => it.startsWith('token='));
  return pair ? decodeURIComponent(pair.slice('token='.length)) : '';
}

function writeCookie(token: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `token=${encodeURIComponent(token)}; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`;
}

function readSavedMenu(): MenuEntry[] | null {
  try {
    const menu: unknown = JSON.parse(localStorage.getItem(storageKeys.menu) ?? 'null');
    return Array.isArray(menu) ? (menu as MenuEntry[]) : null;
  } catch {
    return null;
  }
}
