import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { dayOf, momentText } from '#domain/day.ts';
import { offeredRows } from '#domain/definition/writes.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import { NOTHING } from '#domain/say.ts';
import { holdsWaybill, normaliseWaybill } from '#domain/waybill.ts';
import type { Context } from '#server/context.ts';
import { refuseUnallowed } from '#server/engine/allowed.ts';
import type { Row } from '#server/engine/rows.ts';
import { createScopeCondition, hiddenFields, rowsSeen, seesValue, siteOfRow } from '#server/engine/scope.ts';
import { parseValue } from '#server/engine/values.ts';
import { firstRows, type Import, type ImportCall, type Importer, type ImportRow } from '#server/imports/importer.ts';
import { touchSql } from '#server/touch.ts';

interface Target {
  by: readonly string[];
  field: string;
  script: string;
}

/** The button says which field is set and by which numbers its rows are found. */
function parseTarget({ button, definition }: ImportCall): Target {
  const { by, field } = button;
  if (!by || !field) throw new Error(`${definition.module}: button ${button.btnNo} names no field or no numbers`);
  return { by, field, script: button.script };
}

/**
 * One moment of many bills, found by their numbers: when the parcels of arrivals and deliveries were signed for. A
 * number that nobody knows, that belongs to another site or to several bills, a bill for which the button is not offered, and a
 * moment in the future are faults; so is a bill that was changed after the workbook was looked at. A moment that is written over, or
 * that is of a day before its bill was made, is told before, and a bill that has it already stays as it is.
 */
export const setting: Importer = {
  columns: (call) => {
    const { by, field } = parseTarget(call);
    const columnOf = (name: string) => {
      const it = call.definition.fields[name] as Field;
      return { name, label: it.label, field: it };
    };
    return [
      ...by.map((name) => ({ ...columnOf(name), required: true, oneOf: 'number' })),
      { ...columnOf(field), required: true },
    ];
  },
  open: (call) => new Setting(call.definition, parseTarget(call), call.lookedAt),
};

interface Found {
  id: number;
  version: number;
  before: number | null;
  createTime: number;
  changedAt: number;
  isShown: boolean;
  /** What it holds in the fields that say for which rows the button is offered. */
  state: Row;
}

class Setting implements Import {
  readonly #definition: Definition;
  readonly #target: Target;
  readonly #lookedAt: number | undefined;
  readonly #changes: { id: number; seen: number; value: Date }[] = [];
  readonly #once = firstRows();
  readonly #seen: string[] = [];

  constructor(definition: Definition, target: Target, lookedAt: number | undefined) {
    this.#definition = definition;
    this.#target = target;
    this.#lookedAt = lookedAt;
  }

