import type { Definition } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow, type Row } from '#server/engine/rows.ts';

/** The definition of a module that the server itself speaks of. */
export function definitionIn({ model }: Context, module: string): Definition {
  const definition = model.definitions.get(module);
  if (!definition) throw new Error(`the model has no ${module}`);
  return definition;
}

/** A row by its id or its number, held; another site's is as if it did not exist. What a single-row action begins with. */
export const holdRow = (ctx: Context, module: string, id: string | null | undefined): Promise<Row> => {
  const definition = definitionIn(ctx, module);
  return readRow(definition, (id ?? '').trim(), readableNames(definition), ctx, true);
};
