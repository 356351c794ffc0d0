import type { Context } from '#server/context.ts';
import { readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';

/** A row by its id or its number; another site's is as if it did not exist. */
export const seeRow = (
  ctx: Context,
  module: string,
  id: string | null | undefined,
  { held = false }: { held?: boolean } = {},
): Promise<Row> => {
  const definition = requireDefinition(ctx.model, module);
  return readRow(definition, (id ?? '').trim(), readableNames(definition), ctx, held);
};

/** The row, held: what a single-row action begins with. */
export const holdRow = (ctx: Context, module: string, id: string | null | undefined): Promise<Row> =>
  seeRow(ctx, module, id, { held: true });
