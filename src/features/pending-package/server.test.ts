import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { allSites, loadUserSites, queryCityByStateId, queryStateByCountryId } from '#domain/lookups.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { createUnhandledPackageBill, editInSiteStatus, findBills, queryByReceiveShipNo } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db
    .insertInto('ubs_country')
    .values({ countryId: '231', name: '美国', nameEn: 'United States' })
    .execute();
  await testApp.db
    .insertInto('ubs_state')
    .values([
      { stateId: '93', countryId: '95', name: '广东省', nameEn: 'Guangdong' },
      { stateId: '330000', countryId: '95', name: '浙江省', nameEn: 'Zhejiang' },
      { stateId: '3976', countryId: '231', name: '得克萨斯州', nameEn: 'Texas' },
    ])
    .execute();
  await testApp.db
    .insertInto('ubs_city')
    .values({ cityId: '93-01', stateId: '93', name: '深圳市', nameEn: 'Shenzhen' })
    .execute();
});
afterAll(() => testApp.close());

type Input = InputOf<typeof createUnhandledPackageBill>;
const warehouse = { as: 'warehouse' };
let made = 0;
const nextNo = () => `SFPND${++made}`;
const parcel = {
  languageType: 'zh',
  receiveShipId: 'SF',
  repairableCount: 0,
  userName: ' 宁远矿业 ',
  phone: '',
  mobile: '13800000000',
  fax: 'li@example.com',
  countryCode: '95',
  stateCode: '93',
  stateName: '广东省',
  cityName: '深圳市',
  street: '南山区 1 号',
  zipcode: '518000',
  repairInfo: '箱外无单',
  urlName: '',
};
const register = (more: Partial<Input> = {}, asking: object = warehouse) =>
  testApp.send(createUnhandledPackageBill, { ...parcel, receiveShipNo: nextNo(), ...more }, asking);
const rowOf = (upbId: string) =>
  testApp.db.selectFrom('rma_unhandled_package_bill').selectAll().where('upbId', '=', upbId).executeTakeFirstOrThrow();

const picture = async (mime = 'image/png', siteId = 'SZ') => {
  const id = randomBytes(16).toString('hex');
  const file = { id, kind: 'picture', name: 'p', mime, size: 1, siteId, createBy: 'warehouse' };
  await testApp.db.insertInto('file').values(file).execute();
  return `/file/${id}`;
};

