import type { DataOf, InputOf } from '#domain/call.ts';
import { SiteRepairStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { splitUrls } from '#domain/images.ts';
import { codesOfText, IssueCategory } from '#domain/issueCode.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { namesOfCodes } from '#server/workflow/issueCodes.ts';
import type { visitReport } from './contract.ts';
import { exchangedParts, readPlaces, reportedBill, reportedRecords } from './queries.report.ts';
import { customerLanguage } from './rules.ts';

/** More than a crew repairs on one order; the report of a longer one says that it tells the first of them. */
const MOST_RECORDS = 1000;

type Report = DataOf<typeof visitReport>;

/**
 * What was done on an on-site bill of the user's sites, device by device, in the language of its customer or in the one
 * that was asked for. Rule: on-site-repair#report.
 */
export async function report(input: InputOf<typeof visitReport>, ctx: Context): Promise<Report> {
  const bill = await reportedBill(ctx, normaliseNo(input.osbId));
  const language = input.language ?? customerLanguage(bill.countryId);
  const told = { ...ctx, lang: language };
  const { country, workshop } = await readPlaces(told, bill.countryId, bill.siteId);
  const lines = await reportedRecords(told, bill.osbId, MOST_RECORDS + 1);
  const records = lines.slice(0, MOST_RECORDS);
  const nameOf = await namesOfCodes(
    told,
    records.flatMap((it) => [...codesOfText(it.checkIcdIds), ...codesOfText(it.icdIds)]),
  );
  const found = (text: string | null) =>
    codesOfText(text).map((code) => ({ code, name: nameOf(IssueCategory.Check, code) ?? '' }));
  // A record names codes of repair, and what was found on its device.
  const repaired = (text: string | null) =>
    found(text).map(({ code, name }) => ({ code, name: nameOf(IssueCategory.Repair, code) ?? name }));
  const byDevice = groupBy(records, (it) => it.productSn);
  const partsOf = groupBy(await exchangedParts(told, bill.osbId, [...byDevice.keys()]), (it) => it.deviceSn);
  const partsIn = (sn: string, isNew: boolean) =>
    (partsOf.get(sn) ?? []).filter((it) => it.isNew === isNew).map(({ kind, sn }) => ({ kind, sn }));
  return {
    language,
    osbId: bill.osbId,
    mtbId: bill.mtbId,
    isEnded: bill.billStatus === SiteRepairStatus.Ended,
    startTime: Number(bill.createTime),
    finishTime: bill.finishTime === null ? null : Number(bill.finishTime),
    customer: {
      name: bill.userName ?? '',
      place: [bill.street, bill.cityName, bill.stateName, country].filter(Boolean).join(', '),
    },
    workshop: { name: workshop?.name ?? bill.siteId, address: workshop?.address ?? '', phone: workshop?.phone ?? '' },
    devices: [...byDevice].map(([sn, rows]) => {
      const [{ salesCode, name, technician, submitTime, checkIcdIds }] = rows as [(typeof rows)[number]];
      return {
        sn,
        salesCode: salesCode ?? '',
        name: name ?? '',
        technician,
        time: Number(submitTime),
        checkIssues: found(checkIcdIds),
        records: rows.map((it) => ({
          componentSn: it.componentSn ?? '',
          kind: it.kind ?? '',
          method: it.method ?? '',
          issues: repaired(it.icdIds),
          slot: it.slot ?? '',
          marking: it.repairMarking ?? '',
          material: it.spendItemDescription ?? '',
          count: it.spendItemCount,
          urls: splitUrls(it.repairUrls),
        })),
        putIn: partsIn(sn, true),
        takenOut: partsIn(sn, false),
      };
    }),
    isCut: lines.length > MOST_RECORDS,
  };
}
