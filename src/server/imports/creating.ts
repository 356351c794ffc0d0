import { sql, type RawBuilder } from 'kysely';
import { sqlTypes } from '#domain/definition/columns.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { labelWithUnit } from '#domain/definition/unit.ts';
import type { Context } from '#server/context.ts';
import { checkForm, sentFields } from '#server/engine/form.ts';
import { hooksOf, validateOwnRules } from '#server/engine/ownRules.ts';
import { readableNames, type Row } from '#server/engine/rows.ts';
import { foreignParents, keyText, ownedByWriter } from '#server/engine/ownership.ts';
import { createScopeCondition, rowsSeen, siteOfRow } from '#server/engine/scope.ts';
import { findApart, findStrangers } from '#server/engine/strayValues.ts';
import { kindOf, ownsSite, toWrite, validateKind } from '#server/engine/writing.ts';
import { firstRows, type Import, type ImportColumn, type Importer, type ImportRow } from '#server/imports/importer.ts';

const WRITTEN_AT_ONCE = 500;
const LISTED = 12;

/**
 * New rows of a module, each judged as if it had been entered in the module's form: the same rules and hooks, unknown
 * references, the site of the session, a business number. What exists already, in the workshop or higher up in the sheet,
 * is named and not changed.
 */
export const creating: Importer = {
  columns: ({ definition }) => columnsOf(definition),
  forOwnSite: true,
  open: ({ definition }) => new Creating(definition),
};

const columnsOf = (definition: Definition): ImportColumn[] =>
  sentFields(definition)
    .filter(([, field]) => field.type !== 'password')
    .map(([name, field]) => ({
      name,
      field,
      label: labelWithUnit(field),
      // What a form has only sometimes, a sheet may do without; the row is judged by what it says.
      required: (field.required ?? false) && field.default === undefined && !field.visibleWhen,
    }));

