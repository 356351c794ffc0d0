import { sql } from 'kysely';
import type { DataOf } from '#domain/call.ts';
import { PackageStatus } from '#domain/enums.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { anyOf, anywhere, inSites } from '#server/db/conditions.ts';
import { namesOfOne } from '#server/workflow/names.ts';
import type { findBills } from './contract.ts';

/** The package that is open for a parcel at a site. */
export async function findOpenPackage({ db }: Context, siteId: string, receiveShipNo: string) {
  return db
    .selectFrom('rma_unhandled_package_bill')
    .select(['id', 'upbId'])
    .where('receiveShipNo', '=', receiveShipNo)
    .where('siteId', '=', siteId)
    .where('status', '=', PackageStatus.Pending)
    .limit(1)
    .executeTakeFirst();
}

/** The newest bill of a parcel within the user's sites. */
export async function findBillByShipNo({ db, currentUser }: Context, receiveShipNo: string) {
  const query = db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus', 'userName'])
    .where('receiveShipNo', '=', receiveShipNo)
    .orderBy('id', 'desc')
    .limit(1)
    .where(inSites('siteId', currentUser));
  return query.executeTakeFirst();
}

export async function findState({ db }: Context, countryId: string, stateId: string) {
  return db
    .selectFrom('ubs_state')
    .select('name')
    .where('stateId', '=', stateId)
    .where('countryId', '=', countryId)
    .executeTakeFirst();
}

/** What a package says of itself. */
export interface Sender {
  siteId: string;
  receiveShipNo: string;
  userName: string | null;
  mobile: string | null;
}
type FoundBill = DataOf<typeof findBills>['items'][number];

const MOST_BILLS = 20;
/** Among so many bills, the newest, a part of a customer's name is looked for: a parcel comes soon after its bill. */
const NAMED_BILLS = 20_000;

/** The bills of the package's site that it may belong to, the surest first, then the newest. Rule: parcels#matching. */
export async function findBillsFor(ctx: Context, parcel: Sender, search: string): Promise<FoundBill[]> {
  const { shipNo, beginning, sns, userName, mobile, namePart } =
    search === '' ? saidBy(parcel) : await typed(ctx, search);
  const isHere = sql`b."siteId" = ${parcel.siteId}`;
  const newest = sql`ORDER BY b.id DESC LIMIT ${sql.lit(MOST_BILLS)}`;
  const { rows } = await sql<FoundBill>`
    WITH found AS (
      (SELECT b.id, 'shipNo' AS match, 1 AS rank FROM rma_maintain_bill AS b
        WHERE b."receiveShipNo" = ${shipNo} AND ${isHere} ${newest})
      UNION ALL
      (SELECT b.id, 'bill', 2 FROM rma_maintain_bill AS b
        WHERE ${beginning} <> '' AND starts_with(b."mtbId", ${beginning}) AND ${isHere} ${newest})
      UNION ALL
      (SELECT b.id, 'sn', 3 FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
        WHERE i."receiveSn" = ${anyOf(sns)} AND ${isHere} ${newest})
      UNION ALL
      (SELECT b.id, 'customer', 4 FROM rma_maintain_bill AS b WHERE b.mobile = ${mobile} AND ${isHere} ${newest})
      UNION ALL
      (SELECT b.id, 'customer', 4 FROM rma_maintain_bill AS b WHERE b."userName" = ${userName} AND ${isHere} ${newest})
      UNION ALL
      (SELECT b.id, 'customer', 4 FROM rma_maintain_bill AS b
        WHERE ${namePart} <> '' AND b."userName" ILIKE ${anywhere(namePart)} AND ${isHere}
          AND b.id > (SELECT max(id) FROM rma_maintain_bill) - ${sql.lit(NAMED_BILLS)} ${newest})),
    surest AS (SELECT DISTINCT ON (id) id, match, rank FROM found ORDER BY id, rank)
    SELECT b."mtbId", b."receiveShipNo", b."userName", b."billStatus", s.match
      FROM surest AS s JOIN rma_maintain_bill AS b USING (id)
     ORDER BY s.rank, s.id DESC LIMIT ${sql.lit(MOST_BILLS)}`.execute(ctx.db);
  return rows;
}

const saidBy = ({ receiveShipNo, userName, mobile }: Sender) => ({
  ...{ shipNo: receiveShipNo, beginning: '', sns: [] as string[], userName, mobile, namePart: '' },
});

async function typed({ db }: Context, search: string) {
  const no = normaliseNo(search);
  const sns = (await namesOfOne(db, normaliseSn(search))).all;
  return { shipNo: no, beginning: no, sns, userName: search, mobile: search, namePart: search };
}