describe('the registration of a pending package', () => {
  it('asks for a session and for the right', async () => {
    await expectRefused(testApp, '401', () => register({}, {}));
    await expectRefused(testApp, '100013', () => register({}, { as: 'tech' }));
    await expectRefused(testApp, '100013', () => register({}, { as: 'viewer' }));
  });

  const wrong: [what: string, code: string, input: Partial<Input>][] = [
    ['no courier', '100001', { receiveShipId: '' }],
    ['no number', '100001', { receiveShipNo: ' ' }],
    ['no count', '100001', { repairableCount: null }],
    ['no receiver', '100001', { userName: ' ' }],
    ['no mobile', '100001', { mobile: null }],
    ['no country', '100001', { countryCode: '' }],
    ['a domestic bill without a state', '100001', { stateCode: '' }],
    ['a count below 0', '100015', { repairableCount: -1 }],
    ['half a device', '100015', { repairableCount: 0.5 }],
    ['a mobile of letters', '100015', { mobile: 'call Li' }],
    ['an e-mail without a domain', '100015', { fax: 'li@' }],
    ['a courier that nobody knows', '100002', { receiveShipId: 'NONE' }],
    ['a country that nobody knows', '100002', { countryCode: '1' }],
    ['a state of another country', '100002', { stateCode: '3976' }],
    ['a site that is not the user’s', '100002', { siteId: 'NB' }],
    ['a picture from elsewhere', '100002', { urlName: 'https://elsewhere/p.png' }],
    ['five pictures', '100017', { urlName: '1##2##3##4##5' }],
  ];
  it.each(wrong)('refuses %s, and writes nothing [S-PND-02] [S-PND-03]', async (_, code, input) => {
    await expectRefused(testApp, code, () => register(input));
  });

  it('says in both languages what is missing [S-PND-02]', async () => {
    for (const [lang, words] of [
      ['zh', '必填项不为空！（手机）'],
      ['en', 'The required fields must not be empty (Mobile)'],
    ] as const) {
      const { msg } = await expectNo('100001', () => register({ mobile: '' }, { ...warehouse, lang }));
      expect(msg).toBe(words);
    }
  });

  it('keeps what was sent: the e-mail as fax, the pictures as one text [S-PND-10] [S-PND-11]', async () => {
    const urls = [await picture(), await picture()];
    const { data } = await register({ receiveShipNo: ' sfpnd-kept ', urlName: urls.join('##') });
    expect(data.upbId).toMatch(/^UPB\d{13}$/);
    expect(await rowOf(data.upbId)).toMatchObject({
      ...{ id: data.id, status: '0', mtbId: null, siteId: 'SZ', createBy: 'warehouse' },
      ...{ languageType: 'zh', receiveShipId: 'SF', receiveShipNo: 'SFPND-KEPT', repairableCount: 0 },
      ...{ userName: '宁远矿业', mobile: '13800000000', phone: null, fax: 'li@example.com' },
      ...{ countryCode: '95', stateCode: '93', stateName: '广东省', cityName: '深圳市' },
      ...{ street: '南山区 1 号', zipcode: '518000', repairInfo: '箱外无单', urlName: urls.join('##') },
      pendingTime: expect.anything() as Date,
    });
    expect(await readLedger(testApp, data.upbId)).toMatchObject([
      { what: 'createUnhandledPackage', userId: 'warehouse' },
    ]);
  });

  it('takes a foreign bill without a state, and a city that no list has [S-PND-03]', async () => {
    const foreign = { languageType: 'en', countryCode: '231', stateCode: '', stateName: 'Ohio', cityName: 'Dayton' };
    const { data } = await register(foreign);
    expect(await rowOf(data.upbId)).toMatchObject({ stateCode: null, stateName: 'Ohio', cityName: 'Dayton' });
  });

  it('names the state where only its number was sent', async () => {
    const { data } = await register({ stateName: '' });
    expect((await rowOf(data.upbId)).stateName).toBe('广东省');
  });

  it('lets somebody who sees several sites choose one', async () => {
    const { data } = await register({ siteId: 'NB' }, { as: 'admin' });
    expect((await rowOf(data.upbId)).siteId).toBe('NB');
  });

  it('refuses a log beside the pictures', async () => {
    const urlName = await picture('text/plain');
    await expectRefused(testApp, '100017', () => register({ urlName }));
  });

  it('is done once when it is repeated with its key', async () => {
    const input = { ...parcel, receiveShipNo: nextNo() };
    const key = newKey();
    const first = await testApp.send(createUnhandledPackageBill, input, { ...warehouse, key });
    const again = await testApp.send(createUnhandledPackageBill, input, { ...warehouse, key });
    expect(again.data).toEqual(first.data);
  });

  it('is refused while the parcel has an open package at the site, and says which', async () => {
    const receiveShipNo = nextNo();
    const { data } = await register({ receiveShipNo });
    const { msg } = await expectNo('100007', () => register({ receiveShipNo: receiveShipNo.toLowerCase() }));
    expect(msg).toContain(data.upbId);
    await register({ receiveShipNo }, { as: 'whNB' });
    await testApp.send(editInSiteStatus, { id: String(data.id), status: '2' }, warehouse);
    expect((await rowOf(data.upbId)).pendingTime).toBeNull();
    await register({ receiveShipNo });
    // The first one can't be opened beside the second.
    await expectNo('100007', () => testApp.send(editInSiteStatus, { id: String(data.id), status: '0' }, warehouse));
  });

  it('counts once when two register the same number at the same moment', async () => {
    const receiveShipNo = nextNo();
    const answers = await Promise.all([
      register({ receiveShipNo }),
      register({ receiveShipNo }, { as: 'office' }),
      register({ receiveShipNo }),
    ]);
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100007', '100007']);
  });

  it('is done beside a bill of the number, and warns of it', async () => {
    const receiveShipNo = nextNo();
    const { mtbId } = await maintainBill(testApp.db, { receiveShipNo });
    expect((await register({ receiveShipNo })).data.warning).toContain(mtbId);
  });
});

