import type { Context } from '#server/context.ts';

/** What the ledger needs to know of a request. */
export type Acting = Pick<Context, 'db' | 'who'> & { request: Pick<Context['request'], 'id' | 'ip'> };

export interface Deed {
  /** The verb: `check`, `create`, `modifyById`. */
  what: string;
  module: string;
  /** The bill's number or the row's id. */
  recordId: string;
  from?: unknown;
  to?: unknown;
}

/**
 * Writes down who did what, in the deed's own transaction. The table takes no change and no deletion.
 * Rule: writing#ledger.
 */
export async function ledger(ctx: Acting, deed: Deed): Promise<void> {
  await ctx.db
    .insertInto('ledger')
    .values({
      userId: ctx.who.userId,
      siteId: ctx.who.siteId,
      what: deed.what,
      module: deed.module,
      recordId: deed.recordId,
      before: deed.from === undefined ? null : JSON.stringify(deed.from),
      after: deed.to === undefined ? null : JSON.stringify(deed.to),
      requestId: ctx.request.id,
      address: ctx.request.ip === '' ? null : ctx.request.ip,
    })
    .execute();
}

/** Writes down that a kept file went out of the house, each time that it does. */
export const ledgerDownload = (ctx: Acting, { id, name, size }: { id: string; name: string; size: number }) =>
  ledger(ctx, { what: 'download', module: 'file', recordId: id, to: { name, size } });
