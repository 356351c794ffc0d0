import type { Definition } from '#domain/definition/grammar.ts';
import { namingFields } from '#domain/definition/namingFields.ts';
import { recordName } from '#domain/definition/recordName.ts';
import { offeredRows } from '#domain/definition/writes.ts';
import { labelWithUnit } from '#domain/definition/unit.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { soughtChoices, type Choice } from '#server/engine/choices.ts';
import { createCondition, relations, relationsFor } from '#server/engine/conditions.ts';
import {
  columnInfos,
  isChosen,
  listColumns,
  readValueLabels,
  readableField,
  titleOf,
  withNames,
} from '#server/engine/describe.ts';
import { createFilters, type Condition } from '#server/engine/filters.ts';
import { answeredNames, countValues, parsePage, readLines, readPage, readRow, type Row } from '#server/engine/rows.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { readTotals } from '#server/engine/totals.ts';

/** The generic calls that read. Rule: lists#generic-calls. */

interface SearchItem {
  name: string;
  queryName: string;
  type: string;
  options?: Choice[];
  /** There are more choices than a select list brings. */
  more?: true;
}

/** What a list can be searched by; a moment gives two items, from and to. */
export async function searchItems(definition: Definition, ctx: Context): Promise<{ items: SearchItem[] }> {
  const items = await Promise.all(
    (definition.search ?? []).map(async (name): Promise<SearchItem[]> => {
      const field = readableField(definition, name);
      if (!field) return [];
      const label = labelWithUnit(field)[ctx.lang];
      const { type } = field;
      if (type === 'dateTime') {
        const [from, to] = ctx.lang === 'zh' ? ['起', '止'] : ['from', 'to'];
        return [
          { name: `${label}${ctx.lang === 'zh' ? '' : ' '}${from}`, queryName: `${name}Start`, type },
          { name: `${label}${ctx.lang === 'zh' ? '' : ' '}${to}`, queryName: `${name}End`, type },
        ];
      }
      const offered = isChosen(field, ctx) ? await soughtChoices(field, ctx) : {};
      return [{ name: label, queryName: name, type, ...offered }];
    }),
  );
  return { items: items.flat() };
}

/** A page of the list under simple search parameters. */
export async function pager(definition: Definition, query: Row, ctx: Context) {
  const { page, rest } = parsePage(definition, query);
  return listAnswer(definition, createFilters(definition, rest, ctx), page, ctx);
}

/** A page of the list under a tree of conditions. */
export async function advancedSearch(definition: Definition, query: Row, body: Row, ctx: Context) {
  const { page, rest } = parsePage(definition, query);
  const { adminAdvancedSearchGroup } = body;
  if (adminAdvancedSearchGroup === undefined) {
    throw new Refusal({
      key: 'required',
      field: 'adminAdvancedSearchGroup',
      args: { fields: 'adminAdvancedSearchGroup' },
    });
  }
  const tree = createCondition(definition, adminAdvancedSearchGroup, ctx);
  const filters = createFilters(definition, rest, ctx);
  return listAnswer(definition, tree ? [...filters, tree] : filters, page, ctx);
}

/** How many rows each tab of the list holds under the same search, whatever tab is chosen now. Rule: lists#tabs. */
export async function tabCounts(definition: Definition, query: Row, body: Row, ctx: Context) {
  const { tabs } = definition.list ?? {};
  if (!tabs) return { counts: {} };
  const { [tabs]: _, ...rest } = parsePage(definition, query).rest;
  const asked = body['adminAdvancedSearchGroup'];
  const tree = asked === undefined ? null : createCondition(definition, asked, ctx);
  const filters = createFilters(definition, rest, ctx);
  return { counts: await countValues(definition, tabs, tree ? [...filters, tree] : filters, ctx) };
}

