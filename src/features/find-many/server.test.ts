import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { exportMany, findMany } from './contract.ts';
import { MOST_SNS, Place } from './rules.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp.close());

const find = (sns: string[], asking: object = { as: 'office', lang: 'en' }) => testApp.send(findMany, { sns }, asking);
const items = async (sns: string[], asking?: object) => (await find(sns, asking)).data.items;

describe('many SNs', () => {
  it('are refused without a session, the right, any SN, and where they are too many', async () => {
    await expectNo('401', () => find(['A'], {}));
    await expectNo('100001', () => find([' ']));
    const sns = Array.from({ length: MOST_SNS + 1 }, (_, i) => `S${i}`);
    const no = await find(sns);
    expect([no.code, no.msg]).toEqual([
      '100019',
      '5001 are more than can be looked up at once: at most 5000; look up the rest after these',
    ]);
  });

  it('are told in the order in which they were asked, each once, as far as the site is seen', async () => {
    const here = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const there = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' });
    const stock = await stockMachine(testApp.db, Node.CanShip);
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn: 'SOLD1', salesCode: 'RX19', type: '0', origin: '1' })
      .execute();
    const asked = ['NOBODY1', there.sn, here.sn.toLowerCase(), stock, 'SOLD1', here.sn];
    const found = await items(asked);
    expect(found.map((it) => [it.asked, it.place])).toEqual([
      ['NOBODY1', Place.Unknown],
      [there.sn, Place.Elsewhere],
      [here.sn, Place.Workshop],
      [stock, Place.Workshop],
      ['SOLD1', Place.Archive],
    ]);
    expect(found[2]).toMatchObject({ node: Node.AwaitingRepair, mtbId: here.mtbId, now: null });
    expect(found[2]?.since).toBeTypeOf('number');
    expect(found[4]).toMatchObject({ salesCode: 'RX19', node: null, siteName: null });
    // Of another site's no more than that it is there.
    const { asked: _asked, place: _place, ...rest } = found[1] as (typeof found)[number];
    expect(Object.values(rest).every((it) => it === null)).toBe(true);
    const [all] = await items([there.sn], { as: 'admin', lang: 'en' });
    expect(all).toMatchObject({ place: Place.Workshop, mtbId: there.mtbId });
  });

  it('are read off a label that was pasted whole, as where one is scanned', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    expect(await items([`\u001d${sn.toLowerCase()}\u001d`, `${sn}\u200b`])).toMatchObject([
      { asked: sn, place: Place.Workshop },
    ]);
    const label = `240RX19\u001d21${sn}`;
    expect(await items([label])).toMatchObject([{ asked: sn, place: Place.Workshop }]);
  });

  it('say where a unit stands that waits for a word', async () => {
    const { sn } = await heldUnit(testApp.db, 'scrap');
    expect((await items([sn]))[0]).toMatchObject({ place: Place.Workshop, node: Node.AwaitingCheck });
  });

  it('are found under a former SN, which tells the one of now', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const { id } = await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn, salesCode: 'RX19', type: '0', origin: '1' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await testApp.db
      .insertInto('ubs_sn_change_log')
      .values({ itemObjectId: id, oldSn: 'FORMER1', newSn: sn, cause: '1', siteId: 'SZ', operateStatus: 'Normal' })
      .execute();
    expect((await items(['FORMER1']))[0]).toMatchObject({ asked: 'FORMER1', now: sn, place: Place.Workshop });
  });

  it('are written into a workbook by a job, asked for again it is the same one', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const { data } = await testApp.send(exportMany, { sns: [sn, 'NOBODY2'] }, { as: 'office', lang: 'en' });
    await expect
      .poll(async () => {
        const job = await testApp.db
          .selectFrom('job')
          .select(['state', 'fileId', 'title'])
          .where('id', '=', data.jobId)
          .executeTakeFirstOrThrow();
        return [job.state, job.fileId !== null, job.title];
      })
      .toEqual(['done', true, 'SNs looked up']);
    await expectNo('100001', () => testApp.send(exportMany, { sns: [] }, { as: 'office' }));
    await expectNo('401', () => testApp.send(exportMany, { sns: [sn] }, {}));
  });
});
