import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { changeSn, generateSn, querySnInfo, rollbackChange } from './contract.change.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  for (const it of ['office', 'supervisor', 'admin', 'tech', 'warehouse']) await testApp.openToken(it);
});
afterAll(() => testApp.close());

let made = 0;
const newSn = (stem = 'RX19CHG4A') => `${stem}${String(++made).padStart(17 - stem.length, '0')}`;
async function archive(sn: string, more: object = {}): Promise<string> {
  const of = { itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
  await testApp.db
    .insertInto('ubs_item_object')
    .values({ ...of, ...more, sn })
    .execute();
  return sn;
}
/** A unit on a bill that the archive knows. */
async function unit(node: Node = Node.AwaitingRepair, more: object = {}) {
  const it = await unitOnBill(testApp.db, { node, sn: newSn(), ...more });
  await archive(it.sn);
  return it;
}
const stock = async (node: Node, row: object = {}) =>
  archive(await stockMachine(testApp.db, node, { sn: newSn(), ...row }));

const as = { as: 'office' };
const change = (oldSn: string, to: string, more: object = {}, asking: { as?: string; key?: string } = as) =>
  testApp.send(changeSn, { cause: '1', oldSn, newSn: to, remark: '', ...more }, asking);
async function changed(oldSn: string, to = newSn()): Promise<string> {
  const answer = await change(oldSn, to);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return to;
}
async function done<C extends Call>(call: C, input: InputOf<C>, by: string) {
  const answer = await testApp.send(call, input, { as: by });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
}
/** The same by its path, of a call of another area. */
async function asked(path: string, input: object, by: string) {
  const answer = await testApp.ask<Record<string, unknown>>('POST', path, input, { as: by });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data;
}
const latestLog = (newest: string) =>
  testApp.db
    .selectFrom('ubs_sn_change_log')
    .selectAll()
    .where('newSn', '=', newest)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
const takeBack = async (newest: string, asking = { as: 'admin' }) =>
  testApp.send(rollbackChange, { id: String((await latestLog(newest)).id), remark: 'wrong label' }, asking);
interface Life {
  sn: string;
  formerSns: string[];
  unit: { sn: string; ivyId: string } | null;
  events: { step: string; operateStatus: string; note: string | null }[];
  parts: { componentSn: string }[];
  holders: { deviceSn: string }[];
}
const lifeOf = async (sn: string, by = 'office') => {
  const answer = await testApp.ask<Life>('GET', `/api/rmaMaintainBill/viewHistory.json?sn=${sn}`, undefined, {
    as: by,
  });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data;
};

describe('the change of an SN', () => {
  it('moves unit, archive, item and history to the new SN, with a log and the ledger [S-CHG-02]', async () => {
    const it_ = await unit();
    const to = newSn();
    const key = newKey();
    const answer = await change(
      it_.sn,
      ` ${to.toLowerCase()} `,
      { cause: '9', remark: 'asked for' },
      { as: 'office', key },
    );
    expect(answer, answer.msg).toMatchObject({ code: '000000', data: { sn: to, barcodeType: '1' } });
    // The same request again is the same change.
    expect(
      await change(it_.sn, ` ${to.toLowerCase()} `, { cause: '9', remark: 'asked for' }, { as: 'office', key }),
    ).toMatchObject({
      data: { sn: to },
    });
    const { unit: now, history } = await readTrace(testApp, to);
    expect(now).toMatchObject({ sn: to, ivyId: '50', mtbliId: it_.mtbliId });
    expect(history).toMatchObject([
      {
        step: 'changeSn',
        fromNode: '50',
        toNode: '50',
        note: `${it_.sn} → ${to} · asked for`,
        operateStatus: 'Normal',
      },
    ]);
    expect((await readTrace(testApp, it_.sn)).unit).toBeUndefined();
    expect(await readItem(testApp, it_.mtbliId)).toMatchObject({ receiveSn: to });
    expect(await latestLog(to)).toMatchObject({
      oldSn: it_.sn,
      cause: '9',
      remark: 'asked for',
      salesCode: 'RX19',
      siteId: 'SZ',
      createBy: 'office',
      operateStatus: 'Normal',
    });
    expect(await readLedger(testApp, to)).toMatchObject([{ what: 'changeSn', before: { sn: it_.sn } }]);
    const object = await testApp.db.selectFrom('ubs_item_object').selectAll().where('sn', '=', to).executeTakeFirst();
    expect(object).toMatchObject({ salesCode: 'RX19', printCount: 1, barcodeType: '1' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('leads from either SN to the same page', async () => {
    const { sn: first } = await unit();
    const second = await changed(first);
    const third = await changed(second);
    const life = await lifeOf(third);
    expect(life).toMatchObject({ sn: third, unit: { sn: third, ivyId: '50' } });
    expect([...life.formerSns].sort()).toEqual([first, second].sort());
    expect(life.events.map((it) => it.step)).toEqual(['changeSn', 'changeSn']);
    for (const sn of [first, second]) expect(await lifeOf(sn)).toEqual(life);
  });

  it('goes back to a former SN of the same unit, and away from it again', async () => {
    const { sn: first } = await unit();
    const second = await changed(first);
    await changed(second, first);
    expect(await lifeOf(second)).toMatchObject({ sn: first, formerSns: [second], unit: { sn: first } });
    await changed(first, second);
    expect(await lifeOf(first)).toMatchObject({ sn: second, formerSns: [first] });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes bindings, the power of an open item and the line of a stock-up bill along', async () => {
    const device = await unit(Node.AwaitingStorage);
    const power = await archive(newSn('PSU4A'), { type: '1' });
    const was = await archive(newSn('PSU4A'), { type: '1' });
    await testApp.db
      .insertInto('ubs_assembly')
      .values([
        { deviceSn: device.sn, componentSn: was, unbindTime: new Date().toISOString() },
        { deviceSn: device.sn, componentSn: power },
      ])
      .execute();
    const { mtbliId } = device;
    await asked(
      '/api/rmaStoreBill/submitStoreBill.json',
      { rmaStoreBillLineList: [{ sn: device.sn }], packageCount: 20 },
      'warehouse',
    );
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ powerSn: power })
      .where('mtbliId', '=', mtbliId)
      .execute();
    const to = await changed(device.sn);
    const powerTo = await changed(power, newSn('PSU4A'));
    const bindings = testApp.db.selectFrom('ubs_assembly').select(['deviceSn', 'componentSn']).orderBy('id');
    expect(await bindings.where('deviceSn', 'in', [device.sn, to]).execute()).toEqual([
      { deviceSn: device.sn, componentSn: was },
      { deviceSn: to, componentSn: powerTo },
    ]);
    expect(await readItem(testApp, mtbliId)).toMatchObject({ receiveSn: to, powerSn: powerTo });
    const lines = testApp.db.selectFrom('rma_stockup_bill_line').select('sn').where('mtbliId', '=', mtbliId);
    expect(await lines.execute()).toEqual([{ sn: to }]);
    // Both the present and the past of either are found by either SN.
    for (const sn of [device.sn, to])
      expect((await lifeOf(sn)).parts.map((it) => it.componentSn).sort()).toEqual([powerTo, was].sort());
    for (const sn of [power, powerTo]) {
      const query = await testApp.ask<{ items: { assemblySn: string }[] }>(
        'GET',
        `/api/ubsAssembly/componentQuery.json?componentSn=${sn}`,
        undefined,
        as,
      );
      expect(
        query.data.items.map((it) => it.assemblySn),
        query.msg,
      ).toEqual([to]);
    }
    const bound = await testApp.ask(
      'GET',
      `/api/ubsAssembly/queryComponentSnByAssemblySn.json?assemblySn=${device.sn}`,
      undefined,
      as,
    );
    expect(bound).toMatchObject({ data: { items: [{ componentSn: powerTo }] } });
  });

  it('leaves a stay that has ended under the SN with which it ended', async () => {
    const { sn, mtbliId } = await unit(Node.Shipped);
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverSn: sn, deliverTime: new Date(Date.now() - 86_400_000).toISOString() })
      .where('mtbliId', '=', mtbliId)
      .execute();
    const bill = await maintainBill(testApp.db, { billStatus: '0' });
    const back = await asked(
      '/api/rmaReceiveBill/receive.json',
      {
        mtbId: bill.mtbId,
        rmaReceiveBillLineRequestList: [
          { salesCode: 'RX19', type: '0', rmaReceiveBillLineItemRequestList: [{ receiveSn: sn, depreciation: 'A' }] },
        ],
      },
      'warehouse',
    );
    expect(back).toMatchObject({ snList: [sn] });
    const to = await changed(sn);
    expect(await readItem(testApp, mtbliId)).toMatchObject({ receiveSn: sn, deliverSn: sn });
    const { unit: now, history } = await readTrace(testApp, to);
    expect(await readItem(testApp, now?.mtbliId ?? '')).toMatchObject({ receiveSn: to, maintains: 1 });
    expect(history.map((it) => it.step)).toEqual(['changeSn', 'receive']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

/** A unit that left under an SN that was changed on its next stay, and has left again by itself. */
async function shippedAs(billRow: object) {
  const bill = await maintainBill(testApp.db, { billStatus: '2', ...billRow });
  const { sn, mtbliId } = await unit(Node.Shipped, { bill });
  const gone = { deliverSn: sn, deliverTime: new Date(Date.now() - 86_400_000).toISOString() };
  await testApp.db.updateTable('rma_maintain_bill_line_item').set(gone).where('mtbliId', '=', mtbliId).execute();
  const to = newSn();
  await testApp.db.updateTable('rma_inventory').set({ sn: to }).where('sn', '=', sn).execute();
  const { id } = await testApp.db
    .updateTable('ubs_item_object')
    .set({ sn: to })
    .where('sn', '=', sn)
    .returning('id')
    .executeTakeFirstOrThrow();
  const log = { oldSn: sn, newSn: to, cause: '1', operateStatus: 'Normal', siteId: 'SZ', itemObjectId: id };
  await testApp.db.insertInto('ubs_sn_change_log').values(log).execute();
  return { sn, to };
}

describe('what was a unit’s SN once', () => {
  it('is refused at the stations and says what the unit is called now', async () => {
    const { sn } = await unit(Node.AwaitingStorage);
    const to = await changed(sn);
    const ask = (path: string, body: object, by: string) => testApp.ask('POST', path, body, { as: by });
    const said = await expectNo('100002', () => ask('/api/rmaStoreBill/attemptStore.json', { sn }, 'warehouse'));
    expect(said.msg).toContain(to);
    const lines = { rmaStoreBillLineList: [{ sn }], packageCount: 20 };
    const submit = await expectRefused(testApp, '100002', () =>
      ask('/api/rmaStoreBill/submitStoreBill.json', lines, 'warehouse'),
    );
    expect(submit.data).toMatchObject({ problems: [{ key: 'formerSn', field: 'rmaStoreBillLineList.0.sn' }] });
    await expectRefused(testApp, '100002', () =>
      ask('/api/rmaInventory/modifyIvyId.json', { sn, ivyId: '60', remark: 'x' }, 'admin'),
    );
    await expectRefused(testApp, '100002', () => ask('/api/rmaStoreBill/storeStart.json', { sn }, 'warehouse'));
    const again = await expectRefused(testApp, '100002', () => change(sn, newSn()));
    expect(again.msg).toContain(to);
    expect((await ask('/api/rmaStoreBill/attemptStore.json', { sn: to }, 'warehouse')).code).toBe('000000');
  });

  it('is given to nobody else: by a change, as a third party’s SN, as a part', async () => {
    const { sn } = await unit();
    await changed(sn);
    const other = await unit();
    await expectRefused(testApp, '100007', () => change(other.sn, sn));
    await expectRefused(testApp, '100002', () =>
      testApp.ask('POST', '/api/ubsItemObject/createNonOfficial.json', { sn, type: '0' }, { as: 'warehouse' }),
    );
    const device = await unitOnBill(testApp.db, { node: Node.AwaitingAssembly, sn: newSn() });
    const partsList = [{ sn, component_type: 'COIT000000S1', qrCodeNum: null }];
    const refused = await testApp.ask(
      'POST',
      '/api/rmaAssembleBill/assemble.json',
      { sn: device.sn, partsList },
      { as: 'tech' },
    );
    expect(refused.code).not.toBe('000000');
    expect(await testApp.db.selectFrom('ubs_item_object').select('id').where('sn', '=', sn).execute()).toEqual([]);
    const form = { sn, itemId: 1, salesCode: 'RX19', itemName: 'x', type: '0', origin: '1' };
    const created = await testApp.ask('POST', '/api/ubsItemObject/create.json', form, { as: 'admin' });
    expect(created.data).toMatchObject({ problems: [{ key: 'formerSn', field: 'sn' }] });
  });

  it('tells the past of the unit at receipt: repairs, repair warranty, another customer', async () => {
    const { sn, to } = await shippedAs({ btmUserId: 'U-ONE' });
    const bill = await maintainBill(testApp.db, { billStatus: '0', btmUserId: 'U-TWO' });
    const ask = (it: string) =>
      testApp.ask('POST', '/api/rmaReceiveBill/validateSn.json', { mtbId: bill.mtbId, sn: it }, { as: 'warehouse' });
    const answer = await ask(to);
    expect(answer, answer.msg).toMatchObject({
      code: '000000',
      data: { maintains: 1, continues: '1', secondHand: '1' },
    });
    expect(await ask(sn)).toMatchObject({ code: '100002', data: { problems: [{ key: 'formerSn' }] } });
  });

  it('is found by Ctrl+K and for its label', async () => {
    const { sn } = await unit();
    const to = await changed(sn);
    for (const text of [sn, to]) {
      const found = await testApp.ask<{ items: { kind: string; text: string }[] }>(
        'GET',
        `/api/find.json?text=${text}`,
        undefined,
        as,
      );
      expect(
        found.data.items.filter((it) => it.kind === 'sn').map((it) => it.text),
        found.msg,
      ).toContain(text);
    }
    const inLists = async (path: string, method: 'GET' | 'POST', body?: object) => {
      const { data, msg } = await testApp.ask<{ items: { sn: string }[] }>(
        method,
        `/api/rmaInventory/${path}`,
        body,
        as,
      );
      expect(
        data.items.map((it) => it.sn),
        msg,
      ).toEqual([to]);
    };
    await inLists(`pager.json?sn=${sn}`, 'GET');
    for (const [relation, value] of [
      ['EQUAL_TO', sn],
      ['LIKE', sn.slice(3)],
    ] as const) {
      const rule = { column: 'sn', relation, value };
      await inLists('advancedSearch.json', 'POST', { adminAdvancedSearchGroup: { rules: [rule] } });
    }
    const label = await testApp.ask('GET', `/api/getSnDetail.json?sn=${sn}&barcodeType=1`, undefined, as);
    const object = await testApp.db.selectFrom('ubs_item_object').select('id').where('sn', '=', to).executeTakeFirst();
    expect(label).toMatchObject({ code: '000000', data: { snDetailId: object?.id } });
  });
});

describe('an SN is not changed', () => {
  it('without the right', async () => {
    const { sn } = await unit();
    await expectRefused(testApp, '100013', () => change(sn, newSn(), {}, { as: 'tech' }));
    await expectRefused(testApp, '401', () => change(sn, newSn(), {}, {}));
  });

  const cases: [what: string, code: string, ofSn: () => Promise<string>, to?: () => Promise<string>][] = [
    ['that nobody knows', '100002', async () => newSn()],
    ['of a shipped unit', '100005', async () => (await unit(Node.Shipped)).sn],
    ['of a scrapped unit', '100006', async () => (await unit(Node.Scrapped)).sn],
    ['of another site’s unit', '100004', async () => (await unit(Node.AwaitingRepair, { siteId: 'NB' })).sn],
    ['of a held unit', '100008', async () => archive((await heldUnit(testApp.db, 'scrap', { sn: newSn() })).sn)],
    ['to one that another unit has', '100007', async () => (await unit()).sn, async () => (await unit()).sn],
    ['to one that the archive has', '100007', async () => (await unit()).sn, async () => archive(newSn())],
    [
      'to one that is declared on a bill',
      '100007',
      async () => (await unit()).sn,
      async () => {
        const sn = newSn();
        const item = await unitOnBill(testApp.db, { node: Node.Shipped, sn: newSn(), item: { receiveSn: sn } });
        await testApp.db.deleteFrom('rma_inventory').where('sn', '=', item.sn).execute();
        return sn;
      },
    ],
    ['to one that is too short', '100015', async () => (await unit()).sn, async () => 'SHORT1'],
    ['to one that can be none', '100015', async () => (await unit()).sn, async () => 'A B/2'],
    ['to nothing', '100001', async () => (await unit()).sn, async () => ' '],
  ];
  it.each(cases)('%s', async (_, code, ofSn, to = async () => newSn()) => {
    const [from, next] = [await ofSn(), await to()];
    await expectRefused(testApp, code, () => change(from, next));
  });

  it('to itself, without a cause, or for another cause without a remark', async () => {
    const { sn } = await unit();
    await expectRefused(testApp, '100007', () => change(sn, sn));
    await expectRefused(testApp, '100001', () => change(sn, newSn(), { cause: '' }));
    await expectRefused(testApp, '100015', () => change(sn, newSn(), { cause: '7' }));
    await expectRefused(testApp, '100001', () => change(sn, newSn(), { cause: '9' }));
  });

  it('twice at once to the same new SN', async () => {
    const [one, two] = [await unit(), await unit()];
    const to = newSn();
    const answers = await Promise.all([change(one.sn, to), change(two.sn, to)]);
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100007']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('but what is not our own may have any', async () => {
    const sn = await archive('OTHERS-1', { origin: '4' });
    expect((await change(sn, 'OTHERS-2')).code).toBe('000000');
  });
});

describe('the lookup before a change', () => {
  it('shows what it is, and refuses what may not be changed [S-CHG-01]', async () => {
    const { sn } = await unit();
    const ask = (it: string, by = 'office') => testApp.send(querySnInfo, { sn: it }, { as: by });
    const object = await testApp.db.selectFrom('ubs_item_object').select('id').where('sn', '=', sn).executeTakeFirst();
    expect(await ask(` ${sn.toLowerCase()}`)).toMatchObject({
      code: '000000',
      data: { itemObjectId: object?.id, sn, salesCode: 'RX19', shape: '1', ivyId: '50', siteId: 'SZ' },
    });
    await expectNo('100005', async () => ask((await unit(Node.Shipped)).sn));
    await expectNo('100002', () => ask('RX19NOBODY'));
    const to = await changed(sn);
    expect((await expectNo('100002', () => ask(sn))).msg).toContain(to);
    await expectNo('100013', () => ask(to, 'tech'));
  });

  it('gives a number that nobody has', async () => {
    const { sn } = await unit();
    const object = await testApp.db
      .updateTable('ubs_item_object')
      .set({ modelCode: 'RX19', productVer: '4A' })
      .where('sn', '=', sn)
      .returning('id')
      .executeTakeFirstOrThrow();
    const give = async () => (await done(generateSn, { itemObjectId: object.id }, 'office'))['sn'] as string;
    const [first, second] = [await give(), await give()];
    expect(first).toMatch(/^RX194A\d{4}D[0-9A-Z]{6}$/);
    expect(second).not.toBe(first);
    expect(await testApp.db.selectFrom('ubs_item_object').select('id').where('sn', '=', first).execute()).toEqual([]);
    await changed(sn, first);
    await expectRefused(testApp, '100002', () => testApp.send(generateSn, { itemObjectId: 999_999_999 }, as));
  });
});

describe('the rollback of a change', () => {
  it('gives the former SN back, in all that was moved, and frees the new one [S-CHG-02]', async () => {
    const { sn, mtbliId } = await unit(Node.AwaitingTest);
    const to = await changed(sn);
    const answer = await takeBack(to);
    expect(answer, answer.msg).toMatchObject({ code: '000000', data: { sn } });
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ sn, ivyId: '70' });
    expect(await readItem(testApp, mtbliId)).toMatchObject({ receiveSn: sn });
    expect(await latestLog(to)).toMatchObject({ operateStatus: 'Rollbacked' });
    const life = await lifeOf(sn);
    expect(life).toMatchObject({ sn, formerSns: [] });
    expect(life.events.map((it) => `${it.step} ${it.operateStatus}`)).toEqual([
      'rollback Rollbacked',
      'changeSn Rollbacked',
    ]);
    expect(await lifeOf(to)).toEqual(life);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
    await expectRefused(testApp, '100014', () => takeBack(to));
    await changed((await unit()).sn, to);
  });

  it('is refused when the unit was worked on since, or has been renamed since', async () => {
    const { sn } = await unit(Node.AwaitingRepair);
    const to = await changed(sn);
    const edit = { sn: to, ivyId: '60', remark: 'x' };
    expect((await testApp.ask('POST', '/api/rmaInventory/modifyIvyId.json', edit, { as: 'admin' })).code).toBe(
      '000000',
    );
    await expectRefused(testApp, '100025', () => takeBack(to));
    const [step] = (await readTrace(testApp, to)).history;
    const undo = { id: String(step?.id), remark: 'x' };
    expect((await testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', undo, { as: 'admin' })).code).toBe(
      '000000',
    );
    const third = await changed(to);
    await expectRefused(testApp, '100025', () => takeBack(to));
    expect((await takeBack(third)).code).toBe('000000');
    expect((await takeBack(to)).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '50' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('comes before the rollback of what was done under the former SN', async () => {
    const sn = await stock(Node.Scrapped);
    const start = { sn, remark: '', subinventoryCode: 'DEF' };
    expect((await testApp.ask('POST', '/api/rmaStoreBill/storeStart.json', start, { as: 'warehouse' })).code).toBe(
      '000000',
    );
    const [step] = (await readTrace(testApp, sn)).history;
    const to = await changed(sn);
    const undo = (id: unknown) =>
      testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', { id: String(id), remark: 'x' }, { as: 'admin' });
    await expectRefused(testApp, '100025', () => undo(step?.id));
    // The history of the unit takes the change back as well as the log does.
    expect((await undo((await readTrace(testApp, to)).history[0]?.id)).code).toBe('000000');
    expect(await latestLog(to)).toMatchObject({ operateStatus: 'Rollbacked' });
    expect((await undo(step?.id)).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ sn, ivyId: '40' });
  });

  it('needs its right, a reason, and a change of the user’s sites', async () => {
    const { sn } = await unit();
    const to = await changed(sn);
    await expectRefused(testApp, '100013', () => takeBack(to, as));
    const { id } = await latestLog(to);
    const send = (input: object) => testApp.send(rollbackChange, input, { as: 'admin' });
    await expectRefused(testApp, '100001', () => send({ id: String(id), remark: ' ' }));
    await expectRefused(testApp, '100001', () => send({ remark: 'x' }));
    await expectRefused(testApp, '100002', () => send({ id: '999999999', remark: 'x' }));
  });
});
