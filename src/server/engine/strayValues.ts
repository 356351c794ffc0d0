import { sql } from 'kysely';
import { dayOf } from '#domain/day.ts';
import { sqlTypes } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { isChosen, refTarget, valuesOf } from '#server/engine/describe.ts';
import type { Row } from '#server/engine/rows.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';

/**
 * What is wrong with each row that refers to one which does not have what another field of it says, where that narrows the
 * choices down (`within`): a store of another site than the chosen one. Rule: definitions#references.
 * @param isAsked of which references, each with the field that narrows it down
 */
export async function findApart(
  { fields }: Definition,
  rows: readonly Row[],
  ctx: Context,
  isAsked: (names: readonly string[]) => boolean = () => true,
): Promise<ReadonlyMap<Row, Problem[]>> {
  const found = new Map<Row, Problem[]>();
  for (const [name, { ref, label }] of Object.entries(fields)) {
    const target = ref?.within && ctx.model.definitions.get(ref.module);
    if (!ref?.within || !target || !isAsked([name, ref.within.of])) continue;
    const { field, of } = ref.within;
    const asked = rows.filter((it) => (it[name] ?? '') !== '' && (it[of] ?? '') !== '');
    if (asked.length === 0) continue;
    const type = fields[of]?.type ?? 'String';
    // A day or a moment of a row that is there was read as epoch ms.
    const toWritten = (it: unknown) => {
      if (typeof it !== 'number') return it;
      if (type === 'date') return dayOf(it, ctx.config.timeZone);
      return type === 'dateTime' ? new Date(it) : it;
    };
    const chosen = asked.map((it) => toWritten(it[of]));
    const { rows: fitting } = await sql<{ n: number }>`
      SELECT DISTINCT said.n::int AS n
        FROM unnest(${asked.map((it) => String(it[name]))}::text[], ${chosen}::${sql.raw(sqlTypes[type])}[])
             WITH ORDINALITY AS said (value, within, n)
        JOIN ${rowsSeen(target, ctx)} AS t
          ON t.${sql.ref(ref.value)}::text = said.value AND t.${sql.ref(field)}::text = said.within::text
       WHERE ${createScopeCondition(target, ctx.currentUser, ctx.model)}`.execute(ctx.db);
    const fits = new Set(fitting.map((it) => it.n));
    const kind = target.fields[field]?.label ?? label;
    for (const [i, row] of asked.entries()) {
      if (fits.has(i + 1)) continue;
      const args = { what: label, value: String(row[name]), kind, expected: String(chosen[i]) };
      found.set(row, [...(found.get(row) ?? []), { key: 'otherKind', field: name, args }]);
    }
  }
  return found;
}

/**
 * What is wrong with each row whose accounts or roles are none that its writer is offered. Who may not see the accounts is
 * offered none, types a login and is told nothing of it. Rule: definitions#references.
 * @param before what a row holds that is changed: it may keep each of these, also when it has been taken away since
 */
export async function findStrangers(
  { fields }: Definition,
  rows: readonly Row[],
  ctx: Context,
  before: Row = {},
): Promise<ReadonlyMap<Row, Problem[]>> {
  const found = new Map<Row, Problem[]>();
  for (const [name, field] of Object.entries(fields)) {
    const target = field.ref || !isChosen(field, ctx) ? undefined : refTarget(field, ctx);
    const valuesIn = (it: Row) => (String(it[name] ?? '') === '' ? [] : valuesOf(field, String(it[name])));
    const kept = new Set(valuesIn(before));
    const saidIn = (it: Row) => valuesIn(it).filter((value) => !kept.has(value));
    const said = [...new Set(rows.flatMap(saidIn))];
    if (!target || said.length === 0) continue;
    const value = sql.ref(`t.${target.value}`);
    const { rows: known } = await sql<{ value: string }>`
      SELECT ${value}::text AS value FROM ${rowsSeen(target.definition, ctx)} AS t
       WHERE ${value} = ANY(${said}) AND ${createScopeCondition(target.definition, ctx.currentUser, ctx.model)}`.execute(
      ctx.db,
    );
    const there = new Set(known.map((it) => it.value));
    for (const row of rows) {
      const strange = saidIn(row).filter((it) => !there.has(it));
      const problems = strange.map((it): Problem => ({
        ...{ key: 'notFound', field: name, args: { what: field.label, value: it } },
      }));
      if (problems.length > 0) found.set(row, [...(found.get(row) ?? []), ...problems]);
    }
  }
  return found;
}
