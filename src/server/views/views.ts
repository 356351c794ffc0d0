import { sql } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import {
  MAX_NAME,
  MAX_VIEWS,
  SHARE_RIGHT,
  type ColumnChoice,
  type ListView,
  type ViewState,
} from '#domain/listView.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { isUnseen } from '#domain/signs.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { checkedState, knownColumns, currentState } from '#server/views/state.ts';

const VIEW = { zh: '视图', en: 'View' };
const NAME = { zh: '名称', en: 'Name' };
/** More than anybody looks through: a role may have several people who share. */
const MAX_SHOWN = 300;

interface SavedView {
  id: number;
  module: string;
  name: string;
  userId: string;
  userName: string | null;
  roleId: string | null;
  roleName: string | null;
  state: ViewState;
  version: number;
}

/** The list of a view must be open to who asks; a module that nobody knows has none. */
function requireList(module: string, ctx: Context): Definition {
  const definition = ctx.model.definitions.get(module);
  if (!definition) throw new Refusal({ key: 'format', field: 'module', args: { field: 'module' } });
  if (!mayDo(ctx.currentUser.rights, `${module}:list`)) throw new Refusal({ key: 'noRight' });
  return definition;
}

/** The user's own views of a list and those shared with a role of theirs, by name; and the columns that they chose. */
export async function readListViews({ module }: { module: string }, ctx: Context) {
  const definition = requireList(module, ctx);
  const [views, setting, roles] = await Promise.all([
    readViews(ctx, sql<boolean>`v.module = ${module}`),
    ctx.db
      .selectFrom('list_setting')
      .select(['columns', 'defaultId'])
      .where('userId', '=', ctx.currentUser.userId)
      .where('module', '=', module)
      .executeTakeFirst(),
    rolesToShareWith(ctx),
  ]);
  const items = views.map((it) => toListView(it, definition, ctx));
  const defaultId = setting?.defaultId ?? null;
  return {
    items,
    columns: knownColumns(definition, (setting?.columns ?? []) as ColumnChoice[]),
    // A view that is no longer shared opens nothing.
    defaultId: items.some((it) => it.id === defaultId) ? defaultId : null,
    roles,
  };
}

