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
  if (version !== row['version']) throw asStale(definition, row);
}

/** It stands otherwise than it was seen, as it stands now. */
export const asStale = (definition: Definition, row: Row): Refusal =>
  new Refusal({ key: 'stale' }, asAnswered(definition, row), definition.module);

/** Nobody has said which version of a row they saw. */
export const unseen = (): Refusal => new Refusal({ key: 'required', field: 'versions', args: { fields: 'versions' } });

/** What of each row was seen: by its id, its version. Rule: writing#what-was-seen. */
export function parseVersions(versions: unknown): Partial<Record<string, number>> {
  if (versions === undefined || versions === null) throw unseen();
  const isRead = typeof versions === 'object' && !Array.isArray(versions);
  // As single calls have them: a number, and no text.
  if (!isRead || !Object.values(versions).every((it) => Number.isSafeInteger(it) && it >= 1)) {
    throw new Refusal({ key: 'format', field: 'versions', args: { field: 'versions' } });
  }
  return versions;
}

/** The same of a row that its caller holds without all of its columns. Rule: writing#what-was-seen. */
export async function refuseUnseenOf(ctx: Context, module: string, id: number, version: number): Promise<void> {
  const definition = requireDefinition(ctx.model, module);
  refuseUnseen(definition, await readRow(definition, id, readableNames(definition), ctx), version);
}
