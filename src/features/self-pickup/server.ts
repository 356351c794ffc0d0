import type { InputOf } from '#domain/call.ts';
import { momentFromText } from '#domain/day.ts';
import { SelfPickupStatus } from '#domain/enums.ts';
import { fileIdOf, splitUrls } from '#domain/images.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { readRow } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { FileAnswer } from '#server/fileAnswer.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { openFileStore, openKept } from '#server/uploads/fileStore.ts';
import { lockBills } from '#server/workflow/unitLocks.ts';
import { downloadDocument, reviewAlias, selfPickupReview } from './contract.ts';
import { validateReview } from './rules.ts';
import { findBills, fileById, saveReview, shipsBySelfPickup } from './queries.ts';

export const selfPickupRoutes = [
  route(selfPickupReview, (input, ctx) => review(input, ctx)),
  route(reviewAlias, (input, ctx) => review(input, ctx)),

  route(downloadDocument, async ({ id }, ctx) => {
    const pickup = await readRow(
      requireDefinition(ctx.model, MODULE),
      (id ?? '').trim(),
      ['spkId', 'documentUrls'],
      ctx,
      false,
    );
    const latest = splitUrls(pickup['documentUrls'] as string | null).at(-1);
    const file = latest === undefined ? undefined : await fileById(ctx, fileIdOf(latest));
    if (file) return new FileAnswer(file, () => openKept(openFileStore(ctx.config), file));
    const what = { module: MODULE, field: 'documentUrls' };
    throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: String(pickup['spkId']) } });
  }),
];

const MODULE = 'rmaSelfPickup';

/**
 * A yes keeps where and when, and lets the customer fetch what the bill has to deliver; a no keeps why.
 * Rule: events#e38.
 */
async function review(input: InputOf<typeof selfPickupReview>, ctx: Context) {
  const said = {
    selfPickupStatus: trimmed(input.selfPickupStatus),
    pickupAddress: trimmed(input.pickupAddress),
    pickupTime: parseMoment(input.pickupTime, ctx.config.timeZone),
    rejectionReason: trimmed(input.rejectionReason),
    branchContact: trimmed(input.branchContact),
  };
  refuseIfAny(validateReview(said, Date.now()));
  const pickup = await holdRow(ctx, MODULE, input.id);
  const [id, spkId] = [Number(pickup['id']), String(pickup['spkId'])];
  if ((pickup['selfPickupStatus'] ?? SelfPickupStatus.Waiting) !== SelfPickupStatus.Waiting) {
    throw new Refusal({ key: 'doneBefore', field: 'id', args: { what: spkId } });
  }
  refuseUnseen(requireDefinition(ctx.model, MODULE), pickup, input.version);
  await saveReview(ctx, id, said);
  const isAgreed = said.selfPickupStatus === SelfPickupStatus.Agreed;
  const mtbIds = isAgreed ? await findBills(ctx, pickup as Parameters<typeof findBills>[1]) : [];
  await lockBills(ctx.db, mtbIds);
  const skbIdList = await shipsBySelfPickup(ctx, mtbIds);
  await recordInLedger(ctx, {
    what: 'selfPickupReview',
    module: MODULE,
    recordId: spkId,
    from: { selfPickupStatus: pickup['selfPickupStatus'] },
    to: { ...said, ...(isAgreed && { mtbIds, skbIdList }) },
  });
  return { id, selfPickupStatus: said.selfPickupStatus };
}

const trimmed = (text: string | null | undefined): string => text?.trim() ?? '';

function parseMoment(sent: number | string | null | undefined, timeZone: string): number | null {
  if (typeof sent === 'number') return Math.abs(sent) <= LAST_MOMENT ? sent : NaN;
  const text = trimmed(sent);
  return text === '' ? null : momentFromText(text, timeZone);
}

/** The year 9999: what a calendar shows. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);
