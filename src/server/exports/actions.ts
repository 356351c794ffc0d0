import type { ModuleRight } from '#domain/call.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { pressedButton } from '#domain/definition/pressed.ts';
import { recordName } from '#domain/definition/recordName.ts';
import { exactId } from '#domain/exact.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { columnInfos } from '#server/engine/describe.ts';
import { readRow, type Row } from '#server/engine/rows.ts';
import { isEmpty } from '#server/engine/values.ts';
import { LIST_EXPORT, createPlan, type ListExport } from '#server/exports/listExport.ts';
import { RECORD_EXPORT, type RecordExport } from '#server/exports/recordExport.ts';
import { startJobNow, waitForJob, type JobSpec } from '#server/jobs/start.ts';

/** An export of the wafer WIP list takes at most 48 columns. Rule: exports-and-jobs#list-exports. */
const WIP_COLUMNS = 48;
const MAX_IDS = 500;

/** The right of the button that the query names as `script`, where the call serves several. */
const rightOf =
  (...scripts: string[]): GenericAction['rightOf'] =>
  (definition, { script } = {}, rights) => {
    const named = scripts.filter((it) => it === script);
    const button = pressedButton(definition, named, rights) ?? pressedButton(definition, scripts, rights);
    return button && `${definition.module}:${button.btnNo}`;
  };

const action = (
  name: string,
  scripts: string[],
  handle: GenericAction['handle'],
  method: GenericAction['method'] = 'GET',
): GenericAction => ({ method, name, writes: false, rightOf: rightOf(...scripts), handle });

/**
 * Exports, of each module that has their button. They start a job and wait for it a while: `path` when it is done, else
 * `jobId` alone, and the job goes on. `script` is the name of a button of the module, never anything that is run.
 * Rule: exports-and-jobs#waiting.
 */
export const exportActions: readonly GenericAction[] = [
  action('toExport', ['export'], async ({ definition }, ctx) => dialogOf(definition, ctx)),
  action('export', ['export'], ({ definition, query }, ctx) =>
    exportList(
      definition,
      parseListExport(definition, query),
      demand(definition, 'export', ['export'], ctx).right,
      ctx,
    ),
  ),
  action('toExportDirect', ['exportDirect'], async ({ definition, query }, ctx) => {
    demand(definition, query['script'], ['exportDirect'], ctx);
    return dialogOf(definition, ctx);
  }),
  action('toExportDirectOne', ['exportDirectOne'], async ({ definition, query }, ctx) => {
    demand(definition, query['script'], ['exportDirectOne'], ctx);
    const names = definition.detail ?? definition.list?.columns ?? Object.keys(definition.fields);
    const { id } = await readRow(definition, query['id'], ['id'], ctx);
    const tableName = recordName(definition)[ctx.lang];
    return { items: [], tableName, columns: columnInfos(definition, names, ctx), id };
  }),
  action('exportDirect', ['exportDirect', 'exportDirectOne'], async ({ definition, query }, ctx) => {
    const { script, id, ...rest } = query;
    const pressed = demand(definition, script, ['exportDirect', 'exportDirectOne'], ctx);
    const { right } = pressed;
    if (pressed.script === 'exportDirect') return exportList(definition, parseListExport(definition, rest), right, ctx);
    const row = await readRow(definition, id, ['id'], ctx);
    const input: RecordExport = { module: definition.module, id: Number(row['id']) };
    const { module } = definition;
    return runExport({ kind: RECORD_EXPORT, title: recordName(definition)[ctx.lang], module, right, input }, ctx);
  }),
  action(
    'exportWip',
    ['exportWip'],
    ({ definition, query, body }, ctx) => {
      const { right } = demand(definition, 'exportWip', ['exportWip'], ctx);
      return exportList(definition, parseWipExport(definition, query, body), right, ctx);
    },
    'POST',
  ),
];

/** What an export's dialog offers: the columns of the list, all of them checked. */
const dialogOf = (definition: Definition, ctx: Context) => ({
  items: [],
  tableName: definition.label[ctx.lang],
  columns: columnInfos(definition, definition.list?.columns ?? Object.keys(definition.fields), ctx),
});

async function exportList(definition: Definition, input: ListExport, right: ModuleRight, ctx: Context) {
  createPlan(input, definition, ctx);
  const { module, label } = definition;
  return runExport({ kind: LIST_EXPORT, title: label[ctx.lang], module, right, input }, ctx);
}

async function runExport(spec: JobSpec, ctx: Context) {
  const jobId = await startJobNow(ctx, spec);
  const { state, fileId, result } = await waitForJob(ctx, jobId);
  return state === 'done' && fileId ? { jobId, path: `/file/${fileId}`, rows: result['rows'] } : { jobId };
}

/** `columns` and `ids` are joined by commas, the nested search is JSON text; everything else is what `pager` takes. */
function parseListExport(definition: Definition, query: Row): ListExport {
  const { columns, ids, adminAdvancedSearchGroup: group, pageStart: _, pageCount: __, total: ___, ...rest } = query;
  return {
    module: definition.module,
    query: rest,
    columns: split(columns),
    ...(group !== undefined && group !== '' && { condition: parsed(group) }),
    ...(ids !== undefined && ids !== '' && { ids: parseIds(ids) }),
  };
}

function parseWipExport(definition: Definition, query: Row, body: Row): ListExport {
  const { exportColumns, adminAdvancedSearchGroup: condition } = body;
  const columns = Array.isArray(exportColumns) ? exportColumns.map(String) : [];
  if (columns.length === 0) {
    throw new Refusal({ key: 'required', field: 'exportColumns', args: { fields: 'exportColumns' } });
  }
  if (columns.length > WIP_COLUMNS) {
    throw new Refusal({ key: 'tooManyColumns', field: 'exportColumns', args: { max: WIP_COLUMNS } });
  }
  return { ...parseListExport(definition, query), columns, ...(condition !== undefined && { condition }) };
}

interface Pressed {
  script: string;
  right: ModuleRight;
}

/** The button of the script, when it is one of these and the user may press it. */
function demand(definition: Definition, script: unknown, among: string[], { currentUser }: Context): Pressed {
  const button = pressedButton(
    definition,
    among.filter((it) => it === script),
    currentUser.rights,
  );
  if (isEmpty(script)) throw new Refusal({ key: 'required', field: 'script', args: { fields: ['script'] } });
  if (!button) throw new Refusal({ key: 'unknownField', field: 'script', args: { field: String(script) } });
  const right: ModuleRight = `${definition.module}:${button.btnNo}`;
  if (!mayDo(currentUser.rights, right)) throw new Refusal({ key: 'noRight' });
  return { script: button.script, right };
}

const split = (value: unknown): string[] => (value === undefined || value === '' ? [] : String(value).split(','));

function parseIds(value: unknown): number[] {
  const sent = split(value);
  const ids = sent.map(exactId).filter((it) => it !== null);
  if (sent.length > MAX_IDS || ids.length < sent.length)
    throw new Refusal({ key: 'format', field: 'ids', args: { field: 'ids' } });
  return ids;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new Refusal({
      key: 'format',
      field: 'adminAdvancedSearchGroup',
      args: { field: 'adminAdvancedSearchGroup' },
    });
  }
}
