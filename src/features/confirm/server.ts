import { Confirmation, Flag } from '#domain/enums.ts';
import { isOfSite, wordOfProposed } from '#domain/hold.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { confirmationOf, validateConfirmation, type ConfirmStep } from '#domain/workflow.ts';
import { atSite, seesSite, type Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { createMove, moveUnits, type Move } from '#server/workflow/moves.ts';
import { isTalliedAhead, settle, shelve } from '#server/workflow/placing.ts';
import { lockUnitBills, lockUnits } from '#server/workflow/unitLocks.ts';
import { readSns, type Unit } from '#server/workflow/units.ts';
import { nofaultConfirm, scrapConfirm } from './contract.ts';
import { validateNofault, validateScrap } from './rules.ts';
import { isDecided, readItem, saveDecision, scrapItem } from './queries.ts';

export const confirmRoutes = [
  /**
   * The unit is scrap, kept or given back unrepaired; or it waits for its first test again. Rule: events#e11,
   * events#e12.
   */
  route(scrapConfirm, async (input, ctx) => {
    const word = {
      scrapStatus: trimmed(input.scrapStatus),
      declineScrapRemark: trimmed(input.declineScrapRemark),
      dutySourse: trimmed(input.dutySourse),
      dutySourseRemark: trimmed(input.dutySourseRemark),
    };
    refuseIfAny(validateScrap(word));
    const { unit, there, ckbId } = await holdProposal(ctx, 'scrapConfirm', input);
    const isScrap = word.scrapStatus === Confirmation.Confirmed;
    await saveDecision(
      there,
      'scrapConfirm',
      { ckbId, sn: unit.sn, version: input.version },
      answersTo(word, isScrap ? scrapFields : declineFields),
    );
    const item = await readItem(there, unit);
    const outcome = !isScrap ? 'declined' : item?.returness === Flag.Yes ? 'returned' : 'kept';
    const note = isScrap ? word.dutySourseRemark : word.declineScrapRemark;
    const move = createMove(unit, 'scrapConfirm', outcome, note);
    await moveUnits(there, [move], 'scrapConfirm', ckbId);
    if (outcome === 'kept') await shelve(there, [unit.sn], move.to);
    if (isScrap && item && unit.mtbliId) {
      // Where another machine goes out instead, tallied already, it still goes out. Rule: stock-up#advance.
      await scrapItem(there, unit.mtbliId, outcome === 'kept' && !isTalliedAhead(unit, item));
      await settle(there, unit);
    }
    return finish(there, 'scrapConfirm', ckbId, move, word);
  }),

  /**
   * Aging proves that nothing is wrong with the unit; or it waits for its first test again. Rule: events#e13,
   * events#e14.
   */
  route(nofaultConfirm, async (input, ctx) => {
    const word = {
      nofaultConfirmStatus: trimmed(input.nofaultConfirmStatus),
      nofaultConfirmRemark: trimmed(input.nofaultConfirmRemark),
    };
    refuseIfAny(validateNofault(word));
    const { unit, there, ckbId } = await holdProposal(ctx, 'nofaultConfirm', input);
    const isNofault = word.nofaultConfirmStatus === Confirmation.Confirmed;
    const proposal = { ckbId, sn: unit.sn, version: input.version };
    await saveDecision(there, 'nofaultConfirm', proposal, answersTo(word, nofaultFields));
    const outcome = isNofault ? 'confirmed' : 'declined';
    const move = createMove(unit, 'nofaultConfirm', outcome, word.nofaultConfirmRemark);
    await moveUnits(there, [move], 'nofaultConfirm', ckbId);
    return finish(there, 'nofaultConfirm', ckbId, move, word);
  }),
];

const trimmed = (text: string | null | undefined): string => text?.trim() ?? '';

const scrapFields = ['scrapStatus', 'dutySourse', 'dutySourseRemark'] as const;
const declineFields = ['scrapStatus', 'declineScrapRemark'] as const;
const nofaultFields = ['nofaultConfirmStatus', 'nofaultConfirmRemark'] as const;

/** What of the word is kept: the answers to what its status asks for, and nothing of the other branch. */
const answersTo = <Name extends string>(
  word: Record<Name, string>,
  names: readonly Name[],
): Record<string, string | null> => Object.fromEntries(names.map((it) => [it, word[it] || null]));

interface Proposal {
  sn: string;
  ckbId?: string | null;
  mtbId?: string | null;
}

/** The unit that waits for this word, held, and the person acting for its site. */
async function holdProposal(ctx: Context, step: ConfirmStep, { sn: scanned, ckbId: sent, mtbId }: Proposal) {
  const [sn] = readSns([scanned], () => 'sn') as [string];
  const ckbId = trimmed(sent);
  const bill = { module: 'rmaCheckBillLine', field: 'ckbId' };
  if (ckbId === '') throw new Refusal({ key: 'required', field: 'ckbId', args: { fields: [bill] } });
  const locked = await lockUnitBills(ctx.db, [sn]);
  const unit = (await lockUnits(ctx.db, [sn])).get(sn);
  const { currentUser } = ctx;
  const isOurs = unit !== undefined && (seesSite(currentUser, unit.siteId) || isOfSite(unit, currentUser.siteId));
  if (isOurs && (await isDecided(ctx, step, ckbId, sn))) {
    const args = { what: { zh: `SN ${sn}（初检单 ${ckbId}）`, en: `SN ${sn} on check bill ${ckbId}` } };
    throw new Refusal({ key: 'doneBefore', field: 'sn', args });
  }
  refuseIfAny(validateConfirmation(sn, unit, { step, ckbId, isOurs }));
  const held = unit as Unit;
  if (held.mtbId && !locked.has(held.mtbId)) throw new Refusal({ key: 'stale' });
  if (trimmed(mtbId) !== '' && trimmed(mtbId) !== held.mtbId) {
    const args = { sn, ckbId, confirmation: wordOfProposed(confirmationOf(step)) };
    throw new Refusal({ key: 'notHeld', field: 'mtbId', args });
  }
  return { unit: held, there: atSite(ctx, held.siteId ?? ctx.currentUser.siteId), ckbId };
}

/** What was decided, for the ledger, and how things stand now. */
async function finish(ctx: Context, step: ConfirmStep, ckbId: string, { unit, to }: Move, word: object) {
  const { sn, mtbId } = unit;
  const bill = await ctx.db
    .selectFrom('rma_maintain_bill')
    .select('billStatus')
    .where('mtbId', '=', mtbId)
    .executeTakeFirst();
  const billStatus = bill?.billStatus ?? null;
  await recordInLedger(ctx, {
    what: step,
    module: 'rmaCheckBill',
    recordId: ckbId,
    from: { sn, node: unit.ivyId },
    to: { sn, node: to, ...word, billStatus },
  });
  return { sn, nextNode: to as string, billStatus };
}
