import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { DataOf } from '#domain/call.ts';
import { validateChangeKinds, validateChangeShape, type DefinitionChange } from '#domain/definition/change.ts';
import { changeBetween } from '#domain/definition/changeBetween.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { layOptionsOver, layOver, MENU } from '#domain/definition/overlay.ts';
import { indexesOf, isUnique } from '#domain/definition/columns.ts';
import { repeatedIn } from '#domain/definition/nameSlips.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { validatePart } from '#domain/definition/rulings.ts';
import { saidAnew } from '#domain/definition/validateChange.ts';
import { DraftStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { readModel, standardFields, type PublishedChange } from '#server/definitions/read.ts';
import { beyond, slipsIn, type DraftModel, type Plan } from '#server/definitions/definitions.ts';
import type { Look } from '#server/definitions/look.ts';
import { asTold, badDefinitions } from '#server/definitions/refused.ts';
import { refusedIn } from '#server/definitions/tables.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { menuNoOf } from '#server/session/menu.ts';
import { findMore } from '#server/session/powers.ts';
import { touch } from '#server/touch.ts';
import { createTurns } from '#server/turns.ts';
import {
  checkDraft,
  createModule,
  exportPublished,
  FORMAT,
  importDraft,
  openDrafts,
  readDraft,
  readModule,
  readPublish,
  saveChange,
} from './contract.ts';
import { groupsOf, withEntry } from './rules.module.ts';
import { readNames, readRights, withBefore } from './server.before.ts';
import { publishingRoutes } from './server.publishing.ts';
import { findRightSlips, readRolesMeant } from './server.rights.ts';
import { findUndone } from './server.undone.ts';
import { findUnfit } from './server.unfit.ts';
import {
  type Broken,
  countRows,
  findBroken,
  findLong,
  findShared,
  findStatements,
  lookWithin,
  readColumns,
  readRoles,
  seenBy,
} from './queries.ts';
import { findUses } from './queries.uses.ts';

const MOST_DRAFTS = 100;
/** Whoever opens a draft reads all of it. */
const MOST_PARTS = 200;
const MOST_BYTES = 4_000_000;

export const studioRoutes = [
  route(openDrafts, async (_, { db }) => {
    const rows = await db
      .selectFrom('sys_draft')
      .select(['id', 'name', 'createBy', 'modules'])
      .where('status', '=', DraftStatus.Open)
      .orderBy(sql`coalesce("updateTime", "createTime")`, 'desc')
      .limit(MOST_DRAFTS)
      .execute();
    return { items: rows.map((it) => ({ ...it, modules: it.modules?.split(', ') ?? [] })) };
  }),

  route(readDraft, async ({ id }, ctx) => {
    const draft = await findDraft(id, ctx);
    const parts = await ctx.db
      .selectFrom('definition_draft')
      .select(['module', 'change', 'roles', 'version', 'updateBy', 'updateTime'])
      .where('draftId', '=', id)
      .orderBy('module')
      .execute();
    const rights = await readRights(parts, ctx);
    const told = parts.map((it) => ({ ...it, roles: it.roles as Record<string, number> }));
    return { ...draft, parts: withBefore(told, ctx.model, rights), names: await readNames(parts, ctx) };
  }),

  route(readModule, async ({ module }, ctx) => {
    const shipped = readModel(ctx.definitions.registers);
    const current = ctx.model.definitions.get(module) ?? null;
    const { scripts } = ctx.definitions.registers;
    const roles = await readRoles(module, ctx);
    const ids = roles.map((it) => it.roleId);
    // What comes with a draft is its giver's own.
    const stronger = current ? await findMore(ctx, ids) : new Map<string, unknown>();
    return {
      module,
      current,
      shipped: shipped.definitions.get(module) ?? null,
      options: ctx.model.options,
      columns: current ? await readColumns(current.table, ctx) : [],
      rowCount: current ? await countRows(current, ctx) : 0,
      optionUses: optionUsesIn(ctx.model),
      menu: ctx.model.menu,
      standard: Object.fromEntries(Object.entries(standardFields()).map(([name, it]) => [name, it.label])),
      modules: [...ctx.model.definitions.values()].map((it) => ({
        module: it.module,
        label: it.label,
        fields: Object.fromEntries(Object.entries(it.fields).map(([name, field]) => [name, field.label])),
        keys: Object.keys(it.fields).filter((name) => isUnique(it, name)),
        indexed: [...new Set(indexesOf(it).map(({ columns }) => columns[0] ?? ''))],
      })),
      scripts: [...scripts].filter((it) => !it.includes(':')),
      roles: roles.map((it) => ({ ...it, mayMore: stronger.has(it.roleId) })),
    };
  }),

  route(saveChange, async ({ draftId, module, version, change, roles: shown }, ctx) => {
    const { db, currentUser } = ctx;
    const draft = await findDraft(draftId, ctx, true);
    if (draft.status !== DraftStatus.Open) throw new Refusal({ key: 'stale' });
    if (change !== null) refuseProblems(validateChangeKinds(change, module), 'change');
    const before = await db
      .selectFrom('definition_draft')
      .selectAll()
      .where('draftId', '=', draftId)
      .where('module', '=', module)
      .executeTakeFirst();
    if ((before?.version ?? 0) !== version) throw new Refusal({ key: 'stale' }, before ?? { version: 0, change: null });
    // Whoever began a new module in this draft might; others go on with it.
    const isBegun = module !== MENU && (before?.change as DefinitionChange | undefined)?.definition !== undefined;
    if (change !== null) refuseProblems(saidAnew(ctx.model.definitions, [{ module, change }]), 'change');
    if (change !== null && !isBegun)
      refuseProblems(validatePart(ctx.model, { module, change }, currentUser.rights), 'change');
    if (change === null)
      await db.deleteFrom('definition_draft').where('draftId', '=', draftId).where('module', '=', module).execute();
    else {
      const roles = await readRolesMeant(change, before as Required<PublishedChange> | undefined, ctx, shown);
      const said = {
        ...{ change: JSON.stringify(change), roles: JSON.stringify(roles) },
        ...{ version: version + 1, updateBy: currentUser.userId },
      };
      await db
        .insertInto('definition_draft')
        .values({ draftId, module, ...said })
        .onConflict((it) => it.columns(['draftId', 'module']).doUpdateSet({ ...said, updateTime: sql<Date>`now()` }))
        .execute();
    }
    await refuseLarge(draftId, module, ctx);
    const modules = await db
      .selectFrom('definition_draft')
      .select(sql<string | null>`string_agg(module, ', ' ORDER BY module)`.as('names'))
      .where('draftId', '=', draftId)
      .executeTakeFirst();
    await db
      .updateTable('sys_draft')
      .set({ modules: modules?.names ?? null, ...touch(currentUser) })
      .where('id', '=', draftId)
      .execute();
    const [from, to] = [{ change: before?.change ?? null }, { change }];
    await recordInLedger(ctx, { what: 'saveChange', module: 'sysDraft', recordId: String(draftId), from, to });
    return { version: change === null ? 0 : version + 1 };
  }),

  route(createModule, async ({ name, definition, options, group }, ctx) => {
    const module = typeof definition['module'] === 'string' ? definition['module'] : '';
    if (ctx.model.definitions.has(module)) {
      const what = { zh: '模块', en: 'Module' };
      throw new Refusal({ key: 'alreadyExists', field: 'module', args: { what, value: module } });
    }
    const change = { definition, ...(options && { options }) };
    refuseProblems(validateChangeShape(change, module), 'changes');
    if (!groupsOf(ctx.model.menu, ctx.lang).some((it) => it.value === group))
      throw notFound({ zh: '菜单分组', en: 'Menu group' }, group, 'group');
    const parts = [
      { module, change },
      { module: MENU, change: { menu: withEntry(ctx.model.menu, group, menuNoOf(module)) } },
    ];
    const draftId = await insertDraft(name, parts, ctx);
    const to = { name, module, group };
    await recordInLedger(ctx, { what: 'createModule', module: 'sysDraft', recordId: String(draftId), to });
    return { draftId };
  }),

  route(checkDraft, ({ id }, ctx) => inTurn(() => check(id, ctx))),

  route(exportPublished, async (_, ctx) => ({
    format: FORMAT,
    changes: (await ctx.definitions.readPublished()).map(({ module, change }) => ({
      module,
      change: change as Record<string, unknown>,
    })),
  })),

  route(importDraft, async ({ name, changes }, ctx) => {
    for (const it of changes) refuseProblems(validateChangeShape(it.change, it.module), 'changes');
    refuseProblems(repeatedIn(changes.map((it) => it.module)).map(saidTwice), 'changes');
    const parts = changes.flatMap((it) => asDrafted(it as PublishedChange, ctx.model));
    if (parts.length === 0) throw new Refusal({ key: 'nothingToPublish' });
    const lacking = parts.flatMap((it) => validatePart(ctx.model, it, ctx.currentUser.rights));
    refuseProblems(lacking, 'changes');
    const draftId = await insertDraft(name, parts, ctx);
    await recordInLedger(ctx, {
      ...{ what: 'importDraft', module: 'sysDraft', recordId: String(draftId) },
      to: { name, modules: parts.map((it) => it.module) },
    });
    return { draftId, count: parts.length };
  }),

  ...publishingRoutes,

  route(readPublish, async ({ id }, ctx) => {
    const { db } = ctx;
    const found = await db.selectFrom('definition_publish').selectAll().where('id', '=', id).executeTakeFirst();
    if (!found) throw notFound({ zh: '发布记录', en: 'Publish' }, id);
    const takesBack = found.takesBack.map(Number);
    const parts = await db
      .selectFrom('definition_change')
      .select(['module', 'change'])
      .where('publishId', 'in', [id, ...takesBack])
      .orderBy('id')
      .execute();
    const { userId, at, note, isInForce } = found;
    const trouble = isInForce
      ? ((found.trouble as DefinitionProblem[] | null) ?? [])
      : ((await ctx.definitions.readAside()).get(id) ?? []);
    const user = await db.selectFrom('admin_user').select('userName').where('userId', '=', userId).executeTakeFirst();
    const model = await ctx.definitions.readModelBefore(Math.min(id, ...takesBack));
    const told = withBefore(parts, model);
    return {
      id,
      userId,
      userName: user?.userName ?? userId,
      at,
      note,
      isInForce,
      trouble: trouble.map(seenBy(ctx)).map(asTold),
      takesBack,
      parts: told,
      names: await readNames(parts, ctx),
    };
  }),
];

/**
 * A check reads the rows of many fields: two are worked at once and others wait for their turn, as the searches of everybody share these connections,
 * and what is not counted in this time is told so. Rule: definitions#drafts.
 */
const inTurn = createTurns(2, 8);
const CHECK_MS = 10_000;

async function check(id: number, ctx: Context): Promise<DataOf<typeof checkDraft>> {
  const until = performance.now() + CHECK_MS;
  const isOver = () => performance.now() > until;
  const look = lookWithin(ctx, isOver);
  const { status } = await findDraft(id, ctx);
  const draft = await ctx.definitions.readDraftModel(id);
  const { model, changes } = draft;
  const slips = await slipsIn(draft, ctx.model, readModel(ctx.definitions.registers));
  const ofRights = await findRightSlips(changes, ctx);
  const problems = [
    ...(status === DraftStatus.Open ? [] : [isPublished]),
    ...[
      ...draft.problems,
      ...beyond(draft, ctx.model, ctx.currentUser.rights, ctx.currentUser.sites),
      ...slips.errors,
      ...ofRights.errors,
    ],
  ];
  const undone = await findUndone(id, draft, ctx.definitions, ctx);
  const warnings = [...slips.warnings, ...ofRights.warnings, ...undone].map(asTold);
  // What can't be laid over what is there has no tables that could be asked.
  const former = draft.problems.length > 0 ? undefined : await readFormerContents(draft, ctx, look);
  const { contents = [], emptied = [] } = former ?? {};
  problems.push(...(former?.problems ?? []));
  const told = { warnings, contents };
  if (problems.length > 0) return { ...told, problems: problems.map(asTold), statements: [], broken: [], uses: [] };
  const altered = changes.filter((it) => it.module !== MENU);
  const plan = await ctx.definitions.planTables(model, emptied, look);
  const first = altered[0]?.module ?? '';
  const refused = refusedIn(plan).map((it) => ({ ...it, where: it.where === '' ? first : it.where }));
  const rows = [...(await findBroken(altered, model, ctx, isOver)), ...(await findUnfit(altered, model, ctx, isOver))];
  const laid = { model, emptied, contents };
  const shared = await findShared(altered, laid, ctx, isOver);
  const long = await findLong(altered, laid, ctx, isOver);
  const { uses, uncounted } = await findUses(altered, model, ctx, look);
  return {
    ...told,
    warnings: [
      ...warnings,
      ...[...rows.flatMap(ruleUncounted), ...plan.uncounted.map(notCounted), ...uncounted].map(asTold),
    ],
    problems: [...refused.map(seenBy(ctx, laid)), ...shared, ...long].map(asTold),
    statements: await findStatements(plan, laid, ctx),
    broken: rows.flatMap(({ count, ...it }) => (count === undefined ? [] : { ...it, count })),
    uses,
  };
}

const ruleUncounted = ({ module, field, rule, count }: Broken): DefinitionProblem[] =>
  count === undefined ? [notCounted({ module, path: `fields.${field}.${rule}`, name: field })] : [];

const notCounted = ({ module, path, name }: Plan['uncounted'][number]): DefinitionProblem => ({
  ...{ kind: 'Slip', rule: 'notCounted', where: module, path, name },
  what: `counting the rows that "${name}" does not suit takes too long`,
});

/** A draft that is published is closed: nothing of it is to be published any more. */
const isPublished: DefinitionProblem = {
  ...{ kind: 'ForbiddenChange', rule: 'isPublished', where: '', what: 'the draft is published already' },
};

/** What is still there under the names of what a draft makes. */
function readFormerContents(draft: DraftModel, ctx: Context, look: Look) {
  const { rights: author, userId, sites } = ctx.currentUser;
  return ctx.definitions.findFormerContents(draft, { author, userId, sites }, look);
}

/** By option list, the modules that have a field with it. */
function optionUsesIn({ definitions }: Model): Record<string, string[]> {
  const uses: Record<string, string[]> = {};
  for (const { module, fields } of definitions.values()) {
    for (const list of new Set(Object.values(fields).flatMap((it) => it.options ?? [])))
      (uses[list] ??= []).push(module);
  }
  return uses;
}

async function findDraft(id: number, { db }: Context, isLocked = false) {
  const found = await db
    .selectFrom('sys_draft')
    .select(['id', 'name', 'version', 'status', 'publishId'])
    .where('id', '=', id)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!found) throw notFound({ zh: '草稿', en: 'Draft' }, id);
  return found;
}

