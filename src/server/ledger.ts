import type { Context } from '#server/context.ts';

/** What the ledger needs to know of a request. */
type LedgerContext = Pick<Context, 'db' | 'currentUser'> & { request: Pick<Context['request'], 'id' | 'ip'> };

interface LedgerEntry {
  /** The verb: `check`, `create`, `modifyById`. */
  what: string;
  module: string;
  /** The bill's number or the row's id. */
  recordId: string;
  from?: unknown;
  to?: unknown;
}

/**
 * Writes down who did what, in the same transaction. The table takes no change and no deletion.
 * Rule: writing#ledger.
 */
export const recordInLedger = (ctx: LedgerContext, entry: LedgerEntry): Promise<void> =>
  recordAllInLedger(ctx, [entry]);

/** The same of many, in one statement. Rule: writing#ledger. */
export async function recordAllInLedger(ctx: LedgerContext, entries: readonly LedgerEntry[]): Promise<void> {
  await ctx.db
    .insertInto('ledger')
    .values(
      entries.map((entry) => ({
        userId: ctx.currentUser.userId,
        siteId: ctx.currentUser.siteId,
        what: entry.what,
        module: entry.module,
        recordId: entry.recordId,
        before: entry.from === undefined ? null : JSON.stringify(entry.from),
        after: entry.to === undefined ? null : JSON.stringify(entry.to),
        requestId: ctx.request.id,
        address: ctx.request.ip === '' ? null : ctx.request.ip,
      })),
    )
    .execute();
}

/** Records each download of a stored file. */
export const recordDownload = (ctx: LedgerContext, { id, name, size }: { id: string; name: string; size: number }) =>
  recordInLedger(ctx, { what: 'download', module: 'file', recordId: id, to: { name, size } });