class Creating implements Import {
  readonly #definition: Definition;
  readonly #values: Row[] = [];
  readonly #once = firstRows();

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  async check(rows: readonly ImportRow[], ctx: Context): Promise<void> {
    await namesToValues(this.#definition, rows, ctx);
    const checked: Checked[] = [];
    for (const row of rows) {
      const { values, problems } = checkForm(this.#definition, row.values, null, ctx);
      // What could not even be read is reported once, with its cell.
      const known = new Set(row.problems.map((it) => it.field));
      row.problems.push(...problems.filter((it) => !known.has(it.field)));
      if (row.problems.length === 0) {
        row.problems.push(...(await validateOwnRules(this.#definition, values, undefined, ctx)));
      }
      const own = ownedByWriter(this.#definition, ctx);
      checked.push({ row, values: { ...withSite(this.#definition, row, values, ctx), ...own } });
    }
    for (const key of keysOf(this.#definition)) await refuseDoubles(this.#definition, key, checked, this.#once, ctx);
    const foreign = await foreignParents(
      this.#definition,
      checked.map((it) => it.values),
      ctx,
    );
    for (const { row, values } of checked) row.problems.push(...(foreign.get(values) ?? []));
    const fine = checked.filter(({ row }) => row.problems.length === 0);
    const whole = fine.map((it) => it.values);
    for (const stray of [
      await findApart(this.#definition, whole, ctx),
      await findStrangers(this.#definition, whole, ctx),
    ])
      for (const { row, values } of fine) row.problems.push(...(stray.get(values) ?? []));
    this.#values.push(...checked.map((it) => it.values));
  }

  async write(ctx: Context): Promise<void> {
    const { number } = this.#definition;
    const numbers = number ? await ctx.numbers.many(number.prefix, this.#values.length) : [];
    for (let at = 0; at < this.#values.length; at += WRITTEN_AT_ONCE) {
      const rows: Row[] = [];
      for (const [i, values] of this.#values.slice(at, at + WRITTEN_AT_ONCE).entries()) {
        const numbered = { ...values, ...(number && { [number.field]: numbers[at + i] }) };
        rows.push({ ...(await toWrite(this.#definition, numbered, undefined, ctx)), createBy: ctx.currentUser.userId });
      }
      const { afterWrite } = hooksOf(this.#definition, ctx);
      for (const row of await insert(this.#definition, rows, ctx)) await afterWrite?.(row, undefined, ctx);
    }
  }
}

/** Inserts rows and writes each one into the ledger, in one statement; gives them as they were written. */
async function insert(definition: Definition, rows: Row[], ctx: Context): Promise<Row[]> {
  const { table, module } = definition;
  const names = [...new Set(rows.flatMap((it) => Object.keys(it)))];
  const list = sql.join(names.map((it) => sql.ref(it)));
  // A table may be called as a type that PostgreSQL has itself, such as "box": its rows say their own.
  const inserted = await sql<Row>`
    WITH put AS (
      INSERT INTO ${sql.table(table)} (${list})
      SELECT ${list} FROM json_populate_recordset(
        (SELECT _row FROM ${sql.table(table)} AS _row LIMIT 0), ${JSON.stringify(rows)}::json) RETURNING *
    ), told AS (
      INSERT INTO ledger ("userId", "siteId", what, module, "recordId", after, "requestId")
      SELECT ${ctx.currentUser.userId}, ${siteOfRow(definition, ctx, 'put')}, 'upload', ${module}, put.id::text, to_jsonb(put), ${ctx.request.id}
        FROM put ORDER BY put.id
    )
    SELECT ${sql.join(readableNames(definition).map((it) => sql.ref(it)))} FROM put ORDER BY id`.execute(ctx.db);
  return inserted.rows;
}

/**
 * Columns that refer to another module take its value or what it is called; what is neither, what several are called, or what is of
 * a kind that they don't take, is a fault.
 */
async function namesToValues(definition: Definition, rows: readonly ImportRow[], ctx: Context): Promise<void> {
  for (const [name, field] of sentFields(definition)) {
    const { ref } = field;
    const target = ref && ctx.model.definitions.get(ref.module);
    const said = [...new Set(rows.map((it) => it.values[name]).filter((it) => it !== undefined))].map(String);
    if (!ref || !target || said.length === 0) continue;
    const labels = [ref.label, `${ref.label}En`].filter((it) => Object.hasOwn(target.fields, it));
    const found = await sql<{ value: string; names: (string | null)[]; kind: string | null }>`
      SELECT t.${sql.ref(ref.value)}::text AS value, ${kindOf(field)} AS kind, ARRAY[${sql.join(labels.map((it) => sql`t.${sql.ref(it)}::text`))}] AS names
        FROM ${rowsSeen(target, ctx)} AS t
       WHERE (t.${sql.ref(ref.value)}::text = ANY(${said}) OR ${sql.join(
         labels.map((it) => sql`t.${sql.ref(it)}::text = ANY(${said})`),
         sql` OR `,
       )}) AND ${createScopeCondition(target, ctx.currentUser, ctx.model)} ORDER BY 1`.execute(ctx.db);
    const faults = new Map(found.rows.map((it) => [it.value, validateKind(name, field, target, it)]));
    const known = new Set(found.rows.map((it) => it.value));
    // Of two of one name the one that may be taken is meant.
    const named = (value: string) => {
      const called = found.rows.filter((it) => it.names.includes(value)).map((it) => it.value);
      const fitting = called.filter((it) => !faults.get(it)?.length);
      return fitting.length > 0 ? fitting : called.slice(0, 1);
    };
    const meant = new Map(said.map((it) => [it, known.has(it) ? [it] : named(it)]));
    for (const row of rows) {
      if (row.values[name] === undefined) continue;
      const value = String(row.values[name]);
      const [first, ...others] = meant.get(value) ?? [];
      const args = { what: field.label, value };
      if (first === undefined) row.problems.push({ key: 'notFound', field: name, args });
      else if (others.length > 0) {
        const values = [first, ...others].slice(0, LISTED).join(', ');
        row.problems.push({ key: 'severalNamed', field: name, args: { ...args, values } });
      } else {
        row.values[name] = first;
        row.problems.push(...(faults.get(first) ?? []));
      }
    }
  }
}

/**
 * Rows go to the site of the session; whoever sees all sites may say another one, for everybody else that is a fault.
 */
function withSite(definition: Definition, row: ImportRow, values: Row, ctx: Context): Row {
  if (!ownsSite(definition)) return values;
  const said = values['siteId'];
  if (said && ctx.currentUser.sites === 'all') return values;
  if (said && said !== ctx.currentUser.siteId) {
    const what = (definition.fields['siteId'] as Field).label;
    row.problems.push({ key: 'notFound', field: 'siteId', args: { what, value: String(said) } });
  }
  return { ...values, siteId: ctx.currentUser.siteId };
}

const keysOf = (definition: Definition): string[][] => [
  ...Object.entries(definition.fields).flatMap(([name, it]) => (it.unique && !it.readOnly ? [[name]] : [])),
  ...(definition.unique ?? []),
];

interface Checked {
  row: ImportRow;
  values: Row;
}

/** No two rows share a key: not in the sheet, not in the workshop. */
async function refuseDoubles(
  definition: Definition,
  key: readonly string[],
  checked: readonly Checked[],
  once: ReturnType<typeof firstRows>,
  ctx: Context,
): Promise<void> {
  const whole = checked.filter(({ values }) => key.every((it) => values[it] !== null && values[it] !== undefined));
  if (whole.length === 0) return;
  const [first = ''] = key;
  const what = (definition.fields[first] as Field).label;
  const textOf = (row: Row) => key.map((it) => keyText(row[it])).join('\u0000');
  for (const { row, values } of whole) once(`${key.join()}:${textOf(values)}`, row, what, keyText(values[first]));
  const present = await sql<Row>`
    SELECT ${sql.join(key.map((it) => sql.ref(it)))} FROM ${rowsSeen(definition, ctx)} AS t
     WHERE ${sql.ref(first)} = ANY(${whole.map(({ values }) => values[first])}::${toSqlType(definition, first)}[])`.execute(
    ctx.db,
  );
  const known = new Set(present.rows.map(textOf));
  for (const { row, values } of whole) {
    if (!known.has(textOf(values))) continue;
    row.problems.push({ key: 'alreadyExists', field: first, args: { what, value: keyText(values[first]) } });
  }
}

const toSqlType = (definition: Definition, name: string): RawBuilder<unknown> =>
  sql.raw(sqlTypes[(definition.fields[name] as Field).type]);
