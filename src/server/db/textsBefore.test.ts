import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMigration } from '#server/db/migrate.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

it('a text that was kept with what nobody sees is found as it is seen, unless another row is called so', async () => {
  const { db } = testApp;
  const item = { type: '0', origin: '2' };
  await db
    .insertInto('ubs_item_object')
    .values([
      { ...item, sn: '\u0002OLD\u200b1\u001d' },
      { ...item, sn: 'TAKEN\u200e' },
      { ...item, sn: 'TAKEN' },
    ])
    .execute();
  await db
    .insertInto('rma_arrival_bill')
    .values({
      abId: 'ABL-BEFORE',
      receiveShipNo: 'SF\u200b\u001d1',
      status: '0',
      siteId: 'SZ',
      remark: 'Li\u00a0Hua\u2014\ufeff 李\u3000华',
    })
    .execute();
  await sql.raw(readMigration('0077_texts_as_they_are_seen.sql')).execute(db);
  const units = await db
    .selectFrom('ubs_item_object')
    .select('sn')
    .where('sn', 'like', '%TAKEN%')
    .orderBy('sn')
    .execute();
  expect(units.map((it) => it.sn)).toEqual(['TAKEN', 'TAKEN\u200e']);
  expect(await db.selectFrom('ubs_item_object').select('sn').where('sn', '=', 'OLD1').execute()).toHaveLength(1);
  const [parcel] = await db
    .selectFrom('rma_arrival_bill')
    .select(['receiveShipNo', 'remark'])
    .where('abId', '=', 'ABL-BEFORE')
    .execute();
  // What could mean something is left to people.
  expect(parcel).toEqual({ receiveShipNo: 'SF\u001d1', remark: 'Li Hua\u2014 李\u3000华' });
});
