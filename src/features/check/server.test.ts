import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileIdOf } from '#domain/images.ts';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import {
  readCodeIds,
  expectNo,
  expectRefused,
  guardCases,
  readItem,
  readLedger,
  readTrace,
} from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { check, getScrapRemark, validateSn } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
let picture: string;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());
// It belongs to the one row that it is handed in with.
beforeEach(async () => {
  picture = await uploadPicture(testApp, 'tech');
});

type Input = InputOf<typeof check>;
const ids = (...names: string[]) => names.map((it) => codes[it] as number);
const submit = (sn: string, more: Partial<Input> = {}, asking: { as?: string; key?: string } = { as: 'tech' }) =>
  testApp.send(check, { sn, issueCodeIdList: ids('FX01'), ...more }, asking);
const ready = (more: object = {}) => unitOnBill(testApp.db, { node: Node.AwaitingCheck, ...more });
const cases = guardCases(() => testApp, Node.AwaitingCheck);

describe('the scan of a unit for its first test', () => {
  it('asks for a session and for the right to check', async () => {
    const { sn } = await ready();
    await expectNo('401', () => testApp.send(validateSn, { sn }));
    await expectNo('100013', () => testApp.send(validateSn, { sn }, { as: 'warehouse' }));
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => testApp.send(validateSn, { sn }, { as: 'tech' }));
  });

  it('tells what the unit is, however its SN was typed, and writes nothing [W-CHK-14]', async () => {
    const { sn, mtbId } = await ready({ item: { powerSn: 'PW1', quotedFaultCode: '不开机', maintains: 2 } });
    const before = await takeSnapshot(testApp.db);
    const answer = await testApp.send(validateSn, { sn: `  ${sn.toLowerCase()}\n`, checkType: '0' }, { as: 'tech' });
    expect(answer).toMatchObject({
      code: '000000',
      data: {
        sn,
        mtbId,
        powerSn: 'PW1',
        item: { itemId: 1, salesCode: 'RX19', deviceType: '0' },
        quotedFaultCode: '不开机',
        maintains: 2,
      },
    });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('says a no in the language that was asked for', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    const zh = await testApp.send(validateSn, { sn }, { as: 'tech', lang: 'zh' });
    const en = await testApp.send(validateSn, { sn }, { as: 'tech' });
    expect([zh.msg, en.msg]).toEqual([
      `SN ${sn} 当前节点为“待测试”，本工序只接收“待初检”`,
      `SN ${sn} is at "Awaiting test"; this step takes only "Awaiting initial test"`,
    ]);
  });

  it('tells why a supervisor sent the unit back, and leaves it to that call [W-CHK-16]', async () => {
    const { sn } = await heldUnit(testApp.db, 'scrap');
    await testApp.db
      .updateTable('rma_check_bill_line')
      .set({ scrapStatus: '2', declineScrapRemark: '还能修' })
      .where('sn', '=', sn)
      .execute();
    const remark = await testApp.send(getScrapRemark, { sn }, { as: 'tech' });
    expect(remark.data).toEqual({ declineScrapRemark: '还能修', nofaultConfirmRemark: null });
    const powerLine = { ckbId: 'CKB-OTHER', sn, icdIds: 'FX01' };
    await testApp.db
      .insertInto('rma_check_bill')
      .values({ ckbId: 'CKB-OTHER', siteId: 'SZ', userId: 'tech' })
      .execute();
    await testApp.db.insertInto('rma_check_bill_line').values(powerLine).execute();
    expect((await testApp.send(getScrapRemark, { sn }, { as: 'tech' })).data).toEqual(remark.data);
    const elsewhere = await testApp.send(getScrapRemark, { sn }, { as: 'techNB' });
    expect(elsewhere.data).toEqual({ declineScrapRemark: null, nofaultConfirmRemark: null });
    const scan = await testApp.send(validateSn, { sn }, { as: 'tech' });
    expect(JSON.stringify(scan)).not.toContain('还能修');
  });
});

