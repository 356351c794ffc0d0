import type { Kysely } from 'kysely';
import type { Model } from '#domain/definition/grammar.ts';
import type { Tables } from '#server/db/tables.ts';
import { seedEnumerations } from '#server/base/seed.ts';
import { seedRoles } from '#server/session/first.ts';
import { hashPassword } from '#server/session/passwords.ts';

/** What every test's database starts with: three sites, a country, a user of each role, a few items and the codes of the chain. */
export async function fillWorld(db: Kysely<Tables>, model: Model): Promise<void> {
  await seedRoles(db, model);
  await db
    .insertInto('ubs_site')
    .values([
      { siteId: 'SZ', siteName: '深圳维修中心' },
      { siteId: 'NB', siteName: '宁波维修中心' },
      { siteId: 'US', siteName: 'Houston' },
    ])
    .execute();
  await db
    .insertInto('ubs_shipment')
    .values([
      { shipId: 'SF', name: '顺丰速运' },
      { shipId: 'DHL', name: 'DHL' },
    ])
    .execute();
  await db.insertInto('ubs_country').values({ countryId: '95', name: '中国' }).execute();
  const password = await hashPassword(PASSWORD);
  await db
    .insertInto('admin_user')
    .values(
      users.map(([userId, roleIds, siteId]) => ({
        userId,
        userName: `${userId} 用户`,
        password,
        roleIds,
        siteId,
        allSites: '0',
        status: '1',
      })),
    )
    .execute();
  await db.insertInto('ubs_item').values(items).execute();
  await db
    .insertInto('ubs_bom')
    .values([{ bomid: 'BOM-RX19', bomdescription: 'RX19 hash board', salesCode: 'HB19' }])
    .execute();
  await db
    .insertInto('ubs_bom_item')
    .values(['U1', 'U2', 'U3', 'U4'].map((location) => ({ bomid: 'BOM-RX19', location, productName: 'ASIC' })))
    .execute();
  await seedEnumerations(db, model);
  await db
    .insertInto('ubs_issue_code')
    .values(
      issueCodes.map(([code, billType, rest], i) => ({
        codeId: i + 1,
        code,
        name: code,
        nameEn: code,
        billType,
        ...rest,
      })),
    )
    .execute();
}

export const PASSWORD = 'Reflow#2026';

const users: [userId: string, roleIds: string, siteId: string][] = [
  ['admin', 'admin', 'SZ'],
  ['office', 'office', 'SZ'],
  ['warehouse', 'warehouse', 'SZ'],
  ['tech', 'tech', 'SZ'],
  ['supervisor', 'supervisor', 'SZ'],
  ['aftersales', 'aftersales', 'SZ'],
  ['finance', 'finance', 'SZ'],
  ['auditor', 'auditor', 'SZ'],
  ['planner', 'planner', 'SZ'],
  ['supplier', 'supplier', 'US'],
  ['viewer', 'viewer', 'SZ'],
  ['techNB', 'tech', 'NB'],
  ['whNB', 'warehouse', 'NB'],
];

/** RX19: a device of four boards; HB19: a board that also goes by an older code; RX21: a device of another model. */
const items = [
  {
    itemId: 1,
    salesCode: 'RX19',
    name: 'RX19 104T',
    productName: 'RX19',
    type: '0',
    deviceType: '0',
    snControl: '1',
    boardCount: 4,
    slaveCodes: 'RX19-OLD',
  },
  {
    itemId: 2,
    salesCode: 'RX21',
    name: 'RX21 140T',
    productName: 'RX21',
    type: '0',
    deviceType: '0',
    snControl: '1',
    boardCount: 3,
  },
  {
    itemId: 3,
    salesCode: 'HB19',
    name: 'RX19 board',
    productName: 'HB19',
    type: '1',
    deviceType: '1',
    snControl: '1',
    bomId: 'BOM-RX19',
  },
];

type Rest = { disposition?: string; passFlag?: string; imageRequired?: string };
const issueCodes: [code: string, billType: string, rest: Rest][] = [
  ['RC01', '1', {}],
  ['FX54', '2', { disposition: 'repair', imageRequired: '1' }],
  ['FX01', '2', { disposition: 'repair' }],
  ['FX409', '2', { disposition: 'repair' }],
  ['CL15', '2', { disposition: 'repair', imageRequired: '1' }],
  ['UM17', '2', { disposition: 'scrap', imageRequired: '1' }],
  ['NTF', '2', { disposition: 'nofault' }],
  ['RP01', '4', {}],
  ['RP02', '4', {}],
  ['AT00', '6', { passFlag: '1' }],
  ['AT01', '6', { passFlag: '0' }],
  ['QC00', '7', { passFlag: '1' }],
  ['QC01', '7', { passFlag: '0' }],
  ['ST00', '8', { passFlag: '1' }],
];
