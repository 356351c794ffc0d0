import { groupBy } from '#domain/group.ts';
import type { HistoryStep } from '#domain/workflow.ts';
import { atSite, type Context } from '#server/context.ts';
import { moveUnits, recordEvents, type Move } from '#server/workflow/moves.ts';

/** What is written about goods carries their site, whoever acts on them. */
async function eachSite<T extends { siteId?: string | null | undefined }>(
  ctx: Context,
  things: readonly T[],
  work: (there: Context, group: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (const [siteId, group] of groupBy(things, (it) => it.siteId ?? ctx.currentUser.siteId)) {
    await work(atSite(ctx, siteId), group);
  }
}

export const moveAtSites = (ctx: Context, moves: readonly Move[], step: HistoryStep) =>
  eachSite(
    ctx,
    moves.map((it) => ({ ...it, siteId: it.unit.siteId })),
    (there, group) => moveUnits(there, group, step, null),
  );

/** The history of units about which something was decided where they stand. */
export const recordAtSites = (ctx: Context, moves: readonly Move[], step: HistoryStep) =>
  eachSite(
    ctx,
    moves.map((it) => ({ ...it, siteId: it.unit.siteId })),
    (there, group) => recordEvents(there, group, step, null),
  );
