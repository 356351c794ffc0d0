import type { Static, TSchema } from 'typebox';
import type { Call } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { FileAnswer } from '#server/fileAnswer.ts';

/** A call and the one who answers it. The app mounts it: rights, checks of the input, transaction, envelope. */
export interface Route {
  call: Call;
  /** The tables of which `ctx.cache` may be used. */
  reads?: readonly string[];
  /** It says what lists are, and says that of a draft in its preview. Rule: definitions#preview. */
  previews?: true;
  handle(input: unknown, ctx: Context): Promise<unknown>;
  /** The same to many rows: of each input what came of it, in their order. They differ in their row and what was seen of it alone. */
  handleMany?(inputs: readonly unknown[], ctx: Context): Promise<readonly unknown[]>;
  /** What a submit takes before it begins and does not give back when it is refused: a share of what may be sent. */
  beforehand?(input: unknown, ctx: Context): Promise<void>;
  /**
   * What a submit does outside of the database, with its answer and once that is committed; a repeat under its key comes
   * here as well.
   */
  afterCommit?(answer: unknown, ctx: Context): Promise<void>;
}

/**
 * Joins a call with its handler, typed at both ends by the same object. A submit's handler runs in one transaction
 * that also holds its idempotency key; throwing a Refusal rolls everything back. Rule: writing#submits.
 */
export const route = <Input extends TSchema, Data extends TSchema>(
  call: Call<Input, Data>,
  handle: (input: Static<Input>, ctx: Context) => Promise<Static<Data> | FileAnswer>,
  {
    reads = [],
    previews,
    beforehand,
    afterCommit,
  }: Pick<Route, 'reads' | 'previews'> & {
    beforehand?: (input: Static<Input>, ctx: Context) => Promise<void>;
    afterCommit?: (it: Static<Data>, ctx: Context) => Promise<void>;
  } = {},
): Route => ({
  call,
  reads,
  handle,
  ...(previews && { previews }),
  ...(beforehand && { beforehand }),
  ...(afterCommit && { afterCommit }),
});

/**
 * Joins a call for one row with what does the same to many at once, so that both say the same of the same row: a refused row
 * is answered as its refusal, stops no other, and has written nothing. Rule: lists#bulk.
 */
export const routeOfMany = <Input extends TSchema, Data extends TSchema>(
  call: Call<Input, Data>,
  handleMany: (
    inputs: readonly [Static<Input>, ...Static<Input>[]],
    ctx: Context,
  ) => Promise<readonly (Static<Data> | Refusal)[]>,
): Route => ({
  call,
  reads: [],
  handle: async (input, ctx) => {
    const [outcome] = await handleMany([input as Static<Input>], ctx);
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  },
  handleMany: (inputs, ctx) => handleMany(inputs as [Static<Input>, ...Static<Input>[]], ctx),
});
