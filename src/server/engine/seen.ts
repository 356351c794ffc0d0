import type { Definition } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { asAnswered, readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';

/**
 * Whoever changes a row or decides about it has seen it: `version` must be today's, else it is refused with the row as it
 * stands now. Rule: writing#what-was-seen.
 */
export function refuseUnseen(definition: Definition, row: Row, version: unknown): void {
  if (version !== row['version']) throw new Refusal({ key: 'stale' }, asAnswered(definition, row));
}

/** The same of a row that its caller holds without all of its columns. Rule: writing#what-was-seen. */
export async function refuseUnseenOf(ctx: Context, module: string, id: number, version: number): Promise<void> {
  const definition = requireDefinition(ctx.model, module);
  refuseUnseen(definition, await readRow(definition, id, readableNames(definition), ctx), version);
}
