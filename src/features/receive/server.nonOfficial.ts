import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, Warranty } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { ledger } from '#server/ledger.ts';
import { problemsOfText } from '#server/workflow/units.ts';
import type { createNonOfficial } from './contract.ts';
import { problemsOfNonOfficial, problemsOfStranger } from './rules.ts';
import { knownSns, type KnownSn } from './store.ts';
import { archiveStranger } from './store.write.ts';

/** The archive learns an SN that is not the company's own; a receipt takes it. Rule: events#e05. */
export async function enterStranger(
  input: InputOf<typeof createNonOfficial>,
  ctx: Context,
): Promise<DataOf<typeof createNonOfficial>> {
  const sn = normaliseSn(input.sn ?? '');
  const type = (input.type ?? '').trim();
  refuseIfAny(problemsOfNonOfficial(sn, type));
  refuseIfAny(problemsOfText(sn, 'sn'));
  refuseIfAny(problemsOfStranger(sn, (await knownSns(ctx, [sn])).get(sn)));
  await archiveStranger(ctx, sn, type);
  await ledger(ctx, { what: 'createNonOfficial', module: 'ubsItemObject', recordId: sn, to: { sn, type } });
  const { itemId, salesCode, name, deviceType, slaveCodes } = (await knownSns(ctx, [sn])).get(sn) as KnownSn;
  return {
    sn,
    item: { itemId, code: salesCode, name, deviceType, slaveCodeList: slaveCodes },
    warranty: Warranty.Out,
    maintains: 0,
    continues: Flag.No,
    mixbound: Flag.No,
    secondHand: Flag.No,
    components: [],
  };
}
