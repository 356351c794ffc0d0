import { Type, type Static, type TSchema } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { RowId } from '#domain/wire.ts';

/**
 * How somebody likes to see a list, kept on the server: columns of a user, and views with a name.
 * Rule: lists#saved-views.
 */
export const MAX_VIEWS = 50;
export const MAX_NAME = 60;
export const MIN_WIDTH = 48;
export const MAX_WIDTH = 1200;

/** Who may share a view with a role; everybody uses what is shared with a role of theirs. */
export const SHARE_RIGHT = 'savedView:share';

/** Views belong to lists and to people. */
const LIST_ASKED =
  'It asks for the right of the list itself; views are the user’s own, or shared with a role of theirs and then only used';

/** A column where the user put it. What a definition adds later is shown behind those that are named here. */
const ColumnChoiceSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  width: Type.Optional(Type.Integer({ minimum: MIN_WIDTH, maximum: MAX_WIDTH })),
  hidden: Type.Optional(Type.Boolean()),
});
export type ColumnChoice = Static<typeof ColumnChoiceSchema>;

const Columns = Type.Array(ColumnChoiceSchema, { maxItems: 200 });

const Connector = Type.Union([Type.Literal('AND'), Type.Literal('OR')]);
const Rule = Type.Object({
  connector: Type.Optional(Connector),
  column: Type.String({ minLength: 1, maxLength: 64 }),
  relation: Type.String({ minLength: 1, maxLength: 64 }),
  value: Type.Optional(Type.String({ maxLength: 20_000 })),
});
const groupOf = <Inner extends TSchema>(inner: Inner, most: number) =>
  Type.Object({
    connector: Type.Optional(Connector),
    rules: Type.Optional(Type.Array(Rule, { maxItems: 50 })),
    groups: Type.Optional(Type.Array(inner, { maxItems: most })),
  });
/** As deep as the search itself goes. */
const Condition = groupOf(groupOf(groupOf(Type.Object({}), 0), 50), 50);

const ViewStateSchema = Type.Object({
  /** The simple search, by query name, as `pager` takes it. */
  filter: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }), value: Type.String({ maxLength: 200 }) }),
      { maxItems: 50 },
    ),
  ),
  /** The nested search, as `advancedSearch` takes it. */
  condition: Type.Optional(Condition),
  sortBy: Type.Optional(Type.String({ maxLength: 64 })),
  order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  columns: Type.Optional(Columns),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  density: Type.Optional(Type.Union([Type.Literal('compact'), Type.Literal('normal'), Type.Literal('comfortable')])),
});
export type ViewState = Static<typeof ViewStateSchema>;

/** A view's simple search by name, as the calls take it. */
export const queryOf = ({ filter = [] }: Pick<ViewState, 'filter'>): Record<string, string> =>
  Object.fromEntries(filter.map((it) => [it.name, it.value]));

const ListViewSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  isOwn: Type.Boolean(),
  /** Who made it, by name. */
  owner: Type.String(),
  /** The role that it is shared with. */
  roleId: Type.Union([Type.String(), Type.Null()]),
  roleName: Type.Union([Type.String(), Type.Null()]),
  version: Type.Integer(),
  state: ViewStateSchema,
  /** Names in its search that the list no longer has: they are left out, and the user is notified. */
  dropped: Type.Array(Type.String()),
});
export type ListView = Static<typeof ListViewSchema>;

const Module = Type.String({ minLength: 1, maxLength: 64 });
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });
const RoleId = Type.Union([Type.String({ maxLength: 64 }), Type.Null()]);

export const readViews = lookup({
  path: '/rest/views',
  right: 'signedIn',
  why: LIST_ASKED,
  input: Type.Object({ module: Module }),
  data: Type.Object({
    items: Type.Array(ListViewSchema),
    /** The user's own columns, where no view is chosen; and the view that the list opens with. */
    columns: Columns,
    defaultId: Type.Union([Type.Integer(), Type.Null()]),
    /** The roles that a view may be shared with; empty for who may share none. */
    roles: Type.Array(Type.Object({ roleId: Type.String(), id: Type.Integer(), name: Type.String() })),
  }),
});

/** Who had the code when the role was chosen: another one that has it since is refused. */
const ROLE_MEANT = Type.Optional(RowId);

export const createView = submit({
  path: '/rest/views',
  right: 'signedIn',
  why: LIST_ASKED,
  input: Type.Object({
    module: Module,
    name: Name,
    roleId: Type.Optional(RoleId),
    role: ROLE_MEANT,
    state: ViewStateSchema,
  }),
  data: ListViewSchema,
});

/** Changes what is named: its name, with whom it is shared, what it shows. A stale `version` is refused. */
export const updateView = submit({
  method: 'PUT',
  path: '/rest/views/:id',
  right: 'signedIn',
  why: LIST_ASKED,
  input: Type.Object({
    id: RowId,
    version: Type.Integer(),
    name: Type.Optional(Name),
    roleId: Type.Optional(RoleId),
    role: ROLE_MEANT,
    state: Type.Optional(ViewStateSchema),
  }),
  data: ListViewSchema,
});

export const deleteView = submit({
  method: 'DELETE',
  path: '/rest/views/:id',
  right: 'signedIn',
  why: LIST_ASKED,
  input: Type.Object({ id: RowId }),
  data: Type.Object({ id: Type.Integer() }),
});

/** The user's own columns of a list, and the view that it opens with; what is left out stays. */
export const saveListSetting = submit({
  method: 'PUT',
  path: '/rest/listSettings/:module',
  right: 'signedIn',
  why: LIST_ASKED,
  input: Type.Object({
    module: Module,
    columns: Type.Optional(Columns),
    defaultId: Type.Optional(Type.Union([RowId, Type.Null()])),
  }),
  data: Type.Object({}),
});
