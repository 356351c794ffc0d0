import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { AS_IT_IS, WRITTEN_AS } from '#domain/written.ts';

const Empty = Type.Object({});
const Password = Type.String({ minLength: 1, maxLength: 200, [WRITTEN_AS]: AS_IT_IS });
const OWN_SESSION = 'It is about the session that asks and no other';

export const captcha = lookup({
  path: '/api/captcha.json',
  right: 'public',
  why: 'It is what the login page asks first; users are named only where the data are those of the demonstration',
  input: Empty,
  data: Type.Object({
    captcha: Type.String(),
    uuid: Type.String(),
    /** Set when no captcha is asked for (`CAPTCHA=off`). */
    off: Type.Optional(Type.Literal(true)),
    demo: Type.Boolean(),
    /** Where internal users sign in, its way back included; without it they have no button. */
    ssoLoginUrl: Type.Optional(Type.String()),
    /** Whom a visitor of the demonstration may sign in as; only with the demo's data. */
    demoUsers: Type.Optional(Type.Array(Type.Object({ userId: Type.String(), userName: Type.String() }))),
    demoPassword: Type.Optional(Type.String()),
  }),
});

/**
 * Not a submit: a refused login changes rows (the captcha is used up, the failure counted), which the roll-back of a
 * submit would wipe out; and a password's hash must not be stored with the idempotency keys.
 */
export const login = lookup({
  method: 'POST',
  path: '/api/login.json',
  right: 'public',
  why: 'A session begins here; attempts are counted and held back',
  input: Type.Object({
    userId: Type.String({ minLength: 1, maxLength: 100 }),
    password: Password,
    captcha: Type.Optional(Type.String({ maxLength: 20 })),
    uuid: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  data: Type.Object({
    token: Type.String(),
    /** How long the token's cookie is worth keeping. */
    days: Type.Integer(),
  }),
});

/** Not a submit, for the reasons of `login`: a ticket that was refused stays used up. */
export const casLogin = lookup({
  method: 'POST',
  path: '/api/casLogin.json',
  right: 'public',
  why: 'A session begins here; a ticket counts once and for this installation alone',
  input: Type.Object({
    /** The service that the ticket is for: this installation's login page. */
    loginUrl: Type.String({ minLength: 1, maxLength: 500 }),
    ticket: Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' }),
  }),
  data: login.data,
});

/** A GET that writes works with the header `token` alone. Rule: wire#methods. */
export const logout = submit({
  method: 'GET',
  path: '/api/logout.json',
  right: 'signedIn',
  why: OWN_SESSION,
  input: Empty,
  data: Type.Object({}),
});

export const endSession = submit({
  method: 'DELETE',
  path: '/rest/session',
  right: 'signedIn',
  why: OWN_SESSION,
  input: Empty,
  data: Type.Object({}),
});

const Left = Type.Object({
  /** Seconds until the session ends if nothing is done. */
  left: Type.Integer(),
});

/** How long the session still lives; asked in the background it does not prolong it. */
export const sessionLeft = lookup({
  path: '/rest/session',
  right: 'signedIn',
  why: OWN_SESSION,
  input: Empty,
  data: Left,
});

/** Prolongs the session, up to the longest life that any may have. Not a submit: doing it twice does no more. */
export const prolongSession = lookup({
  method: 'POST',
  path: '/rest/session',
  right: 'signedIn',
  why: OWN_SESSION,
  input: Empty,
  data: Left,
});

export const userInfo = lookup({
  path: '/api/userInfo.json',
  right: 'signedIn',
  why: 'It tells the user who they are and what they may do',
  input: Empty,
  data: Type.Object({
    userId: Type.String(),
    userName: Type.String(),
    orgId: Type.String(),
    siteId: Type.String(),
    siteName: Type.String(),
    access: Type.Array(Type.String()),
    roleIds: Type.Array(Type.String()),
    /** The workshop's: a calendar day is read in it, wherever the browser is. */
    timeZone: Type.String(),
    mustChangePassword: Type.Optional(Type.Literal(true)),
    /** How the session began decides how it is left. */
    began: Type.Union([Type.Literal('password'), Type.Literal('ticket')]),
    logoutUrl: Type.String(),
    errorLogIcon: Type.Boolean(),
    /** By name: where a workplace may print its labels. */
    labelPrinters: Type.Array(Type.String()),
    /** The option lists that were published otherwise than the client has them. */
    options: Type.Record(Type.String(), Type.Array(Type.Unknown())),
    /** The number of the publish that this answer goes by. */
    lastPublish: Type.Integer(),
    left: Type.Integer(),
  }),
});

export const queryTree = lookup({
  path: '/api/sysMenu/queryTree.json',
  right: 'signedIn',
  why: 'Only entries of the menu that the user may open',
  input: Empty,
  data: Type.Object({ items: Type.Array(Type.Unknown()) }),
});

export const queryByMenuNo = lookup({
  path: '/api/sysBtn/queryByMenuNo.json',
  right: 'signedIn',
  why: 'It asks for the right of the list itself, and names only buttons that the user may press',
  input: Type.Object({ menuNo: Type.String({ minLength: 1, maxLength: 100 }) }),
  data: Type.Object({ items: Type.Array(Type.Unknown()) }),
});

/** Not a submit, for the reasons of `login`; its own transaction holds all that it writes. */
export const updateByPassword = lookup({
  method: 'POST',
  path: '/api/adminUser/updateByPassword.json',
  right: 'signedIn',
  why: 'It changes the password of the user alone, who must say the old one',
  input: Type.Object({
    /** Of no account: it is the session's user whose password changes. */
    userId: Type.Optional(Type.String({ maxLength: 100 })),
    password: Password,
    newpassword: Password,
  }),
  data: Type.Object({}),
});
