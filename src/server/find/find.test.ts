import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { find } from '#server/find/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const units = (siteId: string, sns: string[]) =>
    sns.map((sn) => ({ sn, type: '0', siteId, ivyId: '50', createBy: 'test' }));
  await testApp.db
    .insertInto('rma_inventory')
    .values([...units('SZ', ['FIND-1', 'FIND-10', 'FIND-2']), ...units('NB', ['FIND-3'])] as never)
    .execute();
  const bill = (mtbId: string, siteId: string) => ({
    mtbId,
    siteId,
    billStatus: '1',
    userName: 'A',
    receiveShipNo: `SF-${mtbId}`,
    createBy: 'test',
  });
  await testApp.db
    .insertInto('rma_maintain_bill')
    .values([bill('MTB2026112100001', 'SZ'), bill('MTB2026112100002', 'NB')] as never)
    .execute();
  await testApp.db
    .insertInto('rma_arrival_bill')
    .values([
      { abId: 'ABL2026112100001', receiveShipNo: 'SF-MIXED-1', status: '0', siteId: 'SZ', createBy: 'test' },
      { abId: 'ABL2026112100002', receiveShipNo: 'SF-MIXED-2', status: '0', siteId: 'NB', createBy: 'test' },
    ] as never)
    .execute();
});
afterAll(() => testApp?.close());

const ask = async (text: string, as = 'tech', lang: 'zh' | 'en' = 'en') =>
  (await testApp.send(find, { text }, { as, lang })).data.items;
const texts = async (text: string, as?: string) => (await ask(text, as)).map((it) => it.text);

