import type { Definition } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { offeredChoices, type Choice } from '#server/engine/choices.ts';
import { createCondition, relations, relationsFor } from '#server/engine/conditions.ts';
import { columnInfos, readValueLabels, readableField, titleOf } from '#server/engine/describe.ts';
import { createFilters, type Condition } from '#server/engine/filters.ts';
import { parsePage, readableNames, readLines, readPage, readRow, type Row } from '#server/engine/rows.ts';
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
      const label = field.label[ctx.lang];
      const { type } = field;
      if (type === 'dateTime') {
        const [from, to] = ctx.lang === 'zh' ? ['起', '止'] : ['from', 'to'];
        return [
          { name: `${label}${ctx.lang === 'zh' ? '' : ' '}${from}`, queryName: `${name}Start`, type },
          { name: `${label}${ctx.lang === 'zh' ? '' : ' '}${to}`, queryName: `${name}End`, type },
        ];
      }
      const offered = type === 'select' ? await offeredChoices(field, ctx) : {};
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

async function listAnswer(
  definition: Definition,
  conditions: Condition[],
  page: ReturnType<typeof parsePage>['page'],
  ctx: Context,
) {
  const shown = definition.list?.columns ?? Object.keys(definition.fields);
  const columns = columnInfos(definition, shown, ctx);
  const asked = new Set(['id', 'version', ...columns.map((it) => it.name), ...namesForButtons(definition)]);
  if (definition.number) asked.add(definition.number.field);
  const [{ items, itemTotal }, totals] = await Promise.all([
    readPage(definition, [...asked], conditions, page, ctx),
    readTotals(definition, conditions, page, ctx),
  ]);
  return {
    title: titleOf(columns),
    items,
    itemTotal,
    tableName: definition.label[ctx.lang],
    columns,
    labels: await readValueLabels(definition, columns, items, ctx),
    link: definition.list?.link ?? false,
    maxHeight: definition.list?.maxHeight ?? 540,
    ...(definition.list?.most && { most: definition.list.most }),
    ...totals,
  };
}

/** What a button's condition looks at must come along. */
const namesForButtons = (definition: Definition): string[] =>
  (definition.buttons ?? []).flatMap((it) => Object.keys(it.when ?? {})).filter((it) => readableField(definition, it));

/** What the nested search can ask: columns, relations, how each column is typed and which relations make sense for it. */
export async function toAdvancedSearch(definition: Definition, ctx: Context) {
  const columns = columnInfos(definition, definition.list?.columns ?? [], ctx);
  const typed = await Promise.all(
    columns.map(async (it) => {
      const field = readableField(definition, it.name);
      const offered = field?.ref ? await offeredChoices(field, ctx) : {};
      return { ...it, ...offered, relations: relationsFor(it.type, it.format) };
    }),
  );
  return {
    title: titleOf(columns),
    relations: Object.fromEntries(Object.entries(relations).map(([code, label]) => [code, label[ctx.lang]])),
    columns: typed,
  };
}

/** A row with its lines, flat as it is on the wire, and under `view` how to show it. */
export async function queryById(definition: Definition, query: Row, ctx: Context) {
  const item = await readRow(definition, query['id'], readableNames(definition), ctx);
  const names = definition.detail ?? definition.list?.columns ?? Object.keys(definition.fields);
  const fields = columnInfos(definition, names, ctx);
  const lines: Record<string, Row[]> = {};
  const lineViews: Record<string, unknown> = {};
  for (const { name, module, by, under } of definition.lines ?? []) {
    const target = ctx.model.definitions.get(module);
    if (!target) continue;
    const rows = await readLines(target, by, item[by], ctx.db);
    const columns = columnInfos(target, target.list?.columns ?? Object.keys(target.fields), ctx);
    lines[name] = rows;
    lineViews[name] = {
      label: target.label[ctx.lang],
      title: titleOf(columns),
      columns,
      labels: await readValueLabels(target, columns, rows, ctx),
      ...(under && { under }),
    };
  }
  return {
    ...item,
    ...lines,
    view: {
      module: definition.module,
      label: definition.label[ctx.lang],
      title: titleOf(fields),
      fields,
      lines: lineViews,
      labels: await readValueLabels(definition, fields, [item], ctx),
      maxHeight: definition.list?.maxHeight ?? 550,
    },
  };
}
