import type { Definition } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import { hooks } from '#features/hooks.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';

/** The same without their types: the definition that wrote a table's type is the one by which the row was read. */
interface UntypedHooks {
  check?(row: Row, before: Row | undefined, ctx: Context): Problem[] | Promise<Problem[]>;
  beforeWrite?(values: Row, before: Row | undefined, ctx: Context): Row | Promise<Row>;
  afterWrite?(row: Row | undefined, before: Row | undefined, ctx: Context): Promise<void>;
}
const register: Readonly<Record<string, UntypedHooks | undefined>> = hooks;

/** The hooks of a definition's module; none for most. */
export const hooksOf = ({ module }: Definition): UntypedHooks => register[module] ?? {};

/** What the module's own check finds wrong with a row that these values would make, or make of the row before. */
export async function problemsOfOwn(
  definition: Definition,
  values: Row,
  before: Row | undefined,
  ctx: Context,
): Promise<Problem[]> {
  const { check } = hooksOf(definition);
  if (!check) return [];
  const empty = Object.fromEntries(Object.keys(definition.fields).map((name) => [name, null]));
  return check({ ...empty, ...before, ...values }, before, ctx);
}
