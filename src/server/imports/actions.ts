import type { Definition, Field } from '#domain/definition/grammar.ts';
import { pressedButton } from '#domain/definition/pressed.ts';
import { endingsOf, endingsOfAll, LARGEST_FILE, LARGEST_WORKBOOK, documentKinds } from '#domain/uploads.ts';
import type { Context } from '#server/context.ts';
import { choicesOf } from '#server/engine/describe.ts';
import { refuseUnwritten } from '#server/engine/allowed.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import type { ImportCall, Importer } from '#server/imports/importer.ts';
import { importScripts, type Importers } from '#server/imports/importers.ts';
import { createTemplate } from '#server/imports/template.ts';
import { sheetLimits } from '#server/imports/workbook.ts';
import { documentScripts } from '#server/uploads/documents.ts';

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const rightOf =
  (script: string): GenericAction['rightOf'] =>
  (definition, _, rights) => {
    const button = pressedButton(definition, [script], rights);
    return button && `${definition.module}:${button.btnNo}`;
  };

const callOf = (definition: Definition, script: string, { currentUser }: Context): ImportCall => ({
  definition,
  button: pressedButton(definition, [script], currentUser.rights) as ImportCall['button'],
  given: {},
});

const reads = (name: string, script: string, handle: GenericAction['handle']): GenericAction => ({
  method: 'GET',
  name,
  writes: false,
  rightOf: rightOf(script),
  handle,
});

/** What opens the dialogs of uploads: which file, which fields beside it, and of a workbook its columns and template. */
export const importActionsOf = (importerOf: Importers): readonly GenericAction[] => [
  ...importScripts.flatMap((script) => [
    reads(`to${capital(script)}`, script, async ({ definition }, ctx) => {
      const call = callOf(definition, script, ctx);
      return toImport(call, importerOf(call), ctx);
    }),
    reads(`${script}Template`, script, async ({ definition }, ctx) => {
      const call = callOf(definition, script, ctx);
      return createTemplate(call, importerOf(call), ctx);
    }),
  ]),
  ...documentScripts.map((script) =>
    reads(`to${capital(script)}`, script, async ({ definition }, ctx) => {
      refuseUnwritten(definition, callOf(definition, script, ctx).button);
      return toDocument(ctx);
    }),
  ),
];

async function toImport(call: ImportCall, importer: Importer, ctx: Context) {
  const suggested = (await importer.suggests?.(ctx)) ?? {};
  const asked = Object.entries(importer.asks ?? {});
  return {
    items: [fileItem(ctx), ...asked.map(([name, field]) => itemOf(name, field, suggested[name] ?? null, ctx))],
    accept: endingsOf.workbook,
    maxBytes: LARGEST_WORKBOOK,
    maxRows: sheetLimits.rows,
    columns: importer.columns(call, ctx).map((it) => ({
      name: it.name,
      label: it.label[ctx.lang],
      type: it.field.type,
      required: it.required,
    })),
  };
}

const toDocument = (ctx: Context) => ({
  items: [fileItem(ctx)],
  accept: endingsOfAll(documentKinds),
  maxBytes: LARGEST_FILE,
});

const fileItem = ({ lang }: Context) => ({
  name: { zh: '文件', en: 'File' }[lang],
  queryName: 'file',
  type: 'file',
  required: true,
  readOnly: false,
  value: null,
});

const itemOf = (
  name: string,
  { label, type, options, required = false }: Field,
  value: string | null,
  ctx: Context,
) => ({
  name: label[ctx.lang],
  queryName: name,
  type,
  required,
  readOnly: false,
  value,
  ...(options && { options: choicesOf(options, ctx) }),
});
