import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, Warranty } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { validateSnText } from '#server/workflow/units.ts';
import type { createNonOfficial } from './contract.ts';
import { validateNonOfficial, validateUnknownSn } from './rules.ts';
import { knownSns, type KnownSn } from './queries.ts';
import { archiveNonOfficial } from './queries.write.ts';

/** The archive learns an SN that is not the company's own; a receipt takes it. Rule: events#e05. */
export async function enterNonOfficial(
  input: InputOf<typeof createNonOfficial>,
  ctx: Context,
): Promise<DataOf<typeof createNonOfficial>> {
  const sn = normaliseSn(input.sn ?? '');
  const type = (input.type ?? '').trim();
  refuseIfAny(validateNonOfficial(sn, type));
  refuseIfAny(validateSnText(sn, 'sn'));
  refuseIfAny(validateUnknownSn(sn, (await knownSns(ctx, [sn])).get(sn)));
  await refuseFormer(ctx, [sn]);
  await archiveNonOfficial(ctx, sn, type);
  await recordInLedger(ctx, { what: 'createNonOfficial', module: 'ubsItemObject', recordId: sn, to: { sn, type } });
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
