import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { ComponentType } from '#domain/assembly.ts';
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

  it('find items by the beginning of their sales code, with alias and description [W-REP-21] [S-QRY-01]', async () => {
    const { data } = await testApp.send(calls.queryBySalesCode, { salesCode: 'rx' }, { as });
    expect(data.items.map((it) => [it.salesCode, it.boardCount])).toEqual([
      ['RX19', 4],
      ['RX21', 3],
    ]);
    expect(data.items[0]).toMatchObject({ alias: expect.any(String) as string, name: expect.any(String) as string });
  });

  it('name the parts that are bound to a device now, by either call [W-ASM-16, W-RCV-21] [S-QRY-02] [S-QRY-07]', async () => {
    const bound = (lang: 'zh' | 'en') => ({ as, lang });
    for (const [lang, power, board] of [
      ['en', 'Power', 'Computing board'],
      ['zh', '电源', '算力板'],
    ] as const) {
      const expected = [
        { componentType: 'COIT000000S1', componentSn: 'P1', qrCodeNum: null, label: power, name: null },
        { componentType: 'COIT000000S0', componentSn: 'B1', qrCodeNum: 'Q1', label: board, name: null },
      ];
      const byDevice = await testApp.send(calls.queryComponentSnByAssemblySn, { assemblySn: 'd2' }, bound(lang));
      expect(byDevice.data.items).toEqual(expected);
      expect((await testApp.send(calls.queryComponentBySn, { sn: ' d2' }, bound(lang))).data.items).toEqual(expected);
    }
    expect((await testApp.send(calls.queryComponentBySn, { sn: 'D1' }, { as })).data.items).toEqual([]);
  });

  it('tell of a part what its devices were made of, the newest first [W-ASM-17] [S-QRY-06]', async () => {
    for (const input of [{ componentSN: 'p1' }, { componentSn: 'P1' }]) {
      const { data } = await testApp.send(calls.componentQuery, input, { as });
      expect(data.items.map((it) => [it.assemblySn, it.powerSn])).toEqual([
        ['D2', 'P1'],
        ['D1', 'P1'],
      ]);
      expect(data.items[0]).toMatchObject({ controlSn: null, hashBoardList: ['B1'], qrCodeNumList: ['Q1'] });
    }
    expect((await testApp.send(calls.componentQuery, { componentSN: 'NOBODY' }, { as })).data.items).toEqual([]);
  });

  it('tell of a device what it was made of at each change, up to eight boards in their order [S-QRY-06]', async () => {
    const part = (componentType: string, componentSn: string, from: number, until: number | null = null) => ({
      deviceSn: 'D-WIDE',
      componentType,
      componentSn,
      qrCodeNum: componentType === ComponentType.Board ? `Q${componentSn}` : null,
      bindTime: new Date(from),
      unbindTime: until === null ? null : new Date(until),
      createBy: 'tech',
    });
    await stockMachine(testApp.db, Node.AwaitingTest, { sn: 'D-WIDE' });
    const boards = Array.from({ length: 9 }, (_, i) => part(ComponentType.Board, `W${i}`, 100));
    await testApp.db
      .insertInto('ubs_assembly')
      .values([
        part(ComponentType.Power, 'W-OLD', 100, 200),
        part(ComponentType.Controls, 'W-C', 100),
        ...boards,
        part(ComponentType.Power, 'W-NEW', 200),
      ])
      .execute();
    const ask = async (componentSN: string) =>
      (await testApp.send(calls.componentQuery, { componentSN }, { as, lang: 'en' })).data.items;
    const eight = boards.slice(0, 8).map((it) => it.componentSn);
    const siteCode = expect.any(String) as string;
    const common = { assemblySn: 'D-WIDE', controlSn: 'W-C', hashBoardList: eight, siteCode };
    expect(await ask('D-WIDE')).toEqual([
      {
        ...common,
        powerSn: 'W-NEW',
        qrCodeNumList: eight.map((it) => `Q${it}`),
        bindingTime: 200,
        createBy: 'tech 用户',
      },
      {
        ...common,
        powerSn: 'W-OLD',
        qrCodeNumList: eight.map((it) => `Q${it}`),
        bindingTime: 100,
        createBy: 'tech 用户',
      },
    ]);
    expect((await ask('W-OLD')).map((it) => it.bindingTime)).toEqual([100]);
    expect((await ask('W-NEW')).map((it) => it.bindingTime)).toEqual([200]);
    expect((await ask('W-C')).map((it) => it.bindingTime)).toEqual([200, 100]);
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
        (await testApp.send(calls.componentQuery, { componentSN }, asking)).data.items.map((it) => it.assemblySn);
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
