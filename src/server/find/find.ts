import { sql, type RawBuilder } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { recordName } from '#domain/definition/recordName.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { mayDo } from '#domain/rights.ts';
import { holdsWaybill, normaliseWaybill } from '#domain/waybill.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { readableField } from '#server/engine/describe.ts';
import { createScopeCondition, hiddenFields, seesValue } from '#server/engine/scope.ts';
import { FIND_MIN, type find as findCall } from '#server/find/contract.ts';
import { menuNoOf } from '#server/session/menu.ts';
import { formerlyCalled } from '#server/workflow/names.ts';

type Found = DataOf<typeof findCall>['items'][number];

const MOST_A_LIST = 5;
const MOST = 20;
/** So many numbers that begin so are looked at for those of the user's sites; more letters find the rest. */
const LOOKED_AT = 500;

interface Column {
  definition: Definition;
  field: string;
  kind: Found['kind'];
}

/**
 * Finds SNs, bills and parcels by the beginning of their number: in the lists that the user may see, in the user's
 * sites, along an index, a few of each list; an SN also by one that it had before. Fewer than three letters find nothing. Rule: lists#find.
 */
export async function findByNumber({ text }: InputOf<typeof findCall>, ctx: Context): Promise<DataOf<typeof findCall>> {
  const sought = text.trim();
  if (sought.length < FIND_MIN) return { items: [] };
  const columns = columnsFor(sought, ctx);
  if (columns.length === 0) return { items: [] };
  const parts = columns.map((column, i) => createColumnQuery(column, i, sought, ctx));
  const { rows } = await sql<{ at: number; id: number; text: string }>`
    SELECT at, id, text FROM (${sql.join(parts, sql` UNION ALL `)}) AS found
    ORDER BY text <> ${sought.toUpperCase()}, at, text LIMIT ${MOST}`.execute(ctx.db);
  const sns = rows.flatMap((it) => (columns[it.at]?.kind === 'sn' ? it.text : []));
  const elsewhere = await listElsewhere(ctx, sns);
  const items = rows.flatMap(({ at, id, text: number }): Found[] => {
    const column = columns[at];
    if (!column) return [];
    const { kind, definition } = column;
    // An SN is no record of the list: the list says where it stands.
    const name = kind === 'sn' ? definition.label : recordName(definition);
    const isElsewhere = kind === 'sn' && elsewhere.has(number);
    const menuNo = menuNoOf(definition.module);
    return [{ kind, menuNo, id, text: number, label: name[ctx.lang], elsewhere: isElsewhere }];
  });
  return { items };
}

/**
 * Of these SNs those of another site's units to which nothing ever happened in the user's sites: their page is not there
 * for this user. Rule: rights#other-sites.
 */
async function listElsewhere({ db, currentUser }: Context, sns: readonly string[]): Promise<Set<string>> {
  const isAsked =
    sns.length > 0 && currentUser.sites !== 'all' && mayDo(currentUser.rights, 'rmaInventory:viewHistory');
  if (!isAsked) return new Set();
  const rows = await db
    .selectFrom('rma_inventory as u')
    .select('u.sn')
    .where('u.sn', '=', anyOf(sns))
    .where((it) => it.not(inSites('u.siteId', currentUser)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rma_transaction as t')
            .select('t.id')
            .whereRef('t.sn', '=', 'u.sn')
            .where(inSites('t.siteId', currentUser)),
        ),
      ),
    )
    .execute();
  return new Set(rows.map((it) => it.sn));
}

/** The columns worth asking: of a list with a menu entry and a right, with an index, and whose prefix the text may have. */
function columnsFor(sought: string, { model, currentUser }: Context): Column[] {
  const listed = modulesOf(model.menu);
  return [...model.definitions.values()]
    .filter(({ module }) => listed.has(module) && mayDo(currentUser.rights, `${module}:list`))
    .flatMap((definition) => columnsOf(definition))
    .filter(({ definition, field }) => isPossible(definition, field, sought))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

const kinds: Found['kind'][] = ['sn', 'bill', 'parcel'];

function columnsOf(definition: Definition): Column[] {
  const { fields, number } = definition;
  const indexed = new Set([...(definition.indexes ?? []), ...(definition.unique ?? [])].map((it) => it[0]));
  const names = Object.keys(fields);
  const standing = standingFields(definition);
  const columns: Column[] = [
    ...names
      .filter((it) => it === 'sn' && fields[it]?.unique)
      .map((field) => ({ definition, field, kind: 'sn' as const })),
    ...(number ? [{ definition, field: number.field, kind: 'bill' as const }] : []),
    ...names
      .filter((it) => it.endsWith('ShipNo') && indexed.has(it))
      .map((field) => ({ definition, field, kind: 'parcel' as const })),
  ];
  return columns.filter(({ field }) => standing.has(field) && readableField(definition, field));
}

/** A bill's number begins with the letters of its kind. */
function isPossible({ number }: Definition, field: string, sought: string): boolean {
  if (number?.field !== field) return true;
  const upper = sought.toUpperCase();
  return upper.startsWith(number.prefix) || number.prefix.startsWith(upper);
}

/** The numbers of one column that begin so; as a range, so that a plain index serves it. */
function createColumnQuery(
  { definition, field, kind }: Column,
  at: number,
  sought: string,
  ctx: Context,
): RawBuilder<unknown> {
  const column = sql.ref(`t.${field}`);
  const isExact = definition.number?.field !== field && !definition.fields[field]?.upperCase;
  const asKept = holdsWaybill(field) ? normaliseWaybill(sought) : sought.toUpperCase();
  const beginnings = [...new Set(isExact ? [sought, asKept] : [asKept])];
  const range = (of: RawBuilder<unknown>) => {
    const ranges = beginnings.map((it) => sql`(${of} >= ${it} AND ${of} < ${`${it}\u{10FFFF}`})`);
    return sql`(${sql.join(ranges, sql` OR `)})`;
  };
  const isInScope = createScopeCondition(definition, ctx.currentUser, ctx.model);
  // Of the few that the index gives: a column that is empty for other sites would be served by none.
  const sites = hiddenFields(definition, ctx).get(field);
  const isSeen = sites ? sql`${isInScope} AND ${seesValue(sites, ctx, 't')}` : isInScope;
  const present = sql`(SELECT ${sql.lit(at)}::int AS at, t.id, ${column} AS text
    FROM (SELECT * FROM ${sql.table(definition.table)} AS t WHERE ${range(column)}
      ORDER BY ${column} LIMIT ${sql.lit(LOOKED_AT)}) AS t
    WHERE ${isSeen} ORDER BY ${column} LIMIT ${sql.lit(MOST_A_LIST)})`;
  if (kind !== 'sn') return present;
  return sql`${present} UNION ALL (SELECT ${sql.lit(at)}::int AS at, t.id, t.former AS text
    FROM (${formerlyCalled(definition.table, range)} LIMIT ${sql.lit(LOOKED_AT)}) AS t
    WHERE ${isSeen} ORDER BY t.former LIMIT ${sql.lit(MOST_A_LIST)})`;
}

function modulesOf(menu: Model['menu']): Set<string> {
  const names = (nodes: readonly MenuNode[]): string[] =>
    nodes.flatMap((it) => [it.menuNo.replace(/List$/, ''), ...names(it.children ?? [])]);
  return new Set(names(menu));
}
