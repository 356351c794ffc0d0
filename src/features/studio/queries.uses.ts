import { refFields } from '#domain/definition/refFields.ts';
import { sql } from 'kysely';
import { namedFields } from '#domain/definition/expression.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { namingFields } from '#domain/definition/namingFields.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { rowsAre, rowsChain } from '#domain/definition/rowsOf.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { inBoth, type Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import type { Look } from '#server/definitions/look.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { readersOf } from '#server/reads.ts';
import { isViewSeen } from '#server/views/views.ts';

interface Use {
  module: string;
  field: string;
  kind: string;
  name: Words;
}

/** What names fields of a module: as what, which of them, and what it is called. */
type Place = [kind: string, fields: readonly string[], name: Words];

/**
 * What uses the fields that a draft alters, or after which they stand nowhere: other modules' references, rules of other fields, where the module and other
 * lists of its rows show or ask for them, exports and imports, bills that show its rows as lines, whose rows are seen by them,
 * reports, the charts and queues of the home page, saved views. The rules by which labels are read name no fields.
 * Rule: definitions#drafts.
 */
export async function findUses(
  changes: readonly PublishedChange[],
  after: Model,
  ctx: Context,
  look: Look,
): Promise<{ uses: Use[]; uncounted: DefinitionProblem[] }> {
  const found: Use[] = [];
  const uncounted: DefinitionProblem[] = [];
  for (const { module, change } of changes) {
    const own = ctx.model.definitions.get(module);
    if (!own) continue;
    const names = [...new Set([...Object.keys(change.fields ?? {}), ...hiddenBy(own, after)])];
    if (names.length === 0) continue;
    const all = [...ctx.model.definitions.values()];
    // Other lists of the same rows show the same fields.
    const alike = all.filter((it) => rowsChain(it, ctx.model).includes(own));
    const views = await viewsOf(alike, names, ctx, look);
    if (!views) uncounted.push(viewsUncounted(own));
    const places = [
      ...all.flatMap((it) => referencesIn(it, module)),
      ...alike.flatMap(rulesIn),
      ...alike.flatMap(placesIn),
      ...all.flatMap((it) => linesIn(it, own)),
      ...all.flatMap((it) => sightsIn(it, module, alike)),
      ...readersOf(rowsAre(own, ctx.model).module, ctx.model).map(({ kind, fields, name }): Place => [
        kind,
        fields,
        name,
      ]),
      ...(views ?? []),
    ];
    const told = new Set<string>();
    for (const [kind, used, name] of places) {
      for (const field of names.filter((it) => used.includes(it))) {
        const key = `${field} ${kind} ${name.en}`;
        if (!told.has(key)) found.push({ module, field, kind, name });
        told.add(key);
      }
    }
  }
  return { uses: found, uncounted };
}

const viewsUncounted = ({ module, label }: Definition): DefinitionProblem => ({
  ...{ kind: 'Slip', rule: 'viewsNotCounted', where: module, path: '', name: inBoth(label.zh, label.en) },
  what: `looking through the views of ${module} takes too long`,
});

/** What stood somewhere and stands nowhere after it: others that refer to it offer and name their rows by it no more. */
function hiddenBy(own: Definition, after: Model): string[] {
  const laid = after.definitions.get(own.module);
  const still = laid && standingFields(laid);
  return still ? Object.keys(own.fields).filter((it) => standingFields(own).has(it) && !still.has(it)) : [];
}

const referencesIn = (other: Definition, module: string): Place[] =>
  Object.entries(other.fields).flatMap(([by, { ref }]): Place[] =>
    ref?.module === module ? [['reference', refFields(ref), under(other, by)]] : [],
  );

/** Rules of other fields, and what they are computed from. */
const rulesIn = (own: Definition): Place[] =>
  Object.values(own.fields).map((field): Place => {
    const ruled = [field.requiredWhen, field.visibleWhen, field.readOnlyWhen].flatMap((it) => Object.keys(it ?? {}));
    const others = [field.minField, field.maxField, field.ref?.within?.of, field.site?.by];
    return ['rule', [...ruled, ...others.flatMap((it) => it ?? []), ...computingFields(field, own)], field.label];
  });

