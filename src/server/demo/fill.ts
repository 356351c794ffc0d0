import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import type { Model } from '#domain/definition/grammar.ts';
import { UserStatus } from '#domain/enums.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/pool.ts';
import type { Tables } from '#server/db/tables.ts';
import { DEMO_PASSWORD } from '#server/session/demoUsers.ts';
import { hashPassword } from '#server/session/passwords.ts';
import { createFolderStore, newFileId } from '#server/uploads/fileStore.ts';
import { addBaseData, addFreeMachines } from './base.ts';
import { addSite } from './bills.ts';
import { createCalendar } from './calendar.ts';
import { addFinance } from './finance.ts';
import { addDraft, addDraftChanges } from './drafts.ts';
import { addSamples, addRacks } from './hashRate.ts';
import { openFactory } from './machines.ts';
import { addOwnGoods } from './ownGoods.ts';
import { crews, people } from './people.ts';
import { drawPaper, type Paper } from './papers.ts';
import { drawPhotos } from './photos.ts';
import { siteZones, sites } from './sites.ts';
import { randomFrom } from './random.ts';
import { collectRows, insertRows, type Row, type Rows, type TableName } from './rows.ts';
import { addSatellite } from './satellite.ts';
import { openSchedule } from './schedule.ts';
import { addScrapRepairs } from './scrapRepairs.ts';
import { addSemiconductor } from './semiconductor.ts';
import { settleBills } from './settling.ts';
import { addSituations } from './situations.ts';
import { enterWaybills } from './stockups.ts';
import { addVisits } from './visits.ts';
import { numbering, type Site, type World } from './world.ts';

/** Who made the demo's users; by it a database is known to hold them. */
const MAKER = 'demo';
const SEED = 20_261_121;
const MONTHS_AS_DAYS = 155;

interface DemoOptions {
  database: Database;
  model: Model;
  config: Config;
  wanted: boolean;
  say: (line: string) => void;
  now?: number;
}

/**
 * Fills a database in which nobody can sign in yet with the demo: users, sites, goods, and five months of a workshop's
 * work. All of it or nothing. Rule: operating#demo. @returns whether the database holds the demo's users, from now on
 * or from an earlier start
 */
export async function fillDemo({ database, config, wanted, say, now = Date.now() }: DemoOptions): Promise<boolean> {
  const { db } = database;
  const isEmpty = !(await db.selectFrom('admin_user').select('id').limit(1).executeTakeFirst());
  if (!isEmpty || !wanted) return holdsDemo(db);
  const began = performance.now();
  const fileStore = createFolderStore(join(config.dataDir, 'files'));
  const written: string[] = [];
  try {
    const rows = collectRows();
    const put = async (id: string, bytes: Buffer) => {
      await fileStore.put(id, bytes);
      written.push(id);
    };
    const photos = await addPhotos(rows, put);
    await addPapers(rows, addEverything(rows, photos, config.timeZone, now), put);
    await addPeople(rows);
    const isFilled = await db.transaction().execute((trx) => write(trx, rows, now, config.timeZone));
    if (!isFilled) throw new AnotherWasFaster();
    const units = rows.of('rma_inventory').length;
    say(`Filled the demo data: ${units} units, ${Math.round(performance.now() - began)} ms.`);
    return true;
  } catch (error) {
    await Promise.all(written.map((id) => fileStore.remove(id)));
    if (error instanceof AnotherWasFaster) return holdsDemo(db);
    throw error;
  }
}

class AnotherWasFaster extends Error {}

