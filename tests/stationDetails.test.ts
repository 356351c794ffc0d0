import { expect, it } from 'vitest';
import { readModel } from '#server/definitions/read.ts';
import { registers } from '#server/definitions/registers.ts';

const { definitions } = readModel(registers);
const detailOf = (module: string) => definitions.get(module)?.detail ?? [];
const linesOf = (module: string) =>
  (definitions.get(module)?.lines ?? []).flatMap((it) => definitions.get(it.module)?.list?.columns ?? []);

const stations: Record<string, string> = {
  rmaArrivalBill: 'signFor',
  rmaReceiveBill: 'receive',
  rmaCheckBill: 'check',
  rmaRepairBill: 'repair',
  rmaAssembleBill: 'assemble',
  rmaBurninBill: 'burnin',
  rmaExamineBill: 'examine',
  rmaStoreBill: 'store',
  rmaDeliverBill: 'deliver',
};
it.each(Object.entries(stations))(
  '%s has a submit page and a detail that edits nothing [W-COM-03]',
  (module, script) => {
    const definition = definitions.get(module);
    expect(definition?.buttons?.map((it) => it.script)).toContain(script);
    expect(definition?.buttons?.map((it) => it.script)).not.toContain('modify');
    expect(definition?.form).toBeUndefined();
    expect(definition?.detail?.length).toBeGreaterThan(2);
  },
);

it('the detail of a receipt shows its bills, when, by whom, and under each line its SNs [W-RCV-03]', () => {
  expect(detailOf('rmaReceiveBill')).toEqual(['rvbId', 'mtbId', 'billTime', 'userId']);
  const [lines, sns] = definitions.get('rmaReceiveBill')?.lines ?? [];
  expect(lines).toMatchObject({ name: 'rmaReceiveBillLineList', module: 'rmaReceiveBillLine' });
  expect(sns).toMatchObject({ module: 'rmaReceiveBillLineItem', under: { name: lines?.name, by: 'mtblId' } });
  expect(linesOf('rmaReceiveBill')).toEqual(expect.arrayContaining(['salesCode', 'receiveCount', 'receiveSn']));
});

it('the detail of a repair, an assembly and a storing shows what belongs to it [W-REP-02] [W-ASM-04] [W-STO-01]', () => {
  const repaired = [
    'partsType',
    'sn',
    'icdIds',
    'icdDescriptions',
    'slot',
    'repairMethod',
    'repairMarking',
    'spendCount',
  ];
  expect(linesOf('rmaRepairBill')).toEqual([...repaired, 'repairUrls']);
  expect(detailOf('rmaAssembleBill')).toEqual(['asbId', 'createTime', 'userId', 'sn']);
  expect(linesOf('rmaAssembleBill')).toEqual(expect.arrayContaining(['sn', 'salesCode', 'salesDescription']));
  expect(detailOf('rmaStoreBill')).toEqual(expect.arrayContaining(['stbId', 'createTime', 'userId']));
  expect(linesOf('rmaStoreBill')).toEqual(expect.arrayContaining(['sn', 'salesCode', 'name', 'icdId']));
});
