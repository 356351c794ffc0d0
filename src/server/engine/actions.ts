import { BulkBody, DeleteAllBody } from '#domain/bulk.ts';
import type { ModuleRight } from '#domain/call.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { pressedButton } from '#domain/definition/pressed.ts';
import { byOwnNames } from '#domain/inputNames.ts';
import { Refusal } from '#domain/refusal.ts';
import { bulk } from '#server/engine/bulk.ts';
import { searchChoices } from '#server/engine/choices.ts';
import { toAdd, toModify } from '#server/engine/form.ts';
import type { Asked, GenericAction } from '#server/engine/genericAction.ts';
import { advancedSearch, pager, queryById, searchItems, tabCounts, toAdvancedSearch } from '#server/engine/reading.ts';
import type { Row } from '#server/engine/rows.ts';
import { orTooSlow, withinTime } from '#server/engine/withinTime.ts';
import { create, deleteAll, deleteById, modifyById } from '#server/engine/writing.ts';
import { exportActions } from '#server/exports/actions.ts';
import type { Features } from '#server/features.ts';
import { importActionsOf } from '#server/imports/actions.ts';
import { importersOf } from '#server/imports/importers.ts';

const ofList = (definition: Definition): ModuleRight => `${definition.module}:list`;

/** A call belongs to the button that names its script; without one the module has no such call. */
const ofButton =
  (script: string): GenericAction['rightOf'] =>
  (definition, _, rights) => {
    const button = pressedButton(definition, [script], rights);
    return button && `${definition.module}:${button.btnNo}`;
  };

const reads = (
  name: string,
  rightOf: GenericAction['rightOf'],
  handle: GenericAction['handle'],
  method: 'GET' | 'POST' = 'GET',
): GenericAction => ({ method, name, writes: false, reads: true, rightOf, handle });

const writes = (name: string, script: string, handle: GenericAction['handle']): GenericAction => ({
  method: 'POST',
  name,
  writes: true,
  rightOf: ofButton(script),
  handle,
});

const actionsOf = (routes: Features['routes']): readonly GenericAction[] => [
  reads('searchItems', ofList, ({ definition }, ctx) => searchItems(definition, ctx)),
  reads('pager', ofList, ({ definition, query }, ctx) => orTooSlow(pager(definition, query, ctx))),
  reads('toAdvancedSearch', ofList, ({ definition }, ctx) => toAdvancedSearch(definition, ctx)),
  reads(
    'advancedSearch',
    ofList,
    ({ definition, query, body }, ctx) => withinTime(ctx, (inside) => advancedSearch(definition, query, body, inside)),
    'POST',
  ),
  reads(
    'tabCounts',
    (definition) => (definition.list?.tabs ? ofList(definition) : undefined),
    ({ definition, query, body }, ctx) => withinTime(ctx, (inside) => tabCounts(definition, query, body, inside)),
    'POST',
  ),
  reads('options', ofList, ({ definition, query }, ctx) =>
    withinTime(ctx, (inside) => searchChoices(definition, query, inside)),
  ),
  reads('queryById', ofList, ({ definition, query }, ctx) => queryById(definition, query, ctx)),
  reads('toAdd', ofButton('create'), ({ definition }, ctx) => toAdd(definition, ctx)),
  writes('create', 'create', ({ definition, body }, ctx) => create(definition, body, ctx)),
  reads('toModify', ofButton('modify'), ({ definition, query }, ctx) => toModify(definition, query, ctx)),
  writes('modifyById', 'modify', ({ definition, body }, ctx) => modifyById(definition, body, ctx)),
  writes('deleteById', 'deleteById', ({ definition, body }, ctx) => deleteById(definition, body, ctx)),
  writes('deleteAll', 'deleteAll', ({ definition, body }, ctx) => deleteAll(definition, body, ctx)),
  {
    ...writes('bulk', 'bulk', ({ definition, body }, ctx) => bulk(definition, body, ctx, routes)),
    tellsProgress: true,
  },
];

const bodyNames = ({ properties }: { properties: object }): string[] => Object.keys(properties);

/** What a call takes besides `lang`; a list's columns and a form's fields are looked up where they are used. */
const accepted: Record<string, { query?: readonly string[]; body?: readonly string[] }> = {
  searchItems: { query: [] },
  toAdvancedSearch: { query: [] },
  options: { query: ['field', 'search', 'value', 'within', 'all'] },
  queryById: { query: ['id'] },
  toAdd: { query: [] },
  advancedSearch: { body: ['adminAdvancedSearchGroup'] },
  tabCounts: { body: ['adminAdvancedSearchGroup'] },
  create: { query: [] },
  toModify: { query: ['id'] },
  modifyById: { query: [] },
  deleteById: { query: [], body: ['id', 'version'] },
  deleteAll: { query: [], body: bodyNames(DeleteAllBody) },
  bulk: { query: [], body: bodyNames(BulkBody) },
  toExport: { query: [] },
  export: { body: [] },
  toExportDirect: { query: ['script'] },
  toExportDirectOne: { query: ['script', 'id'] },
  exportDirect: { body: [] },
  exportWip: { body: ['exportColumns', 'adminAdvancedSearchGroup'] },
};

/**
 * The generic calls, in the order in which a screen makes them; a name that nobody knows is refused.
 * Rule: lists#generic-calls.
 */
export function genericActionsOf({ routes, imports }: Pick<Features, 'routes' | 'imports'>): readonly GenericAction[] {
  const importActions = importActionsOf(importersOf(imports));
  return [...actionsOf(routes), ...exportActions, ...importActions].map((action) => ({
    ...action,
    handle: (asked, ctx) => {
      refuseUnknown(asked.query, importActions.includes(action) ? [] : accepted[action.name]?.query);
      const body = namedBody(asked, accepted[action.name]?.body);
      refuseUnknown(body, accepted[action.name]?.body);
      return action.handle({ ...asked, body }, ctx);
    },
  }));
}

/** What was sent by the names of the call, or of the module's form, without what a client may not decide. */
const namedBody = ({ definition, body }: Asked, known: readonly string[] = (definition.form ?? []).flat()): Row =>
  byOwnNames(body, (name) => known.includes(name));

function refuseUnknown(sent: Row, known: readonly string[] | undefined): void {
  const field = Object.keys(sent).find((name) => known !== undefined && !known.includes(name));
  if (field !== undefined) throw new Refusal({ key: 'unknownField', field, args: { field } });
}