describe('a check', () => {
  it('asks for a session, for the right, and for a unit of the own site', async () => {
    const { sn } = await ready();
    await expectRefused(testApp, '401', () => submit(sn, {}, {}));
    await expectRefused(testApp, '100013', () => submit(sn, {}, { as: 'warehouse' }));
    await expectRefused(testApp, '100004', () => submit(sn, {}, { as: 'techNB' }));
  });

  it.each(cases)('refuses %s [W-EVT-08]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectRefused(testApp, code, () => submit(sn));
  });

  it('takes pictures of its own sender alone, which no row has yet, of two checks at once one', async () => {
    const file = (more: object) =>
      testApp.db.updateTable('file').set(more).where('id', '=', fileIdOf(picture)).executeTakeFirstOrThrow();
    const units = await Promise.all([1, 2].map(() => ready()));
    const sends = () =>
      Promise.all(units.map(({ sn }) => submit(sn, { issueCodeIdList: ids('FX54'), checkUrls: picture })));
    for (const [said, back, key] of [
      [{ createBy: 'techNB' }, { createBy: 'tech' }, 'notFound'],
      [{ kind: 'pdf' }, { kind: 'picture' }, 'imageFormat'],
      [{ right: 'rmaRepairFeeBill:list' }, { right: '' }, 'fileInUse'],
      [{ inUse: true }, { inUse: false }, 'fileInUse'],
    ] as const) {
      await file(said);
      const refused = (await sends()).map((it) => it.data as unknown);
      const problems = [expect.objectContaining({ key, field: 'checkUrls' }) as unknown];
      expect(refused).toEqual(units.map(() => ({ problems })));
      await file(back);
    }
    expect((await sends()).map((it) => it.code).sort()).toEqual(['000000', '100007']);
  });

  const wrong: [what: string, code: string, input: () => Partial<Input>][] = [
    ['no issue code', '100001', () => ({ issueCodeIdList: [] })],
    ['a code that does not exist', '100027', () => ({ issueCodeIdList: [9999] })],
    ['a code of another category', '100027', () => ({ issueCodeIdList: ids('RP01') })],
    ['a code that is no number', '100027', () => ({ issueCodeIdList: ['FX01; --'] })],
    ['a code that needs a picture, without one', '100017', () => ({ issueCodeIdList: ids('FX54') })],
    ['a chip code without a picture', '100017', () => ({ issueCodeIdList: ids('CL15'), repairChipCount: 2 })],
    ['a chip code without chips', '100018', () => ({ issueCodeIdList: ids('CL15'), checkUrls: picture })],
    ['more chips than anybody repairs', '100015', () => ({ repairChipCount: 1e12 })],
    ['half a chip', '100018', () => ({ issueCodeIdList: ids('CL15'), checkUrls: picture, repairChipCount: 1.5 })],
    [
      'five pictures',
      '100017',
      () => ({ checkUrls: Array.from({ length: 5 }, (_, i) => `/file/${String(i).repeat(32)}`) }),
    ],
    ['a picture that was never uploaded', '100002', () => ({ checkUrls: `/file/${'a'.repeat(32)}` })],
    ['a picture from elsewhere', '100002', () => ({ checkUrls: 'https://example.com/file/1' })],
    ['codes of a power without its SN', '100001', () => ({ powerIssueCodeList: ids('FX01') })],
    ['a power SN that can be none', '100015', () => ({ powerSn: 'P W' })],
    ['a device under the part tab', '100015', () => ({ checkType: '1' })],
    ['no fault together with a fault', '100015', () => ({ issueCodeIdList: ids('NTF', 'FX01') })],
    ['no fault together with scrap', '100015', () => ({ issueCodeIdList: ids('NTF', 'UM17'), checkUrls: picture })],
    [
      'no fault together with a faulty power',
      '100015',
      () => ({ issueCodeIdList: ids('NTF'), powerSn: 'PW1', powerIssueCodeList: ids('FX01') }),
    ],
  ];
  it.each(wrong)('refuses %s [W-EVT-08] [W-EVT-09] [W-EVT-10]', async (_, code, inputOf) => {
    const { sn } = await ready();
    await expectRefused(testApp, code, () => submit(sn, inputOf()));
  });

  it('sends the unit to repair and keeps what was found [W-CHK-04] [W-CHK-05] [W-CHK-06] [W-CHK-15] [W-EVT-08]', async () => {
    const { sn, mtbId, mtbliId, itemId } = await ready();
    const answer = await submit(` ${sn.toLowerCase()} `, {
      powerSn: 'pw-9',
      checkUrls: picture,
      checkType: '0',
      issueCodeIdList: ids('FX54', 'CL15'),
      powerIssueCodeList: ids('FX01'),
      repairChipCount: 3,
    });
    expect(answer).toMatchObject({ code: '000000', data: { sn, nextNode: Node.AwaitingRepair, confirm: 'none' } });
    const { ckbId } = answer.data;
    expect(ckbId).toMatch(/^CKB\d{13}$/);
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: Node.AwaitingRepair, mtbId, mtbliId, version: 2 });
    expect(history).toMatchObject([
      { step: 'check', billId: ckbId, fromNode: '10', toNode: '50', operateStatus: 'Normal', userId: 'tech', mtbId },
    ]);
    expect(await readItem(testApp, mtbliId)).toMatchObject({
      id: itemId,
      checkUrls: picture,
      checkIcdIds: 'FX54,CL15',
      powerSn: 'PW-9',
      checkTime: expect.any(Number),
      deliverStatus: '0',
    });
    const bill = await testApp.ask('GET', '/api/rmaCheckBill/queryById.json', { id: ckbId }, { as: 'tech' });
    expect(bill.data).toMatchObject({
      ckbId,
      mtbId,
      userId: 'tech',
      checkUrls: picture,
      createTime: expect.any(Number),
      agentAnswer: null,
      rmaCheckBillLineList: [
        {
          sn,
          billTime: expect.any(Number),
          maintainDate: null,
          icdIds: 'FX54,CL15',
          icdDescriptions: 'FX54,CL15',
          repairChipCount: 3,
          powerSn: 'PW-9',
          disposition: 'repair',
        },
        { sn: 'PW-9', icdIds: 'FX01' },
      ],
    });
    expect(await readLedger(testApp, ckbId)).toMatchObject([{ what: 'check', module: 'rmaCheckBill', userId: 'tech' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is read with its pictures and its lines, and changed by nobody [W-CHK-02] [W-CHK-03]', async () => {
    const { sn } = await ready();
    const { ckbId } = (await submit(sn, { issueCodeIdList: ids('FX54'), checkUrls: picture })).data;
    interface View {
      fields: { name: string; format?: string }[];
      lines: Record<string, { columns: { name: string }[] }>;
    }
    const path = '/api/rmaCheckBill/queryById.json';
    const { view } = (await testApp.ask<{ view: View }>('GET', path, { id: ckbId }, { as: 'tech' })).data;
    expect(view.fields.map((it) => it.name).slice(0, 4)).toEqual(['ckbId', 'createTime', 'userId', 'checkUrls']);
    expect(view.fields.find((it) => it.name === 'checkUrls')).toMatchObject({ format: 'images' });
    const columns = view.lines['rmaCheckBillLineList']?.columns.map((it) => it.name);
    expect(columns).toEqual(['sn', 'icdIds', 'icdDescriptions']);
    const change = { id: ckbId, checkUrls: '' };
    const changed = await testApp.ask('POST', '/api/rmaCheckBill/modifyById.json', change, { as: 'admin' });
    expect(changed).toMatchObject({ status: 404, code: '100050' });
  });

  it('takes its codes as texts and its pictures as a list as well', async () => {
    const { sn } = await ready();
    const answer = await submit(sn, { issueCodeIdList: [String(codes['FX54'])], checkUrls: [picture] });
    expect(answer.code).toBe('000000');
  });

  it.each([
    ['scrap', '09', () => ({ issueCodeIdList: ids('UM17', 'FX01'), checkUrls: picture }), 'scrapStatus'],
    ['nofault', '10', () => ({ issueCodeIdList: ids('NTF') }), 'nofaultConfirmStatus'],
  ] as const)(
    'holds a unit for its %s confirmation where it is [W-EVT-09] [W-EVT-10]',
    async (kind, _, input, status) => {
      const { sn, mtbliId } = await ready();
      const answer = await submit(sn, input());
      expect(answer.data).toMatchObject({ nextNode: Node.AwaitingCheck, confirm: kind });
      const line = await testApp.db
        .selectFrom('rma_check_bill_line')
        .selectAll()
        .where('sn', '=', sn)
        .executeTakeFirst();
      expect(line).toMatchObject({ disposition: kind, [status]: '0' });
      expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: Node.AwaitingCheck });
      expect(await readItem(testApp, mtbliId)).toMatchObject({
        scrap: '0',
        deliverStatus: '0',
        checkTime: expect.any(Number),
      });
      await expectRefused(testApp, '100008', () => submit(sn));
    },
  );

  it.each(['', 'lower', 'wide'])('refuses the unit itself as its power, %s', async (how) => {
    const { sn } = await ready();
    const wide = sn.replace(/[A-Z0-9]/g, (it) => String.fromCharCode(it.charCodeAt(0) + 0xfee0));
    const powerSn = ({ lower: ` ${sn.toLowerCase()}`, wide } as Record<string, string>)[how] ?? sn;
    await expectRefused(testApp, '100007', () => submit(sn, { powerSn }));
    const scrap = { issueCodeIdList: ids('UM17'), checkUrls: picture, powerIssueCodeList: ids('FX01') };
    await expectRefused(testApp, '100007', () => submit(sn, { ...scrap, powerSn }));
  });

  it.each(['scrap', 'nofault'] as const)(
    'whose power is an SN that is held leaves that waiting for its %s',
    async (kind) => {
      const held = await heldUnit(testApp.db, kind);
      const device = await ready();
      const power = { powerSn: held.sn, powerIssueCodeList: ids('FX01') };
      expect((await submit(device.sn, power)).code).toBe('000000');
      await expectNo('100008', () => testApp.send(validateSn, { sn: held.sn }, { as: 'tech' }));
      await expectRefused(testApp, '100008', () => submit(held.sn));
    },
  );

  it('takes a stock machine, which has no bill', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingCheck);
    expect((await submit(sn)).data).toMatchObject({ nextNode: Node.AwaitingRepair });
  });

  it('is done once: a second one finds the unit elsewhere, a repeated one gets the first answer', async () => {
    const { sn } = await ready();
    const asking = { as: 'tech', key: newKey() };
    const first = await submit(sn, {}, asking);
    expect(await submit(sn, {}, asking)).toEqual(first);
    await expectRefused(testApp, '100003', () => submit(sn));
    const lines = await testApp.db.selectFrom('rma_check_bill_line').selectAll().where('sn', '=', sn).execute();
    expect(lines).toHaveLength(1);
  });

  it('is done once when two technicians submit at the same moment', async () => {
    const { sn } = await ready();
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(sn)));
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', ...Array.from({ length: 5 }, () => '100003')]);
    expect((await readTrace(testApp, sn)).history).toHaveLength(1);
  });

  it('reminds of FX409 for a device without a power', async () => {
    const { sn } = await ready();
    expect((await submit(sn)).data.warning).toContain('FX409');
    const other = await ready();
    expect((await submit(other.sn, { issueCodeIdList: ids('FX409') })).data.warning).toBeUndefined();
  });
});
