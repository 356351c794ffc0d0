import { sql } from 'kysely';
import { COMBINE_REPAIR, ScrapRepairStatus, ScrapSnRole, StorageType } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import { groupBy } from '#domain/group.ts';
import { codesOfText } from '#domain/issueCode.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { nameIn } from '#server/engine/describe.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { touch } from '#server/touch.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { ScrapRepair } from './rules.ts';

/** A bill as the steps know it. */
export interface StoredBill extends ScrapRepair {
  id: number;
  createBy: string;
}

/** A bill of the user's sites by its number or its row's id; another one is as if it did not exist. */
export async function billOf(
  ctx: Context,
  no: string | null | undefined,
  { isHeld = false } = {},
): Promise<StoredBill> {
  const definition = requireDefinition(ctx.model, 'rmaScrapRepairBill');
  const row = await readRow(definition, normaliseNo(no), readableNames(definition), ctx, isHeld);
  const text = (name: string) => String(row[name] ?? '');
  return {
    id: Number(row['id']),
    srbId: text('srbId'),
    billStatus: text('billStatus'),
    siteId: text('siteId'),
    createBy: text('createBy'),
  };
}

/** The sites of the user, by their names. */
export const readSites = ({ db, lang, currentUser }: Context) =>
  db
    .selectFrom('ubs_site')
    .select(['siteId', nameIn(lang, 'siteName').as('name')])
    .where(inSites('siteId', currentUser))
    .orderBy('siteId')
    .execute();

/** The bill with a line an SN. */
export async function recordBill(
  { db, currentUser }: Context,
  head: { srbId: string; department: string | null; remark: string | null },
  units: readonly Unit[],
): Promise<number> {
  const { siteId, userId: createBy } = currentUser;
  const { srbId } = head;
  const { id } = await db
    .insertInto('rma_scrap_repair_bill')
    .values({
      ...head,
      billType: COMBINE_REPAIR,
      billStatus: ScrapRepairStatus.Open,
      siteId,
      count: units.length,
      createBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lines = units.map(({ sn, salesCode, itemName }) => ({
    srbId,
    sn,
    salesCode,
    name: itemName,
    snRole: ScrapSnRole.Unused,
    createBy,
  }));
  await insertAll(lines, (some) => db.insertInto('rma_scrap_repair_bill_line').values(some));
  return id;
}

/** The lines of a bill, in their order. */
export async function readLines({ db }: Context, srbId: string) {
  const rows = await db
    .selectFrom('rma_scrap_repair_bill_line')
    .select(['sn', 'salesCode', 'name', 'snRole', 'productSn', 'checkIcdIds', 'rpbId', 'asbId'])
    .where('srbId', '=', srbId)
    .orderBy('id')
    .execute();
  return rows.map((it) => ({
    ...it,
    salesCode: it.salesCode ?? '',
    name: it.name ?? '',
    snRole: it.snRole ?? ScrapSnRole.Unused,
  }));
}

/** What the bill says beside its state. */
export const readHead = ({ db, lang }: Context, id: number) =>
  db
    .selectFrom('rma_scrap_repair_bill as b')
    .leftJoin('ubs_site as s', 's.siteId', 'b.siteId')
    .select(['b.billType', 'b.count', 'b.department', 'b.remark', 'b.createTime', 'b.acceptBy', 'b.acceptTime'])
    .select(nameIn(lang, 's.siteName').as('siteName'))
    .where('b.id', '=', id)
    .executeTakeFirstOrThrow();

/** The repair records of these repair bills. */
export async function readRepairs({ db }: Context, rpbIds: readonly string[]) {
  const rows = await db
    .selectFrom('rma_repair_bill_line')
    .select(['rpbId', 'partsType', 'repairMethod', 'icdIds', 'slot', 'spendCount', 'replaceSn', 'repairMarking'])
    .select('repairUrls')
    .where('rpbId', '=', anyOf(rpbIds))
    .orderBy('id')
    .execute();
  return groupBy(
    rows.map(({ icdIds, repairUrls, ...it }) => ({
      ...it,
      partsType: it.partsType ?? '',
      repairMethod: it.repairMethod ?? '',
      slot: it.slot ?? '',
      codes: codesOfText(icdIds),
      urls: splitUrls(repairUrls),
    })),
    (it) => it.rpbId,
  );
}

/** The positions of these assemblies. */
export async function readAssemblies({ db }: Context, asbIds: readonly string[]) {
  const rows = await db
    .selectFrom('rma_assemble_bill_line')
    .select(['asbId', 'componentType', 'sn', 'qrCodeNum'])
    .where('asbId', '=', anyOf(asbIds))
    .orderBy('id')
    .execute();
  return groupBy(
    rows.map((it) => ({
      asbId: it.asbId,
      componentType: it.componentType ?? '',
      componentSn: it.sn ?? '',
      qrCodeNum: it.qrCodeNum,
    })),
    (it) => it.asbId,
  );
}

/** What became of an SN of the bill. */
export interface Settled {
  sn: string;
  snRole: string;
  productSn: string;
  checkIcdIds: string | null;
  rpbId: string | null;
  asbId: string | null;
}

/** The lines of the SNs that came back or were used up say so. */
export async function settleLines({ db, currentUser }: Context, srbId: string, settled: readonly Settled[]) {
  await sql`
    UPDATE rma_scrap_repair_bill_line AS l
       SET "snRole" = s."snRole", "productSn" = s."productSn", "checkIcdIds" = s."checkIcdIds", "rpbId" = s."rpbId",
           "asbId" = s."asbId", version = l.version + 1, "updateBy" = ${currentUser.userId}, "updateTime" = now()
      FROM json_to_recordset(${JSON.stringify(settled)}::json)
           AS s(sn text, "snRole" text, "productSn" text, "checkIcdIds" text, "rpbId" text, "asbId" text)
     WHERE l."srbId" = ${srbId} AND l.sn = s.sn`.execute(db);
}

/** The bill is ended, or given up. */
export async function setBill({ db, currentUser }: Context, id: number, billStatus: string): Promise<void> {
  const accepted = { acceptBy: currentUser.userId, acceptTime: sql<string>`now()` };
  await db
    .updateTable('rma_scrap_repair_bill')
    .set({ billStatus, ...(billStatus === ScrapRepairStatus.Ended && accepted), ...touch(currentUser) })
    .where('id', '=', id)
    .execute();
}

/** Units that work again are machines of the site's own stock, on nobody's bill. Rule: scrap-repair#main. */
export async function becomeStock({ db }: Context, sns: readonly string[]): Promise<void> {
  await db
    .updateTable('rma_inventory')
    .set({
      mtbId: null,
      mtblId: null,
      mtbliId: null,
      subinventoryCode: null,
      storageType: StorageType.Defectives,
    })
    .where('sn', '=', anyOf(sns))
    .execute();
}

/** What was used up lies in no warehouse any more. Rule: scrap-repair#consumed. */
export async function leaveWarehouse({ db }: Context, sns: readonly string[]): Promise<void> {
  await db.updateTable('rma_inventory').set({ subinventoryCode: null }).where('sn', '=', anyOf(sns)).execute();
}
