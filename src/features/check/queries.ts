import { sql } from 'kysely';
import { Confirmation, Flag } from '#domain/enums.ts';
import { seesSite, type Context } from '#server/context.ts';
import { dayIn } from '#server/db/days.ts';
import { touch } from '#server/touch.ts';
import { leftAs } from '#server/workflow/deliveries.ts';
import type { IssueCode } from '#server/workflow/issueCodes.ts';
import type { Unit } from '#server/workflow/units.ts';

/** What the customer's bill says of this unit; nothing of one that stands on no bill. */
export async function readDeclared({ db }: Context, { mtbliId }: Unit) {
  if (!mtbliId) return undefined;
  return db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['quotedFaultCode', 'maintains', 'warranty'])
    .where('mtbliId', '=', mtbliId)
    .executeTakeFirst();
}

/** The codes that the dock wrote down when this unit came in. */
export async function receiptCodes({ db }: Context, unit: Unit): Promise<string | null> {
  if (!unit.mtblId) return null;
  const row = await db
    .selectFrom('rma_receive_bill_line_item')
    .select('issueCodes')
    .where('receiveSn', '=', unit.sn)
    .where('mtblId', '=', unit.mtblId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.issueCodes ?? null;
}

/**
 * Why a supervisor sent this SN back, by its latest check, wherever that was made; nothing of a unit that stands at
 * a site which the user does not see. Rule: checking#remarks.
 */
export async function readRemarks({ db, currentUser }: Context, sn: string) {
  const latest = await db
    .selectFrom('rma_check_bill_line as l')
    .innerJoin('rma_inventory as u', 'u.sn', 'l.sn')
    .select(['l.declineScrapRemark', 'l.nofaultConfirmRemark', 'l.nofaultConfirmStatus', 'l.scrapStatus', 'u.siteId'])
    .where('l.sn', '=', sn)
    .where('l.disposition', 'is not', null)
    .orderBy('l.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const row = latest && seesSite(currentUser, latest.siteId) ? latest : undefined;
  return {
    declineScrapRemark: row?.scrapStatus === Confirmation.Declined ? row.declineScrapRemark : null,
    nofaultConfirmRemark: row?.nofaultConfirmStatus === Confirmation.Declined ? row.nofaultConfirmRemark : null,
  };
}

interface CheckRecord {
  ckbId: string;
  unit: Unit;
  powerSn: string;
  urls: string;
  codes: readonly IssueCode[];
  powerCodes: readonly IssueCode[];
  repairChipCount: number | null;
  outcome: 'repair' | 'scrap' | 'nofault';
}

/**
 * The check bill: a line for the unit, which says where it goes, and, where its power was checked as well, one for the
 * power, which decides nothing and so has no disposition.
 */
export async function recordCheck(ctx: Context, it: CheckRecord): Promise<void> {
  const { ckbId, unit } = it;
  const createBy = ctx.currentUser.userId;
  await ctx.db
    .insertInto('rma_check_bill')
    .values({
      ckbId,
      mtbId: unit.mtbId,
      userId: createBy,
      checkUrls: it.urls,
      siteId: ctx.currentUser.siteId,
      createBy,
    })
    .execute();
  const line = (sn: string, codes: readonly IssueCode[]) => ({
    ckbId,
    sn,
    mtbliId: unit.mtbliId,
    billTime: sql<string>`now()`,
    icdIds: codes.map((code) => code.code).join(','),
    icdDescriptions: codes.map((code) => code.name).join(','),
    maintainDate: lastDelivery(ctx, sn),
    createBy,
  });
  await ctx.db
    .insertInto('rma_check_bill_line')
    .values({
      ...line(unit.sn, it.codes),
      salesCode: unit.salesCode,
      name: unit.itemName,
      repairChipCount: isCount(it.repairChipCount) ? it.repairChipCount : null,
      powerSn: it.powerSn || null,
      disposition: it.outcome,
      scrapStatus: it.outcome === 'scrap' ? Confirmation.Waiting : null,
      nofaultConfirmStatus: it.outcome === 'nofault' ? Confirmation.Waiting : null,
    })
    .execute();
  if (it.powerCodes.length > 0) {
    await ctx.db.insertInto('rma_check_bill_line').values(line(it.powerSn, it.powerCodes)).execute();
  }
}

const isCount = (n: number | null): boolean => n !== null && Number.isInteger(n) && n > 0;

/** The day of the SN's last completed repair. Rule: checking#last-repair. */
const lastDelivery = ({ config }: Context, sn: string) => sql<string | null>`
  (SELECT ${dayIn(sql`max(i."deliverTime")`, config.timeZone)} FROM rma_maintain_bill_line_item AS i
    WHERE ${leftAs('i', sql`${sn}`)})`;

/** The unit's item on its bill remembers what its first test found. */
export async function recordFindings({ db, currentUser }: Context, it: CheckRecord, isMixed: boolean): Promise<void> {
  if (!it.unit.mtbliId) return;
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({
      checkTime: sql`now()`,
      checkUrls: it.urls,
      checkIcdIds: it.codes.map((code) => code.code).join(','),
      powerSn: it.powerSn || null,
      ...(isMixed && { mixbound: Flag.Yes }),
      ...touch(currentUser),
    })
    .where('mtbliId', '=', it.unit.mtbliId)
    .execute();
}

/** What the unit's item knows of an earlier first test, as the database has it. */
export async function foundBefore({ db }: Context, { mtbliId }: Pick<Unit, 'mtbliId'>): Promise<object | null> {
  if (!mtbliId) return null;
  const { rows } = await sql<{ found: object }>`
    SELECT jsonb_build_object('checkTime', "checkTime", 'checkUrls', "checkUrls", 'checkIcdIds', "checkIcdIds",
                              'powerSn', "powerSn") AS found
      FROM rma_maintain_bill_line_item WHERE "mtbliId" = ${mtbliId}`.execute(db);
  return rows[0]?.found ?? null;
}