  async check(rows: readonly ImportRow[], ctx: Context): Promise<void> {
    const { by, field } = this.#target;
    const known = await this.#find(rows, ctx);
    const lookedAt = await this.#valuesLookedAt([...known.values()].flat(), ctx);
    const label = (name: string) => (this.#definition.fields[name] as Field).label;
    for (const row of rows) {
      const name = by.find((it) => row.values[it] !== undefined);
      const raw = row.values[field];
      const isUnread = row.problems.some((it) => it.field === field);
      const missing = [
        ...(name ? [] : [label(by[0] as string)]),
        ...(raw === undefined && !isUnread ? [label(field)] : []),
      ];
      if (missing.length > 0) row.problems.push({ key: 'required', args: { fields: missing } });
      const parsed =
        raw === undefined ? null : parseValue(this.#definition.fields[field] as Field, field, raw, ctx.config.timeZone);
      if (parsed && 'problem' in parsed) row.problems.push(parsed.problem);
      const value = parsed && 'value' in parsed ? (parsed.value as Date) : null;
      if (value && value.getTime() > Date.now()) {
        row.problems.push({ key: 'inFuture', field, args: { field: label(field) } });
      }
      if (!name) continue;
      const number = numberOf(name, row.values[name]);
      const found = known.get(`${name}:${number}`) ?? [];
      const args = { what: label(name), value: number };
      if (found.length === 0) row.problems.push({ key: 'notFound', field: name, args });
      else if (found.length > 1) row.problems.push({ key: 'severalRows', field: name, args });
      else {
        const [{ id, version, before, createTime, changedAt, isShown, state }] = found as [Found];
        this.#seen.push(`${id} ${version}`);
        this.#once(String(id), row, label(name), number);
        // Nobody writes over a value that he does not see.
        const barred = this.#whyBarred(state, ctx);
        const is = sayMoment(before, ctx);
        if (!isShown) row.problems.push({ key: 'fixed', field, args: { field: label(field) } });
        else if (barred.length > 0) row.problems.push(...barred);
        else if (this.#isChangedSince(changedAt)) {
          const was = lookedAt.get(id);
          row.problems.push(
            was === undefined || was === before
              ? { key: 'changedBesides', field, args: { field: label(field), is } }
              : { key: 'changedSince', field, args: { field: label(field), was: sayMoment(was, ctx), is } },
          );
        } else if (value && value.getTime() !== before) {
          if (before !== null) row.notes.push({ key: 'writesOver', field, args: { field: label(field), was: is } });
          const made = dayOf(createTime, ctx.config.timeZone);
          const day = dayOf(value.getTime(), ctx.config.timeZone);
          if (day < made) row.notes.push({ key: 'beforeMade', field, args: { field: label(field), day, made } });
          this.#changes.push({ id, seen: version, value });
        }
      }
    }
  }

  seen(): string {
    return createHash('sha256').update(this.#seen.join()).digest('base64url');
  }

  async write(ctx: Context): Promise<void> {
    const { table, module } = this.#definition;
    const field = sql.ref(this.#target.field);
    // No table is called so: a module's own may be called as anything else.
    const { numAffectedRows } = await sql`
      WITH _wanted AS (SELECT * FROM json_to_recordset(${JSON.stringify(this.#changes)}::json) AS it(id bigint, seen int, value timestamptz)),
           _before AS (SELECT t.id, t.${field} AS value, ${siteOfRow(this.#definition, ctx, 't')} AS site FROM ${sql.table(table)} AS t JOIN _wanted USING (id)
                       WHERE t.version = _wanted.seen
                         AND ${createScopeCondition(this.#definition, ctx.currentUser, ctx.model)} FOR NO KEY UPDATE OF t),
           _changed AS (UPDATE ${sql.table(table)} AS t
                          SET ${field} = _wanted.value, ${touchSql(ctx.currentUser)}
                         FROM _wanted JOIN _before USING (id) WHERE t.id = _wanted.id RETURNING t.id)
      INSERT INTO ledger ("userId", "siteId", what, module, "recordId", before, after, "requestId")
      SELECT ${ctx.currentUser.userId}, _before.site, 'uploadSignForTime', ${module}, _wanted.id::text,
             jsonb_build_object(${this.#target.field}::text, _before.value),
             jsonb_build_object(${this.#target.field}::text, _wanted.value), ${ctx.request.id}
        FROM _wanted JOIN _before USING (id) JOIN _changed USING (id)`.execute(ctx.db);
    // Somebody changed one since it was judged: it may be offered for no more, whatever its field holds.
    if (Number(numAffectedRows) !== this.#changes.length) throw new Refusal({ key: 'stale' });
  }

  #isChangedSince = (changedAt: number): boolean => this.#lookedAt !== undefined && changedAt > this.#lookedAt;

  /** By the ids of bills that were changed after the look: what the field held then, where a change since has set it. */
  async #valuesLookedAt(found: readonly Found[], ctx: Context): Promise<ReadonlyMap<number, number | null>> {
    const changed = found.filter((it) => this.#isChangedSince(it.changedAt));
    if (changed.length === 0) return new Map();
    const { field } = this.#target;
    const { module, number } = this.#definition;
    // The ledger names a bill by its id or by its number.
    const idsByName = new Map(
      changed.flatMap(({ id, state }) => [
        [String(id), id] as const,
        ...(number ? [[String(state[number.field]), id] as const] : []),
      ]),
    );
    const { rows } = await sql<{ recordId: string; was: unknown }>`
      SELECT "recordId", before -> ${field} AS was FROM ledger
       WHERE module = ${module} AND "recordId" = ANY(${[...idsByName.keys()]})
         AND at > ${new Date(this.#lookedAt as number)} AND (before ? ${field} OR after ? ${field})
       ORDER BY at DESC, id DESC`.execute(ctx.db);
    return new Map(rows.map(({ recordId, was }) => [idsByName.get(recordId) as number, momentInLedger(was)]));
  }

  /** Why the button is not offered for a row that stands so, or the module does not let it be written. */
  #whyBarred(state: Row, ctx: Context): readonly Problem[] {
    const { field, script } = this.#target;
    try {
      refuseUnallowed(this.#definition, { field, script }, state, ctx);
      return [];
    } catch (error) {
      if (error instanceof Refusal) return error.problems;
      throw error;
    }
  }

  /** The rows of the scope by each number that a batch names: one query a kind of number. */
  async #find(rows: readonly ImportRow[], ctx: Context): Promise<Map<string, Found[]>> {
    const known = new Map<string, Found[]>();
    const sites = hiddenFields(this.#definition, ctx).get(this.#target.field);
    const { number, buttons = [] } = this.#definition;
    const states = [
      ...new Set([
        ...(number ? [number.field] : []),
        ...buttons.flatMap((it) => Object.keys(offeredRows(this.#definition, it) ?? {})),
      ]),
    ];
    const state = sql`jsonb_build_object(${sql.join(states.map((it) => sql`${it}::text, t.${sql.ref(it)}`))})`;
    const isShown = sites ? seesValue(sites, ctx, 't') : sql`true`;
    for (const name of this.#target.by) {
      const said = [...new Set(rows.map((it) => it.values[name]).filter((it) => it !== undefined))].map((it) =>
        numberOf(name, it),
      );
      if (said.length === 0) continue;
      const found = await sql<Found & { number: string }>`
        SELECT t.id, t.version, t.${sql.ref(name)} AS number, t.${sql.ref(this.#target.field)} AS before,
               t."createTime", coalesce(t."updateTime", t."createTime") AS "changedAt",
               ${isShown} AS "isShown", ${states.length > 0 ? state : sql`'{}'::jsonb`} AS state
          FROM ${rowsSeen(this.#definition, ctx)} AS t
         WHERE t.${sql.ref(name)} = ANY(${said}) AND ${createScopeCondition(this.#definition, ctx.currentUser, ctx.model)}`.execute(
        ctx.db,
      );
      for (const { number, ...it } of found.rows) {
        const key = `${name}:${number}`;
        known.set(key, [...(known.get(key) ?? []), it]);
      }
    }
    return known;
  }
}

const sayMoment = (moment: number | null, { config }: Context) =>
  moment === null ? NOTHING : momentText(moment, config.timeZone);

/** Generic calls write moments as milliseconds, statements as ISO text. */
const momentInLedger = (value: unknown): number | null =>
  value === null || value === undefined ? null : new Date(value as number | string).getTime();

const numberOf = (name: string, value: unknown): string =>
  holdsWaybill(name) ? normaliseWaybill(value) : String(value).trim();
