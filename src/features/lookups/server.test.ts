import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { Node } from '#domain/nodes.ts';
import { stockMachine } from '#tests/support/factories.ts';
import { expectNo } from '#tests/support/guard.ts';
import { issueCodeBills } from '#domain/lookups.ts';
import * as calls from './contract.ts';

let testApp: TestApp;
const as = 'tech';
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db
    .insertInto('ubs_assembly')
    .values([
      {
        deviceSn: 'D1',
        componentSn: 'P1',
        componentType: 'COIT000000S1',
        bindTime: new Date(1),
        unbindTime: new Date(2),
      },
      { deviceSn: 'D2', componentSn: 'P1', componentType: 'COIT000000S1', bindTime: new Date(3) },
      { deviceSn: 'D2', componentSn: 'B1', componentType: 'COIT000000S0', qrCodeNum: 'Q1', bindTime: new Date(3) },
    ])
    .execute();
});
afterAll(() => testApp.close());

const named = Object.entries(calls).flatMap(([name, it]) => ('path' in it ? [[name, it] as const] : []));
it.each(named)('%s asks for a session', async (_, call) => {
  await expectNo('401', () => testApp.ask(call.method, call.path, {}));
});

describe('the enumerations', () => {
  it.each([
    ['allDepreciations', ['A', 'B', 'C', 'D']],
    ['allComponentTypes', ['COIT000000S1', 'COIT000000RZ', 'COIT000000S0']],
    ['allPartsTypes', Array.from({ length: 15 }, (_, i) => String(i + 1))],
    ['allRepairMethods', [...Array.from({ length: 12 }, (_, i) => String(i + 1)), '99']],
  ] as const)('%s answers its values with names [W-RCV-14, W-REP-18, W-ASM-15]', async (name, values) => {
    const { data } = await testApp.send(calls[name], {}, { as });
    expect(data.items.map((it) => it.value)).toEqual(values);
    expect(data.items.every((it) => it.name !== '')).toBe(true);
  });
});

