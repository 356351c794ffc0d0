import type { DataProvider, GetListParams, Identifier, RaRecord } from 'ra-core';
import type { BulkAnswer, Verdict } from '#domain/bulk.ts';
import { MAX_RULES, MAX_VALUES } from '#domain/searchBounds.ts';
import { CallError, sendTo } from '#app/send.ts';
import { ADVANCED, VIEW } from '#app/engine/filterNames.ts';
import { moduleOf } from '#app/engine/module.ts';
import type {
  Detail,
  FormAnswer,
  Pager,
  Row,
  SearchGroup,
  SearchItem,
  SearchMetadata,
  ToolbarButton,
} from '#app/engine/wire.ts';

/** The generic calls of a module beyond what react-admin asks for. */
export interface EngineProvider extends DataProvider {
  searchItems: (menuNo: string) => Promise<SearchItem[]>;
  toolbar: (menuNo: string) => Promise<ToolbarButton[]>;
  searchMetadata: (menuNo: string) => Promise<SearchMetadata>;
  /** How many rows each tab of a list has under a filter; a list without tabs has no such call. */
  tabCounts: (menuNo: string, filter: Record<string, unknown>) => Promise<Record<string, number>>;
  toAdd: (menuNo: string) => Promise<FormAnswer>;
  toModify: (menuNo: string, id: Identifier) => Promise<FormAnswer>;
}

/** What the calls of react-admin may say besides their parameters. */
interface Meta {
  /** The idempotency key of a submit that may be repeated. */
  key?: string;
  /** The field by which other rows refer to this one, where that is not its id: it is the row's `id` then. */
  by?: string;
  /** By id, the versions of rows as they were seen. */
  versions?: Record<string, unknown>;
}

/**
 * The only client code that knows the generic calls, but for what `prefetch.ts` asks for ahead. A resource is a menu number. What is wrong with a field comes as
 * react-admin's forms look for it (`CallError.body`). Rule: lists#generic-calls.
 */