async function holdsDemo(db: Kysely<Tables>): Promise<boolean> {
  const found = await db
    .selectFrom('admin_user')
    .select('id')
    .where('createBy', '=', MAKER)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function addPeople(rows: Rows): Promise<void> {
  const password = await hashPassword(DEMO_PASSWORD);
  for (const it of people) rows.add('admin_user', { ...it, password, status: UserStatus.On, createBy: MAKER });
}

type Put = (id: string, bytes: Buffer) => Promise<void>;

/** Rows of the demo have it. */
const pictureFile = { kind: 'picture', mime: 'image/jpeg', right: '', inUse: true };
/** Which bills have a paper of this title. */
const papersOf: Record<Paper['title'], string> = {
  INVOICE: 'rmaRepairFeeBill',
  'FREIGHT STATEMENT': 'rmaLogisticsCostsBill',
};

/** Each site has pictures of its own: a file belongs to a site. */
async function addPhotos(rows: Rows, put: Put): Promise<Record<string, string[]>> {
  const photos = await drawPhotos();
  const bySite = sites.map(async ({ siteId }) => {
    const files = photos.map((it) => ({ ...it, id: newFileId() }));
    await Promise.all(files.map((it) => put(it.id, it.bytes)));
    const createBy = crews[siteId]?.techs[0] ?? 'admin';
    for (const { id, name, bytes } of files) {
      rows.add('file', { ...pictureFile, id, name, size: bytes.length, siteId, createBy });
    }
    return [siteId, files.map((it) => `/file/${it.id}`)] as const;
  });
  return Object.fromEntries(await Promise.all(bySite));
}

async function addPapers(rows: Rows, papers: readonly Paper[], put: Put): Promise<void> {
  await Promise.all(
    papers.map(async (paper) => {
      const { id, siteId, by: createBy, title, no } = paper;
      const bytes = await drawPaper(paper);
      await put(id, bytes);
      const name = `${title.toLowerCase().replace(' ', '-')}-${no}.jpg`;
      // As the hand-in of the paper would leave it.
      const right = `${papersOf[title]}:list`;
      rows.add('file', { ...pictureFile, right, id, name, size: bytes.length, siteId, createBy });
    }),
  );
}

/** All that the demo holds at a moment, but its people and pictures. Gives the papers that are still to be drawn. */
export function addEverything(
  rows: Rows,
  photos: Record<string, string[]>,
  timeZone: string,
  now: number,
): readonly Paper[] {
  const random = randomFrom(SEED);
  const world: World = {
    now,
    timeZone,
    random,
    rows,
    sites: Object.fromEntries(sites.map(({ siteId }) => [siteId, siteOf(siteId, photos[siteId] ?? [], now)])),
    units: new Map(),
    bills: [],
    ownBills: [],
    papers: [],
    numberAt: numbering(rows, timeZone),
  };
  const factory = openFactory(rows, random, now, timeZone);
  const schedule = openSchedule();
  addBaseData(rows, now - (MONTHS_AS_DAYS + 5) * 86_400_000);
  addFreeMachines(factory);
  for (const site of Object.values(world.sites)) addSite({ world, factory, schedule }, site);
  const { SZ, NB } = world.sites;
  if (SZ && NB) {
    addSituations({ world, factory, schedule }, SZ, NB);
    addSituations({ world, factory, schedule }, NB, SZ);
  }
  // With chance of its own, so that the stories beside it stay as they are.
  const ownRandom = randomFrom(SEED + 1);
  const ownStage = {
    world: { ...world, random: ownRandom },
    factory: openFactory(rows, ownRandom, now, timeZone, 5000),
    schedule,
  };
  for (const site of Object.values(world.sites)) addOwnGoods(ownStage, site);
  schedule.play();
  enterWaybills(world);
  settleBills(world);
  addSatellite(world, factory);
  const scrapRandom = randomFrom(SEED + 2);
  addScrapRepairs({ ...world, random: scrapRandom }, openFactory(rows, scrapRandom, now, timeZone, 7000));
  const visitRandom = randomFrom(SEED + 3);
  addVisits({ ...world, random: visitRandom }, openFactory(rows, visitRandom, now, timeZone, 8500));
  addFinance(world);
  addSemiconductor(world);
  addRacks(world);
  addDraft(world);
  return world.papers;
}

const siteOf = (siteId: string, photos: string[], now: number): Site => ({
  siteId,
  crew: crews[siteId] as Site['crew'],
  calendar: createCalendar(now, siteZones[siteId] ?? 'Asia/Shanghai', MONTHS_AS_DAYS),
  photos,
});

/** One server fills; one that starts at the same time waits here, and finds it done. */
async function write(trx: Kysely<Tables>, rows: Rows, now: number, timeZone: string): Promise<boolean> {
  await sql`SET LOCAL lock_timeout = '60s'`.execute(trx);
  await sql`SET LOCAL statement_timeout = '60s'`.execute(trx);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('reflow demo', 0))`.execute(trx);
  if (await trx.selectFrom('admin_user').select('id').limit(1).executeTakeFirst()) return false;
  const itemIds = new Map<string, number>();
  for (const table of tables) {
    if (table === 'rma_stockup_bill_line' || table === 'rma_deliver_bill_line') nameItems(rows, itemIds);
    await insertRows(trx, table, inOrder(rows.of(table)));
    if (table === 'ubs_sn_change_log') await nameObjects(trx);
    if (table === 'rma_correction_bill_line') await nameSettledLines(trx);
    if (table !== 'rma_maintain_bill_line_item') continue;
    const items = await trx.selectFrom(table).select(['id', 'mtbliId']).execute();
    for (const { id, mtbliId } of items) itemIds.set(mtbliId, id);
  }
  await sql`SELECT keep_reported_rows()`.execute(trx);
  await trx.insertInto('ledger').values(rows.of('ledger')).execute();
  await addSamples(trx, now, timeZone);
  await addDraftChanges(trx);
  return true;
}

/** Rows get their ids as they would have: whatever was made up first, what happened first stands first. */
const inOrder = (rows: readonly Row<TableName>[]): readonly Row<TableName>[] => {
  const timeOf = (row: object) => Number((row as { createTime?: Date }).createTime ?? 0);
  return rows.toSorted((a, b) => timeOf(a) - timeOf(b));
};

/** The changes of SNs name the record of the archive. */
async function nameObjects(trx: Kysely<Tables>): Promise<void> {
  await sql`
    UPDATE ubs_sn_change_log AS l SET "itemObjectId" = o.id FROM ubs_item_object AS o WHERE o.sn = l."newSn"`.execute(
    trx,
  );
}

/** Corrections name the lines that they correct. */
async function nameSettledLines(trx: Kysely<Tables>): Promise<void> {
  await sql`
    UPDATE rma_correction_bill_line AS k SET "lineId" = l.id
      FROM rma_correction_bill AS b
      JOIN (SELECT id, "rfbId" AS no, sn AS name FROM rma_repair_fee_bill_line
             UNION ALL SELECT id, "lcbId", "deliverShipNo" FROM rma_logistics_costs_bill_line) AS l
        ON l.no IN (b."rfbId", b."lcbId")
     WHERE b."crbId" = k."crbId" AND l.name IN (k.sn, k."deliverShipNo")`.execute(trx);
}

/** The lines that name an item by its row's id. */
function nameItems(rows: Rows, ids: ReadonlyMap<string, number>): void {
  for (const line of rows.of('rma_stockup_bill_line')) line.itemId = ids.get(line.mtbliId) ?? null;
  for (const line of rows.of('rma_deliver_bill_line')) line.deliverItemId = ids.get(line.mtbliId ?? '') ?? null;
}

/** In the order of writing: each after what it refers to, items before the lines that name their row ids. */
const tables = [
  'ubs_country',
  'ubs_site',
  'admin_user',
  'bill_number',
  'file',
  'ubs_subinventory',
  'ubs_label_rule',
  'ubs_shipment',
  'ubs_state',
  'ubs_city',
  'ubs_model_family',
  'ubs_item',
  'ubs_bom',
  'ubs_bom_item',
  'ubs_issue_code',
  'ubs_enum_parts_type',
  'rma_enum_repair_method',
  'ubs_enum_component_type',
  'rma_enum_depreciation',
  'ubs_item_object',
  'ubs_assembly',
  'rma_maintain_bill',
  'rma_maintain_bill_line',
  'rma_maintain_bill_line_item',
  'rma_arrival_bill',
  'rma_receive_bill',
  'rma_receive_bill_line',
  'rma_receive_bill_line_item',
  'rma_check_bill',
  'rma_check_bill_line',
  'rma_repair_bill',
  'rma_repair_bill_line',
  'rma_assemble_bill',
  'rma_assemble_bill_line',
  'rma_burnin_bill',
  'rma_burnin_bill_line',
  'rma_examine_bill',
  'rma_examine_bill_line',
  'rma_store_bill',
  'rma_store_bill_line',
  'rma_stockup_bill',
  'rma_stockup_bill_line',
  'rma_deliver_bill',
  'rma_deliver_bill_line',
  'rma_inventory',
  'rma_transaction',
  'ubs_sn_change_log',
  'ubs_label_print',
  'ubs_product_order',
  'rma_unhandled_package_bill',
  'rma_self_pickup',
  'rma_self_pickup_line',
  'rma_site_repair_bill',
  'rma_site_repair_bill_line',
  'rma_stock_transfer_bill',
  'rma_stock_transfer_bill_line',
  'rma_stock_transfer_bill_line_item',
  'rma_scrap_repair_bill',
  'rma_scrap_repair_bill_line',
  'rma_defective_product_repair_bill',
  'rma_defective_product_repair_bill_line',
  'rma_repair_supplier',
  'rma_price_bill',
  'rma_repair_fee_bill',
  'rma_repair_fee_bill_line',
  'rma_logistics_costs_bill',
  'rma_logistics_costs_bill_line',
  'rma_correction_bill',
  'rma_correction_bill_line',
  'rma_miscellaneous_expenses_bill',
  'icop_supplier',
  'icop_store',
  'icop_part_number',
  'icop_part_number_line',
  'icop_wafer_work_order',
  'icop_wafer_work_order_line',
  'icop_bumping_cp_work_order',
  'icop_bumping_cp_work_order_line',
  'icop_assembly_work_order',
  'icop_assembly_work_order_line',
  'icop_ft_work_order',
  'icop_ft_work_order_line',
  'icop_wip',
  'icop_wip_wafer',
  'wafer_receipt',
  'icop_transaction',
  'user_speed',
  'user_worker',
  'service_token',
  'sys_draft',
] as const satisfies TableName[];
