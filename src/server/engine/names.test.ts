import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Language } from '#domain/words.ts';
import { cacheFor, createCacheMemory } from '#server/cache.ts';
import { nobody, type Context } from '#server/context.ts';
import { searchChoices } from '#server/engine/choices.ts';
import { readValueLabels } from '#server/engine/describe.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  const site = { siteName: '奥斯汀站', siteNameEn: 'Austin', siteId: 'A' };
  await db
    .insertInto('ubs_site')
    .values([site, { siteName: '成都站', siteId: 'B' }])
    .execute();
  const names = [{ name: '甲', nameEn: 'First' }, { name: '乙' }];
  const codes = ['A', 'B'];
  for (const [i, it] of names.entries()) {
    const id = codes[i] as string;
    await db
      .insertInto('ubs_shipment')
      .values({ ...it, shipId: id })
      .execute();
    await db
      .insertInto('ubs_country')
      .values({ ...it, countryId: id })
      .execute();
    await db
      .insertInto('ubs_state')
      .values({ ...it, stateId: id, countryId: id })
      .execute();
    await db
      .insertInto('ubs_city')
      .values({ ...it, cityId: id, stateId: id })
      .execute();
  }
  const supplier = { supplierType: '1', status: '1' };
  await db
    .insertInto('icop_supplier')
    .values([
      { ...supplier, supplierId: 'A', supplierName: '甲', supplierNameEn: 'First' },
      { ...supplier, supplierId: 'B', supplierName: '乙' },
    ])
    .execute();
});
afterAll(() => testApp.close());

const everywhere = () =>
  ({
    db: testApp.db,
    model: testApp.model,
    lang: 'en',
    currentUser: { ...nobody, sites: 'all' },
  }) as unknown as Context;

it.each([
  ['ubsSite', 'siteId', 'siteName', ['奥斯汀站', '成都站'], ['Austin', '成都站']],
  ['ubsShipment', 'shipId', 'name', ['甲', '乙'], ['First', '乙']],
  ['ubsCountry', 'countryId', 'name', ['甲', '乙'], ['First', '乙']],
  ['ubsState', 'stateId', 'name', ['甲', '乙'], ['First', '乙']],
  ['ubsCity', 'cityId', 'name', ['甲', '乙'], ['First', '乙']],
  ['icopSupplier', 'supplierId', 'supplierName', ['甲', '乙'], ['First', '乙']],
])('a name of %s is shown in English where it has one', async (module, value, label, zh, en) => {
  const ref = { module, value, label };
  const fields = { of: { type: 'select', label: { zh: module, en: module }, ref } } as const;
  const definition: Definition = {
    module: 'probe',
    label: { zh: '试', en: 'Probe' },
    table: 'probe',
    site: 'all',
    fields,
  };
  const labelsIn = async (lang: Language) => {
    const ctx = { ...everywhere(), lang };
    return readValueLabels(
      definition,
      [{ name: 'of', label: module, type: 'select' }],
      [{ of: 'A' }, { of: 'B' }],
      ctx,
    );
  };
  expect(await labelsIn('zh')).toEqual({ of: { A: zh[0], B: zh[1] } });
  expect(await labelsIn('en')).toEqual({ of: { A: en[0], B: en[1] } });
});

/** A list with a field that refers to a module's rows. */
const referring = (module: string, value: string, label: string): Definition => {
  const name = { zh: module, en: module };
  const fields = { of: { type: 'select', label: name, ref: { module, value, label } } } as const;
  return { module: 'probe', label: name, table: 'probe', site: 'all', fields, list: { columns: ['of'] } };
};
const shownBy = (definition: Definition, ctx: Context, values: readonly string[]) =>
  readValueLabels(
    definition,
    [{ name: 'of', label: 'of', type: 'select' }],
    values.map((of) => ({ of })),
    ctx,
  );

it('shows no name of a row of another site, whatever value leads there', async () => {
  await testApp.db
    .insertInto('user_speed')
    .values([
      { userOid: 'POOL-SZ', name: 'Ours', siteId: 'SZ' },
      { userOid: 'POOL-NB', name: 'Theirs', siteId: 'NB' },
    ])
    .execute();
  const shownAt = (sites: 'all' | string[]) =>
    shownBy(referring('userSpeed', 'userOid', 'name'), { ...everywhere(), currentUser: { ...nobody, sites } }, [
      'POOL-SZ',
      'POOL-NB',
    ]);
  expect(await shownAt('all')).toEqual({ of: { 'POOL-SZ': 'Ours', 'POOL-NB': 'Theirs' } });
  expect(await shownAt(['SZ'])).toEqual({ of: { 'POOL-SZ': 'Ours' } });
});

it('shows a number as a text, and finds it by its digits', async () => {
  await testApp.db.insertInto('user_speed').values({ userOid: 'POOL-N', workerCount: 4071, siteId: 'SZ' }).execute();
  const definition = referring('userSpeed', 'userOid', 'workerCount');
  expect(await shownBy(definition, everywhere(), ['POOL-N'])).toEqual({ of: { 'POOL-N': '4071' } });
  const found = await searchChoices(definition, { field: 'of', search: '407' }, everywhere());
  expect(found.options).toEqual([{ value: 'POOL-N', optionName: '4071' }]);
});

it('keeps what one field shows from another that shows something else of the same rows', async () => {
  const versions = new Map([['ubs_site', 1]]);
  const cache = cacheFor(createCacheMemory(), versions, new Set(['ubs_site']));
  const ctx = { ...everywhere(), cache };
  expect(await shownBy(referring('ubsSite', 'siteId', 'siteName'), ctx, ['A'])).toEqual({ of: { A: 'Austin' } });
  expect(await shownBy(referring('ubsSite', 'siteId', 'siteId'), ctx, ['A'])).toEqual({ of: { A: 'A' } });
});

it('tells who is signed in where that is, in the language', async () => {
  await testApp.db
    .updateTable('ubs_site')
    .set({ siteNameEn: 'Shenzhen repair center' })
    .where('siteId', '=', 'SZ')
    .execute();
  const askedIn = (lang: Language) => testApp.ask('GET', '/api/userInfo.json', {}, { as: 'tech', lang });
  expect(await askedIn('zh')).toMatchObject({ data: { siteName: '深圳维修中心' } });
  expect(await askedIn('en')).toMatchObject({ data: { siteName: 'Shenzhen repair center' } });
});