export const modules: EngineProvider = {
  getList: async <RecordType extends RaRecord>(menuNo: string, params: GetListParams & { signal?: AbortSignal }) => {
    const { filter, tree } = await conditionsOf(menuNo, params.filter ?? {});
    const page = pagingOf(params);
    const { items, itemTotal, ...meta } = tree
      ? await search(menuNo, tree, { ...filter, ...page })
      : await get<Pager>(pathOf(menuNo, 'pager'), { ...filter, ...page }, params.signal);
    return { data: recordsOf<RecordType>(items, params.meta), total: itemTotal, meta };
  },
  getOne: async <RecordType extends RaRecord>(menuNo: string, { id }: { id: Identifier }) => {
    const data = await get<Detail>(pathOf(menuNo, 'queryById'), { id });
    return { data: data as unknown as RecordType };
  },
  /** One call for 200 rows, as lists show them; what is not there, or another site's, is left out. */
  getMany: async <RecordType extends RaRecord>(menuNo: string, { ids, meta }: { ids: Identifier[]; meta?: Meta }) => {
    const parts = Array.from({ length: Math.ceil(ids.length / MAX_VALUES) }, (_, i) =>
      ids.slice(i * MAX_VALUES, (i + 1) * MAX_VALUES),
    );
    const page = { pageStart: '0', pageCount: String(MAX_VALUES), total: 'none' };
    const pages = await Promise.all(parts.map((it) => search(menuNo, oneRule(meta?.by ?? 'id', 'IN', it), page)));
    return {
      data: recordsOf<RecordType>(
        pages.flatMap(({ items }) => items),
        meta,
      ),
    };
  },
  getManyReference: (menuNo, { target, id, filter, ...params }) => {
    const { [ADVANCED]: advanced, ...others } = filter ?? {};
    const trees = [oneRule(target, 'EQUAL_TO', [id]), ...parsedTree(advanced)];
    return modules.getList(menuNo, { ...params, filter: { ...others, [ADVANCED]: JSON.stringify(allOf(trees)) } });
  },
  create: async <RecordType extends Omit<RaRecord, 'id'>, Result extends RaRecord>(
    menuNo: string,
    { data, meta }: { data: Partial<RecordType>; meta?: Meta },
  ) => ({ data: (await write<Row>(pathOf(menuNo, 'create'), data, meta?.key)) as unknown as Result }),
  update: async <RecordType extends RaRecord>(
    menuNo: string,
    {
      id,
      data,
      previousData,
      meta,
    }: { id: Identifier; data: Partial<RecordType>; previousData?: RecordType; meta?: Meta },
  ) => {
    const version = data['version'] ?? previousData?.['version'];
    const sent = { ...changesOf(data, previousData), version, id };
    const answer = await write<Row>(pathOf(menuNo, 'modifyById'), sent, meta?.key);
    return { data: { ...data, ...answer } as unknown as RecordType };
  },
  /** All of them or none where the list offers bulk changes; elsewhere each by itself. Rule: lists#bulk. */
  updateMany: async (menuNo, { ids, data, meta }) => {
    const offered = new Set((await modules.toolbar(menuNo)).map((it) => it.btnScript));
    const isBulk = ['bulk', 'modify', 'deleteAll'].every((it) => offered.has(it));
    const refused = isBulk ? await modifyAll(menuNo, ids, data, meta?.key) : await modifyEach(menuNo, ids, data);
    if (refused.length > 0) throw refusalOf(refused);
    return { data: ids };
  },
  delete: async <RecordType extends RaRecord>(
    menuNo: string,
    { id, previousData }: { id: Identifier; previousData?: RecordType },
  ) => {
    await write(pathOf(menuNo, 'deleteById'), { id, version: previousData?.['version'] });
    return { data: { id } as RecordType };
  },
  /** As the list has shown them, where it says their versions. */
  deleteMany: async (menuNo, { ids, meta }) => {
    await write(pathOf(menuNo, 'deleteAll'), { ids, versions: meta?.versions });
    return { data: ids };
  },

  searchItems: async (menuNo) => (await get<{ items?: SearchItem[] }>(pathOf(menuNo, 'searchItems'))).items ?? [],
  toolbar: async (menuNo) =>
    (await get<{ items?: ToolbarButton[] }>('/api/sysBtn/queryByMenuNo.json', { menuNo })).items ?? [],
  searchMetadata: (menuNo) => get<SearchMetadata>(pathOf(menuNo, 'toAdvancedSearch')),
  tabCounts: async (menuNo, given) => {
    const { filter, tree } = await conditionsOf(menuNo, given);
    const path: `/${string}` = `${pathOf(menuNo, 'tabCounts')}?${new URLSearchParams(filter)}`;
    const input = tree ? { adminAdvancedSearchGroup: tree } : {};
    return (await sendTo<{ counts: Record<string, number> }>({ method: 'POST', path, writes: false }, input)).counts;
  },
  toAdd: (menuNo) => get<FormAnswer>(pathOf(menuNo, 'toAdd')),
  toModify: (menuNo, id) => get<FormAnswer>(pathOf(menuNo, 'toModify'), { id }),
};

/** `pageStart` is a zero-based row offset; an unsorted list says neither `sortBy` nor `order`. Rule: lists#pages. */
function pagingOf({ pagination, sort }: GetListParams): Record<string, string> {
  const { page = 1, perPage = 10 } = pagination ?? {};
  const paging = { pageStart: String((page - 1) * perPage), pageCount: String(perPage) };
  return sort?.field ? { ...paging, sortBy: sort.field, order: sort.order.toLowerCase() } : paging;
}

const recordsOf = <RecordType>(rows: readonly Row[], meta?: Meta): RecordType[] => {
  const by = meta?.by;
  return (by ? rows.map((it) => ({ ...it, id: it[by] })) : rows) as RecordType[];
};

/**
 * A filter as the calls take it: values as they are, and as a tree of conditions what the simple search has no words
 * for: the advanced search, one of several values, and react-admin's `q`, which is looked for in what the list shows.
 */
async function conditionsOf(menuNo: string, given: Record<string, unknown>) {
  const { [ADVANCED]: advanced, [VIEW]: _, q, ...others } = given;
  const trees = parsedTree(advanced);
  const filter: Record<string, string> = {};
  for (const [name, value] of Object.entries(others)) {
    if (Array.isArray(value)) trees.push(oneRule(name, 'IN', value));
    else if (value != null) filter[name] = String(value);
  }
  if (q) trees.push(await anyText(menuNo, String(q)));
  return { filter, tree: allOf(trees) };
}

