import type { ModuleRight } from '#domain/call.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';

export interface Asked {
  definition: Definition;
  query: Row;
  body: Row;
}

/** One generic call: what every module has as far as its definition gives it. */
export interface GenericAction {
  method: 'GET' | 'POST';
  name: string;
  writes: boolean;
  /** It does no more than look: it starts no job and makes no file. */
  reads?: boolean;
  /** It may take long, and tells how far it is to who asks for a stream of events. Rule: wire#progress. */
  tellsProgress?: boolean;
  /**
   * The right that the call of this module needs; undefined where the module has no such call.
   * @param rights of who calls: of several buttons with its script, one that may be pressed counts
   */
  rightOf(definition: Definition, query?: Row, rights?: ReadonlySet<string>): ModuleRight | undefined;
  handle(asked: Asked, ctx: Context): Promise<unknown>;
}
