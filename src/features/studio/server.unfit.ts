import { dequal } from 'dequal/lite';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Definition, Model, When } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { rowsSeen } from '#server/engine/scope.ts';
import { mayAskOf, readRows, type Broken, type IsOver } from './queries.ts';

/**
 * The rows that hold a value in a field which a draft shows no more for them: the next change of any other field empties it.
 * And those that lack a value which a draft requires of them. Rule: definitions#slips.
 */
export async function findUnfit(
  changes: readonly PublishedChange[],
  model: Model,
  ctx: Context,
  isOver: IsOver,
): Promise<Broken[]> {
  const found: Broken[] = [];
  for (const module of new Set(changes.map((it) => it.module))) {
    const [before, after] = [ctx.model.definitions.get(module), model.definitions.get(module)];
    if (!before || !after || !mayAskOf(before, ctx)) continue;
    for (const { field, rule, breaks, from } of unfitIn(before, after, ctx)) {
      const rows = await readRows(from, before, breaks, ctx, isOver);
      if (rows.count !== 0) found.push({ module, field, rule, ...rows });
    }
  }
  return found;
}

interface Unfit {
  field: string;
  rule: 'visibleWhen' | 'requiredWhen';
  breaks: RawBuilder<SqlBool>;
  from: RawBuilder<unknown>;
}

function unfitIn(before: Definition, after: Definition, ctx: Context): Unfit[] {
  const [was, is] = [shownIn(before, before, 'was'), shownIn(after, before, 'is')];
  // No more than what the field depends on: PostgreSQL plans each join anew with each query.
  const fromOf = (names: readonly string[]) =>
    sql`${rowsSeen(before, ctx)} AS t ${sql.join([...was.joinsOf(names), ...is.joinsOf(names)], sql` `)}`;
  return is.entered.flatMap((field): Unfit[] => {
    const [old, now] = [before.fields[field], after.fields[field]];
    if (!old || !now || old.type === 'password') return [];
    const column = sql.ref(`t.${field}`);
    const isEmptied = !is
      .chainOf(field)
      .every((it) => dequal(before.fields[it]?.visibleWhen, after.fields[it]?.visibleWhen));
    const requires = now.required ? {} : now.requiredWhen;
    const isAsked = requires && !old.required && !dequal(old.requiredWhen, now.requiredWhen) && !now.required;
    return [
      ...(isEmptied || !was.entered.includes(field)
        ? [
            {
              ...{ field, rule: 'visibleWhen' as const, from: fromOf([field]) },
              breaks: sql<SqlBool>`${column} IS NOT NULL AND ${was.shown(field)} AND NOT ${is.shown(field)}`,
            },
          ]
        : []),
      ...(isAsked
        ? [
            {
              ...{ field, rule: 'requiredWhen' as const, from: fromOf([field, ...Object.keys(requires)]) },
              breaks: sql<SqlBool>`${column} IS NULL AND ${is.shown(field)} AND ${is.holds(requires)}`,
            },
          ]
        : []),
    ];
  });
}

/**
 * Which fields a form shows, as its rules say it in the browser: what depends on a field that is not shown is not shown
 * either. Each field is worked out once, after those that it depends on, as long chains would grow otherwise.
 */
function shownIn(definition: Definition, table: Definition, prefix: 'was' | 'is') {
  const { fields, form = [] } = definition;
  const entered = [...new Set(form.flat())].filter((name) => fields[name] && !fields[name].readOnly);
  const isRuled = (name: string) => entered.includes(name) && fields[name]?.visibleWhen !== undefined;
  const order: string[] = [];
  const visit = (name: string, trail: readonly string[]): void => {
    if (!isRuled(name) || order.includes(name) || trail.includes(name)) return;
    for (const it of Object.keys(fields[name]?.visibleWhen ?? {})) visit(it, [...trail, name]);
    order.push(name);
  };
  for (const it of entered) visit(it, []);
  const raw = (name: string) =>
    Object.hasOwn(table.fields, name) ? sql`coalesce(${sql.ref(`t.${name}`)}::text, '')` : sql`''`;
  const alias = (name: string) => `${prefix} ${order.indexOf(name)}`;
  const value = (name: string, known: readonly string[]) =>
    known.includes(name) ? sql`CASE WHEN ${sql.ref(`${alias(name)}.shown`)} THEN ${raw(name)} ELSE '' END` : raw(name);
  const holds = (when: When | undefined, known: readonly string[] = order): RawBuilder<SqlBool> => {
    const all = Object.entries(when ?? {}).map(
      ([name, values]) => sql<SqlBool>`${value(name, known)} = ANY (${[values].flat()}::text[])`,
    );
    return all.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(all, sql` AND `)})`;
  };
  // Not taken up into the query above it, which would write out each chain again and again.
  const joins = order.map((name, i) => ({
    name,
    join: sql`CROSS JOIN LATERAL (SELECT ${holds(fields[name]?.visibleWhen, order.slice(0, i))} AS shown OFFSET 0) AS ${sql.ref(alias(name))}`,
  }));
  /** A field and all that it depends on. */
  const chainOf = (name: string): string[] => {
    const chain = [name];
    for (const it of chain) {
      if (!isRuled(it)) continue;
      chain.push(...Object.keys(fields[it]?.visibleWhen ?? {}).filter((other) => !chain.includes(other)));
    }
    return chain;
  };
  return {
    entered,
    holds,
    /** Of these fields and all that they depend on. */
    joinsOf: (names: readonly string[]) => {
      const needed = new Set(names.flatMap(chainOf));
      return joins.filter(({ name }) => needed.has(name)).map((it) => it.join);
    },
    shown: (name: string) => (order.includes(name) ? sql.ref(`${alias(name)}.shown`) : sql`true`),
    chainOf,
  };
}
