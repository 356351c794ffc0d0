import { sql, type RawBuilder } from 'kysely';
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
 * @param changed the fields whose values go; left out, the row itself does
 * @throws Refusal inUse, inUseOff or valueInUse
 */
export async function refuseInUse(
  definition: Definition,
  row: Row,
  ctx: Context,
  changed?: readonly string[],
): Promise<void> {
  const places = placesOf(definition, row, ctx, changed);
  if (places.length === 0) return;
  refuse(definition, row, await countUses(places, ctx), changed);
  await sql`SELECT 1 FROM ${sql.table(definition.table)} WHERE id = ${row['id']} FOR UPDATE`.execute(ctx.db);
  refuse(definition, row, await countUses(places, ctx), changed);
}

type Asked = Pick<Use, 'table' | 'column' | 'separator' | 'within'> & { to: Pick<Use['to'], 'module' | 'column'> };

interface Place {
  label: Words;
  column: string;
  /** The ids of the rows that name it, no more than are counted. */
  rows: RawBuilder<unknown>[];
}

function placesOf(definition: Definition, row: Row, ctx: Context, changed?: readonly string[]): Place[] {
  const { definitions } = ctx.model;
  const goesAlong = new Set(
    changed ? [] : (definition.lines ?? []).flatMap((it) => (it.owned ? [definitions.get(it.module)?.table] : [])),
  );
  const places = new Map<string, Place>();
  const add = (label: Words, { table, column, to, ...use }: Asked) => {
    const value = row[to.column];
    const isAsked = !changed || changed.includes(to.column) || (use.within && changed.includes(use.within));
    if (to.module !== definition.module || value == null || !isAsked || goesAlong.has(table)) return;
    const place = places.get(table) ?? { label, column: to.column, rows: [] };
    const names =
      use.separator === undefined
        ? sql`${sql.ref(column)} = ${String(value)}`
        : sql`${sql.raw(splitSql(quoted(column), use.separator))} @> ARRAY[${String(value)}]`;
    const within = use.within ? sql` AND ${sql.ref(use.within)} = ${row[use.within]}` : sql``;
    const others = table === definition.table ? sql` AND id <> ${row['id']}` : sql``;
    place.rows.push(
      sql`(SELECT id FROM ${sql.table(table)} WHERE ${names}${within}${others} LIMIT ${sql.lit(MOST + 1)})`,
    );
    places.set(table, place);
  };
  for (const use of usesOf(definitions)) add(definitions.get(use.module)?.label ?? { zh: '', en: '' }, use);
  for (const { label, table, column, to } of platformUses) {
    const module = definitions.get(to);
    if (module) add(label, { table, column, to: { module: to, column: 'siteId' } });
  }
  return [...places.values()];
}

interface Counted extends Place {
  n: number;
}

/** All places at once. A row that names it twice is one. */
async function countUses(places: readonly Place[], { db }: Context): Promise<Counted[]> {
  const counts = places.map(
    ({ rows }, i) => sql`SELECT ${sql.lit(i)} AS i, count(*)::int AS n FROM (${sql.join(rows, sql` UNION `)}) AS named`,
  );
  const { rows } = await sql<{ i: number; n: number }>`${sql.join(counts, sql` UNION ALL `)}`.execute(db);
  return rows.flatMap(({ i, n }) => (n > 0 ? [{ ...(places[i] as Place), n }] : [])).sort((a, b) => b.n - a.n);
}

function refuse(definition: Definition, row: Row, uses: readonly Counted[], changed?: readonly string[]): void {
  const [first] = uses;
  if (!first) return;
  const value = String(row[first.column]);
  const args = { what: recordName(definition), value, uses: sayUses(uses) };
  if (changed) {
    const field = definition.fields[first.column]?.label ?? first.column;
    throw new Refusal({ key: 'valueInUse', field: first.column, args: { ...args, field } });
  }
  throw new Refusal({ key: isSwitchedOff(definition) ? 'inUseOff' : 'inUse', args });
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