/** Where a module names fields itself; an export has the columns of its list, an import the fields of its form. */
function placesIn(own: Definition): Place[] {
  const { label, search = [], list, form = [], buttons = [], lines = [], names = {} } = own;
  const columns = list?.columns ?? Object.keys(own.fields);
  const asked = buttons.map((it): Place => [
    'button',
    [...Object.keys(it.when ?? {}), it.field ?? [], it.by ?? []].flat(),
    it.label,
  ]);
  const does = (start: string) => buttons.filter((it) => it.script === start || it.script.startsWith(`${start}Direct`));
  const writes = typeof own.writes === 'object' ? own.writes : {};
  const written = [...Object.keys(writes.modify ?? {}), ...Object.keys(writes.delete ?? {}), ...(writes.fill ?? [])];
  return [
    ['search', search, label],
    ['list', [...columns, list?.sort?.replace(/^-/, '') ?? []].flat(), label],
    ['form', form.flat(), label],
    ['detail', [...(own.detail ?? []), ...lines.map((it) => it.by), ...Object.values(names)], label],
    ['named', [...namingFields(own), own.number?.field ?? []].flat(), own.one ?? label],
    ['kept', [...(own.indexes ?? []), ...(own.unique ?? []), written].flat(), label],
    ...does('export').map((): Place => ['export', columns, label]),
    ...does('upload').map((): Place => ['import', form.flat(), label]),
    ...asked,
  ];
}

/** Bills that show its rows under them, with the columns of its list. */
const linesIn = ({ lines = [], label }: Definition, own: Definition): Place[] =>
  lines
    .filter((it) => it.module === own.module)
    .map(({ by, under: above }): Place => {
      const columns = own.list?.columns ?? Object.keys(own.fields);
      return ['lines', [...columns, by, above?.by ?? []].flat(), label];
    });

/** By which fields it is decided whose rows of a list one sees. */
function sightsIn(other: Definition, module: string, alike: readonly Definition[]): Place[] {
  const { site, owner, rowsOf, label } = other;
  const through = typeof site === 'object' && 'through' in site ? site : undefined;
  const fields = [
    ...(other.module === module ? [Array.isArray(site) ? site : [], through?.by ?? [], owner?.field ?? []] : []),
    ...(through?.through === module ? [through.as ?? through.by] : []),
    ...(alike.includes(other) ? [Object.keys(rowsOf?.when ?? {})] : []),
    ...Object.values(other.fields).flatMap((it) => (it.site?.through === module ? it.site.by : [])),
  ].flat();
  return fields.length > 0 ? [['sight', fields, label]] : [];
}

/** A field of a module by what both are called. */
const under = ({ label, fields }: Definition, field: string): Words => ({
  zh: `${label.zh} · ${fields[field]?.label.zh ?? field}`,
  en: `${label.en} · ${fields[field]?.label.en ?? field}`,
});

function computingFields(field: Field, { fields }: Definition): string[] {
  const parsed = field.computed === undefined ? undefined : parseExpression(field.computed, field, fields);
  return parsed && 'expression' in parsed ? namedFields(parsed.expression) : [];
}

/** Views that the asker may not see are counted, field by field: their names are their owners' own. */
async function viewsOf(
  lists: readonly Definition[],
  names: readonly string[],
  ctx: Context,
  look: Look,
): Promise<Place[] | undefined> {
  const modules = lists.map((it) => it.module);
  const reading = sql`
    SELECT v.name, v.state, ${isViewSeen(ctx)} AS "isSeen" FROM list_view AS v
     WHERE v.module = ANY(${modules}) ORDER BY 3 DESC, v.id LIMIT 1000`.compile(ctx.db);
  const rows = await look<{ name: string; state: unknown; isSeen: boolean }>(reading.sql, reading.parameters);
  if (!rows) return undefined;
  const views = rows.map(({ name, state, isSeen }) => {
    const named = new Set(namesIn(state));
    return { name, isSeen, fields: names.filter((it) => named.has(it)) };
  });
  const seen = views
    .filter((it) => it.isSeen)
    .map(({ name, fields }): Place => ['view', fields, { zh: name, en: name }]);
  const others = names.flatMap((field): Place[] => {
    const count = views.filter((it) => !it.isSeen && it.fields.includes(field)).length;
    return count === 0 ? [] : [['othersView', [field], sayOthers(count)]];
  });
  return [...seen, ...others];
}

/** Where the state of a view names fields; what it searches for is its owner's own. */
const naming: ReadonlySet<string> = new Set(['name', 'column', 'sortBy']);
const namesIn = (state: unknown): string[] =>
  typeof state !== 'object' || state === null
    ? []
    : Object.entries(state).flatMap(([key, it]) => (naming.has(key) && typeof it === 'string' ? [it] : namesIn(it)));

const sayOthers = (count: number): Words => ({
  zh: `其他人的 ${count} 个视图`,
  en: count === 1 ? '1 view of others' : `${count} views of others`,
});