describe('the lookups', () => {
  const listCodes = async (input: { code: string; billType?: string }) =>
    (await testApp.send(calls.queryByCode, input, { as })).data.items.map((it) => `${it.code} ${it.billType}`);

  it('find an issue code in its category, however it was typed [W-CHK-08]', async () => {
    expect(await listCodes({ code: ' fx54 ', billType: '2' })).toEqual(['FX54 2']);
    expect(await listCodes({ code: 'ＦＸ５４', billType: '2' })).toEqual(['FX54 2']);
    expect(await listCodes({ code: 'FX54', billType: '4' })).toEqual([]);
  });

  it('list the codes of a category, for repair 4 and for receipt 1 [W-ISC-02] [W-ISC-05]', async () => {
    const listNames = async (billType: string) =>
      (await testApp.send(calls.loadIssueCodeList, { billType }, { as })).data.issueCodeList.map((it) => it.code);
    expect([await listNames('4'), await listNames('1')]).toEqual([['RP01', 'RP02'], ['RC01']]);
  });

  it.each(issueCodeBills.flatMap(([module, own]) => [['GET', module, own] as const, ['POST', module, own] as const]))(
    'by %s of %s list the codes of the bill’s own category, or of another one [W-ISC-01] [W-ISC-05]',
    async (method, module, own) => {
      type Answer = { issueCodeList: { code: string; codeId: number; name: string; billType: string }[] };
      const of = async (input: object) => {
        const { code, data } = await testApp.ask<Answer>(method, `/api/${module}/loadIssueCodeList.json`, input, {
          as,
        });
        expect(code).toBe('000000');
        return data.issueCodeList;
      };
      const repairs = await of({ billType: '4' });
      expect(repairs.map((it) => it.code)).toEqual(['RP01', 'RP02']);
      expect(repairs[0]).toMatchObject({ codeId: expect.any(Number), name: 'RP01', billType: '4' });
      const types = new Set((await of({})).map((it) => it.billType));
      if (own === undefined) expect(types.size).toBeGreaterThan(3);
      else expect([...types]).toEqual([own]);
    },
  );

  it('page issue codes by ten, and find one by its code as the first [W-ISC-01] [W-ISC-03] [W-ISC-04]', async () => {
    type Page = { items: { code: string; codeId: number; name: string }[]; itemTotal: number };
    const pager = async (input: object) =>
      (
        await testApp.ask<Page>(
          'GET',
          '/api/ubsIssueCode/pager.json',
          { pageStart: 0, pageCount: 10, ...input },
          { as },
        )
      ).data;
    const all = await pager({});
    expect([all.items.length, all.itemTotal]).toEqual([10, 14]);
    expect((await pager({ pageStart: 10 })).items).toHaveLength(4);
    const [found] = (await pager({ code: 'FX54', billType: '2' })).items;
    expect(found).toMatchObject({ code: 'FX54', codeId: expect.any(Number), name: expect.any(String) });
    expect((await pager({ code: 'FX54', billType: '4' })).items).toEqual([]);
  });

  it('find a bill of material by words of its name [W-REP-06, W-REP-19]', async () => {
    const listItemNames = async (bomName: string) =>
      (await testApp.send(calls.queryBomByName, { bomName }, { as })).data.items.map((it) => it.bomid);
    expect(await listItemNames('HASH')).toEqual(['BOM-RX19']);
    expect([await listItemNames('nothing'), await listItemNames('%_')]).toEqual([[], []]);
  });

  it('list the slots of a bill of material [W-REP-20]', async () => {
    const { data } = await testApp.send(calls.queryBomItemByBomId, { bomId: 'bom-rx19' }, { as });
    expect(data.items.map((it) => it.location)).toEqual(['U1', 'U2', 'U3', 'U4']);
  });

  it('find items by the beginning of their sales code [W-REP-21]', async () => {
    const { data } = await testApp.send(calls.queryBySalesCode, { salesCode: 'rx' }, { as });
    expect(data.items.map((it) => [it.salesCode, it.boardCount])).toEqual([
      ['RX19', 4],
      ['RX21', 3],
    ]);
  });

  it('name the parts that are bound to a device now [W-ASM-16, W-RCV-21]', async () => {
    const listParts = async (assemblySn: string) =>
      (await testApp.send(calls.queryComponentSnByAssemblySn, { assemblySn }, { as })).data.items;
    expect(await listParts('d2')).toEqual([
      { componentType: 'COIT000000S1', componentSn: 'P1', qrCodeNum: null },
      { componentType: 'COIT000000S0', componentSn: 'B1', qrCodeNum: 'Q1' },
    ]);
    expect(await listParts('D1')).toEqual([]);
  });

  it('tell in which devices a part was, the newest first [W-ASM-17]', async () => {
    for (const input of [{ componentSN: 'p1' }, { componentSn: 'P1' }]) {
      const { data } = await testApp.send(calls.componentQuery, input, { as });
      expect(data.items.map((it) => [it.deviceSn, it.unbindTime])).toEqual([
        ['D2', null],
        ['D1', 2],
      ]);
    }
  });

  describe('of what devices are made of', () => {
    const asNB = { as: 'techNB' };
    beforeAll(async () => {
      await stockMachine(testApp.db, Node.AwaitingTest, { sn: 'D-NB', siteId: 'NB' });
      await stockMachine(testApp.db, Node.AwaitingTest, { sn: 'D-SZ' });
      const board = { componentType: 'COIT000000S0', bindTime: new Date(4) };
      await testApp.db
        .insertInto('ubs_assembly')
        .values([
          { ...board, deviceSn: 'D-NB', componentSn: 'B-NB', qrCodeNum: 'Q-NB' },
          { ...board, deviceSn: 'D-SZ', componentSn: 'B-SZ', unbindTime: new Date(5) },
          { ...board, deviceSn: 'D-NB', componentSn: 'B-SZ' },
        ])
        .execute();
    });

    it.each([
      [
        'queryComponentSnByAssemblySn',
        () => testApp.send(calls.queryComponentSnByAssemblySn, { assemblySn: 'D2' }, { as: 'supplier' }),
      ],
      ['componentQuery', () => testApp.send(calls.componentQuery, { componentSN: 'P1' }, { as: 'supplier' })],
    ])('%s is refused to who may not see the list of bindings', async (_, ask) => void (await expectNo('100013', ask)));

    it("say that another site's device is another site's, and not which", async () => {
      const ask = (asking: object) => testApp.send(calls.queryComponentSnByAssemblySn, { assemblySn: 'd-nb' }, asking);
      const { msg, data } = await expectNo('100004', () => ask({ as }));
      expect(msg).toBe('SN D-NB belongs to another site, not to yours');
      expect(JSON.stringify(data)).not.toMatch(/B-NB|Q-NB|"NB"/);
      expect((await ask(asNB)).data.items.map((it) => it.componentSn)).toEqual(['B-NB', 'B-SZ']);
    });

    it("leave out of a part's past what was another site's", async () => {
      const listDevices = async (componentSN: string, asking: object) =>
        (await testApp.send(calls.componentQuery, { componentSN }, asking)).data.items.map((it) => it.deviceSn);
      expect(await listDevices('B-SZ', { as })).toEqual(['D-SZ']);
      expect(await listDevices('B-NB', { as })).toEqual([]);
      expect(await listDevices('B-SZ', asNB)).toEqual(['D-NB']);
      expect(await listDevices('B-SZ', { as: 'admin' })).toEqual(['D-NB', 'D-SZ']);
    });

    it('and so does the list of bindings', async () => {
      const listed = async (asking: object) => {
        const { data } = await testApp.ask<{ items: { deviceSn: string }[]; itemTotal: number }>(
          'GET',
          '/api/ubsAssembly/pager.json',
          { componentSn: 'B-' },
          asking,
        );
        expect(data.items).toHaveLength(data.itemTotal);
        return data.items.map((it) => it.deviceSn).sort();
      };
      expect(await listed({ as })).toEqual(['D-SZ']);
      expect(await listed(asNB)).toEqual(['D-NB', 'D-NB']);
      expect(await listed({ as: 'admin' })).toEqual(['D-NB', 'D-NB', 'D-SZ']);
    });
  });

  it.each([
    ['queryBomByName', () => testApp.send(calls.queryBomByName, { bomName: 'HASH' }, { as: 'supplier' })],
    ['queryBomItemByBomId', () => testApp.send(calls.queryBomItemByBomId, { bomId: 'BOM-RX19' }, { as: 'supplier' })],
    ['allSites', () => testApp.send(calls.allSites, {}, { as: 'supplier' })],
  ])('%s is refused to who has no use for it', async (_, ask) => void (await expectNo('100013', ask)));

  it('list the sites of the user, and all sites', async () => {
    const own = await testApp.send(calls.loadUserSites, {}, { as });
    const all = await testApp.send(calls.allSites, {}, { as });
    expect(own.data.items.map((it) => it.siteId)).toEqual(['SZ']);
    expect(all.data).toMatchObject({ itemTotal: 3 });
  });
});
