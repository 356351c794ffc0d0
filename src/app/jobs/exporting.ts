import type { Column } from '#app/engine/wire.ts';
import type { Matching } from '#app/parts/dialog.ts';
import { savePath } from '#app/parts/download.ts';
import { sendTo } from '#app/send.ts';

/** What an export's dialog may offer. */
export interface Opened {
  tableName: string;
  columns: Pick<Column, 'name' | 'label'>[];
}
/** Done within the call: the file's path. Else only the job, which goes on. */
interface Started {
  jobId: number;
  path?: string;
}

interface Wanted {
  module: string;
  script: string;
  matching: Matching;
  columns: string[];
  /** Only these rows of the list; all that match where it is empty. */
  ids: (number | string)[];
}

const pathOf = (module: string, action: string) => `/api/${module}/${action}.json` as const;
const get = <Data>(path: `/${string}`, input: Record<string, unknown>) =>
  sendTo<Data>({ method: 'GET', path, writes: false }, input);

/**
 * The call that opens each kind of export; the wafer WIP list has no call of its own for it.
 * Rule: exports-and-jobs#list-exports.
 */
export async function openExport(module: string, script: string): Promise<Opened> {
  if (script === 'exportWip') {
    const { title, tableName } = await get<{ title: Record<string, string>; tableName: string }>(
      pathOf(module, 'pager'),
      { pageStart: 0, pageCount: 1, total: 'none' },
    );
    return { tableName, columns: Object.entries(title).map(([name, label]) => ({ name, label })) };
  }
  return script === 'exportDirect'
    ? get(pathOf(module, 'toExportDirect'), { script })
    : get(pathOf(module, 'toExport'), {});
}

export const openExportOne = (module: string, script: string, id: number) =>
  get<Opened>(pathOf(module, 'toExportDirectOne'), { script, id });

/** Runs it and saves the file, where it came within the call. */
export async function startExport({ module, script, matching, columns, ids }: Wanted): Promise<Started> {
  const { query, condition, sort } = matching;
  const under = { ...query, ...sort };
  if (script === 'exportWip') {
    const search = new URLSearchParams(under).toString();
    const path = `${pathOf(module, 'exportWip')}${search && `?${search}`}` as const;
    const body = { exportColumns: columns, ...(condition && { adminAdvancedSearchGroup: condition }) };
    return opened(await sendTo<Started>({ method: 'POST', path, writes: true }, body));
  }
  const input = {
    ...under,
    columns: columns.join(),
    ...(ids.length > 0 && { ids: ids.join() }),
    ...(condition && { adminAdvancedSearchGroup: JSON.stringify(condition) }),
  };
  const run = script === 'exportDirect' ? 'exportDirect' : 'export';
  return opened(await get<Started>(pathOf(module, run), script === 'exportDirect' ? { script, ...input } : input));
}

export const startExportOne = async (module: string, script: string, id: number): Promise<Started> =>
  opened(await get<Started>(pathOf(module, 'exportDirect'), { script, id }));

function opened(started: Started): Started {
  if (started.path !== undefined) savePath(started.path);
  return started;
}
