import { sql, type RawBuilder } from 'kysely';
import { sqlTypes } from '#domain/definition/columns.ts';
import { recordName } from '#domain/definition/recordName.ts';
import { platformUses, splitSql, usesOf, type Use } from '#domain/definition/uses.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { quoted } from '#server/db/quoted.ts';
import type { Row } from '#server/engine/rows.ts';

/** No more rows of a place are counted. */
const MOST = 10_000;
/** Of more places only the number is told. */
const PLACES = 5;

/**
 * A row that others name stays, and keeps the values by which they name it. Who names it, and how often, is told. What
 * begins to name it meanwhile is waited for: the row is locked before the last look, as a share of it is taken by whatever
 * names it. While it is in use nobody waits for that lock. Rule: definitions#in-use.
 * @param changed the fields whose values go; left out, the rows themselves do
 * @returns of each row that is in use, that it is: inUse, inUseOff or valueInUse
 */
export async function findInUse<R extends Row>(
  definition: Definition,
  rows: readonly R[],
  ctx: Context,
  changed?: readonly string[],
): Promise<ReadonlyMap<R, Refusal>> {
  const places = placesOf(definition, ctx, changed);
  const found = new Map<R, Refusal>();
  const look = async () => {
    const left = rows.filter((it) => !found.has(it));
    const uses = await countUses(definition, places, left, ctx);
    for (const it of left) {
      const own = uses.get(Number(it['id']));
      if (own) found.set(it, refusalOf(definition, it, own, changed));
    }
    return left.filter((it) => !found.has(it));
  };
  if (places.length === 0 || rows.length === 0) return found;
  const free = (await look()).map((it) => it['id']);
  if (free.length === 0) return found;
  await sql`SELECT 1 FROM ${sql.table(definition.table)} WHERE id = ANY(${free}) ORDER BY id FOR UPDATE`.execute(
    ctx.db,
  );
  await look();
  return found;
}

/** Whether rows of a module name others of it: what is done to one may then free another. */
export const namesItself = ({ table }: Definition, { model }: Pick<Context, 'model'>): boolean =>
  usesOf(model.definitions).some((it) => it.to.table === table && it.table === table);

type Asked = Pick<Use, 'table' | 'column' | 'separator' | 'within'> & { to: Pick<Use['to'], 'module' | 'column'> };

interface Place {
  label: Words;
  column: string;
  /** The ids of the rows that name a row `t`, no more than are counted. */
  rows: RawBuilder<unknown>[];
}

function placesOf(definition: Definition, ctx: Context, changed?: readonly string[]): Place[] {
  const { definitions } = ctx.model;
  const goesAlong = new Set(
    changed ? [] : (definition.lines ?? []).flatMap((it) => (it.owned ? [definitions.get(it.module)?.table] : [])),
  );
  const places = new Map<string, Place>();
  const add = (label: Words, { table, column, to, ...use }: Asked, type: string) => {
    const isAsked = !changed || changed.includes(to.column) || (use.within && changed.includes(use.within));
    if (to.module !== definition.module || !isAsked || goesAlong.has(table)) return;
    const place = places.get(table) ?? { label, column: to.column, rows: [] };
    const value = sql.ref(`t.${to.column}`);
    const names =
      use.separator === undefined
        ? sql`u.${sql.ref(column)} = ${value}::${sql.raw(type)}`
        : sql`${sql.raw(splitSql(`u.${quoted(column)}`, use.separator))} @> ARRAY[${value}::text]`;
    const within = use.within ? sql` AND u.${sql.ref(use.within)} = ${sql.ref(`t.${use.within}`)}` : sql``;
    const others = table === definition.table ? sql` AND u.id <> t.id` : sql``;
    place.rows.push(
      sql`(SELECT u.id FROM ${sql.table(table)} AS u WHERE ${names}${within}${others} LIMIT ${sql.lit(MOST + 1)})`,
    );
    places.set(table, place);
  };
  for (const use of usesOf(definitions)) {
    const from = definitions.get(use.module);
    const type = from?.fields[use.column]?.type ?? definition.fields[use.to.column]?.type;
    add(from?.label ?? { zh: '', en: '' }, use, type ? sqlTypes[type] : 'text');
  }
  for (const { label, table, column, to } of platformUses) {
    const module = definitions.get(to);
    if (module) add(label, { table, column, to: { module: to, column: 'siteId' } }, 'text');
  }
  return [...places.values()];
}

interface Counted extends Place {
  n: number;
}

/** All places of all rows at once, by the rows' ids. Who names a row twice is one. */
async function countUses(
  definition: Definition,
  places: readonly Place[],
  named: readonly Row[],
  { db }: Context,
): Promise<ReadonlyMap<number, Counted[]>> {
  const counts = places.map(
    ({ rows }, i) => sql`SELECT ${sql.lit(i)} AS i, count(*)::int AS n FROM (${sql.join(rows, sql` UNION `)}) AS named`,
  );
  const { rows } = await sql<{ id: number; i: number; n: number }>`
    SELECT t.id, counted.i, counted.n FROM ${sql.table(definition.table)} AS t
     CROSS JOIN LATERAL (${sql.join(counts, sql` UNION ALL `)}) AS counted
     WHERE t.id = ANY(${named.map((it) => it['id'])}) AND counted.n > 0 ORDER BY t.id, counted.i`.execute(db);
  const found = new Map<number, Counted[]>();
  for (const { id, i, n } of rows) found.set(id, [...(found.get(id) ?? []), { ...(places[i] as Place), n }]);
  for (const it of found.values()) it.sort((a, b) => b.n - a.n);
  return found;
}

function refusalOf(definition: Definition, row: Row, uses: readonly Counted[], changed?: readonly string[]): Refusal {
  const [first] = uses as [Counted];
  const value = String(row[first.column]);
  const args = { what: recordName(definition), value, uses: sayUses(uses) };
  if (changed) {
    const field = definition.fields[first.column]?.label ?? first.column;
    return new Refusal({ key: 'valueInUse', field: first.column, args: { ...args, field } });
  }
  return new Refusal({ key: isSwitchedOff(definition) ? 'inUseOff' : 'inUse', args });
}

/** Whether its rows have a switch: whoever can't delete one may switch it off. */
const isSwitchedOff = ({ fields }: Definition): boolean =>
  Object.values(fields).some((it) => it.options === 'userStatus' && !it.readOnly);

function sayUses(uses: readonly Counted[]): Words[] {
  const told = uses.slice(0, PLACES).map(({ label, n }) => ({
    zh: `“${label.zh}”中的${n > MOST ? `超过 ${MOST.toLocaleString('en')} ` : ` ${n} `}条记录`,
    en: `${n > MOST ? `more than ${MOST.toLocaleString('en')} rows` : n === 1 ? '1 row' : `${n} rows`} of "${label.en}"`,
  }));
  const more = uses.length - told.length;
  if (more === 0) return told;
  return [...told, { zh: `另外 ${more} 个列表`, en: more === 1 ? '1 more list' : `${more} more lists` }];
}