const parsedTree = (advanced: unknown): SearchGroup[] =>
  advanced ? [JSON.parse(String(advanced)) as SearchGroup] : [];

const oneRule = (column: string, relation: string, values: readonly unknown[]): SearchGroup => ({
  connector: 'AND',
  rules: [{ connector: 'AND', column, relation, value: values.join() }],
  groups: [],
});

async function anyText(menuNo: string, text: string): Promise<SearchGroup> {
  const { columns = [] } = await modules.searchMetadata(menuNo);
  const names = columns.filter((it) => it.relations?.includes('LIKE')).map((it) => it.name);
  const rules = names.map((column) => ({ connector: 'OR', column, relation: 'LIKE', value: text }) as const);
  return { connector: 'AND', rules: rules.slice(0, MAX_RULES), groups: [] };
}

/** Each level costs one of those that the search has: a single tree stays as it is. */
const allOf = (trees: readonly SearchGroup[]): SearchGroup | undefined =>
  trees.length > 1
    ? { connector: 'AND', rules: [], groups: trees.map((it) => ({ ...it, connector: 'AND' })) }
    : trees[0];

/** A record that `getOne` gave has its lines and how it is shown about it: of that only what was changed is sent. */
function changesOf(data: Record<string, unknown>, before: Record<string, unknown> = {}): Record<string, unknown> {
  if (!('view' in data)) return data;
  const { view: _, ...values } = data;
  const isChanged = ([name, it]: [string, unknown]) => JSON.stringify(it) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(values).filter(isChanged));
}

type Refused = Pick<Verdict, 'name' | 'key' | 'msg'>;

async function modifyAll(menuNo: string, ids: readonly Identifier[], values: object, key?: string): Promise<Refused[]> {
  const run = async (more: object) => {
    const input = { action: 'modify', ids, values, ...more };
    const { results } = await write<BulkAnswer>(pathOf(menuNo, 'bulk'), input, 'dryRun' in more ? undefined : key);
    return results;
  };
  const foreseen = await run({ dryRun: true });
  const refused = foreseen.filter((it) => !it.done);
  if (refused.length > 0) return refused;
  const versions = Object.fromEntries(foreseen.map((it) => [it.id, it.version]));
  return (await run({ versions })).filter((it) => !it.done);
}

async function modifyEach(menuNo: string, ids: Identifier[], data: object): Promise<Refused[]> {
  const refused: Refused[] = [];
  const { data: rows } = await modules.getMany<RaRecord>(menuNo, { ids });
  for (const { id, version } of rows) {
    try {
      await modules.update(menuNo, { id, data: { ...data, version }, previousData: { id } });
    } catch (error) {
      if (!(error instanceof CallError) || error.key === undefined) throw error;
      refused.push({ name: `#${id}`, key: error.key, msg: error.msg });
    }
  }
  return refused;
}

/** Which rows were refused and why: the first few, and that there are more. */
function refusalOf(refused: readonly Refused[]): CallError {
  const msg = refused.slice(0, 3).map((it) => `${it.name}: ${it.msg}`);
  if (refused.length > msg.length) msg.push('…');
  const problems = refused.flatMap(({ key, msg }) => (key ? [{ key, msg }] : []));
  return new CallError({ status: 200, msg: msg.join('; '), problems });
}

const pathOf = (menuNo: string, action: string): `/${string}` => `/api/${moduleOf(menuNo)}/${action}.json`;

const get = <Data>(path: `/${string}`, input: Record<string, unknown> = {}, signal?: AbortSignal) =>
  sendTo<Data>({ method: 'GET', path, writes: false }, input, { signal });

/** A search with a body: asks, and writes nothing. */
const search = (menuNo: string, tree: SearchGroup, query: Record<string, string>) =>
  sendTo<Pager>(
    { method: 'POST', path: `${pathOf(menuNo, 'advancedSearch')}?${new URLSearchParams(query)}`, writes: false },
    { adminAdvancedSearchGroup: tree },
  );

const write = <Data>(path: `/${string}`, input: object, key?: string) =>
  sendTo<Data>({ method: 'POST', path, writes: true }, input as Record<string, unknown>, { key });
