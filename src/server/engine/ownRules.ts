import type { Definition } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context, UntypedHooks } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';

/** The hooks of a definition's module; none for most. */
export const hooksOf = ({ module }: Definition, { hooks }: Context): UntypedHooks => hooks[module] ?? {};

/** What the module's own check finds wrong with a row that these values would make, or make of the row before. */
export async function validateOwnRules(
  definition: Definition,
  values: Row,
  before: Row | undefined,
  ctx: Context,
): Promise<Problem[]> {
  const { check } = hooksOf(definition, ctx);
  if (!check) return [];
  const empty = Object.fromEntries(Object.keys(definition.fields).map((name) => [name, null]));
  return check({ ...empty, ...before, ...values }, before, ctx);
}
