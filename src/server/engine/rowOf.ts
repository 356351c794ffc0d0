import type { Context } from '#server/context.ts';
import { readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';

/** A row by its id or its number, held; another site's is as if it did not exist. What a single-row action begins with. */
export const holdRow = (ctx: Context, module: string, id: string | null | undefined): Promise<Row> => {
  const definition = requireDefinition(ctx.model, module);
  return readRow(definition, (id ?? '').trim(), readableNames(definition), ctx, true);
};