async function listAnswer(
  definition: Definition,
  conditions: Condition[],
  page: ReturnType<typeof parsePage>['page'],
  ctx: Context,
) {
  const { shown, others } = listColumns(definition, ctx);
  const columns = [...shown, ...others];
  const named = columnInfos(definition, namingFields(definition), ctx);
  const read = [...columns, ...named].map((it) => it.name);
  const asked = new Set(['id', 'version', ...read, ...namesForButtons(definition)]);
  if (definition.number) asked.add(definition.number.field);
  const [{ items, itemTotal }, totals] = await Promise.all([
    readPage(definition, [...asked], conditions, page, ctx),
    readTotals(definition, conditions, page, ctx),
  ]);
  return {
    title: titleOf(shown),
    items: await withNames(definition, items, ctx),
    itemTotal,
    tableName: definition.label[ctx.lang],
    columns,
    named,
    labels: await readValueLabels(definition, [...columns, ...named], items, ctx),
    link: definition.list?.link ?? false,
    maxHeight: definition.list?.maxHeight ?? 540,
    ...(definition.list?.most && { most: definition.list.most }),
    ...(definition.list?.tabs && { tabs: definition.list.tabs }),
    ...(definition.list?.groups && {
      groups: definition.list.groups.map((it) => ({ label: it.label[ctx.lang], columns: it.columns })),
    }),
    ...totals,
  };
}

/** What a button's condition looks at must come along. */
const namesForButtons = (definition: Definition): string[] =>
  (definition.buttons ?? [])
    .flatMap((it) => Object.keys(offeredRows(definition, it) ?? {}))
    .filter((it) => readableField(definition, it));

/** What the nested search can ask: columns, relations, how each column is typed and which relations make sense for it. */
export async function toAdvancedSearch(definition: Definition, ctx: Context) {
  const columns = columnInfos(definition, definition.list?.columns ?? [], ctx);
  const typed = await Promise.all(
    columns.map(async (it) => {
      const field = readableField(definition, it.name);
      if (!field || !isChosen(field, ctx)) return { ...it, relations: relationsFor(it.type, it.format) };
      const offered = field.options ? {} : await soughtChoices(field, ctx);
      return { ...it, ...offered, relations: relationsFor(field.format === 'user' ? it.type : 'select', it.format) };
    }),
  );
  return {
    title: titleOf(columns),
    relations: Object.fromEntries(Object.entries(relations).map(([code, label]) => [code, label[ctx.lang]])),
    columns: typed,
  };
}

/** A row with its lines, flat as it is on the wire, and under `view` how to show it. Rule: lists#long-bills. */
export async function queryById(definition: Definition, query: Row, ctx: Context, mostLines?: number) {
  const item = await readRow(definition, query['id'], answeredNames(definition), ctx);
  const names = definition.detail ?? definition.list?.columns ?? Object.keys(definition.fields);
  const fields = columnInfos(definition, names, ctx);
  const changer = columnInfos(definition, ['updateBy'], ctx);
  const naming = namingFields(definition);
  // One value alone is the record's first fact.
  const named = naming.length > 1 ? columnInfos(definition, naming, ctx) : [];
  const lines: Record<string, Row[]> = {};
  const lineViews: Record<string, unknown> = {};
  for (const { name, module, by, under, related } of definition.lines ?? []) {
    const target = ctx.model.definitions.get(module);
    if (!target || (related && !mayDo(ctx.currentUser.rights, `${module}:list`))) continue;
    const only = related ? createScopeCondition(target, ctx.currentUser, ctx.model) : undefined;
    // What they share with their bill and with the lines above is told of neither anew.
    const names = [...new Set([...answeredNames(target), by, ...(under ? [under.by] : [])])];
    const { rows, total } = await readLines(target, { by, value: item[by], most: mostLines, only, names }, ctx);
    const columns = columnInfos(target, target.list?.columns ?? Object.keys(target.fields), ctx);
    lines[name] = rows;
    lineViews[name] = {
      label: target.label[ctx.lang],
      title: titleOf(columns),
      columns,
      labels: await readValueLabels(target, columns, rows, ctx),
      ...(total > rows.length && { total, by }),
      ...(under && { under }),
    };
  }
  const [whole] = await withNames(definition, [item], ctx);
  return {
    ...whole,
    ...lines,
    view: {
      module: definition.module,
      label: recordName(definition)[ctx.lang],
      title: titleOf(fields),
      fields,
      ...(named.length > 0 && { named }),
      lines: lineViews,
      labels: await readValueLabels(definition, [...fields, ...named, ...changer], [item], ctx),
      maxHeight: definition.list?.maxHeight ?? 550,
    },
  };
}
