import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, unitOnBill } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { viewHistory } from './contract.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
  await house.db
    .insertInto('admin_user')
    .values({ userId: 'nobody', userName: 'Nobody', roleIds: '', siteId: 'SZ', allSites: '0', status: '1' })
    .execute();
});
afterAll(() => house.close());

const view = (sn: string, asking: object = { as: 'office' }, mtbId?: string) =>
  house.send(viewHistory, { sn, ...(mtbId && { mtbId }) }, asking);
const happened = (sn: string, row: object) =>
  house.db
    .insertInto('rma_transaction')
    .values({ sn, siteId: 'SZ', operateStatus: 'Normal', eventTime: new Date(), userId: 'tech', ...row })
    .execute();

describe('the history of an SN', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await unitOnBill(house.db, { node: Node.AwaitingTest });
    await expectNo('401', () => view(sn, {}));
    await expectNo('100013', () => view(sn, { as: 'nobody' }));
  });

  it.each([
    ['', '100001'],
    ['A B', '100015'],
    ['NOBODY-KNOWS', '100002'],
  ])('refuses %j', async (sn, code) => {
    await expectNo(code, () => view(sn));
  });

  it('does not know a unit of another site', async () => {
    const { sn } = await unitOnBill(house.db, { node: Node.AwaitingTest, siteId: 'NB' });
    await house.db
      .insertInto('ubs_item_object')
      .values({ sn, salesCode: 'RX19', itemName: 'x', type: '0', origin: '1' })
      .execute();
    await happened(sn, { step: 'receive', siteId: 'NB' });
    await expectNo('100002', () => view(sn));
    expect((await view(sn, { as: 'admin' })).data.unit).toMatchObject({ siteId: 'NB' });
  });

  it('tells where the unit is, what it is made of, and each event with who did it', async () => {
    const { sn, mtbId } = await unitOnBill(house.db, { node: Node.AwaitingTest, item: { powerSn: 'PW1' } });
    await happened(sn, { step: 'receive', toNode: '10', mtbId: 'MTB-OLD', billId: 'RVB1' });
    await happened(sn, { step: 'check', fromNode: '10', toNode: '50', mtbId, billId: 'CKB1', note: 'FX54' });
    await house.db.insertInto('rma_check_bill').values({ ckbId: 'CKB1', checkUrls: '/file/a##/file/b' }).execute();
    await house.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: 'PW1', componentType: 'COIT000000S1', bindTime: new Date() })
      .execute();
    const { data } = await view(` ${sn.toLowerCase()}`);
    expect(data).toMatchObject({
      sn,
      unit: { sn, ivyId: '70', mtbId, siteId: 'SZ', siteName: '深圳维修中心', powerSn: 'PW1', held: null },
      events: [
        {
          step: 'check',
          billId: 'CKB1',
          userId: 'tech',
          userName: 'tech 用户',
          note: 'FX54',
          urls: ['/file/a', '/file/b'],
        },
        { step: 'receive', billId: 'RVB1', urls: [] },
      ],
      components: [{ componentType: 'COIT000000S1', componentSn: 'PW1' }],
      boundTo: null,
    });
    expect((await view('PW1', { as: 'office' })).code).toBe('100002');
    expect((await view(sn, { as: 'office' }, mtbId)).data.events).toHaveLength(1);
  });

  it('says that a unit waits for a supervisor', async () => {
    const { sn } = await heldUnit(house.db, 'scrap');
    expect((await view(sn)).data.unit?.held).toBe('scrap');
  });

  it('knows an SN that is in the archive alone', async () => {
    await house.db
      .insertInto('ubs_item_object')
      .values({
        sn: 'ONLY-ARCHIVE',
        salesCode: 'RX19',
        itemName: 'RX19',
        type: '0',
        origin: '1',
        warrantyUntil: '2027-01-31',
      })
      .execute();
    const { data } = await view('ONLY-ARCHIVE');
    expect(data).toMatchObject({ unit: null, archive: { salesCode: 'RX19', origin: '1' }, events: [] });
    expect(data.archive?.warrantyUntil).toBe(Date.parse('2027-01-31T00:00:00+08:00'));
  });
});
