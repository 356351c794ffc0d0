import type { Kysely } from 'kysely';
import type { Model } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Language } from '#domain/words.ts';
import type { Config } from '#server/config.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Definitions } from '#server/definitions/definitions.ts';
import type { Cache } from '#server/cache.ts';
import type { Numbers } from '#server/db/numbers.ts';

/** Who asks, as the session says it; what a request claims of itself is ignored. Rule: wire#who-asks. */
export interface CurrentUser {
  userId: string;
  userName: string;
  /** The home site: what is written carries it, stations work there. */
  siteId: string;
  orgId: string;
  /** Whose rows may be seen. */
  sites: 'all' | string[];
  rights: ReadonlySet<string>;
  roleIds: string[];
  /** Somebody else knows the password: nothing may be done but change it. */
  mustChangePassword?: true;
  /** How the session began, and when it ends by this process's steady clock if nothing is done; missing where none asks. */
  session?: { began: 'password' | 'ticket'; ends: number };
  /** A program and no person: the token that it showed, and the one account that this is for, null for all of its site. */
  service?: { tokenId: number; account: string | null };
}

/**
 * What a module does beyond its definition when its rows are written; the types of its rows stand in `engine/hooks.ts`. The
 * definition that wrote a table's type is the one by which the row was read.
 */
export interface UntypedHooks {
  check?(row: Row, before: Row | undefined, ctx: Context): Problem[] | Promise<Problem[]>;
  beforeWrite?(values: Row, before: Row | undefined, ctx: Context): Row | Promise<Row>;
  afterWrite?(row: Row | undefined, before: Row | undefined, ctx: Context): Promise<void>;
}
type Row = Record<string, unknown>;

/** What a handler works with. Inside a submit `db` is its transaction. */
export interface Context {
  db: Kysely<Tables>;
  /** For reading what may take long, outside of any transaction: see `withinTime`. */
  search: Kysely<Tables>;
  currentUser: CurrentUser;
  lang: Language;
  model: Model;
  numbers: Numbers;
  /** By module. */
  hooks: Readonly<Record<string, UntypedHooks | undefined>>;
  config: Config;
  definitions: Definitions;
  /** True when the database holds the demo's users. */
  demo: boolean;
  /** A dry run: what is done is taken back, and shown to whoever decides about it then. */
  foresees?: true;
  /** Hears how far a long work is; throws where nobody waits for its end any more. */
  tellProgress?: (done: number, total: number) => void;
  /** What may be kept from one request to the next; undefined inside a write, which sees more than what is committed. */
  cache?: Cache | undefined;
  /** `token` is the header's, never the cookie's; null without one. */
  request: { id: string; ip: string; secure: boolean; userAgent: string; token: string | null };
}

/** The same person, acting for a site: what is written about its goods carries that site and not the person's own. */
export const atSite = (ctx: Context, siteId: string): Context => ({
  ...ctx,
  currentUser: { ...ctx.currentUser, siteId },
});

/** Whether the person sees this site: provider staff see all of them. Rule: rights#sites. */
export const seesSite = ({ sites }: CurrentUser, siteId: string | null): boolean =>
  sites === 'all' || (siteId !== null && sites.includes(siteId));

/** Nobody yet: the public calls. */
export const nobody: CurrentUser = {
  userId: '',
  userName: '',
  siteId: '',
  orgId: '',
  sites: [],
  rights: new Set(),
  roleIds: [],
};
