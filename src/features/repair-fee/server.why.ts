import { PriceReason } from '#domain/review.ts';
import { readRow } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { whyPrice } from './contract.ts';
import { listNear, readWhy } from './queries.why.ts';

/** Where no single price is found, those that come near say what is missing. */
const unfound: readonly (string | null)[] = [PriceReason.NoPrice, PriceReason.Several];

/** Why a line of the user's sites costs what it costs, for who may ask about prices. Rule: money#why-a-price. */
export const whyRoute = route(whyPrice, async ({ id }, ctx) => {
  // Only of a line that the user sees.
  await readRow(requireDefinition(ctx.model, 'rmaRepairFeeBillLine'), id, ['id'], ctx);
  const why = await readWhy(ctx, id);
  const asks = why.expense === null && unfound.includes(why.now.reason);
  return { ...why, near: asks ? await listNear(ctx, id) : [] };
});