describe('the lookups of the form', () => {
  it('answer couriers and countries by the pages of their lists [S-PND-07] [S-PND-08]', async () => {
    for (const [module, column, value] of [
      ['ubsShipment', 'shipId', 'SF'],
      ['ubsCountry', 'countryId', '95'],
    ] as const) {
      const path = `/api/${module}/pager.json`;
      const { data } = await testApp.ask<{ items: Record<string, unknown>[] }>(
        'GET',
        path,
        { pageStart: 0, pageCount: 100 },
        warehouse,
      );
      expect(data.items.map((it) => it[column])).toContain(value);
    }
  });

  it('answer the states of a country and the cities of a state, in the user’s language [S-PND-08]', async () => {
    const states = await testApp.send(queryStateByCountryId, { countryId: '95' }, { ...warehouse, lang: 'en' });
    expect(states.data.items).toEqual([
      { stateId: '330000', name: 'Zhejiang' },
      { stateId: '93', name: 'Guangdong' },
    ]);
    expect((await testApp.send(queryStateByCountryId, { countryId: '1' }, warehouse)).data.items).toEqual([]);
    const cities = await testApp.send(queryCityByStateId, { stateId: '93' }, { ...warehouse, lang: 'en' });
    expect(cities.data.items).toEqual([{ cityId: '93-01', name: 'Shenzhen' }]);
    await expectNo('401', () => testApp.send(queryStateByCountryId, { countryId: '95' }));
    await expectNo('100013', () => testApp.send(queryCityByStateId, { stateId: '93' }, { as: 'supplier' }));
  });

  it('answer the sites of the user, and all sites [S-PND-09]', async () => {
    const of = async (call: typeof loadUserSites | typeof allSites) =>
      (await testApp.send(call, {}, warehouse)).data.items.map((it) => it.siteId);
    expect(await of(loadUserSites)).toEqual(['SZ']);
    expect(await of(allSites)).toEqual(['NB', 'SZ', 'US']);
  });

  it('say on which bill a parcel is, within the own sites [S-PND-12]', async () => {
    const { mtbId } = await maintainBill(testApp.db, { receiveShipNo: 'SF-ASK' });
    const ask = (as: string) =>
      testApp.ask<{ mtbId: string | null; warning?: string }>(
        'GET',
        '/api/rmaMaintainBill/queryByReceiveShipNo.json',
        { receiveShipNo: 'sf-ask', lang: 'en' },
        { as },
      );
    const answer = await ask('office');
    expect(answer.data).toMatchObject({ mtbId, billStatus: '1' });
    expect(answer.data.warning).toBe(`Inbound waybill SF-ASK is already on bill ${mtbId}`);
    expect((await ask('whNB')).data).toEqual({ mtbId: null, billStatus: null, userName: null });
  });

  it('refuse the number of an open package, at its own site alone [S-PND-12]', async () => {
    const receiveShipNo = nextNo();
    await register({ receiveShipNo });
    await expectNo('100007', () => testApp.send(queryByReceiveShipNo, { receiveShipNo }, warehouse));
    expect((await testApp.send(queryByReceiveShipNo, { receiveShipNo }, { as: 'whNB' })).data.mtbId).toBeNull();
  });
});

describe('the bills that a package may belong to', () => {
  const ask = (id: number, search = '', asking: object = warehouse) =>
    testApp.send(findBills, { id: String(id), search }, asking);
  const found = async (id: number, search = '') => {
    const { code, msg, data } = await ask(id, search);
    expect(code, msg).toBe('000000');
    return data.items.map((it) => [it.mtbId, it.match]);
  };

  it('are asked for with the right, for a package of the own sites', async () => {
    const { data } = await register();
    await expectNo('401', () => ask(data.id, '', {}));
    await expectNo('100013', () => ask(data.id, '', { as: 'tech' }));
    await expectNo('100002', () => ask(data.id, '', { as: 'whNB' }));
  });

  it('are proposed by waybill first, then by customer, at the site alone', async () => {
    const [receiveShipNo, userName] = [nextNo(), '独一客户'];
    const { data } = await register({ receiveShipNo, userName, mobile: '13911112222' });
    const customer = await maintainBill(testApp.db, { userName });
    const number = await maintainBill(testApp.db, { receiveShipNo });
    await maintainBill(testApp.db, { receiveShipNo, siteId: 'NB' });
    expect(await found(data.id)).toEqual([
      [number.mtbId, 'shipNo'],
      [customer.mtbId, 'customer'],
    ]);
  });

  it('are found by a bill, an SN, or part of a customer’s name', async () => {
    const { data } = await register();
    const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingCheck });
    expect(await found(data.id, sn.toLowerCase())).toEqual([[mtbId, 'sn']]);
    expect(await found(data.id, mtbId)).toEqual([[mtbId, 'bill']]);
    const named = await maintainBill(testApp.db, { userName: 'Lone 100% Star' });
    expect(await found(data.id, '100% st')).toEqual([[named.mtbId, 'customer']]);
    expect(await found(data.id, 'nobody is called so')).toEqual([]);
  });
});