/** Keeps a list under a name of the user's. Refused: a name that is taken, a 51st view, sharing without the right. */
export async function addView(
  input: { module: string; name: string; roleId?: string | null; role?: number; state: ViewState },
  ctx: Context,
): Promise<ListView> {
  const definition = requireList(input.module, ctx);
  const name = await freeName(input.name, input.module, 0, ctx);
  const state = checkedState(definition, input.state, ctx);
  const roleId = await sharedWith(input, ctx);
  const own = await ctx.db
    .selectFrom('list_view')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('userId', '=', ctx.currentUser.userId)
    .where('module', '=', input.module)
    .executeTakeFirstOrThrow();
  if (Number(own.n) >= MAX_VIEWS) throw new Refusal({ key: 'viewsFull', args: { max: MAX_VIEWS } });
  const { id } = await ctx.db
    .insertInto('list_view')
    .values({ module: input.module, name, userId: ctx.currentUser.userId, roleId, state: JSON.stringify(state) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordInLedger(ctx, { what: 'create', module: 'savedView', recordId: String(id), to: { name, roleId } });
  return readListView(id, ctx);
}

/** Changes a view of the user's own: what others share is theirs. A stale version is refused with today's view. */
export async function changeView(
  input: { id: number; version: number; name?: string; roleId?: string | null; role?: number; state?: ViewState },
  ctx: Context,
): Promise<ListView> {
  const before = await readListView(input.id, ctx);
  const { module } = await readView(input.id, ctx);
  const definition = requireList(module, ctx);
  if (!before.isOwn) throw new Refusal({ key: 'noRight' });
  if (before.version !== input.version) throw new Refusal({ key: 'stale' }, before);
  const name = input.name === undefined ? before.name : await freeName(input.name, module, input.id, ctx);
  const isSharedAnew = input.roleId !== undefined && input.roleId !== before.roleId;
  const roleId = isSharedAnew ? await sharedWith(input, ctx) : before.roleId;
  const state = input.state && checkedState(definition, input.state, ctx);
  await ctx.db
    .updateTable('list_view')
    .set({
      name,
      roleId,
      ...(state && { state: JSON.stringify(state) }),
      version: sql<number>`version + 1`,
      updateTime: sql<Date>`now()`,
    })
    .where('id', '=', input.id)
    .execute();
  const { name: oldName, roleId: oldRole } = before;
  await recordInLedger(ctx, {
    what: 'modify',
    module: 'savedView',
    recordId: String(input.id),
    from: { name: oldName, roleId: oldRole },
    to: { name, roleId },
  });
  return readListView(input.id, ctx);
}

/** Takes a view away: one's own, or as an administrator one that is shared. */
export async function removeView({ id }: { id: number }, ctx: Context): Promise<{ id: number }> {
  const { isOwn, name } = await readListView(id, ctx);
  if (!isOwn && !mayDo(ctx.currentUser.rights, 'savedView:delete')) throw new Refusal({ key: 'noRight' });
  await ctx.db.deleteFrom('list_view').where('id', '=', id).execute();
  await recordInLedger(ctx, { what: 'delete', module: 'savedView', recordId: String(id), from: { name } });
  return { id };
}

/**
 * The columns of a list that the user chose, and the view it opens with. A preference: it is not recorded in the
 * ledger.
 */
export async function saveSetting(
  input: { module: string; columns?: ColumnChoice[]; defaultId?: number | null },
  ctx: Context,
): Promise<object> {
  const definition = requireList(input.module, ctx);
  const { defaultId } = input;
  if (defaultId != null && (await readView(defaultId, ctx)).module !== input.module) throw notFound(defaultId);
  const changed = {
    ...(input.columns && { columns: JSON.stringify(knownColumns(definition, input.columns)) }),
    ...(defaultId !== undefined && { defaultId }),
  };
  if (Object.keys(changed).length === 0) return {};
  await ctx.db
    .insertInto('list_setting')
    .values({ userId: ctx.currentUser.userId, module: input.module, columns: '[]', defaultId: null, ...changed })
    .onConflict((it) => it.columns(['userId', 'module']).doUpdateSet(changed))
    .execute();
  return {};
}

/** Whose views `v` a user sees: their own, and those shared with a role that they have; an administrator sees all shared. */
export const isViewSeen = ({ currentUser: { userId, roleIds, rights } }: Context) => sql<boolean>`
  (v."userId" = ${userId}
   OR (v."roleId" IS NOT NULL AND (v."roleId" = ANY(${roleIds}) OR ${mayDo(rights, 'savedView:delete')})))`;

/** What a user may use. */
async function readViews(ctx: Context, which: ReturnType<typeof sql<boolean>>): Promise<SavedView[]> {
  const roleName = sql.ref(ctx.lang === 'en' ? 'r.nameEn' : 'r.name');
  const { rows } = await sql<SavedView>`
    SELECT v.id, v.module, v.name, v."userId", v."roleId", v.state, v.version, u."userName",
           coalesce(nullif(${roleName}, ''), v."roleId") AS "roleName"
      FROM list_view v
      LEFT JOIN admin_user u ON u."userId" = v."userId"
      LEFT JOIN admin_role r ON r."roleId" = v."roleId"
     WHERE ${which}
       AND ${isViewSeen(ctx)}
     ORDER BY v."userId" <> ${ctx.currentUser.userId}, lower(v.name), v.id LIMIT ${MAX_SHOWN}`.execute(ctx.db);
  return rows;
}

async function readView(id: number, ctx: Context): Promise<SavedView> {
  const [saved] = await readViews(ctx, sql<boolean>`v.id = ${id}`);
  if (!saved) throw notFound(id);
  return saved;
}

async function readListView(id: number, ctx: Context): Promise<ListView> {
  const saved = await readView(id, ctx);
  return toListView(saved, requireList(saved.module, ctx), ctx);
}

const toListView = (it: SavedView, definition: Definition, ctx: Context): ListView => ({
  id: it.id,
  name: it.name,
  isOwn: it.userId === ctx.currentUser.userId,
  owner: it.userName ?? it.userId,
  roleId: it.roleId,
  roleName: it.roleName,
  version: it.version,
  ...currentState(definition, it.state, ctx),
});

/** A name as it is kept; one that differs in nothing but case is taken. One at a time for a user's list, so the bound holds. */
async function freeName(sent: string, module: string, self: number, ctx: Context): Promise<string> {
  const name = sent.normalize('NFC').replace(/\s+/g, ' ').trim();
  if (isUnseen(name)) throw new Refusal({ key: 'required', field: 'name', args: { fields: [NAME] } });
  if ([...name].length > MAX_NAME) {
    throw new Refusal({ key: 'tooLong', field: 'name', args: { field: NAME, max: MAX_NAME } });
  }
  await sql`SELECT pg_advisory_xact_lock(hashtext(${`list_view ${ctx.currentUser.userId} ${module}`}))`.execute(ctx.db);
  const existing = await ctx.db
    .selectFrom('list_view')
    .select('id')
    .where('userId', '=', ctx.currentUser.userId)
    .where('module', '=', module)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', self)
    .executeTakeFirst();
  if (existing) throw new Refusal({ key: 'alreadyExists', field: 'name', args: { what: VIEW, value: name } });
  return name;
}

async function sharedWith(
  { roleId, role: meant }: { roleId?: string | null; role?: number },
  ctx: Context,
): Promise<string | null> {
  if (roleId == null || roleId === '') return null;
  if (!mayDo(ctx.currentUser.rights, SHARE_RIGHT)) throw new Refusal({ key: 'noRight' });
  const role = await ctx.db
    .selectFrom('admin_role')
    .select('id')
    .where('roleId', '=', roleId)
    .forKeyShare()
    .executeTakeFirst();
  if (!role) {
    throw new Refusal({
      key: 'notFound',
      field: 'roleId',
      args: { what: { zh: '角色', en: 'Role' }, value: roleId },
    });
  }
  if (meant !== undefined && role.id !== meant)
    throw new Refusal({ key: 'roleOther', field: 'roleId', args: { value: roleId } });
  return roleId;
}

async function rolesToShareWith(ctx: Context): Promise<{ roleId: string; id: number; name: string }[]> {
  if (!mayDo(ctx.currentUser.rights, SHARE_RIGHT)) return [];
  const roles = await ctx.db
    .selectFrom('admin_role')
    .select(['roleId', 'id', 'name', 'nameEn'])
    .orderBy('id')
    .execute();
  return roles.flatMap(({ roleId, id, name, nameEn }) =>
    roleId ? [{ roleId, id, name: (ctx.lang === 'en' ? nameEn : name) || roleId }] : [],
  );
}

const notFound = (id: number) => new Refusal({ key: 'notFound', field: 'id', args: { what: VIEW, value: String(id) } });
