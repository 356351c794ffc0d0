import type { Static } from 'typebox';
import { imageLimits, joinUrls, splitUrls } from '#domain/images.ts';
import { spendCountOf, type RepairRow } from '#domain/repairRecord.ts';
import { parseSlots } from '#domain/slots.ts';
import { normaliseSn } from '#domain/sn.ts';
import type { RepairRows } from '#domain/wire.ts';
import type { Context } from '#server/context.ts';
import type { IssueCode } from '#server/workflow/issueCodes.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import type { Unit } from '#server/workflow/units.ts';

type Sent = Static<typeof RepairRows>[number];

export const rowOf = (it: Sent): RepairRow => ({
  sn: normaliseSn(it.sn ?? ''),
  partsType: it.partsType ?? '',
  repairMethod: it.repairMethod ?? '',
  issueCodes: it.issueCodeIdList ?? [],
  slot: it.slot ?? '',
  spendItemCount: it.spendItemCount ?? null,
  repairUrls: it.repairUrls,
  replaceSn: normaliseSn(it.replaceSn ?? ''),
});

/** The rows with their codes and pictures, each kind asked for once for all rows. */
export async function recordedRows(
  ctx: Context,
  sent: readonly Sent[],
  codeById: ReadonlyMap<string, IssueCode>,
): Promise<RecordedRow[]> {
  const rows = sent.map(rowOf);
  const urls = rows.flatMap((it) => splitUrls(it.repairUrls));
  await findPictures(ctx, urls, { field: 'repairUrls', max: rows.length * imageLimits.repairRow });
  return rows.map((row, i) => {
    const { issueCodeIdList, repairMarking, spendItemDescription } = sent[i] as Sent;
    const own = [...new Set((issueCodeIdList ?? []).map(String))];
    return {
      ...row,
      codes: own.flatMap((id) => codeById.get(id) ?? []),
      repairMarking: repairMarking?.trim() ?? '',
      spendItemDescription: spendItemDescription?.trim() ?? '',
      urls: joinUrls(splitUrls(row.repairUrls)),
    };
  });
}

/** What the lists of board types and repair methods have. */
export async function enumerationValues({ db }: Context) {
  const partsTypes = await db.selectFrom('ubs_enum_parts_type').select('value').execute();
  const repairMethods = await db.selectFrom('rma_enum_repair_method').select('value').execute();
  return {
    partsTypes: partsTypes.map((it) => it.value),
    repairMethods: repairMethods.map((it) => it.value),
  };
}

export interface RecordedRow extends RepairRow {
  codes: readonly { code: string; name: string }[];
  repairMarking: string;
  spendItemDescription: string;
  urls: string;
}

/** The repair bill and its rows. */
export async function recordRepair(
  ctx: Context,
  head: { rpbId: string; unit: Unit; repairType: string },
  rows: readonly RecordedRow[],
): Promise<void> {
  const createBy = ctx.currentUser.userId;
  const { rpbId, unit, repairType } = head;
  const urls = rows.flatMap((it) => splitUrls(it.urls));
  await takePictures(ctx, urls, 'repairUrls');
  await ctx.db
    .insertInto('rma_repair_bill')
    .values({
      rpbId,
      mtbId: unit.mtbId,
      mtbliId: unit.mtbliId,
      sn: unit.sn,
      userId: createBy,
      repairType,
      siteId: ctx.currentUser.siteId,
      createBy,
    })
    .execute();
  await ctx.db
    .insertInto('rma_repair_bill_line')
    .values(
      rows.map((row) => ({
        rpbId,
        partsType: row.partsType,
        sn: row.sn || null,
        icdIds: row.codes.map((it) => it.code).join(','),
        icdDescriptions: row.codes.map((it) => it.name).join(','),
        slot: parseSlots(row.slot).join(','),
        repairMethod: row.repairMethod,
        repairMarking: row.repairMarking || null,
        spendItemDescription: row.spendItemDescription || null,
        spendCount: spendCountOf(row),
        repairUrls: row.urls,
        replaceSn: row.replaceSn || null,
        createBy,
      })),
    )
    .execute();
}
