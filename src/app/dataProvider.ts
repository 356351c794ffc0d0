import type { DataProvider, GetListParams, Identifier, RaRecord } from 'ra-core';
import { sendTo } from '#app/send.ts';
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

/** Under this name a list's filter holds the conditions of the advanced search, as JSON text. */
export const ADVANCED = 'advanced';
/** Under this name it holds the saved view that the list stands under; no call is told of it. */
export const VIEW = '$view';

/** The generic calls of a module beyond what react-admin asks for. */
export interface EngineProvider extends DataProvider {
  searchItems: (menuNo: string) => Promise<SearchItem[]>;
  toolbar: (menuNo: string) => Promise<ToolbarButton[]>;
  searchMetadata: (menuNo: string) => Promise<SearchMetadata>;
  toAdd: (menuNo: string) => Promise<FormAnswer>;
  toModify: (menuNo: string, id: Identifier) => Promise<FormAnswer>;
}

/** The only client code that knows the generic calls. A resource is a menu number. Rule: lists#generic-calls. */
export const dataProvider: EngineProvider = {
  getList: async <RecordType extends RaRecord>(menuNo: string, params: GetListParams & { signal?: AbortSignal }) => {
    const { [ADVANCED]: advanced, [VIEW]: _, ...filter } = params.filter ?? {};
    const page = pagingOf(params);
    const { items, itemTotal, ...meta } = advanced
      ? await post<Pager>(
          `${pathOf(menuNo, 'advancedSearch')}?${new URLSearchParams({ ...asText(filter), ...page })}`,
          {
            adminAdvancedSearchGroup: JSON.parse(String(advanced)) as SearchGroup,
          },
        )
      : await get<Pager>(pathOf(menuNo, 'pager'), { ...filter, ...page }, params.signal);
    return { data: items as unknown as RecordType[], total: itemTotal, meta };
  },
  getOne: async <RecordType extends RaRecord>(menuNo: string, { id }: { id: Identifier }) => {
    const data = await get<Detail>(pathOf(menuNo, 'queryById'), { id });
    return { data: data as unknown as RecordType };
  },
  create: async <RecordType extends Omit<RaRecord, 'id'>, Result extends RaRecord>(
    menuNo: string,
    { data, meta }: { data: Partial<RecordType>; meta?: { key?: string } },
  ) => ({ data: (await write<Row>(pathOf(menuNo, 'create'), data, meta?.key)) as unknown as Result }),
  update: async <RecordType extends RaRecord>(
    menuNo: string,
    { id, data, meta }: { id: Identifier; data: Partial<RecordType>; meta?: { key?: string } },
  ) => {
    const answer = await write<Row>(pathOf(menuNo, 'modifyById'), { ...data, id }, meta?.key);
    return { data: { ...data, ...answer } as unknown as RecordType };
  },
  delete: async <RecordType extends RaRecord>(menuNo: string, { id }: { id: Identifier }) => {
    await write(pathOf(menuNo, 'deleteById'), { id });
    return { data: { id } as RecordType };
  },
  deleteMany: async (menuNo, { ids }) => {
    await write(pathOf(menuNo, 'deleteAll'), { ids });
    return { data: ids };
  },
  getMany: () => notOffered('getMany'),
  getManyReference: () => notOffered('getManyReference'),
  updateMany: () => notOffered('updateMany'),

  searchItems: async (menuNo) => (await get<{ items?: SearchItem[] }>(pathOf(menuNo, 'searchItems'))).items ?? [],
  toolbar: async (menuNo) =>
    (await get<{ items?: ToolbarButton[] }>('/api/sysBtn/queryByMenuNo.json', { menuNo })).items ?? [],
  searchMetadata: (menuNo) => get<SearchMetadata>(pathOf(menuNo, 'toAdvancedSearch')),
  toAdd: (menuNo) => get<FormAnswer>(pathOf(menuNo, 'toAdd')),
  toModify: (menuNo, id) => get<FormAnswer>(pathOf(menuNo, 'toModify'), { id }),
};

/** `pageStart` is a zero-based row offset; an unsorted list says neither `sortBy` nor `order`. Rule: lists#pages. */
function pagingOf({ pagination, sort }: GetListParams): Record<string, string> {
  const { page = 1, perPage = 10 } = pagination ?? {};
  const paging = { pageStart: String((page - 1) * perPage), pageCount: String(perPage) };
  return sort?.field ? { ...paging, sortBy: sort.field, order: sort.order.toLowerCase() } : paging;
}

const asText = (filter: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));

const pathOf = (menuNo: string, action: string): `/${string}` => `/api/${moduleOf(menuNo)}/${action}.json`;

const get = <Data>(path: `/${string}`, input: Record<string, unknown> = {}, signal?: AbortSignal) =>
  sendTo<Data>({ method: 'GET', path, writes: false }, input, { signal });

/** A search with a body: asks, and writes nothing. */
const post = <Data>(path: string, input: Record<string, unknown>) =>
  sendTo<Data>({ method: 'POST', path: path as `/${string}`, writes: false }, input);

const write = <Data>(path: `/${string}`, input: object, key?: string) =>
  sendTo<Data>({ method: 'POST', path, writes: true }, input as Record<string, unknown>, { key });

const notOffered = (what: string) => Promise.reject(new Error(`The engine has no call for ${what}`));