describe('finding by number', () => {
  it('is for whoever is signed in, with a text of bounded length and nothing else', async () => {
    expect((await testApp.ask('GET', '/api/find.json', { text: 'FIND' })).status).toBe(401);
    const asTech = { as: 'tech' };
    expect((await testApp.ask('GET', '/api/find.json', {}, asTech)).code).toBe('100001');
    expect((await testApp.ask('GET', '/api/find.json', { text: 'x'.repeat(65) }, asTech)).code).toBe('100015');
    for (const text of ['x', 'x'.repeat(64)])
      expect((await testApp.ask('GET', '/api/find.json', { text }, asTech)).code).toBe('000000');
    expect((await testApp.ask('GET', '/api/find.json', { text: 'FIND', site: 'NB' }, asTech)).code).toBe('100015');
  });

  it.each(['FI', '%%%', '___', `' OR '1'='1`, 'FIND%', '\\\\\\', 'nothing'])('finds nothing for %j', async (text) => {
    expect(await ask(text)).toEqual([]);
  });

  it('finds a unit by an SN that it had before, in the user’s sites, until that change is taken back', async () => {
    const objects = ['FIND-2', 'FIND-3'].map((sn) => ({ sn, type: '0', origin: '1', createBy: 'test' }));
    const rows = await testApp.db.insertInto('ubs_item_object').values(objects).returning(['id', 'sn']).execute();
    const log = rows.map(({ id, sn }) => ({
      ...{ oldSn: `WAS-${sn}`, newSn: sn, cause: '1', operateStatus: 'Normal' },
      ...{ siteId: sn === 'FIND-3' ? 'NB' : 'SZ', itemObjectId: id, createBy: 'test' },
    }));
    await testApp.db.insertInto('ubs_sn_change_log').values(log).execute();
    const units = async (text: string, as?: string) =>
      (await ask(text, as)).filter((it) => it.menuNo === 'rmaInventoryList').map((it) => `${it.kind} ${it.text}`);
    expect(await units('was-find')).toEqual(['sn WAS-FIND-2']);
    expect(await units('WAS-FIND-3')).toEqual([]);
    expect(await units('WAS-FIND-3', 'techNB')).toEqual(['sn WAS-FIND-3']);
    await testApp.db.updateTable('ubs_sn_change_log').set({ operateStatus: 'Rollbacked' }).execute();
    expect(await texts('WAS-FIND')).toEqual([]);
    await testApp.db.deleteFrom('ubs_item_object').where('sn', 'in', ['FIND-2', 'FIND-3']).execute();
  });

  it('shows no other site’s numbers', async () => {
    expect(await texts('FIND-3')).toEqual([]);
    expect(await texts('MTB2026112100002')).toEqual([]);
    expect(await texts('sf-Mixed-2')).toEqual([]);
    expect(await texts('FIND-3', 'techNB')).toEqual(['FIND-3']);
    expect(await texts('MTB20261121', 'admin')).toEqual(['MTB2026112100001', 'MTB2026112100002']);
  });

  it('tells an SN of another site’s unit apart, which the archive of all sites has', async () => {
    const archived = (sn: string) => ({ sn, salesCode: 'RX19', itemName: 'RX19', type: '0', origin: '1' });
    const sns = ['GONE-1', 'GONE-2', 'GONE-3'];
    await testApp.db.insertInto('ubs_item_object').values(sns.map(archived)).execute();
    await testApp.db
      .insertInto('rma_inventory')
      .values([
        { sn: 'GONE-1', type: '0', siteId: 'NB', ivyId: '50', createBy: 'test' },
        { sn: 'GONE-2', type: '0', siteId: 'NB', ivyId: '50', createBy: 'test' },
      ] as never)
      .execute();
    // It was here before: what happened to it here is seen.
    await testApp.db
      .insertInto('rma_transaction')
      .values({
        sn: 'GONE-2',
        siteId: 'SZ',
        step: 'receive',
        operateStatus: 'Normal',
        eventTime: new Date(),
        userId: 'tech',
      })
      .execute();
    const told = async (as: string) =>
      (await ask('GONE', as)).map((it) => [it.text, it.menuNo.replace(/List$/, ''), it.elsewhere]);
    expect(await told('tech')).toEqual([
      ['GONE-1', 'ubsItemObject', true],
      ['GONE-2', 'ubsItemObject', false],
      ['GONE-3', 'ubsItemObject', false],
    ]);
    for (const as of ['techNB', 'admin']) {
      const all = await told(as);
      expect(all.map((it) => it[0])).toEqual(expect.arrayContaining(sns));
      expect(all.filter((it) => it[2])).toEqual([]);
    }
  });

  it('tells no value that the list shows to others alone, nor one that stands nowhere', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const archive = definitions.get('ubsItemObject') as Definition;
    const label = { zh: '运单', en: 'Parcel' };
    const site = { through: 'rmaInventory', by: 'sn' };
    definitions.set('ubsItemObject', {
      ...archive,
      fields: {
        ...archive.fields,
        theirShipNo: { type: 'String', label, site },
        loneShipNo: { type: 'String', label },
        secretShipNo: { type: 'password', label },
      },
      indexes: [...(archive.indexes ?? []), ['theirShipNo'], ['loneShipNo'], ['secretShipNo']],
      list: { ...archive.list, columns: [...(archive.list?.columns ?? []), 'theirShipNo', 'secretShipNo'] },
    });
    for (const name of ['theirShipNo', 'loneShipNo', 'secretShipNo'])
      await sql`ALTER TABLE ubs_item_object ADD COLUMN ${sql.ref(name)} text`.execute(testApp.db);
    const object = { type: '0', origin: '1', createBy: 'test', loneShipNo: 'LONELY-1', secretShipNo: 'HASHED-1' };
    await testApp.db
      .insertInto('ubs_item_object')
      .values([
        { ...object, sn: 'FIND-3', theirShipNo: 'TOPSECRET123' },
        { ...object, sn: 'FIND-2', theirShipNo: 'TOPOPEN' },
      ] as never)
      .execute();
    try {
      expect(await texts('TOPS')).toEqual([]);
      expect(await texts('TOP')).toEqual(['TOPOPEN']);
      expect(await texts('TOP', 'techNB')).toEqual(['TOPSECRET123']);
      expect(await texts('TOP', 'admin')).toEqual(['TOPOPEN', 'TOPSECRET123']);
      for (const as of ['tech', 'admin'])
        for (const text of ['LONELY', 'HASHED']) expect([as, text, await texts(text, as)]).toEqual([as, text, []]);
    } finally {
      definitions.set('ubsItemObject', archive);
      await testApp.db.deleteFrom('ubs_item_object').where('sn', 'in', ['FIND-2', 'FIND-3']).execute();
    }
  });

  it('names no list that asks for a value which the user does not see', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const { menu } = testApp.model;
    const { label, table, site, fields } = definitions.get('ubsItemObject') as Definition;
    const rowsOf = { module: 'ubsItemObject', when: { customer: 'CANARY Ltd.' } };
    definitions.set('ofOne', { module: 'ofOne', label, table, site, fields, rowsOf, list: { columns: ['sn'] } });
    menu.push({ menuNo: 'ofOneList' });
    await testApp.db.insertInto('role_right').values({ roleId: 'tech', right: 'ofOne:list' }).execute();
    const object = { type: '0', origin: '1', createBy: 'test', customer: 'CANARY Ltd.' };
    const objects = ['FIND-2', 'FIND-3'].map((sn) => ({ ...object, sn }));
    await testApp.db.insertInto('ubs_item_object').values(objects).execute();
    const found = async (as: string) =>
      (await ask('FIND-', as)).flatMap((it) => (it.menuNo === 'ofOneList' ? [it.text] : []));
    try {
      expect(await found('tech')).toEqual(['FIND-2']);
      expect(await found('techNB')).toEqual(['FIND-3']);
      expect(await found('admin')).toEqual(['FIND-2', 'FIND-3']);
    } finally {
      menu.pop();
      definitions.delete('ofOne');
      await testApp.db.deleteFrom('role_right').where('right', '=', 'ofOne:list').execute();
      await testApp.db.deleteFrom('ubs_item_object').where('sn', 'in', ['FIND-2', 'FIND-3']).execute();
    }
  });

  it('shows no list that the user may not see', async () => {
    const seen = async (as: string) => new Set((await ask('MTB20261121', as)).map((it) => it.menuNo));
    expect(await seen('office')).toContain('rmaMaintainBillList');
    expect(await seen('supplier')).not.toContain('rmaMaintainBillList');
  });

  it('finds SNs in either case by their beginning, the whole one first, with where to look', async () => {
    const items = await ask(' find-1 ');
    expect(items.map((it) => it.text)).toEqual(['FIND-1', 'FIND-10']);
    expect(items[0]).toMatchObject({ kind: 'sn', menuNo: 'rmaInventoryList', label: 'Inventory' });
    expect(items[0]?.id).toBeGreaterThan(0);
    expect((await ask('FIND-1', 'tech', 'zh'))[0]?.label).toBe('库存查询');
  });

  it('finds bills by their number and parcels by theirs, in either case', async () => {
    expect(await ask('mtb20261121', 'office')).toMatchObject([
      { kind: 'bill', menuNo: 'rmaMaintainBillList', text: 'MTB2026112100001' },
    ]);
    expect(await ask('sf-Mix', 'warehouse')).toMatchObject([
      { kind: 'parcel', menuNo: 'rmaArrivalBillList', text: 'SF-MIXED-1' },
    ]);
    expect(await texts('mixed', 'warehouse')).toEqual([]);
  });

  it('gives a few of each list', async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({
      sn: `MANY-${String(i).padStart(2, '0')}`,
      type: '0',
      siteId: 'SZ',
      ivyId: '50',
      createBy: 'test',
    }));
    await testApp.db.insertInto('rma_inventory').values(many).execute();
    expect(await texts('MANY')).toEqual(['MANY-00', 'MANY-01', 'MANY-02', 'MANY-03', 'MANY-04']);
  });
});