/** A draft with parts of its own. */
async function insertDraft(
  name: string,
  parts: readonly { module: string; change: object }[],
  { db, currentUser }: Context,
): Promise<number> {
  const { userId } = currentUser;
  const modules = parts
    .map((it) => it.module)
    .sort()
    .join(', ');
  const { id } = await db
    .insertInto('sys_draft')
    .values({ name, status: DraftStatus.Open, modules, createBy: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const { module, change } of parts) {
    const roles = JSON.stringify(await readRolesMeant(change, undefined, { db }));
    const said = { change: JSON.stringify(change), roles, updateBy: userId };
    await db
      .insertInto('definition_draft')
      .values({ draftId: id, module, ...said })
      .execute();
  }
  await refuseLarge(id, parts[0]?.module ?? '', { db });
  return id;
}

async function refuseLarge(draftId: number, where: string, { db }: Pick<Context, 'db'>): Promise<void> {
  const { rows } = await sql<{ parts: number; bytes: number }>`
    SELECT count(*)::int AS parts, coalesce(sum(octet_length(change::text)), 0)::int AS bytes
      FROM definition_draft WHERE "draftId" = ${draftId}`.execute(db);
  const [{ parts, bytes } = { parts: 0, bytes: 0 }] = rows;
  if (parts <= MOST_PARTS && bytes <= MOST_BYTES) return;
  const what = `a draft holds ${MOST_PARTS} parts and ${MOST_BYTES} bytes at most`;
  refuseProblems([{ kind: 'BadShape', rule: 'draftLarge', where, what, path: '', name: String(MOST_PARTS) }], 'change');
}

/** What is no change at all is no draft either: there would be nothing to show of it. */
function refuseProblems(wrong: readonly DefinitionProblem[], field: string): void {
  if (wrong.length > 0) throw badDefinitions(wrong, field);
}

/** Of a file: one change a module. */
const saidTwice = (module: string): DefinitionProblem => ({
  ...{ kind: 'Slip', rule: 'nameTwice', where: module, what: `${module} is said twice`, path: '', name: module },
});

/** What a file says of a module, as far as it is not so here already. What the rows of another place were to become says nothing here. */
function asDrafted({ module, change: given }: PublishedChange, model: Model): PublishedChange[] {
  const { contents: _contents, ...change } = given;
  if (Object.keys(change).length === 0) return [];
  if (module === MENU) return isDeepStrictEqual(change.menu, model.menu) ? [] : [{ module, change }];
  const current = model.definitions.get(module);
  if (!current) return [{ module, change }];
  const laid = layOptionsOver(model.options, change);
  const lists = Object.entries(change.options ?? {}).filter(
    ([list]) => !isDeepStrictEqual(laid[list], model.options[list]),
  );
  const { options: _options, ...said } = change;
  const isSame = !change.definition && isDeepStrictEqual(layOver(current, said), current);
  const own = change.definition ? changeBetween(current, layOver(undefined, change)) : isSame ? undefined : said;
  const whole = { ...own, ...(lists.length > 0 && { options: Object.fromEntries(lists) }) };
  return Object.keys(whole).length > 0 ? [{ module, change: whole }] : [];
}

const notFound = (what: { zh: string; en: string }, value: number | string, field = 'id') =>
  new Refusal({ key: 'notFound', field, args: { what, value: String(value) } });
